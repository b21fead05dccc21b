//===- LinesTest.cpp - Machine code where it fits, the IR where not -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Profile/Lines.h"
#include "Profile/Compare.h"

#include "gtest/gtest.h"

using namespace wf;

// Two kernels of two waves each: the code of @fold begins with its first block,
// that of @join with another one.
struct Launches {
  sim::Machine machine = llvm::cantFail(sim::machineNamed("gfx1201"));
  sim::Counters counters;
  LineSource source{machine, {}, {}};
  uint64_t ir[sim::instKinds] = {};

  Launches() {
    source.code = readMachineBlocks("fold:            ; @fold\n"
                                    "; %bb.0:         ; %b0\n"
                                    "\tv_mov_b32_e32 v0, 0\n"
                                    "\ts_cbranch_scc1 .LBB0_2\n"
                                    "; %bb.1:         ; %Flow\n"
                                    "\tds_store_b32 v0, v1\n"
                                    "\ts_endpgm\n"
                                    ".LBB0_2:         ; %Flow1\n"
                                    "\ts_endpgm\n"
                                    ".Lfunc_end0:\n"
                                    "join:            ; @join\n"
                                    "; %bb.0:         ; %b7\n"
                                    "\tv_mov_b32_e32 v0, 0\n"
                                    ".Lfunc_end1:\n");
    counters.warps = 4;
    counters.byBlock["fold"] = {{"b0", {2, 64}}, {"b1", {2, 64}}};
    counters.byBlock["join"] = {{"b0", {2, 64}}};
    for (const char *kernel : {"fold", "join", "other"})
      if (fits(source.code, counters, kernel))
        source.fitting.insert(kernel);
    ir[int(sim::InstKind::Barrier)] = 6; // of @join
  }
  std::optional<double> value(const char *name) {
    for (const ProfileLine &line : linesOf(source, counters, ir))
      if (line.name == name)
        return line.value;
    return std::nullopt;
  }
};

TEST(Lines, WhichCodeFits) {
  EXPECT_EQ(Launches().source.fitting, std::set<std::string>{"fold"});
}

TEST(Lines, MachineAndIr) {
  Launches l;
  EXPECT_EQ(l.value("VALU instructions"), 0.5); // 2 of 4 waves
  EXPECT_EQ(l.value("IR barriers"), 1.5);
  EXPECT_EQ(l.value("bandwidth"), std::nullopt);
}

TEST(Lines, NotesSayWhatIsNotCounted) {
  Launches l;
  EXPECT_EQ(
      machineNotes(l.source, l.counters),
      (std::vector<std::string>{
          "fold: 2 blocks of the code generator's own are not counted: "
          "1 LDS, 2 branch",
          "fold: IR blocks without a machine block, counted in those they "
          "became part of: b1",
          "join: its machine code does not begin with the block that the "
          "IR begins with; its instructions are those of the IR"}));
}

// A bound without a line is never held.
TEST(Lines, EveryAgreementHasALine) {
  Launches l;
  for (bool nvidia : {false, true}) {
    if (nvidia)
      l.source.fitting.clear(); // the IR's lines
    for (const Agreement &a : agreements(nvidia))
      EXPECT_TRUE(l.value(a.name)) << a.name;
  }
}
