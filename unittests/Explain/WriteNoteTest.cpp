//===- WriteNoteTest.cpp - The note of a kernel ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What the note of the seed's kernel has to say, from the listing read by hand.
//===----------------------------------------------------------------------===//
#include "WriteSupport.h"

#include <cstdlib>

using namespace wf::explain;

static const std::string &note() {
  static const std::string text = [] {
    WriteOptions options;
    options.source = listingText("nvidia/seed_reduce_sum.cu");
    options.sourceName = "reduce_sum_f32.cu";
    options.file = "reduce_sum_f32.sm_86.sass";
    return markdownOf(seedReport(), options);
  }();
  return text;
}

TEST(WriteNote, SectionsInTheirOrder) {
  size_t at = 0;
  for (const char *title :
       {"1. The source", "The whole code, by role",
        "The first load, and where its value goes", "`STS [R7.X4], R0` means",
        "What the barriers mean", "The reduction loop",
        "The accumulator's update", "How the stride changes", "The predicates",
        "The final store", "The registers, life by life",
        "Beside the element-wise kernels", "Materialisation", "pattern",
        "Conclusion"}) {
    size_t next = note().find(title, at);
    ASSERT_NE(next, std::string::npos) << title;
    at = next;
  }
}

TEST(WriteNote, QuotesTheListing) {
  EXPECT_TRUE(has(note(), "/*0090*/ @!P0 LDG.E.CONSTANT R0, [R2.64] ;"));
  EXPECT_TRUE(has(note(), "/*00f0*/ BAR.SYNC.DEFER_BLOCKING 0x0 ;"));
  EXPECT_TRUE(has(note(), "/*0210*/ STG.E [R2.64], R5 ;"));
  EXPECT_TRUE(has(note(), "__global__ void reduce_sum_f32_kernel"));
}

TEST(WriteNote, FrameOfMaterialisation) {
  EXPECT_TRUE(has(note(), "source expression:\n"
                          "    shared[threadIdx.x] += "
                          "shared[threadIdx.x + stride]\n"
                          "compiler rewrite:\n"
                          "    a tree in shared memory, as a loop\n"
                          "primitive:\n"
                          "    LDS\n    LDS\n    FADD.FTZ\n    STS\n"
                          "    BAR.SYNC.DEFER_BLOCKING\n    BRA\n"
                          "is the intermediate materialised?\n"
                          "    yes: the partial result is stored in shared "
                          "memory at each step (0x0190)\n"));
}

// The corrections of what a first reading gets wrong.
TEST(WriteNote, UniformRegisterIsNotTheOther) {
  EXPECT_TRUE(has(note(), "`UR4` holds `blockDim.x` (from 0x00a0) then "
                          "`blockDim.x >> 1` (from 0x00c0)"));
  EXPECT_TRUE(has(note(), "`R4` is never `blockDim.x`"));
}

TEST(WriteNote, LivesOfR3) {
  size_t at = 0;
  for (const char *row :
       {"| `R3` | 0x0070 – 0x0080 | `4` |",
        "| `R3` | 0x0080 – 0x0090 | `the upper half of the address of x[i]` |",
        "| `R3` | 0x0120 – 0x01b0 | `stride` |",
        "| `R3` | 0x01f0 – 0x0200 | `4` |"}) {
    size_t next = note().find(row, at);
    ASSERT_NE(next, std::string::npos) << row;
    at = next;
  }
}

TEST(WriteNote, PredicatesHaveSeveralMeanings) {
  EXPECT_TRUE(has(note(), "`P0` has two meanings and `P1` has three meanings"));
  EXPECT_TRUE(has(note(), "| `P0` | 0x0060 | `i >= n` |"));
  EXPECT_TRUE(has(note(), "| `P0` | 0x00b0 | `threadIdx.x != 0` | exit at "
                          "0x01d0 |"));
}

TEST(WriteNote, ZeroTripGuard) {
  EXPECT_TRUE(has(note(), "The `@!P1 BRA` at 0x0100 skips the whole loop where "
                          "`blockDim.x >> 1 == 0`, which is where "
                          "`blockDim.x < 2`"));
}

TEST(WriteNote, CountsTheInstructions) {
  EXPECT_TRUE(has(note(), "36 instructions (and 12 of padding)"));
  EXPECT_TRUE(has(note(), "The branch at 0x0230 jumps to itself"));
}

TEST(WriteNote, StrideChangesWithinTheStep) {
  EXPECT_TRUE(has(note(), "The `SHF` at 0x0160 is not guarded"));
  EXPECT_TRUE(has(note(), "by the `LEA` at 0x0140"));
}

TEST(WriteNote, FirstLoadIsRedundantBetweenSteps) {
  EXPECT_TRUE(has(note(), "The load at 0x0150 is redundant from one step to "
                          "the next"));
}

TEST(WriteNote, GuardedLoadKeepsTheInitialValue) {
  EXPECT_TRUE(has(note(), "at 0x00e0 `R0` is either of the two"));
}

TEST(WriteNote, WhereItWaitsForMemory) {
  EXPECT_TRUE(has(note(), "the first to wait for SB2 is the `STS` at 0x00e0"));
}

TEST(WriteNote, ElementwiseKernelHasNoSectionOfLoopsOrBarriers) {
  WriteOptions options;
  std::string text = markdownOf(
      reported("nvidia/patterns.sm_90.cuobjdump.sass", "copy_global"), options);
  EXPECT_FALSE(has(text, "The reduction loop"));
  EXPECT_FALSE(has(text, "What the barrier"));
  EXPECT_TRUE(has(text, "no: from load to store it is in registers")) << text;
}

TEST(WriteNote, ShuffleKernelHasItsExchange) {
  WriteOptions options;
  std::string text = markdownOf(
      reported("nvidia/catalogue.sm_86.cuobjdump.sass", "reduce_two_level"),
      options);
  EXPECT_TRUE(has(text, "The exchange between lanes"));
  EXPECT_TRUE(has(text, "The distances are 16, 8, 4, 2 and 1, twice over"));
  EXPECT_TRUE(has(text, "nothing is materialised")) << text;
}

TEST(WriteNote, FencesAreClosed) {
  for (const char *name :
       {"nvidia/exotic.sm_86.cuobjdump.sass", "amd/kernels.gfx942.objdump.s"}) {
    auto listing = readListing(listingText(name), name);
    ASSERT_TRUE(bool(listing));
    for (Kernel &kernel : listing->kernels) {
      Report report = judge(analyse(decode(std::move(kernel))));
      matchPatterns(report, builtinPatterns());
      std::stringstream lines(markdownOf(report, {}));
      std::string line;
      bool open = false;
      while (std::getline(lines, line))
        if (line.starts_with("```"))
          open = !open;
      EXPECT_FALSE(open) << report.kernel().name;
    }
  }
}

// The whole note, word for word. WARPFOLD_UPDATE_GOLDEN=1 writes it anew, to be
// read before it is committed.
TEST(WriteNote, IsTheGoldenOne) {
  const std::string path =
      WARPFOLD_LISTINGS "/../golden/reduce_sum_f32.sm_86.md";
  if (std::getenv("WARPFOLD_UPDATE_GOLDEN"))
    std::ofstream(path, std::ios::binary) << note();
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file.good()) << path;
  std::stringstream golden, mine(note());
  golden << file.rdbuf();
  std::string expected, found;
  for (int n = 1; std::getline(golden, expected); ++n) {
    ASSERT_TRUE(bool(std::getline(mine, found))) << "line " << n;
    ASSERT_EQ(found, expected) << "line " << n;
  }
  EXPECT_FALSE(bool(std::getline(mine, found))) << found;
}
