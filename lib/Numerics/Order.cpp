//===- Order.cpp - The published orders and their trees -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Numerics/Order.h"
#include "Language/Program.h"
#include "Numerics/TreeFold.h"

#include "llvm/Support/MathExtras.h"

using namespace wf;

std::string_view wf::name(Order order) {
  switch (order) {
  case Order::Canonical:
    return "canonical/1";
  case Order::Ordered:
    return "ordered";
  case Order::Sequential:
    return "sequential";
  }
  return "?";
}

OrderShape wf::orderShape(int64_t widestInputBytes, int64_t stateBytes) {
  OrderShape shape;
  shape.vector = 16 / widestInputBytes;
  // 2A <= 64/S, without the fraction: 2A * S <= 64.
  while (2 * shape.accumulators <= shape.vector &&
         2 * shape.accumulators * stateBytes <= 64)
    shape.accumulators *= 2;
  return shape;
}

OrderShape wf::orderShape(const Program &program) {
  return orderShape(program.widestInputBytes, program.stateBytes);
}

std::string wf::treeExpression(Order order, OrderShape shape, int64_t count) {
  auto pair = [](const std::string &a, const std::string &b) {
    return "(" + a + " " + b + ")";
  };
  auto lift = [](int64_t k) { return std::to_string(k); };
  return foldTree<std::string>(
             order, shape, count, lift,
             [&](std::string &s, int64_t k) { s = pair(s, lift(k)); }, pair)
      .value_or("");
}

int64_t wf::treeDepth(Order order, OrderShape shape, int64_t count) {
  if (count <= 1)
    return 0;
  if (order == Order::Sequential)
    return count - 1;
  if (order == Order::Ordered)
    return llvm::Log2_64_Ceil(uint64_t(count));
  // The deepest chunk is the first (no other has more elements), and it is as
  // deep in the tree of chunks as any.
  const int64_t chunks = (count - 1) / shape.chunk() + 1;
  const auto depth = foldTree<int64_t>(
      order, shape, std::min(count, shape.chunk()),
      [](int64_t) { return int64_t(0); }, [](int64_t &d, int64_t) { ++d; },
      [](int64_t a, int64_t b) { return std::max(a, b) + 1; });
  return *depth + llvm::Log2_64_Ceil(uint64_t(chunks));
}
