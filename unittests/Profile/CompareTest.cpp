//===- CompareTest.cpp - Measured counters beside simulated ones ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Profile/Compare.h"

#include "gtest/gtest.h"

using namespace wf;

static ProfileLine line(const char *name, const char *unit,
                        std::optional<double> value) {
  return {name, unit, value, ""};
}

TEST(Compare, WithinAndBeyondTheBound) {
  auto near =
      compare({{"FETCH_SIZE", 1020}}, true, line("FETCH_SIZE", "KB", 1000));
  ASSERT_TRUE(near);
  EXPECT_EQ(near->measured, 1020);
  EXPECT_EQ(near->verdict, "agrees within 5.00%");
  auto far =
      compare({{"FETCH_SIZE", 900}}, true, line("FETCH_SIZE", "KB", 1000));
  EXPECT_EQ(far->verdict, "DISAGREES by 10.00%");
}

// Profilers count the instructions of all warps, and we say them per warp.
TEST(Compare, PerWarp) {
  auto c = compare({{"IR global loads", 640}, {"warps", 80}}, true,
                   line("IR global loads", "per warp", 8));
  ASSERT_TRUE(c);
  EXPECT_EQ(c->measured, 8);
  EXPECT_EQ(c->verdict, "agrees within 2.00%");
  EXPECT_FALSE(compare({{"IR global loads", 640}}, true,
                       line("IR global loads", "per warp", 8)));
}

// A warp more or less is another launch.
TEST(Compare, AsManyWarps) {
  EXPECT_EQ(compare({{"warps", 80}}, true, line("warps", "", 80))->verdict,
            "agrees");
  EXPECT_EQ(compare({{"warps", 80}}, true, line("warps", "", 79))->verdict,
            "DISAGREES by 1.25%");
}

TEST(Compare, NothingPromisedOrNothingThere) {
  auto other = compare({{"WRITE_SIZE", 5}}, true, line("WRITE_SIZE", "KB", 1));
  ASSERT_TRUE(other);
  EXPECT_EQ(llvm::StringRef(other->verdict).take_front(18),
            "not the same thing");
  EXPECT_EQ(compare({{"hottest address", 5}}, true,
                    line("hottest address", "atomics", 1))
                ->verdict,
            "");
  EXPECT_FALSE(compare({}, true, line("FETCH_SIZE", "KB", 1)));
  // Both zero agree.
  EXPECT_EQ(compare({{"atomics", 0}}, true, line("atomics", "", 0))->verdict,
            "agrees within 2.00%");
}

// AMD counts cycles that conflicts cost: no number of them is wrong.
TEST(Compare, ConflictsAreNoCycles) {
  ProfileLine conflicts = line("LDS bank conflicts", "", 100);
  EXPECT_EQ(compare({{"LDS bank conflicts", 300}}, true, conflicts)->verdict,
            "DISAGREES by 66.67%");
  EXPECT_EQ(compare({{"LDS bank conflicts", 300}}, false, conflicts)->verdict,
            "not the same thing: the device counts the cycles that conflicts "
            "cost, not the conflicts");
}
