//===- ExchangeTest.cpp - Exchanges between lanes, against the ISA guides -===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Support.h"

using namespace wf::sim;

namespace {
/// What lane l gets of lanes whose value is their number + 100.
std::vector<uint32_t> exchange(const std::string &target, uint32_t lanes,
                               const std::string &call,
                               std::string *hazards = nullptr) {
  SimulatedRun run;
  run.target = target;
  run.block = lanes;
  run.out.resize(lanes);
  EXPECT_TRUE(run.body("  %v = add i32 %t, 100\n  %r = " + call +
                       "\n  store i32 %r, ptr addrspace(1) %pout\n  ret void"))
      << run.error;
  if (hazards)
    *hazards = run.hazards();
  else
    EXPECT_EQ(run.hazards(), "");
  for (uint32_t &x : run.out)
    x -= 100;
  return run.out;
}

std::string dpp(int control, int rows = 15, bool zero = false) {
  return "call i32 @llvm.amdgcn.update.dpp.i32(i32 99, i32 %v, i32 " +
         std::to_string(control) + ", i32 " + std::to_string(rows) +
         ", i32 15, i1 " + (zero ? "true" : "false") + ")";
}
} // namespace

TEST(Exchange, Shuffles) {
  auto shuffle = [](const char *mode, int n, int clamp) {
    return exchange("sm_90", 32,
                    std::string("call i32 @llvm.nvvm.shfl.sync.") + mode +
                        ".i32(i32 -1, i32 %v, i32 " + std::to_string(n) +
                        ", i32 " + std::to_string(clamp) + ")");
  };
  auto bfly = shuffle("bfly", 5, 31), down = shuffle("down", 4, 31),
       up = shuffle("up", 3, 0), index = shuffle("idx", 7, 31);
  // Segments of eight lanes: the clamp's upper bits are ~7.
  auto within = shuffle("down", 4, (24 << 8) | 31);
  for (uint32_t l = 0; l < 32; ++l) {
    EXPECT_EQ(bfly[l], l ^ 5);
    EXPECT_EQ(down[l], l + 4 < 32 ? l + 4 : l);
    EXPECT_EQ(up[l], l >= 3 ? l - 3 : l);
    EXPECT_EQ(index[l], 7u);
    EXPECT_EQ(within[l], l % 8 + 4 < 8 ? l + 4 : l);
  }
}

TEST(Exchange, DppMoves) {
  auto quad = exchange("gfx942", 64, dpp(0xb1)),
       mirror = exchange("gfx942", 64, dpp(0x140)),
       half = exchange("gfx942", 64, dpp(0x141)),
       rotate = exchange("gfx942", 64, dpp(0x128)),
       xmask = exchange("gfx1201", 32, dpp(0x164));
  for (uint32_t l = 0; l < 64; ++l) {
    EXPECT_EQ(quad[l], l ^ 1);
    EXPECT_EQ(mirror[l], l ^ 15);
    EXPECT_EQ(half[l], l ^ 7);
    EXPECT_EQ(rotate[l], l ^ 8);
    if (l < 32)
      EXPECT_EQ(xmask[l], l ^ 4);
  }
}

TEST(Exchange, DppShiftsAndBroadcasts) {
  auto shift = exchange("gfx942", 64, dpp(0x111)),
       zeroed = exchange("gfx942", 64, dpp(0x111, 15, true)),
       cast = exchange("gfx942", 64, dpp(0x142, 0xa));
  for (uint32_t l = 0; l < 64; ++l) {
    // The first lane of a row has no source: the old value (99), or zero.
    EXPECT_EQ(shift[l], l % 16 ? l - 1 : uint32_t(-1));
    EXPECT_EQ(zeroed[l], l % 16 ? l - 1 : uint32_t(-100));
    // row_bcast:15 into rows 1 and 3 only.
    EXPECT_EQ(cast[l], (l / 16) % 2 ? l / 16 * 16 - 1 : uint32_t(-1));
  }
}

TEST(Exchange, Permutes) {
  auto swapped = exchange("gfx1201", 32,
                          "call i32 @llvm.amdgcn.permlanex16.i32(i32 0, i32 "
                          "%v, i32 1985229328, "
                          "i32 -19088744, i1 false, i1 false)"),
       swizzled = exchange(
           "gfx942", 64, "call i32 @llvm.amdgcn.ds.swizzle(i32 %v, i32 16415)");
  for (uint32_t l = 0; l < 64; ++l) {
    if (l < 32)
      EXPECT_EQ(swapped[l], l ^ 16);
    EXPECT_EQ(swizzled[l], l ^ 16);
  }
}

TEST(Exchange, WhatAChipDoesNotHave) {
  std::string hazards;
  exchange("gfx1201", 32, dpp(0x142, 0xa), &hazards);
  EXPECT_EQ(hazards, "operation the target does not have");
  exchange("gfx942", 64, dpp(0x161), &hazards);
  EXPECT_EQ(hazards, "operation the target does not have");
}

TEST(Exchange, LaneThatIsNotThere) {
  std::string hazards;
  // Lane 40 of a wave of 32.
  exchange("gfx1201", 32, "call i32 @llvm.amdgcn.ds.bpermute(i32 160, i32 %v)",
           &hazards);
  EXPECT_EQ(hazards, "exchange for another wave size");
  // Half a warp, and a mask that names all of it.
  exchange(
      "sm_90", 16,
      "call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 1, i32 31)",
      &hazards);
  EXPECT_EQ(hazards, "exchange with an inactive lane");
}
