//===- GeneratorsTest.cpp - Tests of inputs without a file ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "IO/Generators.h"
#include "Support.h"

#include <cmath>

using namespace wf;
using namespace wf::test;

using Sizes = std::vector<int64_t>;

static Array make(const std::string &text) {
  return valueOf(parseGenerator(text));
}

TEST(Generators, FullIsOneElement) {
  Array array = make("gen:full(1, 2**31+5, i8)");
  EXPECT_EQ(array.shape, (Sizes{2147483653}));
  EXPECT_EQ(array.strides, (Sizes{0}));
  int8_t last;
  copyElement(array, {2147483652}, &last);
  EXPECT_EQ(last, 1);
  EXPECT_EQ(elementsOf<float>(make("gen:full(-inf, 2x2, f32)")),
            (std::vector<float>(4, -HUGE_VALF)));
  EXPECT_EQ(make("gen:full(1, (), f64)").rank(), 0);
  EXPECT_EQ(make("gen:full(1, 3x0, f64)").elements(), 0);
  EXPECT_EQ(elementsOf<int16_t>(
                make("gen:full( dtype = i16, value=-(2+3), shape=2 )")),
            (std::vector<int16_t>{-5, -5}));
}

TEST(Generators, ArangeCounts) {
  Array array = make("gen:arange(12, f32, 3x4)");
  EXPECT_EQ(array.shape, (Sizes{3, 4}));
  EXPECT_EQ(array.data, nullptr);
  std::vector<float> expected;
  for (int i = 0; i < 12; ++i)
    expected.push_back(float(i));
  EXPECT_EQ(elementsOf<float>(array), expected);
  EXPECT_EQ(elementsOf<uint8_t>(make("gen:arange(2, bool)")),
            (std::vector<uint8_t>{0, 1}));
  EXPECT_EQ(make("gen:arange(256, u8)").shape, (Sizes{256}));
  EXPECT_EQ(make("gen:arange(0, i32)").elements(), 0);
  // Floats round as a conversion does.
  float past = 0;
  copyElement(make("gen:arange(2**24+2, f32)"), {(1 << 24) + 1}, &past);
  EXPECT_EQ(past, 16777216.0f);
}

TEST(Generators, ArangeMustFit) {
  for (std::string text : {"gen:arange(257, u8)", "gen:arange(129, i8)",
                           "gen:arange(3, bool)", "gen:arange(2**31+1, i32)"})
    EXPECT_HAS(errorOf(parseGenerator(text)), "do not fit");
  EXPECT_EQ(make("gen:arange(2**31, i32)").elements(), int64_t(1) << 31);
  EXPECT_HAS(errorOf(parseGenerator("gen:arange(12, f32, 3x5)")),
             "shape (3, 5) has 15 elements, but arange makes 12");
  EXPECT_NE(errorOf(parseGenerator("gen:arange(-1, f32)")), "");
}

TEST(Generators, PiecesAgreeWithTheWhole) {
  for (std::string generator : {"random", "arange"})
    for (std::string type : {"bool", "i8", "i16", "i32", "i64", "u8", "u16",
                             "u32", "u64", "f32", "f64"}) {
      int count = type == "bool" && generator == "arange" ? 2 : 100;
      Array array = make("gen:" + generator + "(" + std::to_string(count) +
                         ", " + type + ")");
      int64_t width = byteSize(array.type);
      std::string whole(size_t(count * width), 0);
      array.source->fill(whole.data(), 0, 1, count);
      for (int64_t step : {-3, -1, 0, 1, 2, 7})
        for (int64_t first : {0, 1, count - 1}) {
          int64_t n = 0;
          while (n < 10 && first + n * step >= 0 && first + n * step < count)
            ++n;
          std::string piece(size_t(n * width), 0);
          array.source->fill(piece.data(), first, step, n);
          for (int64_t i = 0; i < n; ++i)
            EXPECT_EQ(
                piece.substr(size_t(i * width), size_t(width)),
                whole.substr(size_t((first + i * step) * width), size_t(width)))
                << generator << " " << type;
        }
    }
}

// The published first outputs of SplitMix64 for seed 1234567.
TEST(Generators, RandomIsSplitMix64) {
  const std::vector<uint64_t> published = {
      6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
      4593380528125082431u, 16408922859458223821u};
  Array array = make("gen:random(5, u64, seed=1234567)");
  EXPECT_EQ(elementsOf<uint64_t>(array), published);
  auto f32 = elementsOf<float>(make("gen:random(5, f32, 1234567)"));
  auto f64 = elementsOf<double>(make("gen:random(5, f64, 1234567)"));
  auto i16 = elementsOf<int16_t>(make("gen:random(5, i16, 1234567)"));
  auto bits = elementsOf<uint8_t>(make("gen:random(5, bool, 1234567)"));
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(f32[i], std::ldexp(float(published[i] >> 40), -24));
    EXPECT_EQ(f64[i], std::ldexp(double(published[i] >> 11), -53));
    EXPECT_EQ(i16[i], int16_t(published[i] >> 48));
    EXPECT_EQ(bits[i], published[i] >> 63);
  }
}

TEST(Generators, SeedsGiveOtherElements) {
  EXPECT_NE(elementsOf<uint64_t>(make("gen:random(5, u64, seed=0)")),
            elementsOf<uint64_t>(make("gen:random(5, u64, seed=1)")));
  EXPECT_EQ(elementsOf<uint64_t>(make("gen:random(5, u64)")),
            elementsOf<uint64_t>(make("gen:random(5, u64, seed=0)")));
  EXPECT_EQ(elementsOf<float>(make("gen:random(2x3, f32, seed=9)")),
            elementsOf<float>(make("gen:random(6, f32, seed=9)")));
}

TEST(Generators, Values) {
  Array array = make("gen:values([[1, 2.5, -inf], [3, nan, 2**10]], f32)");
  EXPECT_EQ(array.shape, (Sizes{2, 3}));
  auto list = elementsOf<float>(array);
  EXPECT_EQ(list[1], 2.5f);
  EXPECT_EQ(list[2], -HUGE_VALF);
  EXPECT_TRUE(std::isnan(list[4]));
  EXPECT_EQ(list[5], 1024.0f);
  EXPECT_EQ(make("gen:values(5, f32)").rank(), 0);
  EXPECT_EQ(make("gen:values([], f32)").shape, (Sizes{0}));
  EXPECT_EQ(make("gen:values([[], []], f32)").shape, (Sizes{2, 0}));
  EXPECT_EQ(make("gen:values([[[1]], [[2]], [[3]]], i8)").shape,
            (Sizes{3, 1, 1}));
  EXPECT_EQ(elementsOf<uint8_t>(make("gen:values([true, false, 1,], bool)")),
            (std::vector<uint8_t>{1, 0, 1}));
}

TEST(Generators, RaggedValues) {
  for (std::string lists :
       {"[[1], 2]", "[1, [2]]", "[[1, 2], [3]]", "[[1], [[2]]]", "[[], [1]]",
        "[[1], []]", "[[[1]], [2]]", "[[], [[]]]"})
    EXPECT_HAS(errorOf(parseGenerator("gen:values(" + lists + ", f32)")),
               "lists differ");
  for (std::string lists :
       {std::string("[1"), std::string("[1]]"), std::string("[[1]"),
        std::string("[1 2]"), std::string("[a]"), std::string("[1,,2]"),
        std::string(100, '[') + std::string(100, ']')})
    EXPECT_NE(errorOf(parseGenerator("gen:values(" + lists + ", f32)")), "")
        << lists;
}

TEST(Generators, Errors) {
  const std::pair<const char *, const char *> cases[] = {
      {"gen:", "no generator called ''"},
      {"gen:ones(3, f32)", "no generator called 'ones'"},
      {"gen:full", "does not end with ')'"},
      {"gen:full(1, 3, f32", "does not end with ')'"},
      {"gen:full(1, 3)", "'dtype' is missing"},
      {"gen:full(1, 3, f32, 4)", "too many arguments, from '4'"},
      {"gen:full(1, 3, dtype=f32, dtype=f32)", "'dtype' is given twice"},
      {"gen:full(1, 3, f32, value=2)", "'value' is given twice"},
      {"gen:full(shape=3, 1, f32)", "stands after a named one"},
      {"gen:full(1, 3, size=2)", "no argument called 'size'"},
      {"gen:full(1, 3, f16)", "type 'f16' is unknown"},
      {"gen:full(300, 3, u8)", "'300' does not fit u8"},
      {"gen:full(1, -3, u8)", "negative"},
      {"gen:full(1, 2**60, f64)", "more than 2**63 - 1 bytes"},
      {"gen:full(1, 2**32x2**32, u8)", "more than 2**63 - 1 bytes"},
      {"gen:random(3, f32, seed=-1)", "does not fit"},
      {"gen:random(3, f32, seed=x)", "cannot read"},
      {"gen:random(, f32)", "argument 'shape' is empty"},
      {"gen:full(1, 3, dtype=)", "argument 'dtype' is empty"}};
  for (auto [text, part] : cases)
    EXPECT_HAS(errorOf(parseGenerator(text)), part);
}
