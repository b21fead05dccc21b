//===- ShapeTest.cpp - Tests of shapes as text ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "IO/Shape.h"
#include "Support.h"

using namespace wf;
using namespace wf::test;

static int64_t integer(const std::string &text) {
  return int64_t(valueOf(parseInteger(text)));
}

TEST(Shape, IntegerExpressions) {
  EXPECT_EQ(integer("0"), 0);
  EXPECT_EQ(integer(" 12 "), 12);
  EXPECT_EQ(integer("2**31+5"), 2147483653);
  EXPECT_EQ(integer("2+3*4**2"), 50);
  EXPECT_EQ(integer("(2+3)*4"), 20);
  EXPECT_EQ(integer("2**3**2"), 512);
  EXPECT_EQ(integer("-2**2"), -4);
  EXPECT_EQ(integer("(-2)**3"), -8);
  EXPECT_EQ(integer("10-3-2"), 5);
  EXPECT_EQ(integer("--3"), 3);
  EXPECT_EQ(integer("7**0"), 1);
  EXPECT_EQ(integer("0**0"), 1);
  EXPECT_EQ(integer("(-1)**99999999999"), -1);
  EXPECT_EQ(integer("(-1)**99999999998"), 1);
  EXPECT_EQ(integer("0**5"), 0);
  EXPECT_EQ(integer("2**64 - 2**64 + 1"), 1);
}

TEST(Shape, MalformedExpressions) {
  for (std::string text : {"", " ", "+", "2+", "(2", "2)", "2 3", "2**", "x",
                           "2/3", "1.5", "2**-1", "()", "0x10", "*2"})
    EXPECT_NE(errorOf(parseInteger(text)), "") << text;
  for (std::string text : {"2**127", "9**99", "2**124*4",
                           "99999999999999999999"
                           "99999999999999999999",
                           "2**125+2**125", "2**999999999999999999"})
    EXPECT_HAS(errorOf(parseInteger(text)), "does not fit");
  // No depth of nesting ends the process.
  std::string deep(100000, '(');
  EXPECT_NE(errorOf(parseInteger(deep)), "");
  std::string tower = "1";
  for (int i = 0; i < 100000; ++i)
    tower += "**1";
  EXPECT_NE(errorOf(parseInteger(tower)), "");
  EXPECT_EQ(integer(std::string(100000, '-') + "1"), 1);
}

TEST(Shape, Shapes) {
  using Sizes = std::vector<int64_t>;
  EXPECT_EQ(valueOf(parseShape("1024x4096")), (Sizes{1024, 4096}));
  EXPECT_EQ(valueOf(parseShape(" 2**31+5 x (1+2)x 0 ")),
            (Sizes{2147483653, 3, 0}));
  EXPECT_EQ(valueOf(parseShape("7")), (Sizes{7}));
  EXPECT_EQ(valueOf(parseShape("")), (Sizes{}));
  EXPECT_EQ(valueOf(parseShape("()")), (Sizes{}));
  for (std::string text : {"x", "3x", "x3", "3xx4", "-1", "3x-4", "2**63",
                           "3,4", "3X4", "(3, 4)", "3 4"})
    EXPECT_NE(errorOf(parseShape(text)), "") << text;
  EXPECT_HAS(errorOf(parseShape("3x-4")), "negative");
  std::string many = "1";
  for (int i = 0; i < 64; ++i)
    many += "x1";
  EXPECT_HAS(errorOf(parseShape(many)), "65 axes");
}

TEST(Shape, CheckedBytes) {
  EXPECT_EQ(checkedBytes({}, 4), 4);
  EXPECT_EQ(checkedBytes({3, 4}, 4), 48);
  EXPECT_EQ(checkedBytes({3, 0}, 4), 0);
  EXPECT_EQ(checkedBytes({int64_t(1) << 60}, 4), int64_t(1) << 62);
  EXPECT_EQ(checkedBytes({int64_t(1) << 61}, 4), std::nullopt);
  EXPECT_EQ(checkedBytes({0, int64_t(1) << 61}, 4), std::nullopt);
  EXPECT_EQ(checkedBytes(std::vector<int64_t>(64, 1), 8), 8);
  EXPECT_EQ(checkedBytes(std::vector<int64_t>(65, 1), 8), std::nullopt);
}

TEST(Shape, Format) {
  EXPECT_EQ(formatShape({}), "()");
  EXPECT_EQ(formatShape({5}), "(5,)");
  EXPECT_EQ(formatShape({64, 128}), "(64, 128)");
}
