//===- Tree.cpp - The tree of a plan, built -------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Built tier by tier, the way the plan runs. Meeting.cpp computes where two
// elements meet without building anything; a test holds the two against each
// other.
//===----------------------------------------------------------------------===//
#include "Plan/Tree.h"

#include "Plan/Layout.h"
#include "Plan/Named.h"

#include <cassert>

using namespace wf;

std::string_view wf::name(Tier tier) {
#define X(E, N, W) N,
  static constexpr const char *names[] = {WF_TIERS(X)};
#undef X
  return names[int(tier)];
}

namespace {

using States = std::vector<int64_t>; ///< nodes by position; -1: absent

struct Builder {
  Tree tree;

  int64_t leaf(int64_t k) {
    TreeNode node;
    node.k = k;
    tree.nodes.push_back(std::move(node));
    return int64_t(tree.nodes.size()) - 1;
  }
  /// An absent side gives the other.
  int64_t join(int64_t left, int64_t right) {
    if (left < 0 || right < 0)
      return left < 0 ? right : left;
    TreeNode node;
    node.left = left;
    node.right = right;
    tree.nodes.push_back(std::move(node));
    return int64_t(tree.nodes.size()) - 1;
  }
  /// update(state, element k), or its map where there is no state yet.
  int64_t fold(int64_t state, int64_t k) {
    state = join(state, leaf(k));
    tree.nodes.back().folded = !tree.nodes.back().leaf();
    return state;
  }
  /// Level by level, by the bits of the position.
  int64_t joinByBits(States states) {
    while (states.size() > 1) {
      States next;
      for (size_t i = 0; i < states.size(); i += 2)
        next.push_back(
            join(states[i], i + 1 < states.size() ? states[i + 1] : -1));
      states = std::move(next);
    }
    return states.empty() ? -1 : states[0];
  }
  /// Rounds of stride s, the far half first: t < s takes t + s.
  int64_t joinHalving(States states, size_t width) {
    states.resize(width, -1);
    for (size_t s = width / 2; s > 0; s /= 2)
      for (size_t t = 0; t < s; ++t)
        states[t] = join(states[t], states[t + s]);
    return states[0];
  }
  /// The states of a block's threads.
  int64_t exchange(const Plan &p, States states) {
    size_t T = size_t(p.threads());
    states.resize(T, -1);
    switch (p.exchange) {
    case Exchange::Halving:
      return joinHalving(std::move(states), T);
    case Exchange::Pairs:
      return joinByBits(std::move(states));
    case Exchange::Up:
    case Exchange::Down: {
      bool up = p.exchange == Exchange::Up;
      States leaders;
      for (size_t w = 0; w < T; w += 32) {
        States warp(states.begin() + w, states.begin() + w + 32);
        leaders.push_back(up ? joinByBits(std::move(warp))
                             : joinHalving(std::move(warp), 32));
      }
      return up ? joinByBits(std::move(leaders))
                : joinHalving(std::move(leaders), 32);
    }
    case Exchange::None:
      break;
    }
    assert(false && "v0 has no exchange");
    return -1;
  }
  int64_t anyOrder(States states) {
    if (states.size() == 1)
      return states[0];
    TreeNode node;
    node.any = std::move(states);
    tree.nodes.push_back(std::move(node));
    return int64_t(tree.nodes.size()) - 1;
  }
  int64_t ladder(const Plan &p, int64_t K);
  int64_t bySlots(const Plan &p, int64_t K);
};

int64_t Builder::ladder(const Plan &p, int64_t K) {
  if (p.exchange == Exchange::None) {
    States all;
    for (int64_t k = 0; k < K; ++k)
      all.push_back(leaf(k));
    return anyOrder(std::move(all));
  }
  Layout layout(p, K);
  States blocks;
  for (int64_t b = 0; b < layout.blocksAnOutput(); ++b) {
    States threads;
    for (int64_t t = 0; t < p.threads(); ++t) {
      int64_t state = -1;
      for (HeldElement e : layout.elements(b, t))
        state = fold(state, e.k);
      threads.push_back(state);
    }
    blocks.push_back(exchange(p, std::move(threads)));
  }
  if (p.grid == Grid::Atomic)
    return anyOrder(std::move(blocks));
  if (blocks.size() == 1)
    return blocks[0];
  States threads(size_t(p.threads()), -1);
  for (size_t b = 0; b < blocks.size(); ++b)
    threads[b % threads.size()] = join(threads[b % threads.size()], blocks[b]);
  return exchange(p, std::move(threads));
}

int64_t Builder::bySlots(const Plan &p, int64_t K) {
  if (p.order == PlanOrder::Sequential) {
    int64_t state = -1;
    for (int64_t k = 0; k < K; ++k)
      state = fold(state, k);
    return state;
  }
  // Chunks hold a power of two of slots, so joining chunks by the bits of
  // their number goes on from where the slots' levels end; and every tier of a
  // form takes a range of these bits.
  int64_t chunks = (K + p.chunkElements() - 1) / p.chunkElements();
  States slots(size_t(chunks * p.slots()), -1);
  for (int64_t s = 0; s < int64_t(slots.size()); ++s)
    for (int64_t i = 0; i < slotLength(p); ++i)
      if (int64_t k = slotElement(p, s, i); k < K)
        slots[size_t(s)] = fold(slots[size_t(s)], k);
  return joinByBits(std::move(slots));
}

/// The elements of a left fold by update, first to last; empty if it is none.
std::vector<int64_t> chainOf(const Tree &tree, int64_t at) {
  std::vector<int64_t> ks;
  while (!tree.nodes[size_t(at)].leaf()) {
    const TreeNode &node = tree.nodes[size_t(at)];
    if (!node.folded)
      return {};
    ks.push_back(tree.nodes[size_t(node.right)].k);
    at = node.left;
  }
  ks.push_back(tree.nodes[size_t(at)].k);
  return {ks.rbegin(), ks.rend()};
}

void print(const Tree &tree, int64_t at, bool runs, std::string &text) {
  const TreeNode &node = tree.nodes[size_t(at)];
  if (node.leaf()) {
    text += std::to_string(node.k);
    return;
  }
  if (!node.any.empty()) {
    text += '{';
    for (size_t i = 0; i < node.any.size(); ++i) {
      text += i ? " " : "";
      print(tree, node.any[i], runs, text);
    }
    text += '}';
    return;
  }
  std::vector<int64_t> ks;
  if (runs)
    ks = chainOf(tree, at);
  if (ks.size() > 2) {
    bool equal = true;
    for (size_t i = 2; i < ks.size(); ++i)
      equal &= ks[i] - ks[i - 1] == ks[1] - ks[0];
    text += '[' + std::to_string(ks[0]);
    if (equal && ks.size() > 4)
      text += ' ' + std::to_string(ks[1]) + " .. " + std::to_string(ks.back());
    else
      for (size_t i = 1; i < ks.size(); ++i)
        text += ' ' + std::to_string(ks[i]);
    text += ']';
    return;
  }
  text += '(';
  print(tree, node.left, runs, text);
  text += ' ';
  print(tree, node.right, runs, text);
  text += ')';
}

} // namespace

Tree wf::planTree(const Plan &plan, int64_t elements) {
  assert(elements <= mostTreeElements && "too large a tree to build");
  Builder builder;
  if (elements > 0)
    builder.tree.root = plan.onGpu() && plan.form == Form::Ladder
                            ? builder.ladder(plan, elements)
                            : builder.bySlots(plan, elements);
  return std::move(builder.tree);
}

std::string Tree::text(bool runs) const {
  std::string text;
  if (root >= 0 && !runs && nodes[size_t(root)].left >= 0) {
    // A sequential fold is as deep as it is long: its parentheses are counted,
    // not recursed into.
    std::vector<int64_t> ks = chainOf(*this, root);
    if (ks.size() > 2) {
      text.assign(ks.size() - 1, '(');
      text += std::to_string(ks[0]);
      for (size_t i = 1; i < ks.size(); ++i)
        text += ' ' + std::to_string(ks[i]) + ')';
      return text;
    }
  }
  if (root >= 0)
    print(*this, root, runs, text);
  return text;
}
