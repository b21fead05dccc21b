//===- FormatTest.cpp - Tests of arrays as text and JSON -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "IO/Format.h"
#include "IO/Generators.h"
#include "Support.h"

using namespace wf;
using namespace wf::test;

static std::string text(const std::string &generator, bool full = false) {
  return formatArray(valueOf(parseGenerator(generator)), full);
}

TEST(Format, Arrays) {
  EXPECT_EQ(text("gen:values([[1, 2], [3, 4]], f32)"),
            "[[1.0, 2.0], [3.0, 4.0]]");
  EXPECT_EQ(text("gen:values([nan, -inf, 1e16, -0.0, 0.1], f32)"),
            "[nan, -inf, 1e+16, -0.0, 0.1]");
  EXPECT_EQ(text("gen:values([true, false], bool)"), "[true, false]");
  EXPECT_EQ(text("gen:values(10, f64)"), "10.0");
  EXPECT_EQ(text("gen:values([2**64-1], u64)"), "[18446744073709551615]");
  EXPECT_EQ(text("gen:arange(8, i8, 2x2x2)"), "[[[0, 1], [2, 3]], [[4, 5], "
                                              "[6, 7]]]");
}

TEST(Format, ArraysWithoutElements) {
  EXPECT_EQ(text("gen:full(1, 0, f32)"), "[]");
  EXPECT_EQ(text("gen:full(1, 0x3, f32)"), "[]");
  EXPECT_EQ(text("gen:full(1, 2x0, f32)"), "[[], []]");
  EXPECT_EQ(text("gen:full(1, 2**31x0, f32)"), "[[], [], [], ..., [], [], []]");
}

TEST(Format, LongArraysAreShortened) {
  EXPECT_EQ(text("gen:arange(1001, i32)"), "[0, 1, 2, ..., 998, 999, 1000]");
  EXPECT_EQ(text("gen:arange(2**40, i64)"),
            "[0, 1, 2, ..., 1099511627773, 1099511627774, 1099511627775]");
  EXPECT_EQ(text("gen:arange(1002, i32, 2x501)"),
            "[[0, 1, 2, ..., 498, 499, 500], [501, 502, 503, ..., 999, 1000, "
            "1001]]");
  EXPECT_EQ(text("gen:arange(1400, i32, 700x2)"),
            "[[0, 1], [2, 3], [4, 5], ..., [1394, 1395], [1396, 1397], [1398, "
            "1399]]");
  // At the threshold, and where `full` is asked for, all are there.
  for (auto [generator, full, count] :
       {std::tuple("gen:arange(1000, i32)", false, 1000),
        std::tuple("gen:arange(2500, i32)", true, 2500)}) {
    std::string whole = text(generator, full);
    EXPECT_EQ(std::count(whole.begin(), whole.end(), ','), count - 1);
    EXPECT_EQ(whole.find("..."), std::string::npos);
  }
}

static llvm::json::Value json(const std::string &generator) {
  return jsonValues(valueOf(parseGenerator(generator)));
}

TEST(Format, JsonValues) {
  EXPECT_EQ(json("gen:values([[1, nan], [inf, -inf]], f32)"),
            llvm::json::Value(llvm::json::Array{1.0, "nan", "inf", "-inf"}));
  EXPECT_EQ(json("gen:values([true, false], bool)"),
            llvm::json::Value(llvm::json::Array{true, false}));
  EXPECT_EQ(json("gen:values(-7, i8)"),
            llvm::json::Value(llvm::json::Array{-7}));
  llvm::json::Value wide = json("gen:values([2**64-1], u64)");
  EXPECT_EQ((*wide.getAsArray())[0].getAsUINT64(), UINT64_MAX);
  EXPECT_EQ(json("gen:arange(5000, i32)").getAsArray()->size(), 1000u);
  EXPECT_EQ(json("gen:full(1, 0, f32)").getAsArray()->size(), 0u);
}

TEST(Format, WrittenJsonKeepsFloats) {
  std::string written;
  llvm::raw_string_ostream os(written);
  llvm::json::OStream stream(os);
  writeJsonValues(stream, valueOf(parseGenerator(
                              "gen:values([10, -0.0, 0.1, nan, 1e16], f64)")));
  EXPECT_EQ(written, "[10.0,-0.0,0.1,\"nan\",1e+16]");
  auto parsed = llvm::json::parse(written);
  ASSERT_TRUE(!!parsed);
  EXPECT_EQ(*(*parsed->getAsArray())[2].getAsNumber(), 0.1);
}
