//===- CountAccess.cpp - What an access moves -----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/MemoryOps.h"

#include <algorithm>

using namespace wf;
using namespace wf::sim;

/// Marks a granule of an allocation; is it the first time in this launch?
static bool mark(std::vector<uint64_t> &bits, uint64_t granule) {
  uint64_t &word = bits[granule / 64];
  uint64_t bit = uint64_t(1) << (granule % 64);
  bool fresh = !(word & bit);
  word |= bit;
  return fresh;
}

void sim::countGlobal(Warp &w, const uint64_t *addresses, int64_t bytes,
                      bool reads, bool writes) {
  Running &launch = w.block->launch;
  Counters &c = launch.counters();
  uint64_t size = uint64_t(launch.machine.granule);
  llvm::SmallVector<uint64_t, 128> granules;
  bool sorted = true;
  uint64_t lanes = 0;
  w.eachLane([&](int l) {
    ++lanes;
    uint64_t last = (addresses[l] + uint64_t(bytes) - 1) / size;
    for (uint64_t g = addresses[l] / size; g <= last; ++g) {
      if (!granules.empty() && granules.back() == g)
        continue;
      sorted &= granules.empty() || granules.back() < g;
      granules.push_back(g);
    }
  });
  if (!sorted) {
    std::sort(granules.begin(), granules.end());
    granules.erase(std::unique(granules.begin(), granules.end()),
                   granules.end());
  }
  uint64_t moved = granules.size() * size;
  bool atomic = reads && writes;
  if (reads) {
    c.requestedRead += atomic ? 0 : lanes * uint64_t(bytes);
    c.movedRead += atomic ? 0 : moved;
    c.globalLoads += !atomic;
  }
  if (writes) {
    c.requestedWritten += atomic ? 0 : lanes * uint64_t(bytes);
    (atomic ? c.movedAtomics : c.movedWritten) += moved;
    c.globalStores += !atomic;
  }
  for (uint64_t g : granules) {
    Allocation *a = launch.memory.find(g * size);
    if (!a)
      continue; // a hazard names it
    uint64_t at = (g * size & regionMask) / size;
    uint64_t have = (uint64_t(a->bytes) + size - 1) / size;
    if (at >= have)
      continue;
    a->readGranules.resize((have + 63) / 64);
    a->writtenGranules.resize((have + 63) / 64);
    // Atomics are carried out where the memory is cached: what they read there
    // does not come to the multiprocessor.
    if (reads && mark(a->readGranules, at))
      c.fetched += size;
    if (writes && mark(a->writtenGranules, at))
      c.written += size;
  }
}

void sim::countShared(Warp &w, const uint64_t *addresses, int64_t bytes) {
  Running &launch = w.block->launch;
  Counters &c = launch.counters();
  ++c.sharedAccesses;
  // 128 bytes a turn: 32 lanes of four bytes, 16 of eight, 8 of sixteen. A
  // bank gives one word of four bytes a turn, to all lanes that want it.
  int64_t banks = launch.machine.banks;
  int together =
      int(std::max<int64_t>(4 * banks / std::max<int64_t>(bytes, 4), 1));
  for (int first = 0; first < w.lanes; first += together) {
    llvm::SmallVector<uint64_t, 64> words;
    for (int l = first; l < std::min(first + together, w.lanes); ++l) {
      if (!(w.mask >> l & 1))
        continue;
      uint64_t at = addresses[l] & 0xffffffff;
      for (uint64_t word = at / 4; word <= (at + uint64_t(bytes) - 1) / 4;
           ++word)
        words.push_back(word);
    }
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    llvm::SmallVector<unsigned, 64> perBank(size_t(banks), 0);
    unsigned most = 0;
    for (uint64_t word : words)
      most = std::max(most, ++perBank[word % uint64_t(banks)]);
    c.bankConflicts += most > 1 ? most - 1 : 0;
  }
}
