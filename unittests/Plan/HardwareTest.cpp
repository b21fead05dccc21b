//===- HardwareTest.cpp - The hardware table ------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/Hardware.h"

#include "gtest/gtest.h"

#include <set>

using namespace wf;

namespace {

TEST(Hardware, EveryTargetOfTheProjectHasARow) {
  for (const char *target :
       {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120",
        "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"})
    EXPECT_TRUE(findHardware(target)) << target;
  std::set<std::string> targets;
  for (const Hardware &row : hardwareTable())
    EXPECT_TRUE(targets.insert(row.target).second) << row.target;
}

TEST(Hardware, EveryFigureHasASource) {
  for (const Hardware &row : hardwareTable()) {
#define X(F, LABEL, UNIT)                                                      \
  if (row.F.value != 0)                                                        \
    EXPECT_STRNE(row.F.source, "") << row.target << " " << #F;
    WF_HARDWARE_FIGURES(X)
#undef X
  }
}

TEST(Hardware, FiguresFitEachOther) {
  for (const Hardware &row : hardwareTable()) {
    SCOPED_TRACE(row.target);
    EXPECT_LE(row.sharedBlock.value, row.sharedOptIn.value);
    EXPECT_LE(row.sharedOptIn.value, row.shared.value);
    // A block of 1024 threads is resident, at 32 registers a thread or more.
    EXPECT_GE(row.warps.value * row.warpSize.value, 1024);
    EXPECT_GE(row.registers.value / (row.warps.value * row.warpSize.value), 32);
    EXPECT_GT(row.readable(), 0.8 * row.bandwidth.value);
    EXPECT_LE(row.readable(), row.bandwidth.value);
    bool nvidia = llvm::StringRef(row.target).starts_with("sm_");
    EXPECT_EQ(row.ptx.value != 0, nvidia);
    EXPECT_TRUE(!nvidia || row.warpSize.value == 32);
  }
}

TEST(Hardware, UnknownTargetsNameTheNearest) {
  EXPECT_EQ(nearestTarget("sm_91").str(), "sm_90");
  EXPECT_EQ(nearestTarget("sm_70").str(), "sm_75");
  EXPECT_EQ(nearestTarget("sm_121").str(), "sm_120");
  EXPECT_EQ(nearestTarget("sm_110").str(), "sm_100"); // the older of two
  EXPECT_EQ(nearestTarget("sm_103").str(), "sm_100");
  EXPECT_EQ(nearestTarget("sm_9O").str(), "sm_90");
  EXPECT_EQ(nearestTarget("gfx908").str(), "gfx90a");
  EXPECT_EQ(nearestTarget("gfx1200").str(), "gfx1201");
  auto row = lookupHardware("sm_91");
  ASSERT_FALSE(bool(row));
  std::string text = llvm::toString(row.takeError());
  EXPECT_NE(text.find("'sm_91'"), std::string::npos) << text;
  EXPECT_NE(text.find("did you mean 'sm_90'?"), std::string::npos) << text;
  auto known = lookupHardware("sm_90");
  ASSERT_TRUE(bool(known));
  EXPECT_STREQ((*known)->target, "sm_90");
}

TEST(Hardware, AChipHasOneRowForBothOfItsWaves) {
  for (const char *chip : {"gfx1030", "gfx1100", "gfx1201"})
    EXPECT_EQ(findHardware((chip + llvm::Twine(":wave64")).str()),
              findHardware(chip));
  // These have one size each.
  for (const char *target :
       {"gfx942:wave64", "sm_90:wave64", "gfx1201:wave32", "gfx1201:"})
    EXPECT_FALSE(findHardware(target)) << target;
}

TEST(Hardware, TextHasEveryFigureWithItsSource) {
  for (const Hardware &row : hardwareTable()) {
    std::string text = hardwareText(row);
#define X(F, LABEL, UNIT)                                                      \
  if (row.F.value != 0) {                                                      \
    EXPECT_NE(text.find(LABEL), std::string::npos);                            \
    EXPECT_NE(text.find(row.F.source), std::string::npos);                     \
  }
    WF_HARDWARE_FIGURES(X)
#undef X
  }
  EXPECT_NE(hardwareSummary().find("H200"), std::string::npos);
}

} // namespace
