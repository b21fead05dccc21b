//===- Dominators.cpp - Dominators and post-dominators --------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Semidominators with path compression, then nearest common ancestors
// (Georgiadis, Tarjan): near linear on the ladders of branches that unrolled
// kernels are.
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Internal.h"

using namespace wf::explain;

namespace {

class SemiDominators {
public:
  SemiDominators(const std::vector<std::vector<size_t>> &next, size_t root)
      : next(next), numberOf(next.size(), none) {
    number(root);
    previous.resize(order.size());
    for (uint32_t v = 0; v < order.size(); ++v)
      for (size_t to : next[order[v]])
        previous[numberOf[to]].push_back(v);
  }

  std::vector<size_t> run() {
    const uint32_t count = uint32_t(order.size());
    semi.resize(count);
    best.resize(count);
    ancestor.assign(count, none);
    for (uint32_t v = 0; v < count; ++v)
      semi[v] = best[v] = v;
    for (uint32_t v = count; v-- > 1;) {
      for (uint32_t p : previous[v])
        semi[v] = std::min(semi[v], semi[evaluate(p)]);
      ancestor[v] = parent[v];
    }
    std::vector<uint32_t> dominator = parent;
    for (uint32_t v = 1; v < count; ++v)
      while (dominator[v] > semi[v])
        dominator[v] = dominator[dominator[v]];
    std::vector<size_t> result(next.size(), SIZE_MAX);
    for (uint32_t v = 0; v < count; ++v)
      result[order[v]] = order[dominator[v]];
    return result;
  }

private:
  static constexpr uint32_t none = UINT32_MAX;

  /// Numbers nodes in the order of a depth-first walk.
  void number(size_t root) {
    std::vector<std::pair<size_t, size_t>> path;
    auto enter = [&](size_t node, uint32_t from) {
      numberOf[node] = uint32_t(order.size());
      order.push_back(node);
      parent.push_back(from);
      path.push_back({node, 0});
    };
    enter(root, 0);
    while (!path.empty()) {
      auto &[node, edge] = path.back();
      if (edge == next[node].size()) {
        path.pop_back();
        continue;
      }
      uint32_t from = numberOf[node];
      size_t to = next[node][edge++];
      if (numberOf[to] == none)
        enter(to, from);
    }
  }

  /// The node of smallest semidominator on the linked path above `v`.
  uint32_t evaluate(uint32_t v) {
    if (ancestor[v] == none)
      return v;
    chain.clear();
    for (uint32_t u = v; ancestor[ancestor[u]] != none; u = ancestor[u])
      chain.push_back(u);
    while (!chain.empty()) {
      uint32_t u = chain.back(), up = ancestor[u];
      chain.pop_back();
      if (semi[best[up]] < semi[best[u]])
        best[u] = best[up];
      ancestor[u] = ancestor[up];
    }
    return best[v];
  }

  const std::vector<std::vector<size_t>> &next;
  std::vector<uint32_t> numberOf, parent, semi, best, ancestor, chain;
  std::vector<size_t> order;
  std::vector<std::vector<uint32_t>> previous;
};

} // namespace

std::vector<size_t>
wf::explain::immediateDominators(const std::vector<std::vector<size_t>> &next,
                                 size_t root) {
  return SemiDominators(next, root).run();
}

void wf::explain::buildDominators(Analysis &a) {
  const size_t count = a.blocks.size();
  if (count == 0)
    return;
  std::vector<std::vector<size_t>> forward(count), backward(count + 1);
  for (size_t b = 0; b < count; ++b) {
    Block &block = a.blocks[b];
    if (!block.reachable)
      continue;
    forward[b] = block.next;
    backward[b] = block.previous;
    Leaving how = leaving(a.program, block.last - 1);
    bool leaves = how.kind == Flow::Kind::Exit ||
                  how.kind == Flow::Kind::Return ||
                  how.kind == Flow::Kind::Trap;
    if (leaves || block.next.empty())
      backward[count].push_back(b);
  }
  std::vector<size_t> dominators = immediateDominators(forward, 0);
  std::vector<size_t> posts = immediateDominators(backward, count);
  for (size_t b = 0; b < count; ++b) {
    Block &block = a.blocks[b];
    block.dominator = dominators[b] == SIZE_MAX ? b : dominators[b];
    block.postDominator = posts[b] == count ? SIZE_MAX : posts[b];
  }
}

DominatorTree::DominatorTree(const Analysis &a)
    : children(a.blocks.size()), enter(a.blocks.size(), 0),
      leave(a.blocks.size(), 0) {
  // In reverse post-order, so that a block's siblings before it hold all of
  // its predecessors along forward edges.
  for (size_t b : reversePostOrder(a))
    if (b != 0)
      children[a.blocks[b].dominator].push_back(b);
  if (a.blocks.empty())
    return;
  uint32_t clock = 1;
  std::vector<std::pair<size_t, size_t>> path = {{0, 0}};
  enter[0] = clock++;
  while (!path.empty()) {
    auto &[block, child] = path.back();
    if (child == children[block].size()) {
      leave[block] = clock++;
      path.pop_back();
      continue;
    }
    size_t to = children[block][child++];
    enter[to] = clock++;
    path.push_back({to, 0});
  }
}
