//===- SliceTest.cpp - Tests of NumPy's basic slicing --------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "IO/Slice.h"
#include "IO/Generators.h"
#include "Support.h"

using namespace wf;
using namespace wf::test;

using Sizes = std::vector<int64_t>;
using Optional = std::optional<int64_t>;

static Array arange(int64_t count, const std::string &shape) {
  return valueOf(parseGenerator("gen:arange(" + std::to_string(count) +
                                ", i64, " + shape + ")"));
}

/// What range(*slice(a, b, c).indices(size)) gives, by trying every element:
/// those at or after a, before b, in steps of c, seen from the walk's side.
static std::vector<int64_t> expectedRange(int64_t size, Optional a, Optional b,
                                          int64_t c) {
  std::vector<int64_t> list;
  // Negative bounds count from the end; where that is still before the start,
  // nothing lies before them.
  auto counted = [&](int64_t v) { return v < 0 ? v + size : v; };
  std::vector<int64_t> walk;
  for (int64_t i = 0; i < size; ++i)
    walk.push_back(c > 0 ? i : size - 1 - i);
  int64_t since = -1;
  for (int64_t i : walk) {
    bool reached = !a || (c > 0 ? i >= counted(*a) : i <= counted(*a));
    bool left = b && (c > 0 ? i >= counted(*b) : i <= counted(*b));
    if (!reached)
      continue;
    ++since;
    if (!left && since % std::abs(c) == 0)
      list.push_back(i);
  }
  return list;
}

static std::string text(Optional value) {
  return value ? std::to_string(*value) : "";
}

TEST(Slice, EveryRangeOfShortAxes) {
  std::vector<Optional> bounds = {std::nullopt};
  for (int64_t i = -7; i <= 7; ++i)
    bounds.push_back(i);
  for (int64_t size = 0; size <= 5; ++size) {
    Array generated = arange(size, std::to_string(size));
    Array memory = valueOf(materialize(generated));
    for (Optional a : bounds)
      for (Optional b : bounds)
        for (int64_t c : {-7, -3, -2, -1, 1, 2, 3, 7}) {
          std::string spec = text(a) + ":" + text(b) + ":" + std::to_string(c);
          auto expected = expectedRange(size, a, b, c);
          EXPECT_EQ(elementsOf<int64_t>(valueOf(slice(generated, spec))),
                    expected)
              << size << " " << spec;
          EXPECT_EQ(elementsOf<int64_t>(valueOf(slice(memory, spec))), expected)
              << size << " " << spec;
        }
  }
}

TEST(Slice, SeveralAxes) {
  Array array = arange(24, "2x3x4");
  auto check = [&](const std::string &spec, Sizes shape,
                   std::vector<int64_t> elements) {
    Array view = valueOf(slice(array, spec));
    EXPECT_EQ(view.shape, shape) << spec;
    EXPECT_EQ(elementsOf<int64_t>(view), elements) << spec;
  };
  check("1", {3, 4}, {12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23});
  check("1, 2", {4}, {20, 21, 22, 23});
  check("[-1, -1, -1]", {}, {23});
  check("..., 0", {2, 3}, {0, 4, 8, 12, 16, 20});
  check("0, ..., 1", {3}, {1, 5, 9});
  check("0, ::-2, ::3", {2, 2}, {8, 11, 0, 3});
  check("1, 1, None, 1:3", {1, 2}, {17, 18});
  check("newaxis, 0, 0, 0, ..., None", {1, 1}, {0});
  check("1, 0,", {4}, {12, 13, 14, 15});
  check(":, 5:, :", {2, 0, 4}, {});
}

TEST(Slice, SlicesOfSlices) {
  Array array = arange(24, "2x3x4");
  Array view = valueOf(slice(array, "1, ::-1, 1::2"));
  EXPECT_EQ(elementsOf<int64_t>(view),
            (std::vector<int64_t>{21, 23, 17, 19, 13, 15}));
  EXPECT_EQ(elementsOf<int64_t>(valueOf(slice(view, "1:, ::-1"))),
            (std::vector<int64_t>{19, 17, 15, 13}));
}

TEST(Slice, HugeGeneratedArrays) {
  Array array = valueOf(parseGenerator("gen:arange(2**40, i64)"));
  EXPECT_EQ(elementsOf<int64_t>(valueOf(slice(array, "2**35::2**39"))),
            (std::vector<int64_t>{int64_t(1) << 35,
                                  (int64_t(1) << 35) + (int64_t(1) << 39)}));
  EXPECT_EQ(
      elementsOf<int64_t>(valueOf(slice(array, "-1:-4:-1"))),
      (std::vector<int64_t>{(int64_t(1) << 40) - 1, (int64_t(1) << 40) - 2,
                            (int64_t(1) << 40) - 3}));
  EXPECT_EQ(elementsOf<int64_t>(valueOf(slice(array, "3:2**100:2**99"))),
            (std::vector<int64_t>{3}));
  EXPECT_EQ(elementsOf<int64_t>(valueOf(slice(array, "5:-2**100:-2**99"))),
            (std::vector<int64_t>{5}));
}

TEST(Slice, StrideOfALengthOneAxisMeansNothing) {
  Array array = valueOf(materialize(arange(3, "1x3")));
  array.strides[0] = int64_t(1) << 62;
  EXPECT_EQ(elementsOf<int64_t>(valueOf(slice(array, "-1, 1"))),
            (std::vector<int64_t>{1}));
  EXPECT_EQ(elementsOf<int64_t>(valueOf(slice(array, "::-1, ::2"))),
            (std::vector<int64_t>{0, 2}));
}

TEST(Slice, ArraysWithoutElements) {
  Array array = valueOf(parseGenerator("gen:full(1, 3x0, f32)"));
  Array view = valueOf(slice(array, "2, ..."));
  EXPECT_EQ(view.shape, (Sizes{0}));
  EXPECT_EQ(view.data, array.data);
}

TEST(Slice, Errors) {
  Array array = arange(24, "2x3x4");
  const std::pair<const char *, const char *> cases[] = {
      {"", "it is empty"},
      {"[]", "it is empty"},
      {"[1", "']' is missing"},
      {"2", "index 2 is out of range for axis 0 of shape (2, 3, 4)"},
      {"0, -4", "index -4 is out of range for axis 1"},
      {"0, 0, 2**70", "out of range"},
      {"0, 0, 0, 0", "has 4 indices, but the shape (2, 3, 4) has 3 axes"},
      {"..., ...", "'...' may stand once"},
      {"::0", "the step is 0"},
      {"1:2:3:4", "too many colons"},
      {"a", "'a' is not an integer"},
      {"1.5", "'1.5' is not an integer"},
      {"1,,2", "nothing between two commas"},
      {",", "nothing between two commas"},
      {"....", "'....' is not an integer"}};
  for (auto [spec, part] : cases)
    EXPECT_HAS(errorOf(slice(array, spec)), part);
  std::string many;
  for (int i = 0; i < 62; ++i)
    many += "None, ";
  EXPECT_HAS(errorOf(slice(array, many)), "too many axes");
}
