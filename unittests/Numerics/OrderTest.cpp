//===- OrderTest.cpp - The published trees --------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Numerics/Order.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace wf;

namespace {

TEST(Order, Names) {
  EXPECT_EQ(name(Order::Canonical), "canonical/1");
  EXPECT_EQ(name(Order::Ordered), "ordered");
  EXPECT_EQ(name(Order::Sequential), "sequential");
}

TEST(Order, ShapeFollowsFromBytes) {
  struct {
    int64_t input, state, vector, accumulators;
  } cases[] = {
      {4, 4, 4, 4},  {8, 8, 2, 2},  {1, 1, 16, 16}, {1, 8, 16, 8},
      {2, 8, 8, 8},  {2, 9, 8, 4},  {4, 12, 4, 4},  {4, 16, 4, 4},
      {4, 17, 4, 2}, {4, 24, 4, 2}, {4, 32, 4, 2},  {4, 33, 4, 1},
      {8, 64, 2, 1}, {8, 65, 2, 1}, {8, 200, 2, 1}, {1, 3, 16, 16},
      {1, 5, 16, 8},
  };
  for (auto c : cases) {
    const OrderShape shape = orderShape(c.input, c.state);
    EXPECT_EQ(shape.vector, c.vector) << c.input << " " << c.state;
    EXPECT_EQ(shape.accumulators, c.accumulators) << c.input << " " << c.state;
    EXPECT_EQ(shape.chunk() * c.input, 16384); // 16 KiB of the widest input
  }
}

TEST(Order, TreesAreThePublishedOnes) {
  std::ifstream file(WF_GOLDEN_FOLDER "/trees.csv");
  std::string line;
  std::getline(file, line);
  int rows = 0;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string width, count, tree;
    std::getline(cells, width, ',');
    std::getline(cells, count, ',');
    std::getline(cells, tree);
    const OrderShape shape = orderShape(std::stoi(width), std::stoi(width));
    EXPECT_EQ(treeExpression(Order::Canonical, shape, std::stoi(count)), tree)
        << "width " << width << ", count " << count;
    ++rows;
  }
  EXPECT_EQ(rows, 29);
}

TEST(Order, ExamplesOfTheContract) {
  const OrderShape f32 = orderShape(4, 4);
  EXPECT_EQ(treeExpression(Order::Canonical, f32, 5), "(((0 1) (2 3)) 4)");
  // At 130 elements slots 0 and 1 hold two, all the others one.
  const std::string tree = treeExpression(Order::Canonical, f32, 130);
  EXPECT_NE(tree.find("(((0 128) (1 129)) (2 3))"), std::string::npos) << tree;
  EXPECT_EQ(treeExpression(Order::Canonical, f32, 0), "");
  EXPECT_EQ(treeExpression(Order::Ordered, f32, 7),
            "(((0 1) (2 3)) ((4 5) 6))");
  EXPECT_EQ(treeExpression(Order::Sequential, f32, 4), "(((0 1) 2) 3)");
}

TEST(Order, ThreeChunksJoinLikeThreeElements) {
  // One accumulator and V = 1: a chunk is 1024 elements.
  const OrderShape shape{1, 1};
  auto chunk = [&](int64_t first) {
    std::string text;
    std::istringstream in(treeExpression(Order::Canonical, shape, 1024));
    for (char c; in.get(c);) {
      if (!isdigit(c)) {
        text += c;
        continue;
      }
      in.unget();
      int64_t k;
      in >> k;
      text += std::to_string(first + k);
    }
    return text;
  };
  EXPECT_EQ(treeExpression(Order::Canonical, shape, 3 * 1024),
            "((" + chunk(0) + " " + chunk(1024) + ") " + chunk(2048) + ")");
}

/// The deepest leaf of a printed tree.
int64_t depthOf(const std::string &tree) {
  int64_t depth = 0, deepest = 0;
  for (char c : tree) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

TEST(Order, DepthIsThatOfThePrintedTree) {
  for (Order order : {Order::Canonical, Order::Ordered, Order::Sequential})
    for (OrderShape shape : {OrderShape{4, 4}, {2, 2}, {4, 1}, {16, 16}})
      for (int64_t count : {0, 1, 2, 3, 5, 127, 128, 129, 4095, 4096, 4097,
                            8192, 8193, 16384, 20000})
        EXPECT_EQ(treeDepth(order, shape, count),
                  depthOf(treeExpression(order, shape, count)))
            << name(order) << " " << shape.vector << " " << count;
  // A full chunk of f32: 31 updates, 7 levels of 128 slots; 2^12 chunks.
  EXPECT_EQ(treeDepth(Order::Canonical, orderShape(4, 4), 1 << 24),
            31 + 7 + 12);
}

} // namespace
