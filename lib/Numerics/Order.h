//===- Order.h - The published orders and their trees -----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Which element meets which: a function of the position k alone. TreeFold.h
// walks the trees; this file names them, says their shape and prints them:
//
//   treeExpression(Canonical, {4, 4}, 5)  ->  "(((0 1) (2 3)) 4)"
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_NUMERICS_ORDER_H
#define WARPFOLD_NUMERICS_ORDER_H

#include <cstdint>
#include <string>
#include <string_view>

namespace wf {

struct Program;

enum class Order : uint8_t {
  Canonical,  ///< rows, slots and chunks; needs a commutative combine
  Ordered,    ///< a balanced tree by the bits of k; needs an associative one
  Sequential, ///< the strict left fold; needs nothing
};

/// The name with its version: "canonical/1", "ordered", "sequential".
std::string_view name(Order order);

/// What canonical/1 asks of a reduction: V elements that a lane loads at once,
/// A accumulators (slots) that it keeps.
struct OrderShape {
  int64_t vector = 1, accumulators = 1;

  int64_t slots() const { return 32 * accumulators; }
  int64_t row() const { return 32 * vector; }
  int64_t chunk() const { return 32 * row(); }
  /// The slot of element k within its chunk.
  int64_t slotOf(int64_t k) const {
    const int64_t j = k % vector, lane = (k / vector) % 32;
    return lane * accumulators + j % accumulators;
  }
  bool operator==(const OrderShape &) const = default;
};

/// V = 16/E and A, the largest power of two <= min(V, 64/S), at least 1, for
/// the widest input's bytes E and the state's bytes S.
OrderShape orderShape(int64_t widestInputBytes, int64_t stateBytes);
OrderShape orderShape(const Program &program);

/// The tree over `count` elements: leaves are positions, "(a b)" joins a to b.
/// Empty text for no elements. Grows with `count`: for tests and for reading.
std::string treeExpression(Order order, OrderShape shape, int64_t count);

/// The longest chain of joins between an element and the result: the d of the
/// error bound. 0 for one element or none.
int64_t treeDepth(Order order, OrderShape shape, int64_t count);

} // namespace wf

#endif // WARPFOLD_NUMERICS_ORDER_H
