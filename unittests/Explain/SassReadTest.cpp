//===- SassReadTest.cpp - Every form of SASS listing is read --------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Support.h"

#include <algorithm>
#include <filesystem>

using namespace wf::explain;

namespace {

Listing listed(const std::string &name) {
  auto read = readListing(listingText(name), name);
  EXPECT_TRUE(read) << name << ": " << (read ? "" : read.fault().message);
  return read ? std::move(*read) : Listing();
}

std::vector<std::string> sassListings() {
  std::vector<std::string> out;
  for (const auto &file : std::filesystem::directory_iterator(
           std::filesystem::path(WARPFOLD_LISTINGS) / "nvidia")) {
    const std::string name = file.path().filename().string();
    if (name.find("res-usage") == std::string::npos &&
        (name.ends_with(".sass") || name.ends_with(".txt") ||
         name.ends_with(".json")))
      out.push_back("nvidia/" + name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Instructions with branch targets by index, so that labels and addresses
/// compare; padding is left out, since -plr prints none.
std::vector<std::string> comparable(const Kernel &kernel) {
  const Program program = decode(kernel);
  std::vector<std::string> out;
  for (size_t i = 0; i < program.code.size(); ++i) {
    const Instruction &made = program.kernel.code[i];
    if (made.mnemonic == "NOP")
      continue;
    std::string text = made.text;
    const Flow &flow = program.code[i].flow;
    if (made.operands.size() > 0 &&
        (flow.kind == Flow::Kind::Jump || flow.kind == Flow::Kind::Call ||
         flow.kind == Flow::Kind::Return || made.mnemonic == "BSSY")) {
      text = text.substr(0, text.find('`'));
      text = text.substr(0, text.find("0x"));
    }
    for (size_t target : flow.targets)
      text += " ->" + std::to_string(program.kernel.code[target].address);
    out.push_back(std::to_string(made.address) + " " + text);
  }
  return out;
}

const Kernel *named(const Listing &listing, const std::string &name) {
  for (const Kernel &kernel : listing.kernels)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

} // namespace

TEST(SassRead, EveryInstructionLineOfEveryListing) {
  const auto names = sassListings();
  EXPECT_GE(names.size(), 60u);
  for (const std::string &name : names) {
    const Listing listing = listed(name);
    EXPECT_EQ(listing.unreadLines, 0u) << name;
    EXPECT_FALSE(listing.kernels.empty()) << name;
    size_t lines = 0;
    for (const Kernel &kernel : listing.kernels) {
      lines += kernel.code.size();
      EXPECT_FALSE(kernel.target.empty()) << name;
      EXPECT_FALSE(kernel.targetInferred) << name << " " << kernel.name;
    }
    EXPECT_EQ(lines, listing.instructionLines) << name;
  }
}

TEST(SassRead, TheSeedAsCuobjdumpPrintsIt) {
  const Listing listing = listed("nvidia/seed_reduce_sum.sm_86.cuobjdump.sass");
  ASSERT_EQ(listing.kernels.size(), 1u);
  const Kernel &kernel = listing.kernels[0];
  EXPECT_EQ(kernel.name, "_Z21reduce_sum_f32_kernelPKfPfi");
  EXPECT_EQ(kernel.target, "sm_86");
  EXPECT_EQ(kernel.origin, "cuobjdump -sass");
  EXPECT_EQ(kernel.line, 3u);
  ASSERT_EQ(kernel.code.size(), 48u);
  const Instruction &load = kernel.code[9];
  EXPECT_EQ(load.address, 0x90u);
  EXPECT_EQ(load.guard, "P0");
  EXPECT_TRUE(load.guardNegated);
  EXPECT_EQ(load.mnemonic, "LDG.E.CONSTANT");
  EXPECT_EQ(load.operands, (std::vector<std::string>{"R0", "[R2.64]"}));
  EXPECT_EQ(load.text, "@!P0 LDG.E.CONSTANT R0, [R2.64]");
  EXPECT_EQ(load.line, 23u);
  EXPECT_EQ(load.encoding,
            (std::vector<uint64_t>{0x0000000602008981, 0x000ea2000c1e9900}));
}

// The table of the notes, §2.6.
TEST(SassRead, ControlFieldsOfTheSeed) {
  const Listing listing = listed("nvidia/seed_reduce_sum.sm_86.cuobjdump.sass");
  ASSERT_EQ(listing.kernels.size(), 1u);
  struct Row {
    uint64_t address;
    int stall, write, read, waits;
  };
  const Row rows[] = {
      {0x10, 1, 0, -1, 0},   {0x40, 2, 0, -1, 0},   {0x50, 5, -1, -1, 1},
      {0x60, 13, -1, -1, 0}, {0x90, 1, 2, -1, 0},   {0xe0, 4, -1, 0, 4},
      {0xf0, 8, -1, -1, 0},  {0x110, 1, -1, -1, 1}, {0x150, 1, -1, -1, 0},
      {0x170, 2, 0, -1, 0},  {0x180, 5, -1, -1, 1}, {0x190, 4, -1, 0, 0},
      {0x1c0, 5, -1, -1, 1}, {0x1d0, 5, -1, -1, 1}, {0x1e0, 1, 0, -1, 0},
      {0x210, 1, -1, -1, 1}};
  for (const Row &row : rows) {
    const Instruction &made = listing.kernels[0].code[row.address / 16];
    ASSERT_EQ(made.address, row.address);
    ASSERT_TRUE(made.control) << made.text;
    EXPECT_EQ(made.control->stall, row.stall) << made.text;
    EXPECT_EQ(made.control->writeBarrier, row.write) << made.text;
    EXPECT_EQ(made.control->readBarrier, row.read) << made.text;
    EXPECT_EQ(made.control->waits, row.waits) << made.text;
  }
}

TEST(SassRead, ControlWordsOfThreeBeforeVolta) {
  const Listing listing = listed("nvidia/seed_reduce_sum.sm_61.cuobjdump.sass");
  ASSERT_EQ(listing.kernels.size(), 1u);
  const auto &code = listing.kernels[0].code;
  ASSERT_EQ(code.size(), 48u);
  // 0x001c5800fe0007f6: its first 21 bits are 0x007f6, the next 0x007f0, the
  // last 0x00716.
  ASSERT_TRUE(code[0].control && code[1].control && code[2].control);
  EXPECT_EQ(code[0].text, "MOV R1, c[0x0][0x20]");
  EXPECT_EQ(code[0].address, 8u);
  EXPECT_EQ(code[0].control->stall, 6);
  EXPECT_EQ(code[1].control->stall, 0);
  EXPECT_EQ(code[2].text, "S2R R6, SR_CTAID.X");
  EXPECT_EQ(code[2].control->stall, 6);
  EXPECT_EQ(code[2].control->writeBarrier, 0);
  EXPECT_EQ(code[2].control->readBarrier, -1);
  // c[0x0] [0x8] is one operand.
  EXPECT_EQ(code[5].text, "XMAD.MRG R3, R6, c[0x0][0x8].H1, RZ");
}

TEST(SassRead, DualIssueBracesAreNoText) {
  const Listing listing = listed("nvidia/patterns.sm_61.cuobjdump.sass");
  EXPECT_EQ(listing.kernels.size(), 17u);
  for (const Kernel &kernel : listing.kernels)
    for (const Instruction &made : kernel.code)
      EXPECT_TRUE(made.mnemonic == "DEPBAR" ||
                  made.text.find_first_of("{}") == std::string::npos)
          << made.text;
}

TEST(SassRead, EveryFormHasTheSameInstructions) {
  const auto want = comparable(
      listed("nvidia/seed_reduce_sum.sm_86.cuobjdump.sass").kernels.at(0));
  ASSERT_EQ(want.size(), 36u);
  for (const char *form : {"nvidia/seed_reduce_sum.sm_86.nvdisasm.sass",
                           "nvidia/seed_reduce_sum.sm_86.nvdisasm-hex.sass",
                           "nvidia/seed_reduce_sum.sm_86.nvdisasm-plr.txt",
                           "nvidia/seed_reduce_sum.sm_80.nvdisasm.sass",
                           "nvidia/seed_reduce_sum.sm_89.cuobjdump.sass"})
    EXPECT_EQ(comparable(listed(form).kernels.at(0)), want) << form;
  for (const char *sm : {"sm_86", "sm_90", "sm_100", "sm_120"}) {
    const std::string stem =
        std::string("nvidia/cuda13.seed_reduce_sum.") + sm + ".";
    const auto printed =
        comparable(listed(stem + "cuobjdump.sass").kernels.at(0));
    for (const char *form : {"nvdisasm.sass", "nvdisasm-hex.sass",
                             "nvdisasm-plr.txt", "nvdisasm.json"})
      EXPECT_EQ(comparable(listed(stem + form).kernels.at(0)), printed)
          << stem << form;
  }
}

TEST(SassRead, JsonOfManyKernelsIsTheListing) {
  const Listing json = listed("nvidia/cuda13.catalogue.sm_90.nvdisasm.json");
  const Listing text = listed("nvidia/cuda13.catalogue.sm_90.cuobjdump.sass");
  ASSERT_EQ(json.kernels.size(), text.kernels.size());
  for (const Kernel &kernel : text.kernels) {
    const Kernel *other = named(json, kernel.name);
    ASSERT_TRUE(other) << kernel.name;
    EXPECT_EQ(other->target, "sm_90");
    EXPECT_EQ(comparable(*other), comparable(kernel)) << kernel.name;
  }
}

TEST(SassRead, LabelsAndTheirBranches) {
  const Listing listing = listed("nvidia/exotic.sm_86.nvdisasm.sass");
  const Kernel *kernel = nullptr;
  for (const Kernel &one : listing.kernels)
    if (one.labels.count("$calls$fn"))
      kernel = &one;
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->name, "calls");
  EXPECT_EQ(kernel->code[kernel->labels.at("$calls$fn")].address, 0x2f0u);
  // BRX R4 -0x110 (*"BRANCH_TARGETS …"*) names where it may lead.
  size_t indirect = 0;
  for (const Kernel &one : listing.kernels)
    for (const Instruction &made : one.code)
      if (made.mnemonic == "BRX") {
        ++indirect;
        EXPECT_EQ(made.targets.size(), 3u) << made.text;
      }
  EXPECT_EQ(indirect, 3u);
}

TEST(SassRead, SourceAndPtxLines) {
  const Listing source = listed("nvidia/lineinfo.nvdisasm-g.sass");
  const Kernel *kernel = named(source, "dbl");
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->code[0].source.file, "/src/k.cu");
  EXPECT_EQ(kernel->code[0].source.line, 23u);
  EXPECT_EQ(kernel->code[14].source.line, 23u);
  const Listing ptx = listed("nvidia/lineinfo.nvdisasm-gp.sass");
  kernel = named(ptx, "dbl");
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->code[0].ptxLine, 1320u);
  EXPECT_EQ(kernel->code[1].ptxLine, 1332u);
  EXPECT_EQ(kernel->code[7].ptxLine, 1320u);
  EXPECT_EQ(kernel->code[8].ptxLine, 1341u);
}

TEST(SassRead, ResourcesWhereTheListingHasThem) {
  const Listing old = listed("nvidia/seed_reduce_sum.sm_86.nvdisasm.sass");
  EXPECT_EQ(old.kernels.at(0).resources.registers, 10u);
  EXPECT_EQ(old.kernels.at(0).resources.barriers, 1u);
  // cuobjdump -sass -res-usage prints both.
  const std::string both =
      listingText("nvidia/seed_reduce_sum.sm_86.cuobjdump.sass") +
      listingText("nvidia/seed_reduce_sum.sm_86.res-usage.txt");
  auto read = readListing(both, "both");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->kernels.size(), 1u);
  EXPECT_EQ(read->kernels[0].resources.registers, 10u);
  EXPECT_EQ(read->kernels[0].resources.sharedBytes, 0u);
  EXPECT_EQ(read->kernels[0].resources.stackBytes, 0u);
}

TEST(SassRead, AttributesOfNvInfo) {
  const std::string text = "\t.section\t.nv.info,\"\",@\"SHT_CUDA_INFO\"\n"
                           "\t//----- nvinfo : EIATTR_REGCOUNT\n"
                           "        /*0000*/ \t.byte\t0x04, 0x2f\n"
                           "        /*0002*/ \t.short\t(.L_1 - .L_0)\n"
                           "        /*0004*/ \t.word\tindex@(k)\n"
                           "        /*0008*/ \t.word\t0x0000000c\n"
                           "\t.section\t.nv.info.k,\"\",@\"SHT_CUDA_INFO\"\n"
                           "\t//----- nvinfo : EIATTR_KPARAM_INFO\n"
                           "        /*0000*/ \t.byte\t0x04, 0x17\n"
                           "        /*0004*/ \t.word\t0x00000000\n"
                           "        /*0008*/ \t.short\t0x0001\n"
                           "        /*000a*/ \t.short\t0x0008\n"
                           "        /*000c*/ \t.byte\t0x00, 0xf0, 0x11, 0x00\n"
                           "\t//----- nvinfo : EIATTR_KPARAM_INFO\n"
                           "        /*0014*/ \t.word\t0x00000000\n"
                           "        /*0018*/ \t.short\t0x0000\n"
                           "        /*001a*/ \t.short\t0x0000\n"
                           "        /*001c*/ \t.byte\t0x00, 0xf0, 0x21, 0x00\n"
                           "\t.section\t.nv.shared.k,\"aw\",@nobits\n"
                           "\t.zero\t1024\n"
                           "\t.section\t.text.k,\"ax\",@progbits\n"
                           "        /*0000*/                   EXIT ;\n";
  auto read = readListing(text, "k.sm_86");
  ASSERT_TRUE(read) << read.fault().message;
  ASSERT_EQ(read->kernels.size(), 1u);
  const Kernel &kernel = read->kernels[0];
  EXPECT_EQ(kernel.target, "sm_86");
  EXPECT_EQ(kernel.resources.registers, 12u);
  EXPECT_EQ(kernel.resources.sharedBytes, 1024u);
  ASSERT_EQ(kernel.parameters.size(), 2u);
  EXPECT_EQ(kernel.parameters[0].bytes, 8u);
  EXPECT_EQ(kernel.parameters[1].offset, 8u);
  EXPECT_EQ(kernel.parameters[1].bytes, 4u);
}

TEST(SassRead, TwoArchitecturesInOneFile) {
  const std::string both =
      listingText("nvidia/seed_reduce_sum.sm_61.cuobjdump.sass") +
      listingText("nvidia/seed_reduce_sum.sm_90.nvdisasm.sass") +
      "Fatbin elf code:\n================\narch = sm_75\n\n\tcode for sm_75\n" +
      listingText("nvidia/seed_reduce_sum.sm_86.cuobjdump.sass");
  auto read = readListing(both, "both.txt");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->kernels.size(), 3u);
  EXPECT_EQ(read->kernels[0].target, "sm_61");
  EXPECT_EQ(read->kernels[1].target, "sm_90");
  EXPECT_EQ(read->kernels[2].target, "sm_86");
  ASSERT_EQ(read->remarks.size(), 1u);
  EXPECT_EQ(read->remarks[0].text.substr(0, 39),
            "no kernels in this image for sm_75: a s");
}

TEST(SassRead, NotesQuoteInstructions) {
  // The head of the seed's note: prose, a kernel's source, fenced lines that
  // are quoted again further down and out of order.
  const std::string note = "# reduce_sum\n\nSTS       shared memory store\n"
                           "LDS → LDS → FADD → STS\n"
                           "```cpp\n__global__ void reduce_sum(const float* "
                           "__restrict__ x,\n    float* __restrict__ y,\n"
                           "    int n) {\n}\n```\n"
                           "```\n/*0010*/ S2R R6, SR_CTAID.X ;\n"
                           "/*00e0*/ STS [R7.X4], R0 ;\n```\n"
                           "@active LDS lhs, [tid*4]\n@!P1 LDS ...\n"
                           "> /*00e0*/ STS [R7.X4], R0 ;\n"
                           "- `/*00b0*/ ISETP.NE.AND P0, PT, R7, RZ, PT ;`\n"
                           "STS [R7.X4], R0\n";
  EXPECT_EQ(recognise(note), Format::SassFragment);
  auto read = readListing(note, "note.md");
  ASSERT_TRUE(read) << read.fault().message;
  ASSERT_EQ(read->kernels.size(), 1u);
  const Kernel &kernel = read->kernels[0];
  EXPECT_EQ(kernel.name, "reduce_sum");
  EXPECT_TRUE(kernel.targetInferred);
  ASSERT_EQ(kernel.parameters.size(), 3u);
  EXPECT_EQ(kernel.parameters[2].name, "n");
  EXPECT_EQ(kernel.parameters[2].offset, 16u);
  ASSERT_EQ(kernel.code.size(), 3u);
  EXPECT_EQ(kernel.code[0].line, 12u);
  EXPECT_EQ(kernel.code[1].address, 0xb0u);
  EXPECT_EQ(kernel.code[1].line, 18u);
  EXPECT_EQ(kernel.code[2].line, 13u);
  EXPECT_EQ(read->unreadLines, 0u);
  // 14 places lie before 0x00e0, two of them are quoted.
  ASSERT_FALSE(read->remarks.empty());
  EXPECT_NE(read->remarks[0].text.find("leave out 12 instructions"),
            std::string::npos)
      << read->remarks[0].text;
}

TEST(SassRead, PastedLinesWithoutAddresses) {
  auto read = readListing("it does:\n  MOV R1, c[0x0][0x28] ;\n.L_x_1:\n"
                          "  @!P0 LDG.E R0, desc[UR4][R2.64+0x4]\n"
                          "  BRA `(.L_x_1) ;\n  EXIT ;\n",
                          "pasted");
  ASSERT_TRUE(read) << read.fault().message;
  const Kernel &kernel = read->kernels.at(0);
  ASSERT_EQ(kernel.code.size(), 4u);
  EXPECT_EQ(kernel.target, "sm_90");
  EXPECT_EQ(kernel.labels.at(".L_x_1"), 1u);
  const Program program = decode(kernel);
  EXPECT_EQ(program.code[2].flow.targets, std::vector<size_t>{1});
}

TEST(SassRead, AnotherInstructionAtAnAddressIsAnotherKernel) {
  auto read = readListing("/*0000*/ MOV R1, c[0x0][0x28] ;\n"
                          "/*0010*/ S2R R0, SR_TID.X ;\n"
                          "/*0020*/ EXIT ;\n"
                          "and\n"
                          "/*0000*/ MOV R1, c[0x0][0x28] ;\n"
                          "/*0010*/ EXIT ;\n",
                          "two.txt");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->kernels.size(), 2u);
  EXPECT_EQ(read->kernels[0].code.size(), 3u);
  EXPECT_EQ(read->kernels[1].code.size(), 2u);
  EXPECT_NE(read->kernels[0].name, read->kernels[1].name);
}

TEST(SassRead, OldSpellings) {
  auto read =
      readListing("\tcode for sm_20\n\t\tFunction : old\n"
                  "\t/*0000*/     /*0x00005de428004404*/ \tMOV R1, c "
                  "[0x1] [0x100];\n"
                  "\t/*0008*/     /*0x84001c042c000000*/ \tS2R R0, "
                  "SR_Tid_X;\n"
                  "\t/*0010*/     /*0x0000dc23188e0000*/ \tISETP.LT.AND "
                  "P0, pt, R0, c [0x0] [0x20], pt;\n"
                  "\t/*0018*/     /*0x00001de780000000*/ \t@P0 EXIT;\n"
                  "\t\t.................................\n",
                  "old");
  ASSERT_TRUE(read) << read.fault().message;
  const Kernel &kernel = read->kernels.at(0);
  EXPECT_EQ(read->unreadLines, 0u);
  ASSERT_EQ(kernel.code.size(), 4u);
  EXPECT_EQ(kernel.code[0].text, "MOV R1, c[0x1][0x100]");
  EXPECT_EQ(kernel.code[0].encoding, std::vector<uint64_t>{0x00005de428004404});
  const Program program = decode(kernel);
  EXPECT_EQ(program.code[0].effects.at(0).in.at(0).name, "stack");
  EXPECT_EQ(program.code[1].effects.at(0).in.at(0).name, "threadIdx.x");
  EXPECT_EQ(program.code[2].effects.size(), 1u);
  EXPECT_EQ(program.code[2].effects[0].in.at(1).kind, Source::Kind::Parameter);
}

TEST(SassRead, UnreadableLinesAreKept) {
  auto read = readListing("\tcode for sm_86\n\t\tFunction : k\n"
                          "        /*0000*/  MOV R1, c[0x0][0x28] ;\n"
                          "        /*0010*/  @P9 what is this ;\n"
                          "        /*0020*/  LDG.E R0, [R2 ;\n"
                          "        /*0030*/  FROB.X R4, R5, 0x1 ;\n",
                          "k");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->instructionLines, 4u);
  EXPECT_EQ(read->unreadLines, 2u);
  ASSERT_EQ(read->remarks.size(), 2u);
  EXPECT_EQ(read->remarks[0].line, 4u);
  EXPECT_EQ(read->remarks[0].text, "not an instruction: @P9 what is this");
  const Program program = decode(read->kernels.at(0));
  ASSERT_EQ(program.code.size(), 4u);
  EXPECT_TRUE(program.code[0].known);
  EXPECT_FALSE(program.code[1].known);
  EXPECT_FALSE(program.code[3].known);
  EXPECT_EQ(program.kernel.code[3].text, "FROB.X R4, R5, 0x1");
  ASSERT_EQ(program.code[3].effects.size(), 1u);
  EXPECT_TRUE(program.code[3].effects[0].guess);
  EXPECT_EQ(program.registerName(program.code[3].effects[0].def->reg), "R4");
}

TEST(SassRead, CutAnywhere) {
  for (const char *name :
       {"nvidia/seed_reduce_sum.sm_86.nvdisasm-hex.sass",
        "nvidia/patterns.sm_61.cuobjdump.sass",
        "nvidia/hopper.sm_90a.nvdisasm.sass",
        "nvidia/exotic.sm_75.nvdisasm.sass",
        "nvidia/cuda13.seed_reduce_sum.sm_90.nvdisasm-plr.txt",
        "nvidia/cuda13.seed_reduce_sum.sm_100.nvdisasm.json"}) {
    const std::string whole = listingText(name);
    // Long ones at fewer places: each cut reads all that is before it.
    const size_t step = 97 * (1 + whole.size() / 8000);
    for (size_t end = 0; end < whole.size(); end += step)
      for (const std::string &piece :
           {whole.substr(0, end), whole.substr(end, 20000)}) {
        auto read = readListing(piece, name);
        if (!read) {
          EXPECT_FALSE(read.fault().message.empty());
          continue;
        }
        for (Kernel &kernel : read->kernels) {
          const size_t size = kernel.code.size();
          EXPECT_EQ(decode(std::move(kernel)).code.size(), size);
        }
      }
  }
}

// A section's heading without a name, as a text cut within it has.
TEST(SassRead, ARuleOfDashesNamesNoSection) {
  auto read = readListing("code for sm_86\n Function : k\n /*0000*/ EXIT ;\n"
                          "//---------------------\n",
                          "k.sass");
  ASSERT_TRUE(bool(read));
  ASSERT_EQ(read->kernels.size(), 1u);
  EXPECT_EQ(read->kernels[0].code.size(), 1u);
}
