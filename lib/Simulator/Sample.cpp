//===- Sample.cpp - A large grid by a few of its blocks -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/Sample.h"

using namespace wf;
using namespace wf::sim;

namespace {

constexpr uint32_t window = 34; ///< two periods of sixteen, and the edges
constexpr uint32_t longest = 16;

/// All counts of a launch so far, one after the other.
using Snapshot = std::vector<uint64_t>;

Snapshot snapshot(const Running &launch) {
  Snapshot s;
#define X(F, L) s.push_back(launch.outcome.counters.F);
  WF_SIMULATED_COUNTS(X)
#undef X
  for (const BlockCount &b : launch.blockCounts) {
    s.push_back(b.warps);
    s.push_back(b.lanes);
  }
  return s;
}

/// Adds what one block adds, so many times.
void add(Running &launch, const Snapshot &delta, uint64_t times) {
  size_t at = 0;
#define X(F, L) launch.outcome.counters.F += delta[at++] * times;
  WF_SIMULATED_COUNTS(X)
#undef X
  for (BlockCount &b : launch.blockCounts) {
    b.warps += delta[at++] * times;
    b.lanes += delta[at++] * times;
  }
}

struct Sampled {
  uint32_t number;
  Snapshot delta;
  std::unordered_map<Address, uint64_t> atomics; ///< of this block
};

/// Blocks first, first + 1, …, each after the other.
void runWindow(Running &launch, Block &block, uint32_t first,
               std::vector<bool> &ran, std::vector<Sampled> &into) {
  for (uint32_t b = first; b < first + window; ++b) {
    Snapshot before = snapshot(launch);
    auto atomics = launch.atomicCounts;
    runBlock(launch, block, b);
    ran[b] = true;
    Sampled s{b, snapshot(launch), {}};
    for (size_t i = 0; i < before.size(); ++i)
      s.delta[i] -= before[i];
    for (auto [address, times] : launch.atomicCounts)
      if (uint64_t more = times - atomics[address])
        s.atomics[address] = more;
    into.push_back(std::move(s));
  }
}

} // namespace

void sim::runBlock(Running &launch, Block &block, uint32_t number) {
  block.start(number);
  ++launch.outcome.simulatedBlocks;
  while (!launch.stopped && block.step())
    ;
}

bool sim::countBySample(Running &launch, std::vector<bool> &ran) {
  uint32_t blocks = launch.blocks();
  if (launch.kernel.usesTicket || launch.random() || !launch.options.count ||
      blocks < 4 * window)
    return false;
  Block block(launch);
  std::vector<Sampled> samples;
  uint32_t middle = blocks / 2 / longest * longest, last = blocks - window;
  for (uint32_t first : {uint32_t(0), middle, last})
    runWindow(launch, block, first, ran, samples);
  // The first of a window has no predecessor there; the first and the last of
  // the grid stand at an edge.
  std::vector<const Sampled *> inside;
  for (const Sampled &s : samples)
    if (s.number != 0 && s.number != middle && s.number != last &&
        s.number != blocks - 1)
      inside.push_back(&s);
  for (uint32_t period = 1; period <= longest; period *= 2) {
    std::vector<const Sampled *> of(period, nullptr);
    bool regular = true;
    for (const Sampled *s : inside) {
      const Sampled *&model = of[s->number % period];
      if (!model)
        model = s;
      regular &= model->delta == s->delta;
    }
    if (!regular)
      continue;
    // The middle window was run as well: its blocks are not added again. The
    // first block of the last two windows was counted without its predecessor,
    // so it is taken out and counts like the others of its kind.
    for (const Sampled &s : samples)
      if (s.number == middle || s.number == last) {
        Snapshot correction = of[s.number % period]->delta;
        for (size_t i = 0; i < correction.size(); ++i)
          correction[i] -= s.delta[i]; // modulo 2^64, as the sum is
        add(launch, correction, 1);
      }
    std::vector<uint64_t> skipped(period, 0);
    for (uint32_t b = 0; b < blocks; ++b)
      if (!ran[b])
        ++skipped[b % period];
    for (uint32_t r = 0; r < period; ++r)
      add(launch, of[r]->delta, skipped[r]);
    // An address that every block changes is changed by the others too.
    for (auto &[address, times] : launch.atomicCounts)
      for (uint32_t r = 0; r < period; ++r) {
        auto each = of[r]->atomics.find(address);
        if (each != of[r]->atomics.end())
          times += each->second * skipped[r];
      }
    launch.outcome.sampled = true;
    return true;
  }
  return false;
}
