//===- Counters.h - What a simulated launch did ------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Counts of one launch or, added up, of several. Bytes are exact; a granule is
// the machine's smallest access to memory. Caches are not simulated: what is
// fetched counts every granule of memory once a launch, as for a cache that is
// cold at the start and never evicts; what is moved counts it once a request
// of a warp, as for no cache at all.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SIMULATOR_COUNTERS_H
#define WARPFOLD_SIMULATOR_COUNTERS_H

#include "Simulator/Code.h"

#include <map>
#include <string>
#include <vector>

namespace wf::sim {

/// X(field, label): counts that add up over blocks.
#define WF_SIMULATED_COUNTS(X)                                                 \
  X(blocks, "blocks")                                                          \
  X(warps, "warps")                                                            \
  X(threads, "threads")                                                        \
  X(requestedRead, "bytes requested by loads")                                 \
  X(requestedWritten, "bytes requested by stores")                             \
  X(movedRead, "bytes moved by loads")                                         \
  X(movedWritten, "bytes moved by stores")                                     \
  X(movedAtomics, "bytes moved by atomics")                                    \
  X(fetched, "FETCH_SIZE")                                                     \
  X(written, "WRITE_SIZE")                                                     \
  X(globalLoads, "global load instructions")                                   \
  X(globalStores, "global store instructions")                                 \
  X(sharedAccesses, "shared memory instructions")                              \
  X(bankConflicts, "shared memory bank conflicts")                             \
  X(atomics, "atomics on global memory")                                       \
  X(atomicInstructions, "atomic instructions")                                 \
  X(sharedAtomics, "atomics on shared memory")                                 \
  X(exchanges, "exchanges between lanes")                                      \
  X(barriers, "barriers")                                                      \
  X(instructions, "IR instructions")                                           \
  X(laneInstructions, "IR instructions of lanes")

/// Executions of one basic block of a kernel.
struct BlockCount {
  uint64_t warps = 0, lanes = 0;
};

struct Counters {
#define X(F, L) uint64_t F = 0;
  WF_SIMULATED_COUNTS(X)
#undef X
  uint64_t kinds[instKinds] = {};
  /// Most often changed address: how often, and what it is.
  uint64_t hottest = 0;
  std::string hottestName;
  /// By kernel and basic block, in the order of the kernel.
  std::map<std::string, std::vector<std::pair<std::string, BlockCount>>>
      byBlock;

  /// Of the lanes of the warps that ran, how many were active: 0 to 1.
  double utilisation(int lanes) const {
    return instructions
               ? double(laneInstructions) / double(instructions) / lanes
               : 0;
  }
  /// Adds what another launch did.
  void add(const Counters &other);
};

} // namespace wf::sim

#endif // WARPFOLD_SIMULATOR_COUNTERS_H
