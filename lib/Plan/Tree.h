//===- Tree.h - Which elements meet, and where -------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The tree that a plan folds one output of K elements by, as a structure:
//
//   planTree(plan, 5).text()       "(((0 1) (2 3)) 4)"
//   meeting(plan, 2^40, i, j)      tier, level, block, thread; O(log K)
//
// In the text "(a b)" is combine(a, b) or update(a, b); "[0 1 5]" a left fold
// of more than two elements by update, "[0 128 .. 3968]" one of elements an
// equal distance apart; "{a b c}" are states that atomics join in any order.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PLAN_TREE_H
#define WARPFOLD_PLAN_TREE_H

#include "Plan/Plan.h"

#include <string>
#include <vector>

namespace wf {

// X(enumerator, name, what merges there): the tiers of DESIGN section 5.
#define WF_TIERS(X)                                                            \
  X(Rows, "rows", "elements into a slot, in one thread")                       \
  X(Slots, "slots", "slots into a chunk, in a warp")                           \
  X(Chunks, "chunks", "chunks into a run, in a warp's registers")              \
  X(Block, "block", "warps of a block, through shared memory")                 \
  X(Grid, "grid", "blocks of an output")

enum class Tier : uint8_t {
#define X(E, ...) E,
  WF_TIERS(X)
#undef X
};

std::string_view name(Tier tier);

/// Where two states (or an element and a state) become one.
struct Meeting {
  Tier tier = Tier::Rows;
  /// Rows: the load at which the later element is folded. Above: the level, 0
  /// joining neighbours (slots, chunks, warps or blocks); for exchanges that go
  /// by rounds, the round, from 0.
  int64_t level = 0;
  int64_t block = 0; ///< of an output; -1: the one that comes last, or another
                     ///< launch's
  int64_t thread =
      0;           ///< of the block; of those that compute the same, the first
  std::string how; ///< "a shuffle, lanes 4 apart"

  int64_t warp() const { return thread / 32; }
};

struct TreeNode {
  int64_t left = -1, right = -1; ///< nodes; -1: a leaf
  int64_t k = 0;                 ///< leaf: the element
  std::vector<int64_t> any;      ///< joined by atomics, in any order
  bool folded = false;           ///< the right one is an element, by update
  bool leaf() const { return left < 0 && any.empty(); }
};

struct Tree {
  std::vector<TreeNode> nodes; ///< children before parents
  int64_t root = -1;           ///< -1: no elements

  /// As above; `runs` shortens left folds of three and more.
  std::string text(bool runs = false) const;
};

/// Elements past which a tree is not built: its text would fill screens.
constexpr int64_t mostTreeElements = 65536;

/// The tree of one output; elements is at most mostTreeElements.
Tree planTree(const Plan &plan, int64_t elements);

/// Where elements i < j of one output of `elements` first meet. Works for a
/// fold of any length.
Meeting meeting(const Plan &plan, int64_t elements, int64_t i, int64_t j);

/// "tier grid, level 3: blocks 0 and 8 …" for the command line.
std::string describe(const Meeting &m);

} // namespace wf

#endif // WARPFOLD_PLAN_TREE_H
