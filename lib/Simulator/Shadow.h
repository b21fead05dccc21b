//===- Shadow.h - Who touched memory last ------------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Happens-before for every piece of watched memory. A thread's position is its
// block, the number of barriers the block has passed, its warp and the number
// of syncs in the warp. Two accesses of one block, at least one a plain write,
// are ordered if they are one thread's, a barrier is between them, or they are
// one warp's and a sync of both lanes is between them, or several that lead
// from one lane to the other. A schedule that happens to run them in the right
// order does not hide a race.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SIMULATOR_SHADOW_H
#define WARPFOLD_SIMULATOR_SHADOW_H

#include <cstdint>
#include <utility>
#include <vector>

namespace wf::sim {

/// Where a thread stands, or stood when it did something.
struct Position {
  static constexpr uint16_t many = 0xffff;

  uint32_t block = 0;    ///< serial number over all launches, from 1
  uint32_t barriers = 0; ///< that its block has passed
  uint32_t syncs = 0;    ///< in its warp, of whichever lanes
  uint32_t time = 0;     ///< of its block, counted on at fences
  uint16_t thread = 0;   ///< or many
  uint16_t warp = 0;     ///< or many
};

/// The syncs in a warp.
class WarpSyncs {
public:
  void start(uint64_t active, int ofWarp);
  uint32_t count() const { return total; }
  /// How many there were when the lane had had its last one.
  uint32_t lastOf(int lane) const { return last[lane]; }
  /// These lanes have one.
  void note(uint64_t lanes);
  /// A barrier: whatever was before leads everywhere.
  void meet() {
    base = total;
    masks.clear();
  }
  /// Did syncs after `from`, of this warp and barrier, lead to the thread?
  bool lead(const Position &from, uint16_t thread) const;

private:
  uint64_t all = 0; ///< the lanes there are
  unsigned lanes = 32;
  uint32_t total = 0, base = 0;
  std::vector<uint64_t> masks; ///< the lanes of each after the first `base`
  uint32_t last[64] = {};
};

/// A thread that accesses memory now.
struct Now : Position {
  const WarpSyncs &warpSyncs;

  /// Is what was done there, in this block, ordered before?
  bool isAfter(const Position &p) const {
    return p.barriers < barriers || p.thread == thread ||
           (p.warp == warp && warpSyncs.lead(p, thread));
  }
};

/// The last write to a piece of memory, and the reads since by one block: one
/// thread's, one warp's, or many's.
struct Cell {
  Position write, read;
  bool writeAtomic = false, readAtomic = true;

  /// The write of `same`, what is there already, races with no read; the next
  /// one may.
  void noteWrite(const Position &p, bool atomic, bool same) {
    write = p;
    writeAtomic = atomic;
    if (!same)
      read.block = 0;
  }
  void noteRead(const Now &p, bool atomic) {
    bool first = read.block != p.block;
    if (first || p.isAfter(read)) {
      // What is ordered after this read is so after those before it. Only an
      // atomic of the same thread does not stand for what is none.
      bool mine = !first && read.barriers == p.barriers &&
                  read.thread == p.thread && !readAtomic;
      read = p;
      readAtomic = atomic && !mine;
      return;
    }
    read.thread = Position::many;
    if (read.warp != p.warp)
      read.warp = Position::many;
    read.syncs = p.syncs > read.syncs ? p.syncs : read.syncs;
    readAtomic &= atomic;
  }
};

/// Of global memory, which several blocks read: of two blocks, the last ones.
/// With one alone, a block that reads and then writes would not race with
/// another that only reads.
struct GlobalCell : Cell {
  bool otherAtomic = true;
  Position other;

  void noteWrite(const Position &p, bool atomic, bool same) {
    Cell::noteWrite(p, atomic, same);
    if (!same)
      other.block = 0;
  }
  void noteRead(const Now &p, bool atomic) {
    if (read.block != p.block && read.block != 0) {
      std::swap(read, other);
      std::swap(readAtomic, otherAtomic);
    }
    Cell::noteRead(p, atomic);
  }
};
static_assert(sizeof(GlobalCell) <= 64);

} // namespace wf::sim

#endif // WARPFOLD_SIMULATOR_SHADOW_H
