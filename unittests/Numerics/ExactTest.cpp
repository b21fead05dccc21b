//===- ExactTest.cpp - Exact sums and bounds ------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Numerics/Exact.h"
#include "Numerics/Value.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <limits>
#include <random>

using namespace wf;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan64 = std::numeric_limits<double>::quiet_NaN();

double exact(std::vector<double> xs, ScalarType type = ScalarType::F64) {
  ExactSum sum;
  for (double x : xs)
    sum.add(x);
  return sum.rounded(type);
}

TEST(ExactSum, Cancellation) {
  EXPECT_EQ(exact({1e308, 1, -1e308}), 1.0);
  EXPECT_EQ(exact({1e16, 1, 1, 1, -1e16}), 3.0);
  EXPECT_EQ(exact({-1e300, 5e-324, 1e300}), 5e-324);
  EXPECT_EQ(exact({-5e-324, 5e-324}), 0.0);
  EXPECT_EQ(exact({-1, -2, -4}), -7.0);
  // More than the range in between, back in the end.
  const double max = std::numeric_limits<double>::max();
  EXPECT_EQ(exact({max, max, max, -max, -max}), max);
}

TEST(ExactSum, RoundsOnceToNearestEven) {
  EXPECT_EQ(exact({1, 0x1p-53}), 1.0);                 // a tie
  EXPECT_EQ(exact({1, 0x1p-53, 5e-324}), 1 + 0x1p-52); // just above
  EXPECT_EQ(exact({1, 0x1p-53, -5e-324}), 1.0);
  EXPECT_EQ(exact({1 + 0x1p-52, 0x1p-53}), 1 + 0x1p-51); // a tie, to even
  EXPECT_EQ(exact({-1, -0x1p-53, -5e-324}), -1 - 0x1p-52);
  // f32 from the exact sum, not from its f64: that would make a tie.
  const ScalarType f32 = ScalarType::F32;
  EXPECT_EQ(exact({1, 0x1p-24, 0x1p-80}, f32), 1 + 0x1p-23);
  EXPECT_EQ(exact({1, 0x1p-24}, f32), 1.0);
  // Denormals of f32.
  EXPECT_EQ(exact({0x1p-149, 0x1p-150}, f32), 0x1p-148); // a tie, to even
  EXPECT_EQ(exact({0x1p-150}, f32), 0.0);
  EXPECT_EQ(exact({0x1p-150, 0x1p-200}, f32), 0x1p-149);
  EXPECT_EQ(exact({0x1p-160}, f32), 0.0);
}

TEST(ExactSum, PastTheRange) {
  const double max = std::numeric_limits<double>::max();
  EXPECT_EQ(exact({max, max}), inf);
  EXPECT_EQ(exact({-max, -0x1p970}), -inf); // half a unit of the largest
  EXPECT_EQ(exact({max, 0x1p969}), max);
  const double maxF32 = std::numeric_limits<float>::max();
  EXPECT_EQ(exact({maxF32, 0x1p103}, ScalarType::F32), inf);
  EXPECT_EQ(exact({maxF32, 0x1p102}, ScalarType::F32), maxF32);
}

TEST(ExactSum, SpecialValues) {
  EXPECT_EQ(exact({inf, 1, -1e308}), inf);
  EXPECT_EQ(exact({1, -inf}), -inf);
  EXPECT_TRUE(std::isnan(exact({inf, -inf})));
  EXPECT_TRUE(std::isnan(exact({1, nan64})));
  EXPECT_TRUE(std::signbit(exact({-0.0, -0.0})));
  EXPECT_FALSE(std::signbit(exact({-0.0, 0.0})));
  EXPECT_FALSE(std::signbit(exact({})));
  EXPECT_FALSE(std::signbit(exact({1, -1})));
}

TEST(ExactSum, AgreesWithIntegersInAnyOrder) {
  // Multiples of 2^-20 below 2^60 in sum: __int128 holds them exactly.
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> xs;
    __int128 total = 0;
    for (int i = 0; i < 200; ++i) {
      const int64_t n = int64_t(random() >> 11) - (int64_t(1) << 52);
      xs.push_back(std::ldexp(double(n), -20));
      total += n;
    }
    const double want = std::ldexp(double(total), -20);
    EXPECT_EQ(exact(xs), want);
    std::shuffle(xs.begin(), xs.end(), random);
    EXPECT_EQ(exact(xs), want);
  }
}

TEST(ExactSum, WideRangeAgainstAPairThatCancels) {
  // Any x with exponents over the whole range, each with its opposite, leave
  // exactly the one that has none.
  std::mt19937_64 random(11);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> xs;
    for (int i = 0; i < 100; ++i) {
      double x = std::numeric_limits<double>::infinity();
      while (!std::isfinite(x))
        x = valueOf<double>(random());
      xs.push_back(x);
      if (i > 0)
        xs.push_back(-x);
    }
    const double alone = xs[0];
    std::shuffle(xs.begin(), xs.end(), random);
    EXPECT_EQ(payloadOf(exact(xs)), payloadOf(alone));
  }
}

TEST(ExactSum, Error) {
  ExactSum sum;
  sum.add(1);
  sum.add(0x1p-60);
  EXPECT_EQ(sum.error(1), 0x1p-60);
  EXPECT_EQ(sum.error(0), 1 + 0x1p-52); // rounded up
  EXPECT_TRUE(std::isnan(sum.error(nan64)));
  EXPECT_EQ(sum.error(inf), inf);
  sum.add(inf);
  EXPECT_EQ(sum.error(inf), 0);
  EXPECT_EQ(sum.error(-inf), inf);
  EXPECT_EQ(sum.error(1), inf);
  sum.add(nan64);
  EXPECT_EQ(sum.error(nan64), 0);
  EXPECT_TRUE(std::isnan(sum.error(inf)));
  EXPECT_TRUE(std::isnan(sum.error(1)));
}

TEST(ExactIntegerSum, WrapsInTheEnd) {
  ExactIntegerSum sum;
  for (int i = 0; i < 3; ++i)
    sum.add(ScalarType::I64, uint64_t(1) << 62);
  EXPECT_EQ(sum.wrapped(ScalarType::I64), uint64_t(3) << 62);
  EXPECT_FALSE(sum.fits(ScalarType::I64));
  EXPECT_TRUE(sum.fits(ScalarType::U64));
  ExactIntegerSum small;
  small.add(ScalarType::I8, 0xff);
  small.add(ScalarType::U8, 0xff);
  EXPECT_EQ(small.wrapped(ScalarType::I16), 254u);
  EXPECT_FALSE(small.fits(ScalarType::I8));
  EXPECT_EQ(small.wrapped(ScalarType::I8), 0xfeu);
}

TEST(Bound, Gamma) {
  for (ScalarType type : {ScalarType::F32, ScalarType::F64}) {
    const double u = unitRoundoff(type);
    EXPECT_EQ(gamma(type, 0), 0);
    EXPECT_GT(gamma(type, 1), u);
    EXPECT_LT(gamma(type, 1), u * (1 + 4 * u) + 0x1p-100);
    EXPECT_GE(gamma(type, 1000), 1000 * u / (1 - 1000 * u));
  }
  EXPECT_EQ(gamma(ScalarType::F32, 1 << 24), inf);
  EXPECT_EQ(gamma(ScalarType::F64, int64_t(1) << 53), inf);
}

TEST(Bound, IsTheTreesDepthTimesTheSumOfMagnitudes) {
  SumReference reference;
  for (int k = 0; k < 4097; ++k)
    reference.add(ScalarType::F32, payloadOf(k % 2 ? -1.0f : 1.0f));
  EXPECT_EQ(reference.sum.rounded(ScalarType::F64), 1.0);
  const OrderShape shape = orderShape(4, 4);
  auto bound = [&](Order order) {
    return reference.bound(ScalarType::F32, order, shape);
  };
  EXPECT_NEAR(bound(Order::Canonical), 39 * 0x1p-24 * 4097, 1e-7);
  EXPECT_NEAR(bound(Order::Ordered), 13 * 0x1p-24 * 4097, 1e-7);
  EXPECT_NEAR(bound(Order::Sequential), 4096 * 0x1p-24 * 4097, 1e-2);
  EXPECT_GE(bound(Order::Canonical), 39 * 0x1p-24 * 4097);
}

TEST(Bound, NoneWhereSumsMayOverflow) {
  SumReference reference;
  for (int i = 0; i < 2; ++i)
    reference.add(ScalarType::F32, payloadOf(3e38f));
  EXPECT_EQ(reference.bound(ScalarType::F32, Order::Ordered, {}), inf);
  EXPECT_LT(reference.bound(ScalarType::F64, Order::Ordered, {}), 1e30);
  SumReference infinite;
  infinite.add(ScalarType::F32, payloadOf(HUGE_VALF));
  infinite.add(ScalarType::F32, payloadOf(1.0f));
  EXPECT_EQ(infinite.bound(ScalarType::F32, Order::Ordered, {}), 0);
}

} // namespace
