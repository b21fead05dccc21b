//===- RunTest.cpp - The self-test must be able to fail -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Selftest/Run.h"
#include "Selftest/Matrix.h"
#include "Selftest/Oracle.h"
#include "Selftest/Reductions.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace wf;
using namespace wf::selftest;

namespace {
/// What one run said.
struct Outcome {
  Counts counts;
  std::string error;
  std::vector<std::string> failed, skipped, began;
};
} // namespace

static Outcome run(llvm::ArrayRef<Case> cases, const RunOptions &options = {}) {
  Outcome r;
  Observer observer;
  observer.begins = [&](const Case &c, const Counts &) {
    r.began.push_back(c.name);
  };
  observer.failed = [&](const Case &c, const std::string &why) {
    r.failed.push_back(c.name + ": " + why);
  };
  observer.skipped = [&](const Case &c, const std::string &why) {
    r.skipped.push_back(c.name + ": " + why);
  };
  r.error = llvm::toString(runCases(cases, options, observer, r.counts));
  return r;
}

static Case sumCase(const char *name) {
  return makeCase(name, "sum", {ScalarType::F32}, {1000});
}

static Expectation expectation(const Case &c) {
  auto want = expectationOf(c, 1, "cpu");
  EXPECT_TRUE(bool(want));
  return std::move(*want);
}

TEST(SelftestRun, RightCasesPassInTheirOrder) {
  Outcome r = run({sumCase("a"), sumCase("b"), sumCase("c")});
  EXPECT_EQ(r.error, "");
  EXPECT_EQ(r.counts.passed, 3);
  EXPECT_EQ(r.counts.done(), 3);
  EXPECT_EQ(r.began, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(SelftestRun, OneBitIsAFailure) {
  Case c = sumCase("bit");
  Expectation want = expectation(c);
  auto got = reduce(want.request);
  ASSERT_TRUE(bool(got));
  EXPECT_EQ(differences(want, *got), "");
  uint32_t bits;
  std::memcpy(&bits, want.results[0].data, 4);
  bits ^= 1;
  std::memcpy(const_cast<void *>(want.results[0].data), &bits, 4);
  EXPECT_NE(differences(want, *got), "");
}

TEST(SelftestRun, AnotherOrderIsAFailure) {
  Expectation want = expectation(sumCase("order"));
  want.request.order = "ordered";
  auto got = reduce(want.request);
  ASSERT_TRUE(bool(got));
  EXPECT_EQ(differences(want, *got), "ran under ordered");
}

TEST(SelftestRun, AWrongClosedFormFails) {
  Case c = makeCase("form", "how_many", {ScalarType::I8}, {77});
  c.closedForm = {{77, 78}};
  Outcome r = run({c, sumCase("after")});
  EXPECT_EQ(r.counts.failed, 1);
  EXPECT_EQ(r.counts.passed, 1) << "a failure does not end the run";
  ASSERT_EQ(r.failed.size(), 1u);
  EXPECT_NE(r.failed[0].find("want 78"), std::string::npos) << r.failed[0];
}

TEST(SelftestRun, AnErrorWhereBitsAreDueFails) {
  Case c = sumCase("axis");
  c.allAxes = false;
  c.axes = {0};
  c.order = "sideways";
  Outcome r = run({c});
  EXPECT_EQ(r.counts.failed, 1);
}

TEST(SelftestRun, BitsWhereAnErrorIsDueFail) {
  Case c = makeCase("empty", "max", {ScalarType::F32}, {1});
  Expectation want = expectation(c);
  auto got = reduce(want.request);
  ASSERT_TRUE(bool(got));
  want.emptyRefused = true;
  EXPECT_NE(differences(want, *got), "");
}

TEST(SelftestRun, APlanThatRefusesIsSkipped) {
  Case c = sumCase("plan");
  c.plan = "no-such-plan";
  Outcome r = run({c});
  EXPECT_EQ(r.counts.skipped, 1);
  EXPECT_EQ(r.counts.failed, 0);
  EXPECT_EQ(r.skipped.size(), 1u);
}

TEST(SelftestRun, ADeviceThatIsNotThereIsOneError) {
  RunOptions options;
  options.device = "tape";
  Outcome r = run({sumCase("a"), sumCase("b")}, options);
  EXPECT_NE(r.error.find("tape"), std::string::npos) << r.error;
  EXPECT_EQ(r.counts.skipped, 2);
  EXPECT_EQ(r.counts.failed, 0);
  EXPECT_TRUE(r.began.empty());
}

TEST(SelftestRun, AnErrorOfTheDeviceEndsTheRun) {
  // More results than there are addresses.
  Case c = makeCase("huge", "sum", {ScalarType::I8}, {int64_t(1) << 45});
  c.inputs[0].view.strides = {0};
  c.allAxes = false;
  c.closedForm = {{1}};
  Outcome r = run({sumCase("before"), c, sumCase("after")});
  EXPECT_NE(r.error.find("the run stopped in case huge"), std::string::npos)
      << r.error;
  EXPECT_EQ(r.counts.passed, 1);
  EXPECT_EQ(r.counts.failed, 1);
  EXPECT_EQ(r.counts.skipped, 1);
}

TEST(SelftestRun, ABudgetSkipsTheRest) {
  RunOptions options;
  options.budgetSeconds = 1e-9;
  Outcome r = run({sumCase("a"), sumCase("b")}, options);
  EXPECT_EQ(r.counts.skipped, 2);
  EXPECT_EQ(r.error, "");
}
