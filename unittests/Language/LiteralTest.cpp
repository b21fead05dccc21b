//===- LiteralTest.cpp - Literals' bits -----------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Language/Literal.h"
#include "Numerics/Value.h"

#include "gtest/gtest.h"

#include <limits>

using namespace wf;
using T = ScalarType;
using Fit = LiteralFit;

static uint64_t bitsOf(const char *text, bool negative, T type) {
  uint64_t bits = 0;
  EXPECT_EQ(literalBits(text, negative, type, bits), Fit::Fits) << text;
  return bits;
}

static Fit fitOf(const char *text, bool negative, T type) {
  uint64_t bits = 0;
  return literalBits(text, negative, type, bits);
}

TEST(Literal, FloatsRoundOnceToNearestEven) {
  EXPECT_EQ(bitsOf("0.1", false, T::F32), payloadOf(0.1f));
  EXPECT_EQ(bitsOf("0.1", false, T::F64), payloadOf(0.1));
  // Half way between two floats, and just above: through a double both would
  // round to the even one.
  EXPECT_EQ(bitsOf("16777217", false, T::F32), payloadOf(16777216.0f));
  EXPECT_EQ(bitsOf("1.00000005960464477539062500000000000001", false, T::F32),
            payloadOf(std::nextafter(1.0f, 2.0f)));
  EXPECT_EQ(bitsOf("0", true, T::F32), payloadOf(-0.0f));
  EXPECT_EQ(bitsOf("inf", true, T::F64),
            payloadOf(-std::numeric_limits<double>::infinity()));
  EXPECT_EQ(bitsOf("1e-45", false, T::F32),
            payloadOf(std::numeric_limits<float>::denorm_min()));
  EXPECT_EQ(bitsOf("0xff", false, T::F32), payloadOf(255.0f));
  EXPECT_EQ(fitOf("1e39", false, T::F32), Fit::OutOfRange);
  EXPECT_EQ(fitOf("1e-60", false, T::F32), Fit::OutOfRange);
  EXPECT_EQ(fitOf("1e99999999999", false, T::F64), Fit::OutOfRange);
}

TEST(Literal, WholeDecimalsAdaptToIntegers) {
  EXPECT_EQ(bitsOf("1e3", false, T::I16), 1000u);
  EXPECT_EQ(bitsOf("2.50e1", false, T::U8), 25u);
  EXPECT_EQ(bitsOf("120.0e-1", false, T::U8), 12u);
  EXPECT_EQ(bitsOf("0.0", true, T::I32), 0u);
  EXPECT_EQ(bitsOf("0e999999", true, T::U8), 0u);
  EXPECT_EQ(bitsOf("0xFf", false, T::U8), 255u);
  EXPECT_EQ(fitOf("0.5", false, T::I32), Fit::NotWhole);
  EXPECT_EQ(fitOf("1e-9999", false, T::I32), Fit::NotWhole);
  EXPECT_EQ(fitOf("nan", false, T::I32), Fit::NotWhole);
  EXPECT_EQ(fitOf("1e9999", false, T::I64), Fit::OutOfRange);
  EXPECT_EQ(fitOf("1", false, T::Bool), Fit::NotABool);
}

TEST(Literal, IntegersAtTheirLimits) {
  for (T type :
       {T::I8, T::I16, T::I32, T::I64, T::U8, T::U16, T::U32, T::U64}) {
    unsigned width = unsigned(byteSize(type)) * 8;
    uint64_t mask = ~uint64_t(0) >> (64 - width);
    uint64_t greatest = isSigned(type) ? mask >> 1 : mask;
    EXPECT_EQ(bitsOf(std::to_string(greatest).c_str(), false, type), greatest);
    EXPECT_EQ(highestBits(type), greatest);
    EXPECT_EQ(lowestBits(type), isSigned(type) ? greatest + 1 : 0);
    if (isSigned(type))
      EXPECT_EQ(bitsOf(std::to_string(greatest + 1).c_str(), true, type),
                greatest + 1);
    else
      EXPECT_EQ(fitOf("1", true, type), Fit::OutOfRange);
    if (type != T::U64)
      EXPECT_EQ(fitOf(std::to_string(greatest + 1).c_str(), false, type),
                Fit::OutOfRange);
  }
  EXPECT_EQ(fitOf("18446744073709551616", false, T::U64), Fit::OutOfRange);
  EXPECT_EQ(fitOf("0x10000000000000000", false, T::U64), Fit::OutOfRange);
}

TEST(Literal, ExtremesOfFloatsAreInfinite) {
  EXPECT_EQ(lowestBits(T::F32),
            payloadOf(-std::numeric_limits<float>::infinity()));
  EXPECT_EQ(highestBits(T::F64),
            payloadOf(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(highestBits(T::Bool), 1u);
}
