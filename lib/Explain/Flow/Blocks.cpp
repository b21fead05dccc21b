//===- Blocks.cpp - The graph of blocks -----------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Internal.h"

#include <algorithm>

using namespace wf::explain;

Leaving wf::explain::leaving(const Program &program, size_t i) {
  const Decoded &d = program.code[i];
  if (d.never)
    return {};
  return {d.flow.kind, d.flow.conditional || d.guard.has_value()};
}

namespace {

/// The instructions that `i` may be followed by.
void successors(const Program &program, size_t i, std::vector<size_t> &out) {
  out.clear();
  const size_t count = program.code.size();
  Leaving how = leaving(program, i);
  bool falls = how.conditional || how.kind == Flow::Kind::Next ||
               how.kind == Flow::Kind::Call;
  bool jumps = how.kind == Flow::Kind::Jump || how.kind == Flow::Kind::Call ||
               how.kind == Flow::Kind::Indirect;
  // The way on first, so that it is `next.front()` of a conditional branch.
  if (falls && i + 1 < count)
    out.push_back(i + 1);
  if (!jumps)
    return;
  for (size_t target : program.code[i].flow.targets)
    if (target < count &&
        std::find(out.begin(), out.end(), target) == out.end())
      out.push_back(target);
}

void splitBlocks(Analysis &a) {
  const Program &program = a.program;
  const size_t count = program.code.size();
  std::vector<bool> leads(count + 1, false);
  leads[0] = true;
  for (size_t i = 0; i < count; ++i) {
    Leaving how = leaving(program, i);
    if (how.kind == Flow::Kind::Next)
      continue;
    leads[i + 1] = true;
    for (size_t target : program.code[i].flow.targets)
      if (target < count)
        leads[target] = true;
  }
  a.blockOf.assign(count, 0);
  for (size_t i = 0; i < count; ++i) {
    if (leads[i]) {
      a.blocks.emplace_back();
      a.blocks.back().first = i;
    }
    a.blocks.back().last = i + 1;
    a.blockOf[i] = a.blocks.size() - 1;
  }
}

/// Marks what `from` reaches.
void reach(const Analysis &a, size_t from, std::vector<bool> &reached) {
  std::vector<size_t> work;
  if (!reached[from]) {
    reached[from] = true;
    work.push_back(from);
  }
  while (!work.empty()) {
    size_t block = work.back();
    work.pop_back();
    for (size_t next : a.blocks[block].next)
      if (!reached[next]) {
        reached[next] = true;
        work.push_back(next);
      }
  }
}

/// Nothing but NOPs, and at most a branch to itself: what fills a section up.
bool isPadding(const Analysis &a, const Block &block) {
  for (size_t i = block.first; i < block.last; ++i) {
    const Decoded &d = a.program.code[i];
    if (leaving(a.program, i).kind == Flow::Kind::Jump)
      return d.flow.targets.size() == 1 && d.flow.targets[0] == i;
    for (const Effect &effect : d.effects)
      if (effect.op != Op::Nop && effect.op != Op::Hint)
        return false;
  }
  return true;
}

/// A branch through a table that the listing does not show may go to any block
/// that nothing else reaches.
void guessIndirectTargets(Analysis &a, std::vector<bool> &reached) {
  for (size_t b = 0; b < a.blocks.size(); ++b) {
    size_t last = a.blocks[b].last - 1;
    if (!reached[b] || leaving(a.program, last).kind != Flow::Kind::Indirect ||
        !a.program.code[last].flow.targets.empty())
      continue;
    for (size_t other = 0; other < a.blocks.size(); ++other)
      if (!reached[other] && !isPadding(a, a.blocks[other])) {
        a.blocks[b].next.push_back(other);
        reach(a, other, reached);
      }
    return;
  }
}

} // namespace

void wf::explain::buildBlocks(Analysis &a) {
  if (a.program.code.empty())
    return;
  splitBlocks(a);
  std::vector<size_t> after;
  for (Block &block : a.blocks) {
    successors(a.program, block.last - 1, after);
    for (size_t target : after) {
      size_t next = a.blockOf[target];
      if (std::find(block.next.begin(), block.next.end(), next) ==
          block.next.end())
        block.next.push_back(next);
    }
  }
  std::vector<bool> reached(a.blocks.size(), false);
  reach(a, 0, reached);
  guessIndirectTargets(a, reached);
  for (size_t b = 0; b < a.blocks.size(); ++b) {
    a.blocks[b].reachable = reached[b];
    if (reached[b])
      for (size_t next : a.blocks[b].next)
        a.blocks[next].previous.push_back(b);
  }
}

std::vector<size_t> wf::explain::reversePostOrder(const Analysis &a) {
  std::vector<size_t> order;
  if (a.blocks.empty())
    return order;
  std::vector<bool> seen(a.blocks.size(), false);
  std::vector<std::pair<size_t, size_t>> path = {{0, 0}};
  seen[0] = true;
  while (!path.empty()) {
    auto &[block, edge] = path.back();
    const auto &next = a.blocks[block].next;
    if (edge == next.size()) {
      order.push_back(block);
      path.pop_back();
      continue;
    }
    // The last edge first, so that the way on comes early in the order.
    size_t to = next[next.size() - 1 - edge++];
    if (!seen[to]) {
      seen[to] = true;
      path.push_back({to, 0});
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}
