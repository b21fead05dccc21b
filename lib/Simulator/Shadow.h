//===- Shadow.h - Who touched memory last ------------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Happens-before for every piece of watched memory. A thread's position is its
// block, the number of barriers the block has passed, its warp and the number
// of warp-wide syncs it took part in. Two accesses of one block, at least one a
// plain write, are ordered if they are one thread's, a barrier is between them,
// or they are one warp's and a warp sync is between them. A schedule that
// happens to run them in the right order does not hide a race.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SIMULATOR_SHADOW_H
#define WARPFOLD_SIMULATOR_SHADOW_H

#include <cstdint>

namespace wf::sim {

/// Where a thread stands.
struct Position {
  uint32_t block = 0;    ///< serial number over all launches, from 1
  uint32_t barriers = 0; ///< that its block has passed
  uint32_t syncs = 0;    ///< of its warp that it took part in
  uint32_t time = 0;     ///< of its block, counted on at fences
  uint16_t thread = 0;
  uint16_t warp = 0;
};

/// The last write and the reads since, of a piece of memory.
struct Cell {
  static constexpr uint16_t many = 0xffff;

  Position write;
  bool writeAtomic = false;
  // The reads since: one thread's, one warp's, or many's.
  uint32_t readBlock = 0, readBarriers = 0, readSyncs = 0;
  uint16_t readThread = 0, readWarp = 0;
  bool readAtomic = true;

  void noteWrite(const Position &p, bool atomic) {
    write = p;
    writeAtomic = atomic;
    readBlock = 0;
  }
  void noteRead(const Position &p, bool atomic) {
    if (readBlock != p.block || readBarriers != p.barriers) {
      // Another block's readers are forgotten once this one reads: the write
      // that races with both is still found by one of them.
      readBlock = p.block;
      readBarriers = p.barriers;
      readSyncs = p.syncs;
      readThread = p.thread;
      readWarp = p.warp;
      readAtomic = atomic;
      return;
    }
    if (readThread != p.thread)
      readThread = many;
    if (readWarp != p.warp)
      readWarp = many;
    readSyncs = p.syncs > readSyncs ? p.syncs : readSyncs;
    readAtomic &= atomic;
  }

  /// Within one block: is the last write before `p`?
  bool writeOrdered(const Position &p) const {
    return write.barriers < p.barriers || write.thread == p.thread ||
           (write.warp == p.warp && write.syncs < p.syncs);
  }
  bool readOrdered(const Position &p) const {
    return readBarriers < p.barriers || readThread == p.thread ||
           (readWarp == p.warp && readSyncs < p.syncs);
  }
};

} // namespace wf::sim

#endif // WARPFOLD_SIMULATOR_SHADOW_H
