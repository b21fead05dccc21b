//===- AmdgcnReadTest.cpp - AMD listings read -----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Expected values are read by eye from the listings, and from what LLVM's
// documentation of the directives says.
//===----------------------------------------------------------------------===//
#include "Support.h"

#include <algorithm>

using namespace wf::explain;

namespace {

const char *const listings[] = {"amd/kernels.gfx1030.objdump.s",
                                "amd/kernels.gfx1100.clang.s",
                                "amd/kernels.gfx1100.llvm22.objdump.s",
                                "amd/kernels.gfx1100.objdump.s",
                                "amd/kernels.gfx1200.clang.s",
                                "amd/kernels.gfx1200.objdump.s",
                                "amd/kernels.gfx1250.llvm22.objdump.s",
                                "amd/kernels.gfx906.llvm22.objdump.s",
                                "amd/kernels.gfx90a.clang.s",
                                "amd/kernels.gfx90a.objdump.s",
                                "amd/kernels.gfx942.objdump.s",
                                "amd/kernels.gfx950.llvm22.objdump.s"};

Listing read(const std::string &text, const std::string &name = "k.s") {
  auto result = readAmdgcn(text, name);
  if (result)
    return std::move(*result);
  ADD_FAILURE() << result.fault().message;
  return {};
}

Kernel kernelOf(const Listing &listing, const std::string &name) {
  for (const Kernel &kernel : listing.kernels)
    if (kernel.name == name)
      return kernel;
  ADD_FAILURE() << "no kernel " << name;
  return {};
}

/// Lines of a disassembly that have an encoding.
size_t encodedLines(const std::string &text) {
  size_t count = 0;
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    count += line.starts_with("\t") && line.find("// 0000") != line.npos;
  return count;
}

} // namespace

TEST(AmdgcnRead, EveryInstructionLineOfEveryListing) {
  for (const char *name : listings) {
    const std::string text = listingText(name);
    const Listing listing = read(text, name);
    EXPECT_EQ(listing.unreadLines, 0u) << name;
    EXPECT_TRUE(listing.remarks.empty()) << name;
    if (size_t encoded = encodedLines(text)) {
      EXPECT_EQ(listing.instructionLines, encoded) << name;
    }
    size_t instructions = 0;
    for (const Kernel &kernel : listing.kernels)
      instructions += kernel.code.size();
    EXPECT_EQ(instructions, listing.instructionLines) << name;
  }
}

TEST(AmdgcnRead, Disassembly) {
  const Listing listing = read(listingText("amd/kernels.gfx1200.objdump.s"));
  ASSERT_EQ(listing.kernels.size(), 13u);
  const Kernel kernel = kernelOf(listing, "reduce_sum");
  EXPECT_EQ(kernel.target, "gfx1200"); // of "gfx1200.co:"
  EXPECT_FALSE(kernel.targetInferred);
  EXPECT_EQ(kernel.lanes, 32);
  EXPECT_TRUE(kernel.entry);
  EXPECT_TRUE(kernel.addressed);
  EXPECT_EQ(kernel.origin, "llvm-objdump -d");
  // 000000005604: F4000080 F8000024
  const Instruction &load = kernel.code[1];
  EXPECT_EQ(load.address, 4u);
  EXPECT_EQ(load.mnemonic, "s_load_b32");
  EXPECT_EQ(load.operands, (std::vector<std::string>{"s2", "s[0:1]", "0x24"}));
  EXPECT_EQ(load.encoding, (std::vector<uint64_t>{0xF4000080, 0xF8000024}));
  // s_cbranch_execz 13, <reduce_sum+0x70>
  const Instruction &branch = kernel.code[10];
  EXPECT_EQ(branch.text, "s_cbranch_execz 13");
  ASSERT_TRUE(branch.target);
  EXPECT_EQ(*branch.target, 0x70u);
  const Instruction &fence = kernel.code[25];
  EXPECT_EQ(fence.mnemonic, "global_wb");
  EXPECT_TRUE(fence.operands.empty());
  EXPECT_EQ(fence.modifiers, (std::vector<std::string>{"scope:SCOPE_SE"}));
}

TEST(AmdgcnRead, CompilerAssembly) {
  const Listing listing = read(listingText("amd/kernels.gfx1200.clang.s"));
  ASSERT_EQ(listing.kernels.size(), 13u);
  const Kernel kernel = kernelOf(listing, "reduce_sum");
  EXPECT_EQ(kernel.target, "gfx1200");
  EXPECT_EQ(kernel.lanes, 32);
  EXPECT_FALSE(kernel.addressed);
  EXPECT_EQ(kernel.origin, "clang -S");
  EXPECT_EQ(kernel.resources.registers, 4u);
  EXPECT_EQ(kernel.resources.uniformRegisters, 8u);
  EXPECT_EQ(kernel.resources.sharedBytes, 1024u);
  EXPECT_EQ(kernel.resources.stackBytes, 0u);
  EXPECT_EQ(kernel.resources.spillBytes, 0u);
  EXPECT_EQ(kernel.resources.maxThreads, 256u);
  EXPECT_EQ(kernel.descriptor.at("user_sgpr_count"), 2);
  ASSERT_EQ(kernel.parameters.size(), 3u);
  EXPECT_EQ(kernel.parameters[0].type, "const float *");
  EXPECT_EQ(kernel.parameters[1].type, "float *");
  EXPECT_EQ(kernel.parameters[1].offset, 8u);
  EXPECT_EQ(kernel.parameters[2].type, "int");
  EXPECT_EQ(kernel.parameters[2].offset, 16u);
  EXPECT_EQ(kernel.parameters[2].bytes, 4u);
  auto size =
      std::find_if(kernel.hidden.begin(), kernel.hidden.end(),
                   [](const Parameter &p) { return p.name == "blockDim.x"; });
  ASSERT_NE(size, kernel.hidden.end());
  EXPECT_EQ(size->offset, 36u);
  EXPECT_EQ(size->bytes, 2u);
  // .LBB5_4 begins with global_inv.
  ASSERT_TRUE(kernel.labels.contains(".LBB5_4"));
  const Instruction &header = kernel.code[kernel.labels.at(".LBB5_4")];
  EXPECT_EQ(header.mnemonic, "global_inv");
  EXPECT_EQ(header.label, ".LBB5_4");
  EXPECT_EQ(kernel.code.back().mnemonic, "s_endpgm");
}

TEST(AmdgcnRead, WaveOf64AndStack) {
  const Listing listing = read(listingText("amd/kernels.gfx90a.clang.s"));
  const Kernel kernel = kernelOf(listing, "loc");
  EXPECT_EQ(kernel.target, "gfx90a");
  EXPECT_EQ(kernel.lanes, 64);
  EXPECT_EQ(kernel.resources.stackBytes, 132u);
}

TEST(AmdgcnRead, FunctionsAreNoEntries) {
  const Listing listing =
      read(listingText("amd/kernels.gfx1100.llvm22.objdump.s"));
  EXPECT_TRUE(kernelOf(listing, "reduce_sum").entry);
  EXPECT_FALSE(kernelOf(listing, "__clang_ocl_kern_imp_reduce_sum").entry);
}

/// The chip is told by opcodes where neither text nor file name says it; each
/// listing is read with its own name taken away.
TEST(AmdgcnRead, TargetInferred) {
  for (auto [name, chip, lanes] :
       {std::tuple("amd/kernels.gfx1030.objdump.s", "gfx1030", 32),
        std::tuple("amd/kernels.gfx1100.objdump.s", "gfx1100", 32),
        std::tuple("amd/kernels.gfx1200.objdump.s", "gfx1200", 32),
        std::tuple("amd/kernels.gfx1250.llvm22.objdump.s", "gfx1250", 32),
        std::tuple("amd/kernels.gfx942.objdump.s", "gfx942", 64)}) {
    std::string text = listingText(name);
    text = text.substr(text.find("Disassembly"));
    const Kernel kernel = kernelOf(read(text, "dump.s"), "reduce_sum");
    EXPECT_TRUE(kernel.targetInferred) << name;
    EXPECT_EQ(kernel.target, chip);
    EXPECT_EQ(kernel.lanes, lanes) << name;
  }
}

TEST(AmdgcnRead, SymbolizedOperands) {
  const Listing listing =
      read("\n"
           "k.gfx1100.o:\tfile format elf64-amdgpu\n\n"
           "Disassembly of section .text:\n\n"
           "0000000000001600 <k>:\n"
           "\ts_mov_b32 s0, 4 // 000000001600: BE800084\n"
           "<L0>:\n"
           "\ts_sub_i32 s0, s0, 1 // 000000001604: 81808100\n"
           "\ts_cbranch_scc1 L0 // 000000001608: BFA2FFFE <L0>\n"
           "\ts_endpgm // 00000000160C: BFB00000\n");
  ASSERT_EQ(listing.kernels.size(), 1u);
  const Kernel &kernel = listing.kernels[0];
  EXPECT_EQ(kernel.target, "gfx1100");
  ASSERT_EQ(kernel.code.size(), 4u);
  EXPECT_EQ(kernel.labels.at("L0"), 1u);
  EXPECT_EQ(kernel.code[2].operands, std::vector<std::string>{"L0"});
}

TEST(AmdgcnRead, FragmentInProse) {
  const Listing listing = read("The loop is short:\n\n```\n"
                               "  ds_load_b32 v3, v1\n"
                               "  s_wait_dscnt 0x0\n"
                               "  v_add_f32_e32 v2, v2, v3\n"
                               "```\n\n"
                               "s_wait_dscnt is what waits for it.\n");
  ASSERT_EQ(listing.kernels.size(), 1u);
  EXPECT_EQ(listing.kernels[0].code.size(), 3u);
  EXPECT_EQ(listing.kernels[0].target, "gfx1200");
  EXPECT_TRUE(listing.kernels[0].targetInferred);
  // The sentence begins with an opcode and is none.
  EXPECT_EQ(listing.instructionLines, 4u);
  EXPECT_EQ(listing.unreadLines, 1u);
  ASSERT_EQ(listing.remarks.size(), 1u);
  EXPECT_EQ(listing.remarks[0].line, 9u);
}

TEST(AmdgcnRead, OtherPrinters) {
  // CLRX's addresses, llvm-mc's encodings, a debugger's arrow.
  const Listing listing =
      read("/*000000000100*/ s_clause 0x2\n"
           "\tv_add_f32_e32 v1, v2, v3 // encoding: [0x02,0x07,0x02,0x06]\n"
           "=> 0x7ffff7e05108 <k+8>:\ts_endpgm\n");
  ASSERT_EQ(listing.kernels.size(), 1u);
  const auto &code = listing.kernels[0].code;
  ASSERT_EQ(code.size(), 3u);
  EXPECT_EQ(code[0].mnemonic, "s_clause");
  EXPECT_EQ(code[1].encoding, std::vector<uint64_t>{0x06020702});
  EXPECT_EQ(code[2].mnemonic, "s_endpgm");
}

TEST(AmdgcnRead, SeveralModules) {
  std::string both;
  for (const char *chip : {"gfx1100", "gfx90a"})
    both += std::string("\t.amdgcn_target \"amdgcn-amd-amdhsa--") + chip +
            "\"\n\t.type k,@function\nk:\n\ts_endpgm\n"
            "\t.amdhsa_kernel k\n\t\t.amdhsa_next_free_vgpr " +
            (chip[3] == '1' ? "7" : "9") + "\n\t.end_amdhsa_kernel\n";
  const Listing listing = read(both);
  ASSERT_EQ(listing.kernels.size(), 2u);
  EXPECT_EQ(listing.kernels[0].target, "gfx1100");
  EXPECT_EQ(listing.kernels[0].resources.registers, 7u);
  EXPECT_EQ(listing.kernels[1].target, "gfx90a");
  EXPECT_EQ(listing.kernels[1].resources.registers, 9u);
}

TEST(AmdgcnRead, NothingThere) {
  auto empty = readAmdgcn("", "empty.s");
  ASSERT_FALSE(empty);
  EXPECT_NE(empty.fault().message.find("empty.s"), std::string::npos);
}

/// Listings cut anywhere still decode; what the cut line says is named.
TEST(AmdgcnRead, CutAtEach97thByte) {
  for (const char *name : listings) {
    const std::string text = listingText(name);
    // The last kernels say what the first do; a quarter of a file is enough.
    for (size_t end = 0; end < text.size() / 4; end += 97) {
      auto listing = readAmdgcn(std::string_view(text).substr(0, end), name);
      if (!listing)
        continue;
      EXPECT_LE(listing->unreadLines, 1u);
      if (end % 970 == 0)
        for (Kernel &kernel : listing->kernels) {
          Program program;
          program.kernel = std::move(kernel);
          decodeAmdgcn(program);
          EXPECT_EQ(program.code.size(), program.kernel.code.size());
        }
    }
  }
}
