//===- Loops.cpp - Natural loops and their nesting ------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Internal.h"

#include <algorithm>

using namespace wf::explain;

namespace {

/// A block is listed in this many of the loops around it, the inner ones.
constexpr int listedDepth = 64;

class LoopFinder {
public:
  explicit LoopFinder(Analysis &a)
      : a(a), tree(a), order(reversePostOrder(a)),
        position(a.blocks.size(), 0) {
    for (size_t i = 0; i < order.size(); ++i)
      position[order[i]] = i;
  }

  void run() {
    // Inner headers come later in the order than those around them.
    for (size_t i = order.size(); i-- > 0;)
      found(order[i]);
    std::reverse(a.loops.begin(), a.loops.end());
    const int last = int(a.loops.size()) - 1;
    auto turned = [&](int loop) { return loop < 0 ? -1 : last - loop; };
    for (Loop &loop : a.loops)
      loop.parent = turned(loop.parent);
    for (Block &block : a.blocks)
      block.loop = turned(block.loop);
    for (Loop &loop : a.loops)
      if (loop.parent >= 0)
        loop.depth = a.loops[loop.parent].depth + 1;
    for (size_t b = 0; b < a.blocks.size(); ++b) {
      int steps = 0;
      for (int loop = a.blocks[b].loop; loop >= 0 && steps < listedDepth;
           loop = a.loops[loop].parent, ++steps)
        a.loops[loop].blocks.push_back(b);
    }
  }

private:
  void found(size_t header) {
    std::vector<size_t> latches;
    for (size_t p : a.blocks[header].previous) {
      if (tree.dominates(header, p))
        latches.push_back(p);
      else if (position[p] >= position[header])
        a.irreducible = true;
    }
    if (latches.empty())
      return;
    int index = int(a.loops.size());
    a.loops.emplace_back();
    a.loops.back().header = header;
    a.loops.back().latches = latches;
    std::vector<size_t> work = latches;
    while (!work.empty()) {
      size_t block = work.back();
      work.pop_back();
      int inner = outermost(a.blocks[block].loop);
      if (inner == index)
        continue;
      size_t top = block;
      if (inner < 0) {
        a.blocks[block].loop = index;
      } else {
        a.loops[inner].parent = index;
        top = a.loops[inner].header;
      }
      if (top != header)
        for (size_t p : a.blocks[top].previous)
          if (tree.dominates(header, p))
            work.push_back(p);
    }
    if (a.blocks[header].loop < 0)
      a.blocks[header].loop = index;
  }

  /// The outermost loop known so far around `loop`, with path compression.
  int outermost(int loop) {
    if (loop < 0)
      return -1;
    shortcut.resize(a.loops.size(), -1);
    int top = loop;
    auto above = [&](int l) {
      return shortcut[l] >= 0 ? shortcut[l] : a.loops[l].parent;
    };
    while (above(top) >= 0)
      top = above(top);
    while (loop != top) {
      int next = above(loop);
      shortcut[loop] = top;
      loop = next;
    }
    return top;
  }

  Analysis &a;
  DominatorTree tree;
  std::vector<size_t> order, position;
  std::vector<int> shortcut;
};

/// Whether control may leave `loop` at the end of `block`.
bool exits(const Analysis &a, const Loop &loop, size_t block) {
  for (size_t next : a.blocks[block].next)
    if (!std::binary_search(loop.blocks.begin(), loop.blocks.end(), next))
      return true;
  return false;
}

/// The test at the bottom: every latch may leave. Where the header may leave
/// as well and is another block, the test is at the top.
bool isRotated(const Analysis &a, const Loop &loop) {
  for (size_t latch : loop.latches)
    if (!exits(a, loop, latch))
      return false;
  return true;
}

/// Whether nothing but the kernel's end comes after the loop.
bool endsAfter(const Analysis &a, const Loop &loop) {
  for (size_t latch : loop.latches)
    for (size_t next : a.blocks[latch].next) {
      if (std::binary_search(loop.blocks.begin(), loop.blocks.end(), next))
        continue;
      const Block &block = a.blocks[next];
      for (size_t i = block.first; i < block.last; ++i)
        for (const Effect &e : a.program.code[i].effects)
          if (e.op != Op::Exit && e.op != Op::Nop && e.op != Op::Hint)
            return false;
      return true;
    }
  return false;
}

/// The test that skips a rotated loop: above its header, it goes either to it
/// or to where everything goes after it.
int guardOf(const Analysis &a, const Loop &loop) {
  constexpr int blocksAbove = 8, blocksAfter = 16;
  size_t block = loop.header;
  for (int up = 0; up < blocksAbove && block != a.blocks[block].dominator;
       ++up) {
    block = a.blocks[block].dominator;
    size_t last = a.blocks[block].last - 1;
    Leaving how = leaving(a.program, last);
    if (how.kind == Flow::Kind::Exit && how.conditional && endsAfter(a, loop))
      return int(last);
    if (how.kind != Flow::Kind::Jump || !how.conditional)
      continue;
    size_t after = a.blocks[loop.header].postDominator;
    for (int down = 0; down < blocksAfter && after != SIZE_MAX; ++down) {
      bool inside =
          std::binary_search(loop.blocks.begin(), loop.blocks.end(), after);
      const auto &next = a.blocks[block].next;
      if (!inside && std::find(next.begin(), next.end(), after) != next.end())
        return int(last);
      after = a.blocks[after].postDominator;
    }
    return -1;
  }
  return -1;
}

} // namespace

void wf::explain::findLoops(Analysis &a) {
  if (a.blocks.empty())
    return;
  LoopFinder(a).run();
  for (Loop &loop : a.loops) {
    loop.rotated = isRotated(a, loop);
    if (loop.rotated)
      loop.guardInstruction = guardOf(a, loop);
  }
}
