//===- Order.h - Release and acquire between blocks --------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A thread that fences (release) and then changes an atomic publishes what it
// and, past a barrier, its block wrote before. A thread that reads the atomic
// and then fences (acquire) sees all that was published there until then; after
// a barrier so does its block. Whatever one block reads or overwrites of
// another without that is a hazard, in whatever order the blocks ran.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SIMULATOR_ORDER_H
#define WARPFOLD_SIMULATOR_ORDER_H

#include "Simulator/Hazard.h"
#include "Simulator/Memory.h"

#include <map>
#include <memory>
#include <unordered_map>

namespace wf::sim {

struct Channel;

/// What somebody who acquired has seen: the first `length` releases of one
/// atomic.
struct Seen {
  const Channel *channel = nullptr;
  size_t length = 0;
};
using SeenList = std::vector<Seen>;

/// A release fence: everything of its block before `at` is published.
struct Release {
  Position at;
  std::shared_ptr<const SeenList> seen; ///< what was known then, passed on
};

/// The releases that were published by changes of one atomic.
struct Channel {
  std::vector<Release> log;
  std::unordered_map<uint32_t, std::vector<size_t>> byBlock;
};

/// What a thread has released and seen.
struct ThreadOrder {
  std::unique_ptr<Release> release; ///< its last release fence
  SeenList observed;                ///< atomics read, no acquire yet
  SeenList acquired;
};

class Order {
public:
  void releaseFence(ThreadOrder &t, const Position &at, const SeenList &block);
  void acquireFence(ThreadOrder &t);
  /// The thread read and, if `writes`, changed the atomic at `address`.
  void atomic(ThreadOrder &t, Address address, bool writes);

  /// Does the thread that saw these know of `write`, of another block?
  bool knows(const SeenList &thread, const SeenList &block,
             const Position &write) const;
  /// Why it does not: nobody released the write, or nobody acquired.
  HazardKind why(const ThreadOrder &t, const Position &write) const;
  void clear() { channels.clear(); }

private:
  std::map<Address, Channel> channels;
};

/// Adds to `into` what is in `from`.
void join(SeenList &into, const SeenList &from);

} // namespace wf::sim

#endif // WARPFOLD_SIMULATOR_ORDER_H
