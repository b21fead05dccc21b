//===- MachineFlowTest.cpp - Executions of blocks without a name ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Profile/MachineFlow.h"

#include "gtest/gtest.h"

using namespace wf;

using Counts = std::vector<std::optional<uint64_t>>;

/// One kernel @k of these lines.
static std::vector<MachineBlock> blocksOf(const std::string &lines) {
  MachineKernels kernels = readMachineBlocks("k:                       ; @k\n" +
                                             lines + ".Lfunc_end0:\n");
  return kernels["k"];
}

// A loop that some lanes leave early, as the back end writes it: two waves
// come, one of them skips the loop, the other does three rounds. Three blocks
// are not of the IR; the last of them holds what had been b5.
static const char *const loop = "; %bb.0:                      ; %b0\n"
                                "\ts_cbranch_execz .LBB0_5\n"
                                "; %bb.1:                      ; %b1\n"
                                "\ts_branch .LBB0_3\n"
                                ".LBB0_2:                      ; %Flow\n"
                                "\ts_cbranch_execz .LBB0_4\n"
                                ".LBB0_3:                      ; %b2\n"
                                "\ts_cbranch_execz .LBB0_2\n"
                                "; %bb.6:                      ; %b3\n"
                                "\ts_branch .LBB0_2\n"
                                ".LBB0_4:                      ; %Flow1\n"
                                "\ts_or_b32 exec_lo, exec_lo, s8\n"
                                ".LBB0_5:                      ; %Flow2\n"
                                "\ts_endpgm\n";

TEST(MachineFlow, ReadsJumps) {
  auto blocks = blocksOf(loop);
  ASSERT_EQ(blocks.size(), 7u);
  const std::vector<size_t> next[] = {{1, 6}, {3}, {3, 5}, {4, 2},
                                      {2},    {6}, {}};
  for (size_t b = 0; b < 7; ++b)
    EXPECT_EQ(blocks[b].successors, next[b]) << b;
}

TEST(MachineFlow, BlocksOfTheCodeGenerator) {
  BlockExecutions ran{{"b0", 2}, {"b1", 1}, {"b2", 4}, {"b3", 3}, {"b5", 2}};
  EXPECT_EQ(machineExecutions(blocksOf(loop), ran),
            (Counts{2, 1, 4, 4, 3, 1, 2}));
}

// No jump goes around %b1: all waves run it, also those that had no lane there.
TEST(MachineFlow, ShortBlocksWithoutAJumpAroundThem) {
  auto blocks = blocksOf("; %bb.0:                      ; %b0\n"
                         "\tv_cmpx_gt_u32_e64 s2, v3\n"
                         "; %bb.1:                      ; %b1\n"
                         "\tds_store_b32 v0, v1\n"
                         "\ts_endpgm\n");
  EXPECT_EQ(machineExecutions(blocks, {{"b0", 8}, {"b1", 1}}), (Counts{8, 8}));
}

TEST(MachineFlow, WhatDoesNotFollowHasNoCount) {
  // Either of two blocks without a name.
  auto blocks = blocksOf("; %bb.0:                      ; %b0\n"
                         "\ts_cbranch_scc1 .LBB0_2\n"
                         "; %bb.1:                      ; %Flow\n"
                         "\ts_endpgm\n"
                         ".LBB0_2:                      ; %Flow1\n"
                         "\ts_endpgm\n");
  EXPECT_EQ(machineExecutions(blocks, {{"b0", 8}}),
            (Counts{8, std::nullopt, std::nullopt}));
  // A jump to anywhere.
  blocks = blocksOf("; %bb.0:                      ; %b0\n"
                    "\ts_cbranch_scc1 .LBB0_2\n"
                    "; %bb.1:                      ; %b1\n"
                    "\ts_setpc_b64 s[0:1]\n"
                    ".LBB0_2:                      ; %Flow\n"
                    "\ts_endpgm\n");
  EXPECT_EQ(machineExecutions(blocks, {{"b0", 8}, {"b1", 2}}),
            (Counts{8, 2, std::nullopt}));
}
