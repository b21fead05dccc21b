//===- SimExpectTest.cpp - --expect must be able to fail ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "SimExpect.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace wf;
using namespace wf::cli;

static llvm::Expected<SimLaunch> launchOf(std::vector<std::string> arguments) {
  SimArguments args;
  args.grid = args.block = "1";
  args.arguments = std::move(arguments);
  return readLaunch(args);
}

/// What --expect says of `result` in the second argument: "" where it is right.
template <class T>
static std::string judge(const char *op, std::vector<std::string> arguments,
                         T result) {
  auto launch = launchOf(std::move(arguments));
  EXPECT_TRUE(bool(launch));
  auto want = expectationOf(op, *launch);
  if (!want)
    return llvm::toString(want.takeError());
  std::memcpy(launch->arguments[want->output].memory, &result, sizeof result);
  return wrongResult(*want, *launch).value_or("");
}

static const float quiet = std::numeric_limits<float>::quiet_NaN();
static const float inf = std::numeric_limits<float>::infinity();

TEST(SimExpect, SumsWithinTheBoundOfAnyOrder) {
  const std::vector<std::string> thousand = {"gen:arange(1000, f32)",
                                             "out:f32:1"};
  EXPECT_EQ(judge("sum", thousand, 499500.0f), "");
  EXPECT_EQ(judge("sum", thousand, 499501.0f), "");
  EXPECT_NE(judge("sum", thousand, 499600.0f), "");
  EXPECT_NE(judge("sum", thousand, 0.0f), "");
  EXPECT_NE(judge("sum", thousand, quiet), "");
  EXPECT_NE(judge("sum", thousand, -quiet), "");
  EXPECT_NE(judge("sum", thousand, inf), "");
  // In double the bound is that of doubles.
  const std::vector<std::string> wide = {"gen:arange(1000, f32)", "out:f64:1"};
  EXPECT_EQ(judge("sum", wide, 499500.0), "");
  EXPECT_NE(judge("sum", wide, 499500.01), "");
  // Missing one element in ten of random ones is no rounding.
  const std::vector<std::string> random = {"gen:random(1000, f32)",
                                           "zero:f32:1"};
  EXPECT_NE(judge("sum", random, 450.0f), "");
}

TEST(SimExpect, IntegersAreExact) {
  const std::vector<std::string> i32 = {"gen:arange(100000, i32)", "out:i32:1"};
  // 4999950000 modulo 2^32: what the kernel's own type can hold.
  EXPECT_EQ(judge("sum", i32, int32_t(704982704)), "");
  EXPECT_NE(judge("sum", i32, int32_t(704982705)), "");
  const std::vector<std::string> i64 = {"gen:arange(100000, i32)", "out:i64:1"};
  EXPECT_EQ(judge("sum", i64, int64_t(4999950000)), "");
  EXPECT_NE(judge("sum", i64, int64_t(704982704)), "");
}

TEST(SimExpect, OrderFreeFloatsAreExact) {
  const std::vector<std::string> values = {"gen:values([1, -0.0, 2.5], f32)",
                                           "out:f32:1"};
  EXPECT_EQ(judge("max", values, 2.5f), "");
  EXPECT_NE(judge("max", values, std::nextafter(2.5f, 3.0f)), "");
  EXPECT_NE(judge("max", values, quiet), "");
  EXPECT_EQ(judge("min", values, 0.0f), "") << "either zero";
  const std::vector<std::string> withNan = {"gen:values([1, nan, 2], f32)",
                                            "out:f32:1"};
  EXPECT_EQ(judge("max", withNan, -quiet), "") << "any NaN";
  EXPECT_NE(judge("max", withNan, 2.0f), "");
}

TEST(SimExpect, TheKernelMayWriteItsInput) {
  auto launch = launchOf({"gen:arange(10, f32)", "out:f32:1"});
  ASSERT_TRUE(bool(launch));
  auto want = expectationOf("sum", *launch);
  ASSERT_TRUE(bool(want));
  std::memset(launch->arguments[0].memory, 0, 40);
  const float right = 45;
  std::memcpy(launch->arguments[1].memory, &right, 4);
  EXPECT_FALSE(wrongResult(*want, *launch));
}

TEST(SimExpect, UntouchedMemoryIsWrong) {
  auto launch = launchOf({"gen:arange(10, f32)", "out:f32:1"});
  ASSERT_TRUE(bool(launch));
  auto want = expectationOf("sum", *launch);
  ASSERT_TRUE(bool(want));
  auto wrong = wrongResult(*want, *launch);
  ASSERT_TRUE(wrong);
  EXPECT_NE(wrong->find("nothing was written here"), std::string::npos)
      << *wrong;
}

TEST(SimExpect, WhatCannotBeExpected) {
  auto refuses = [](const char *op, std::vector<std::string> arguments,
                    const char *part) {
    auto launch = launchOf(std::move(arguments));
    ASSERT_TRUE(bool(launch));
    auto want = expectationOf(op, *launch);
    ASSERT_FALSE(bool(want)) << op;
    const std::string text = llvm::toString(want.takeError());
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  refuses("sum", {"out:f32:1"}, "the first input");
  refuses("sum", {"gen:arange(4, f32)"}, "the first output");
  refuses("sum", {"gen:arange(4, f32)", "out:f32:4"}, "one value");
  refuses("mean", {"gen:arange(4, f32)", "out:f32:1"}, "depends on the order");
  refuses("summ", {"gen:arange(4, f32)", "out:f32:1"}, "summ");
}
