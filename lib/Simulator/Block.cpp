//===- Block.cpp - Threads that share memory and barriers -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/Block.h"

#include "llvm/Support/FormatVariadic.h"

#include <bit>

using namespace wf;
using namespace wf::sim;

void Block::start(uint32_t number) {
  linear = number;
  index[0] = number % launch.request.grid[0];
  index[1] = number / launch.request.grid[0] % launch.request.grid[1];
  index[2] = number / launch.request.grid[0] / launch.request.grid[1];
  serial = launch.firstBlock + number;
  barriers = time = 0;
  acquired.clear();
  int64_t bytes = launch.kernel.sharedBytes + launch.request.sharedBytes;
  if (launch.kernel.dynamicShared)
    bytes = launch.kernel.dynamicStart + launch.request.sharedBytes;
  shared.resize(size_t(bytes));
  // Cells of earlier blocks name other serial numbers and need no clearing.
  cells.resize((size_t(bytes) >> launch.cellShift) + 1);
  uint32_t count = launch.threads(), lanes = uint32_t(launch.machine.lanes);
  threads.clear();
  threads.resize(count);
  warps.resize((count + lanes - 1) / lanes);
  for (uint32_t w = 0; w < warps.size(); ++w) {
    uint32_t have = std::min(lanes, count - w * lanes);
    warps[w].start(*this, w,
                   have == 64 ? ~uint64_t(0) : (uint64_t(1) << have) - 1);
  }
  if (launch.options.count) {
    Counters &c = launch.counters();
    ++c.blocks;
    c.warps += warps.size();
    c.threads += count;
  }
}

bool Block::step() {
  std::vector<uint32_t> order(warps.size());
  for (uint32_t w = 0; w < warps.size(); ++w)
    order[w] = w;
  if (launch.random())
    for (size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[launch.dice(unsigned(i))]);
  bool moved = false, all = true;
  for (uint32_t w : order) {
    if (warps[w].done() || warps[w].waits())
      continue;
    warps[w].run();
    moved = true;
    if (launch.stopped)
      return false;
  }
  for (Warp &w : warps)
    all &= w.done();
  if (all)
    return false;
  if (moved)
    return true;
  return passBarrier();
}

/// Nobody can go on: all are at a barrier, or some wait for those who are.
bool Block::passBarrier() {
  const Group *first = nullptr;
  const Warp *firstWarp = nullptr;
  bool differ = false, gone = false, stuck = false;
  for (Warp &w : warps) {
    gone |= w.exited() != 0;
    for (Group &g : w.groups) {
      stuck |= g.state != Group::State::AtBarrier;
      if (g.state != Group::State::AtBarrier)
        continue;
      differ |= first && g.pc != first->pc;
      if (!first)
        first = &g, firstWarp = &w;
    }
  }
  if (!first) {
    launch.stopped = true; // cannot happen: somebody could go on
    return false;
  }
  auto report = [&](const char *detail) {
    launch.hazard(HazardKind::DivergentBarrier, *firstWarp,
                  __builtin_ctzll(first->mask), launch.kernel.code[first->pc],
                  detail);
  };
  if (stuck) {
    report("some threads of a warp wait here, and the others where the flow "
           "meets again: nobody can go on");
    launch.stopped = true;
    return false;
  }
  if (differ)
    report("threads of the block wait at different barriers");
  else if (gone)
    report("some threads of the block have left the kernel before it");
  ++barriers;
  ++time;
  if (launch.options.count)
    ++launch.counters().barriers;
  for (ThreadOrder &t : threads) {
    if (t.acquired.empty())
      continue;
    join(acquired, t.acquired);
    t.acquired.clear();
  }
  for (Warp &w : warps) {
    for (Group &g : w.groups) {
      const Inst &at = launch.kernel.code[g.pc];
      if (at.run) { // a barrier that also joins a value
        w.setMask(g.mask);
        at.run(w, at);
      }
      ++g.pc;
      g.state = Group::State::Ready;
    }
    w.syncs.meet();
    w.merge();
    w.ready = !w.groups.empty();
    if (!w.groups.empty())
      w.scatter(0);
  }
  return true;
}
