//===- WritePseudoCodeTest.cpp - Kernels as nested statements -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "WriteSupport.h"

using namespace wf::explain;

// By hand from the listing: guards in the source's polarity, the if written
// once though SHF stands between the two loads, the loop as the source has it.
TEST(WritePseudoCode, SeedKernel) {
  EXPECT_EQ(joined(pseudoCode(seedReport())),
            "R6 = blockIdx.x;\n"
            "R0 = 0.0;\n"
            "R7 = threadIdx.x;\n"
            "R2 = blockIdx.x * blockDim.x + threadIdx.x;  // i\n"
            "if (i < n) {\n"
            "  R0 = x[i];\n"
            "}\n"
            "shared[threadIdx.x] = R0;\n"
            "barrier();\n"
            "stride = blockDim.x >> 1;\n"
            "while (stride != 0) {\n"
            "  if (threadIdx.x < stride) {\n"
            "    R4 = shared[threadIdx.x];\n"
            "    R5 = shared[threadIdx.x + stride];\n"
            "    R4 = R4 + R5;\n"
            "    shared[threadIdx.x] = R4;\n"
            "  }\n"
            "  stride = stride >> 1;\n"
            "  barrier();\n"
            "}\n"
            "if (threadIdx.x != 0) exit;\n"
            "R5 = shared[0];\n"
            "y[blockIdx.x] = R5;\n");
}

TEST(WritePseudoCode, LoopOnEveryArchitecture) {
  for (const char *name : {"seed_reduce_sum.sm_75.nvdisasm.sass",
                           "seed_reduce_sum.sm_80.nvdisasm.sass",
                           "seed_reduce_sum.sm_89.nvdisasm.sass",
                           "seed_reduce_sum.sm_90.nvdisasm.sass"}) {
    SCOPED_TRACE(name);
    std::string text = joined(pseudoCode(reported(
        std::string("nvidia/") + name, "reduce", "x: f32*, y: f32*, n: i32")));
    EXPECT_TRUE(has(text, "while (stride != 0) {")) << text;
    EXPECT_TRUE(has(text, "if (threadIdx.x < stride) {")) << text;
    EXPECT_TRUE(has(text, "shared[threadIdx.x + stride]")) << text;
    EXPECT_TRUE(has(text, "y[blockIdx.x] = ")) << text;
    EXPECT_FALSE(has(text, "goto")) << text;
  }
}

// sm_100 tests the span before it is halved: the head of a while would say
// something else.
TEST(WritePseudoCode, TestBeforeTheStep) {
  std::string text = joined(
      pseudoCode(reported("nvidia/cuda13.seed_reduce_sum.sm_100.nvdisasm.sass",
                          "reduce", "x: f32*, y: f32*, n: i32")));
  EXPECT_TRUE(has(text, "if (blockDim.x >= 2) {\n  do {\n")) << text;
  EXPECT_TRUE(has(text, "  } while (span > 3 before the step);\n")) << text;
}

// EXEC: the region between s_and_saveexec and its end is one if, and the jump
// past it is none.
TEST(WritePseudoCode, ExecRegions) {
  std::string text =
      joined(pseudoCode(reported("amd/kernels.gfx1200.objdump.s", "copy_global",
                                 "x: f32*, y: f32*, n: i32")));
  EXPECT_EQ(text, "i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                  "if (i < n) {\n"
                  "  v2 = x[i];\n"
                  "  y[i] = v2;\n"
                  "}\n");
}

// gfx12 splits a barrier in two instructions.
TEST(WritePseudoCode, SplitBarrierIsOne) {
  std::string text =
      joined(pseudoCode(reported("amd/kernels.gfx1200.objdump.s", "reduce_sum",
                                 "x: f32*, y: f32*, n: i32")));
  EXPECT_TRUE(has(text, "barrier();")) << text;
  EXPECT_FALSE(has(text, "barrier.wait")) << text;
  EXPECT_FALSE(has(text, "barrier.arrive")) << text;
}

// Whatever the flow, each line's braces match and each block is written once.
TEST(WritePseudoCode, BracesMatchInEveryListing) {
  for (const char *name :
       {"nvidia/exotic.sm_86.cuobjdump.sass",
        "nvidia/catalogue.sm_90.nvdisasm.sass",
        "nvidia/patterns.sm_61.cuobjdump.sass",
        "nvidia/hopper.sm_90a.nvdisasm.sass",
        "amd/kernels.gfx906.llvm22.objdump.s", "amd/kernels.gfx1100.clang.s"}) {
    auto listing = readListing(listingText(name), name);
    ASSERT_TRUE(bool(listing)) << name;
    for (Kernel &kernel : listing->kernels) {
      SCOPED_TRACE(std::string(name) + " " + kernel.name);
      Report report = judge(analyse(decode(std::move(kernel))));
      int depth = 0;
      for (const std::string &line : pseudoCode(report)) {
        size_t first = line.find_first_not_of(' ');
        ASSERT_NE(first, std::string::npos);
        bool closes = line[first] == '}';
        depth -= closes;
        EXPECT_GE(depth, 0) << line;
        if (line.back() != ':')
          EXPECT_EQ(int(first), 2 * depth) << line;
        depth += line.back() == '{';
      }
      EXPECT_EQ(depth, 0);
    }
  }
}
