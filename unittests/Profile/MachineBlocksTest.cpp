//===- MachineBlocksTest.cpp - Reading AMDGCN assembly by block -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Profile/MachineBlocks.h"

#include "gtest/gtest.h"

using namespace wf;

TEST(MachineBlocks, KindsOfMnemonics) {
  const std::pair<const char *, MachineKind> known[] = {
      {"v_add_f32_dpp", MachineKind::Valu},
      {"v_readlane_b32", MachineKind::Valu},
      {"s_add_co_u32", MachineKind::Salu},
      {"s_and_saveexec_b32", MachineKind::Salu},
      {"s_load_b128", MachineKind::Smem},
      {"s_cbranch_execz", MachineKind::Branch},
      {"s_endpgm", MachineKind::Branch},
      {"s_wait_loadcnt", MachineKind::Other},
      {"s_waitcnt", MachineKind::Other},
      {"s_barrier_signal", MachineKind::Other},
      {"s_delay_alu", MachineKind::Other},
      {"global_load_b128", MachineKind::Vmem},
      {"global_atomic_add_f32", MachineKind::Vmem},
      {"global_inv", MachineKind::Other},
      {"buffer_wbl2", MachineKind::Other},
      {"ds_bpermute_b32", MachineKind::Lds},
  };
  for (auto [mnemonic, kind] : known)
    EXPECT_EQ(machineKindOf(mnemonic), kind) << mnemonic;
}

TEST(MachineBlocks, BlocksByTheirNameInTheIr) {
  MachineKernels kernels = readMachineBlocks(
      "\t.text\n"
      "fold:                                   ; @fold\n"
      "; %bb.0:                                ; %b0\n"
      "\ts_load_b128 s[0:3], s[4:5], 0x0\n"
      "\tv_mov_b32_e32 v0, 0 ; a comment\n"
      "\ts_wait_kmcnt 0x0\n"
      ".LBB0_1:                                ; %b2\n"
      "                                        ; =>This Inner Loop Header\n"
      "\tglobal_load_b32 v1, v0, s[0:1]\n"
      "\ts_cbranch_scc1 .LBB0_1\n"
      "; %bb.2:\n"
      "\ts_mov_b32 exec_lo, s2\n"
      "\ts_endpgm\n"
      ".Lfunc_end0:\n"
      "\t.size fold, .Lfunc_end0-fold\n"
      "\tv_never_counted\n"
      "join:                                   ; @join\n"
      "; %bb.0:                                ; %b0\n"
      "\ts_endpgm\n");
  ASSERT_EQ(kernels.size(), 2u);
  const auto &blocks = kernels["fold"];
  ASSERT_EQ(blocks.size(), 3u);
  auto count = [&](size_t block, MachineKind kind) {
    return blocks[block].counts[size_t(kind)];
  };
  EXPECT_EQ(blocks[0].irBlock, "b0");
  EXPECT_EQ(count(0, MachineKind::Smem), 1u);
  EXPECT_EQ(count(0, MachineKind::Valu), 1u);
  EXPECT_EQ(count(0, MachineKind::Other), 1u);
  EXPECT_EQ(blocks[1].irBlock, "b2");
  EXPECT_EQ(count(1, MachineKind::Vmem), 1u);
  EXPECT_EQ(count(1, MachineKind::Branch), 1u);
  // The code generator's own block has no name of ours.
  EXPECT_EQ(blocks[2].irBlock, "");
  EXPECT_EQ(count(2, MachineKind::Salu), 1u);
  EXPECT_EQ(kernels["join"].size(), 1u);
}
