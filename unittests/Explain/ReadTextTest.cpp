//===- ReadTextTest.cpp - Any file is recognised, or said not to be -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Support.h"

#include <algorithm>

using namespace wf::explain;

namespace {

std::string utf16(const std::string &ascii, bool big, bool mark) {
  std::string out;
  const auto put = [&](unsigned unit) {
    const char low = static_cast<char>(unit & 0xff);
    const char high = static_cast<char>(unit >> 8);
    out += big ? high : low;
    out += big ? low : high;
  };
  if (mark)
    put(0xfeff);
  for (unsigned char c : ascii)
    put(c);
  return out;
}

} // namespace

TEST(ReadText, EncodingsAndLineEndsAreUndone) {
  const std::string want =
      listingText("nvidia/seed_reduce_sum.sm_86.cuobjdump.sass");
  for (bool big : {false, true})
    for (bool mark : {false, true})
      EXPECT_EQ(plainText(utf16(want, big, mark)), want) << big << mark;
  EXPECT_EQ(plainText("\xef\xbb\xbf" + want), want);
  std::string dos;
  for (char c : want)
    dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(plainText(dos), want);
}

TEST(ReadText, PagesAndTerminals) {
  EXPECT_EQ(plainText("a &lt; b &amp;&amp; c &gt; d&#39;s &#x41;&nbsp;&quot;"),
            "a < b && c > d's A \"");
  // Without an entity that a page makes, & is C's.
  EXPECT_EQ(plainText("x & y; p &z; q"), "x & y; p &z; q");
  EXPECT_EQ(plainText("\x1b[1;31mSTS\x1b[0m [R7.X4], R0 ;\x1b"),
            "STS [R7.X4], R0 ;");
  EXPECT_EQ(plainText("\x1b]8;;http://x\aLDS\x1b]8;;\x1b\\ R0"), "LDS R0");
  EXPECT_EQ(plainText("S2R\xc2\xa0R0"), "S2R R0");
  EXPECT_EQ(plainText("a\rb"), "a\nb");
}

TEST(ReadText, FormatsAreRecognised) {
  struct Row {
    const char *file;
    Format format;
  };
  const Row rows[] = {
      {"nvidia/catalogue.sm_86.cuobjdump.sass", Format::CuobjdumpSass},
      {"nvidia/cuda13.seed_reduce_sum.sm_120.cuobjdump.sass",
       Format::CuobjdumpSass},
      {"nvidia/catalogue.sm_90.nvdisasm.sass", Format::Nvdisasm},
      {"nvidia/seed_reduce_sum.sm_86.nvdisasm-plr.txt", Format::Nvdisasm},
      {"nvidia/lineinfo.nvdisasm-gp.sass", Format::Nvdisasm},
      {"nvidia/cuda13.seed_reduce_sum.sm_90.nvdisasm.json",
       Format::NvdisasmJson},
      {"nvidia/seed_reduce_sum.sm_86.res-usage.txt", Format::ResourceUsage},
      {"nvidia/seed_reduce_sum.cu", Format::Source},
      {"amd/kernels.cl", Format::Source},
      {"amd/kernels.gfx1100.objdump.s", Format::LlvmObjdumpAmd},
      {"amd/kernels.gfx1250.llvm22.objdump.s", Format::LlvmObjdumpAmd},
      {"amd/kernels.gfx90a.clang.s", Format::ClangAmd}};
  for (const Row &row : rows)
    EXPECT_EQ(recognise(listingText(row.file)), row.format) << row.file;
  struct Text {
    const char *text;
    Format format;
  };
  const Text texts[] = {
      {"", Format::Empty},
      {" \n\t\n", Format::Empty},
      {"\x7f"
       "ELF\x02",
       Format::Elf},
      {"/*0010*/ S2R R6, SR_CTAID.X ;", Format::SassFragment},
      {"\ts_load_b32 s3, s[0:1], 0x24\n\ts_endpgm\n", Format::AmdFragment},
      {".version 8.0\n.target sm_80\n.visible .entry k()\n{\n ret;\n}\n",
       Format::Ptx},
      {"module { tt.func public @k(%x: !tt.ptr<f32>) { tt.return } }",
       Format::TritonIr},
      {"#blocked = #ttg.blocked<{}>\nmodule { tt.func @k() { tt.return } }",
       Format::TritonGpuIr},
      {"; ModuleID = 'k'\ndefine void @k() {\n ret void\n}\n", Format::LlvmIr},
      {"module { func.func @k() { return } }", Format::Mlir},
      {"#include <cuda.h>\nint main() {}", Format::Source},
      {"Dear all,\nthe store (STS) is slow. LDS too; BAR.SYNC is not.\n",
       Format::Unknown}};
  for (const Text &row : texts)
    EXPECT_EQ(recognise(row.text), row.format) << row.text;
}

TEST(ReadText, BadInputSaysWhatItIsAndWhatToDo) {
  struct Row {
    std::string text, message, hint;
  };
  const Row rows[] = {
      {"", "f is empty", "check the command"},
      {"hello", "f is a text of no known tool", "cuobjdump -sass"},
      {"\x7f"
       "ELF\x02\x01\x01",
       "f holds an ELF image, not machine code", "disassemble it"},
      {listingText("nvidia/seed_reduce_sum.cu"),
       "f holds CUDA or HIP source, not machine code", "compile it"},
      {"module { tt.func public @k() { tt.return } }",
       "f holds Triton IR, not machine code", "warpfold inspect"},
      {listingText("nvidia/seed_reduce_sum.sm_86.res-usage.txt"),
       "f holds cuobjdump -res-usage, not machine code", "beside a listing"},
      {listingText("nvidia/seed_reduce_sum.sm_86.nvdisasm-cfg.dot"),
       "f is a graph of nvdisasm -cfg", "nvdisasm -c"},
      {"\n\tcode for sm_75\n", "no kernels in this image: no kernels in",
       "disassemble the linked program"},
      {"nvdisasm fatal   : Cannot decode architecture 'SM120'\n",
       "f holds only a message: the disassembler could not decode architecture "
       "SM120",
       "newer CUDA toolkit"},
      {"[{\"SchemaVersion\": 1", "f is JSON that ends early or is broken",
       "nvdisasm -json"},
      {"[{\"SM\":{\"version\":{\"major\":9,\"minor\":0}},\"SchemaVersion\":{}}"
       ",[]]",
       "no kernels in this image: f lists no function", "disassemble"}};
  for (const Row &row : rows) {
    auto read = readListing(row.text, "f");
    ASSERT_FALSE(read) << row.message;
    EXPECT_EQ(read.fault().message.substr(0, row.message.size()), row.message);
    EXPECT_NE(read.fault().hint.find(row.hint), std::string::npos)
        << read.fault().hint;
  }
}

TEST(ReadText, PtxHandedToTheSassReader) {
  auto read = readSass(".version 8.0\n.target sm_80\n.entry k()\n{\nret;\n}\n",
                       "k.ptx");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.fault().message, "k.ptx has no SASS instructions");
}

TEST(ReadText, ParametersOfBothSpellings) {
  auto read = readParameters("x: f32*, y: f32*, n: i32");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 3u);
  EXPECT_EQ((*read)[0].name, "x");
  EXPECT_EQ((*read)[0].type, "float *");
  EXPECT_EQ((*read)[1].offset, 8u);
  EXPECT_EQ((*read)[2].offset, 16u);
  EXPECT_EQ((*read)[2].bytes, 4u);
  EXPECT_EQ((*read)[2].type, "int");

  read = readParameters("(const float* __restrict__ x, int n, double scale, "
                        "unsigned char flag, float4 v, size_t count)");
  ASSERT_TRUE(read) << read.fault().message;
  ASSERT_EQ(read->size(), 6u);
  EXPECT_EQ((*read)[0].type, "const float *");
  EXPECT_EQ((*read)[1].offset, 8u);
  EXPECT_EQ((*read)[2].offset, 16u); // at a multiple of 8
  EXPECT_EQ((*read)[2].name, "scale");
  EXPECT_EQ((*read)[3].offset, 24u);
  EXPECT_EQ((*read)[3].type, "unsigned char");
  EXPECT_EQ((*read)[4].offset, 32u); // at a multiple of 16
  EXPECT_EQ((*read)[5].offset, 48u);

  EXPECT_TRUE(readParameters(""));
  EXPECT_TRUE(readParameters("float *data[]"));
  auto bad = readParameters("x: f32*, n: frob");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.fault().message, "parameter 'n' has the unknown type 'frob'");
  EXPECT_FALSE(readParameters("x: f32*,, n: i32"));
}

TEST(ReadText, MangledNames) {
  const std::string name = "_Z21reduce_sum_f32_kernelPKfPfi";
  EXPECT_EQ(demangled(name),
            "reduce_sum_f32_kernel(float const*, float*, int)");
  EXPECT_EQ(demangled("gemm_tile"), "gemm_tile");
  EXPECT_EQ(demangled("_Zbroken"), "_Zbroken");
  const auto parameters = parametersOfName(name);
  ASSERT_EQ(parameters.size(), 3u);
  EXPECT_EQ(parameters[0].name, "arg0");
  EXPECT_EQ(parameters[0].type, "const float *");
  EXPECT_EQ(parameters[1].type, "float *");
  EXPECT_EQ(parameters[2].offset, 16u);
  EXPECT_TRUE(parametersOfName("plain").empty());
  // void copy<float, 4>(float const*, float*, long)
  const auto templated = parametersOfName("_Z4copyIfLi4EEvPKT_PS0_l");
  ASSERT_EQ(templated.size(), 3u);
  EXPECT_EQ(templated[2].type, "long");
  EXPECT_EQ(templated[2].bytes, 8u);
}
