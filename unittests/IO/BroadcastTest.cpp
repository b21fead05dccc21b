//===- BroadcastTest.cpp - Tests of broadcasting -------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "IO/Broadcast.h"
#include "IO/Generators.h"
#include "Support.h"

using namespace wf;
using namespace wf::test;

using Sizes = std::vector<int64_t>;

static Array make(const std::string &text) {
  return valueOf(parseGenerator(text));
}

TEST(Broadcast, AlignsAtTheLastAxis) {
  std::vector<Array> views = valueOf(broadcast(
      {make("gen:arange(2, i64, 2x1x1)"), make("gen:arange(3, i64, 3x1)"),
       make("gen:full(9, (), i64)"), make("gen:arange(4, i64)")}));
  ASSERT_EQ(views.size(), 4u);
  for (const Array &view : views)
    EXPECT_EQ(view.shape, (Sizes{2, 3, 4}));
  EXPECT_EQ(views[0].strides, (Sizes{1, 0, 0}));
  EXPECT_EQ(views[1].strides, (Sizes{0, 1, 0}));
  EXPECT_EQ(views[2].strides, (Sizes{0, 0, 0}));
  EXPECT_EQ(views[3].strides, (Sizes{0, 0, 1}));
  int64_t element;
  copyElement(views[1], {1, 2, 3}, &element);
  EXPECT_EQ(element, 2);
}

TEST(Broadcast, OneArrayStaysAsItIs) {
  Array array = make("gen:arange(6, i64, 2x3)");
  std::vector<Array> views = valueOf(broadcast({array}));
  EXPECT_EQ(views[0].shape, array.shape);
  EXPECT_EQ(views[0].strides, array.strides);
  EXPECT_TRUE(valueOf(broadcast({})).empty());
}

TEST(Broadcast, OneStretchesToZero) {
  std::vector<Array> views = valueOf(
      broadcast({make("gen:full(1, 3x1, f32)"), make("gen:full(1, 0, f32)")}));
  EXPECT_EQ(views[0].shape, (Sizes{3, 0}));
  EXPECT_EQ(views[1].shape, (Sizes{3, 0}));
}

TEST(Broadcast, ErrorsNameShapesAndAxis) {
  std::string error = errorOf(broadcast({make("gen:full(1, 64x1x128, f32)"),
                                         make("gen:full(1, 32x1, f32)"),
                                         make("gen:full(1, 1x4, f32)")}));
  EXPECT_HAS(error, "(64, 1, 128) and (1, 4)");
  EXPECT_HAS(error, "axis -1 has sizes 128 and 4");
  error = errorOf(broadcast({make("gen:full(1, 64x1x128, f32)"),
                             make("gen:full(1, 32x1, f32)"),
                             make("gen:full(1, 5x1, f32)")}));
  EXPECT_HAS(error, "(32, 1) and (5, 1)");
  EXPECT_HAS(error, "axis -2 has sizes 32 and 5");
  EXPECT_NE(errorOf(broadcast(
                {make("gen:full(1, 0, f32)"), make("gen:full(1, 2, f32)")})),
            "");
}

TEST(Broadcast, TheCommonShapeMustNotOverflow) {
  EXPECT_HAS(errorOf(broadcast({make("gen:full(1, 2**40x1, i8)"),
                                make("gen:full(1, 2**40, i8)")})),
             "more than 2**63 - 1 bytes");
}
