//===- ScalarTest.cpp - Tests of numbers from and to text ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "IO/Scalar.h"
#include "Support.h"

#include <cmath>
#include <limits>
#include <random>

using namespace wf;
using namespace wf::test;

// Each line is what Python prints for repr of the same number.
TEST(Scalar, ReprOfDoubles) {
  const std::pair<double, const char *> cases[] = {
      {10, "10.0"},
      {0, "0.0"},
      {-0.0, "-0.0"},
      {1e15, "1000000000000000.0"},
      {9999999999999998, "9999999999999998.0"},
      {1e16, "1e+16"},
      {1.2345678901234568e16, "1.2345678901234568e+16"},
      {1e100, "1e+100"},
      {0.0001, "0.0001"},
      {0.00012345, "0.00012345"},
      {1e-05, "1e-05"},
      {1.5e-10, "1.5e-10"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {123456.789, "123456.789"},
      {0.1, "0.1"},
      {1.0 / 3, "0.3333333333333333"},
      {-2.5, "-2.5"},
      {HUGE_VAL, "inf"},
      {-HUGE_VAL, "-inf"},
      {NAN, "nan"},
      {-NAN, "nan"}};
  for (auto [value, text] : cases)
    EXPECT_EQ(formatFloat(value), text);
}

TEST(Scalar, ReprOfFloatsHasAFloatsDigits) {
  EXPECT_EQ(formatFloat(0.1f), "0.1");
  EXPECT_EQ(formatFloat(16777216.0f), "16777216.0");
  EXPECT_EQ(formatFloat(3.4028235e38f), "3.4028235e+38");
  EXPECT_EQ(formatFloat(1.0f / 3), "0.33333334");
  EXPECT_EQ(formatFloat(1e-45f), "1e-45");
  EXPECT_EQ(formatFloat(1e16f), "1e+16");
}

template <class Float, class Bits>
static void expectRoundTrips(ScalarType type) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    Bits bits = Bits(random()), back = 0;
    Float value;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isnan(value))
      continue;
    EXPECT_EQ(textOf(parseScalar(formatFloat(value), type, &back)), "");
    EXPECT_EQ(back, bits) << formatFloat(value);
  }
}

TEST(Scalar, TextRoundTrips) {
  expectRoundTrips<double, uint64_t>(ScalarType::F64);
  expectRoundTrips<float, uint32_t>(ScalarType::F32);
}

template <class T> static T parsed(const std::string &text, ScalarType type) {
  T value{};
  EXPECT_EQ(textOf(parseScalar(text, type, &value)), "") << text;
  return value;
}

TEST(Scalar, Floats) {
  EXPECT_EQ(parsed<double>("1.5", ScalarType::F64), 1.5);
  EXPECT_EQ(parsed<double>(" -.5e1 ", ScalarType::F64), -5);
  EXPECT_EQ(parsed<double>("2**31+5", ScalarType::F64), 2147483653.0);
  EXPECT_EQ(parsed<double>("inf", ScalarType::F64), HUGE_VAL);
  EXPECT_EQ(parsed<float>("-inf", ScalarType::F32), -HUGE_VALF);
  EXPECT_TRUE(std::isnan(parsed<float>("nan", ScalarType::F32)));
  EXPECT_TRUE(std::signbit(parsed<double>("-0.0", ScalarType::F64)));
  EXPECT_EQ(parsed<double>("1e-400", ScalarType::F64), 0);
  // Rounded once, to f32: by way of f64 it would be 1.
  EXPECT_EQ(parsed<float>("1.00000005960464477540", ScalarType::F32),
            std::nextafter(1.0f, 2.0f));
  // The same for an integer expression, 2^54 + 2^30 + 1.
  EXPECT_EQ(parsed<float>("2**54+2**30+1", ScalarType::F32),
            std::nextafter(0x1p54f, HUGE_VALF));
}

TEST(Scalar, IntegersAndBools) {
  EXPECT_EQ(parsed<int8_t>("-128", ScalarType::I8), -128);
  EXPECT_EQ(parsed<uint64_t>("2**64-1", ScalarType::U64), UINT64_MAX);
  EXPECT_EQ(parsed<int64_t>("-2**63", ScalarType::I64), INT64_MIN);
  EXPECT_EQ(parsed<int32_t>("1e3", ScalarType::I32), 1000);
  EXPECT_EQ(parsed<int32_t>("2.0", ScalarType::I32), 2);
  EXPECT_EQ(parsed<uint8_t>("true", ScalarType::Bool), 1);
  EXPECT_EQ(parsed<uint8_t>("False", ScalarType::Bool), 0);
  EXPECT_EQ(parsed<uint8_t>("1", ScalarType::Bool), 1);
}

TEST(Scalar, WhatDoesNotFit) {
  const std::pair<const char *, ScalarType> cases[] = {
      {"128", ScalarType::I8},
      {"-1", ScalarType::U8},
      {"2**64", ScalarType::U64},
      {"2", ScalarType::Bool},
      {"1.5", ScalarType::I32},
      {"nan", ScalarType::I32},
      {"-inf", ScalarType::I64},
      {"true", ScalarType::I32},
      {"true", ScalarType::F32},
      {"1e400", ScalarType::F64},
      {"1e39", ScalarType::F32},
      {"1e19", ScalarType::I64},
      {"nan", ScalarType::Bool},
      {"1e99999999999999999999", ScalarType::F64},
      {"9007199254740994.0", ScalarType::I64}};
  uint64_t out;
  for (auto [text, type] : cases)
    EXPECT_HAS(textOf(parseScalar(text, type, &out)), "does not fit");
}

TEST(Scalar, WhatIsNoNumber) {
  uint64_t out;
  for (std::string text : {"", "one", "1e", "1.2.3", "0x1p3", "e5", ".", "--",
                           "1 2", "infinity", "- 1.5", "nan(3)", "NaN"})
    for (ScalarType type : {ScalarType::F64, ScalarType::I32})
      EXPECT_NE(textOf(parseScalar(text, type, &out)), "") << text;
}

TEST(Scalar, ElementsAsText) {
  auto text = [](ScalarType type, auto value) {
    return formatScalar(type, &value);
  };
  EXPECT_EQ(text(ScalarType::Bool, uint8_t(1)), "true");
  EXPECT_EQ(text(ScalarType::Bool, uint8_t(0)), "false");
  EXPECT_EQ(text(ScalarType::I8, int8_t(-5)), "-5");
  EXPECT_EQ(text(ScalarType::U8, uint8_t(200)), "200");
  EXPECT_EQ(text(ScalarType::U64, UINT64_MAX), "18446744073709551615");
  EXPECT_EQ(text(ScalarType::I64, INT64_MIN), "-9223372036854775808");
  EXPECT_EQ(text(ScalarType::F32, 0.1f), "0.1");
}
