//===- TreeFold.h - Walking the published trees -----------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The one place that spells out the orders. What is folded is up to the
// caller: states (Fold), texts (treeExpression) or depths (treeDepth). Memory
// is that of one chunk's slots and one pending subtree a level.
//
//   lift(k) -> T            the element at k
//   update(T &, k)          adds the element at k
//   combine(T, T) -> T      joins two subtrees, the lower positions left
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_NUMERICS_TREEFOLD_H
#define WARPFOLD_NUMERICS_TREEFOLD_H

#include "Numerics/Order.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace wf {

/// Joins two sides; an empty one gives the other.
template <typename T, typename Combine>
std::optional<T> join(std::optional<T> left, std::optional<T> right,
                      Combine &combine) {
  if (!left)
    return right;
  if (!right)
    return left;
  return combine(std::move(*left), std::move(*right));
}

/// A balanced tree by the bits of the position, fed one position after the
/// other. levels[l] holds the finished subtree of 2^l positions that waits for
/// its right neighbour, as bit l of the number of items says.
template <typename T, typename Combine> class BinaryCounter {
public:
  explicit BinaryCounter(Combine &combine) : combine(combine) {}

  void push(T item) {
    for (std::optional<T> &level : levels) {
      if (!level) {
        level = std::move(item);
        return;
      }
      item = combine(std::move(*level), std::move(item));
      level.reset();
    }
    levels.push_back(std::move(item));
  }

  /// What waits, joined from the smallest subtree up; larger ones stand left.
  std::optional<T> finish() {
    std::optional<T> all;
    for (std::optional<T> &level : levels)
      all = join(std::move(level), std::move(all), combine);
    return all;
  }

private:
  Combine &combine;
  std::vector<std::optional<T>> levels;
};

/// One chunk of canonical/1: elements first … last-1 into slots, slots into
/// one. There is at least one element.
template <typename T, typename Lift, typename Update, typename Combine>
T foldChunk(OrderShape shape, int64_t first, int64_t last, Lift &lift,
            Update &update, Combine &combine) {
  std::vector<std::optional<T>> slots(size_t(shape.slots()));
  for (int64_t k = first; k < last; ++k) {
    std::optional<T> &slot = slots[size_t(shape.slotOf(k))];
    if (slot)
      update(*slot, k);
    else
      slot = lift(k);
  }
  for (size_t run = 1; run < slots.size(); run *= 2)
    for (size_t i = 0; i < slots.size(); i += 2 * run)
      slots[i] = join(std::move(slots[i]), std::move(slots[i + run]), combine);
  return std::move(*slots[0]);
}

/// Folds the elements 0 … count-1; nothing if there are none.
template <typename T, typename Lift, typename Update, typename Combine>
std::optional<T> foldTree(Order order, OrderShape shape, int64_t count,
                          Lift lift, Update update, Combine combine) {
  BinaryCounter<T, Combine> tree(combine);
  switch (order) {
  case Order::Canonical:
    for (int64_t first = 0; first < count; first += shape.chunk())
      tree.push(foldChunk<T>(shape, first,
                             std::min(first + shape.chunk(), count), lift,
                             update, combine));
    return tree.finish();
  case Order::Ordered:
    for (int64_t k = 0; k < count; ++k)
      tree.push(lift(k));
    return tree.finish();
  case Order::Sequential:
    break;
  }
  if (count <= 0)
    return std::nullopt;
  T state = lift(0);
  for (int64_t k = 1; k < count; ++k)
    update(state, k);
  return state;
}

} // namespace wf

#endif // WARPFOLD_NUMERICS_TREEFOLD_H
