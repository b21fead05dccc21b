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
enum CountIndex {
#define X(F, L) F##Index,
  WF_SIMULATED_COUNTS(X)
#undef X
};

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

void add(Running &launch, const Snapshot &more) {
  size_t at = 0;
#define X(F, L) launch.outcome.counters.F += more[at++];
  WF_SIMULATED_COUNTS(X)
#undef X
  for (BlockCount &b : launch.blockCounts) {
    b.warps += more[at++];
    b.lanes += more[at++];
  }
}

using AtomicCounts = std::unordered_map<Address, uint64_t>;

struct Sampled {
  uint32_t number;
  Snapshot delta;
  AtomicCounts atomics; ///< of this block
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

/// Those of `common` that another block changes as often.
void keepShared(AtomicCounts &common, const AtomicCounts &other) {
  for (auto it = common.begin(); it != common.end();) {
    auto same = other.find(it->first);
    it = same != other.end() && same->second == it->second ? std::next(it)
                                                           : common.erase(it);
  }
}

/// Are there so many granules in memory? Blocks that come back to what far
/// ones had look regular in every window, and are not.
bool fitsMemory(const Running &launch, const Snapshot &more) {
  uint64_t size = uint64_t(launch.machine.granule), have = 0;
  for (const auto &a : launch.memory.allocations())
    if (a)
      have += (uint64_t(a->bytes) + size - 1) / size * size;
  const Counters &c = launch.outcome.counters;
  return c.fetched + more[fetchedIndex] <= have &&
         c.written + more[writtenIndex] <= have;
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
  auto all = [&](const char *why) {
    launch.outcome.whyAll = why;
    return false;
  };
  if (launch.random() || !launch.options.count)
    return false;
  if (blocks < 4 * window)
    return all("few blocks");
  if (launch.kernel.usesTicket)
    return all("blocks depend on each other's atomics");
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
    // An address that all blocks of a kind change is changed by those that are
    // skipped too; one that a block has for itself is not.
    std::vector<AtomicCounts> shared(period);
    bool regular = true;
    for (const Sampled *s : inside) {
      const Sampled *&model = of[s->number % period];
      if (!model) {
        model = s;
        shared[s->number % period] = s->atomics;
      }
      regular &= model->delta == s->delta;
      keepShared(shared[s->number % period], s->atomics);
    }
    if (!regular)
      continue;
    Snapshot more(samples.front().delta.size(), 0);
    auto addTo = [&](const Snapshot &delta, uint64_t times) {
      for (size_t i = 0; i < more.size(); ++i)
        more[i] += delta[i] * times; // modulo 2^64
    };
    // The first block of the last two windows was counted without its
    // predecessor, so it is taken out and counts like the others of its kind.
    for (const Sampled &s : samples)
      if (s.number == middle || s.number == last) {
        addTo(of[s.number % period]->delta, 1);
        addTo(s.delta, ~uint64_t(0));
      }
    std::vector<uint64_t> skipped(period, 0);
    for (uint32_t b = 0; b < blocks; ++b)
      if (!ran[b])
        ++skipped[b % period];
    for (uint32_t r = 0; r < period; ++r)
      addTo(of[r]->delta, skipped[r]);
    if (!fitsMemory(launch, more))
      return all("blocks come back to the same memory");
    add(launch, more);
    for (uint32_t r = 0; r < period; ++r)
      for (auto [address, times] : shared[r])
        launch.atomicCounts[address] += times * skipped[r];
    launch.outcome.sampled = true;
    return true;
  }
  return all("blocks differ");
}
