//===- Races.cpp - Accesses that nothing orders ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/MemoryOps.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace wf;
using namespace wf::sim;

/// "thread 3", or who it was if they were several.
static std::string who(uint16_t thread) {
  return thread == Position::many ? "other threads"
                                  : "thread " + std::to_string(thread);
}

void WarpSyncs::start(uint64_t active, int ofWarp) {
  all = active;
  lanes = unsigned(ofWarp);
  total = base = 0;
  masks.clear();
  std::memset(last, 0, sizeof last);
}

void WarpSyncs::note(uint64_t which) {
  ++total;
  masks.push_back(which);
  for (uint64_t rest = which; rest; rest &= rest - 1)
    last[__builtin_ctzll(rest)] = total;
  if (which == all)
    meet();
}

bool WarpSyncs::lead(const Position &from, uint16_t thread) const {
  unsigned to = thread % lanes;
  if (from.syncs >= last[to])
    return false;
  // Of several lanes it is not known which: any sync of ours counts.
  if (from.syncs < base || from.thread == Position::many)
    return true;
  uint64_t reached = uint64_t(1) << from.thread % lanes;
  for (size_t n = from.syncs - base; n < masks.size(); ++n) {
    if (masks[n] & reached)
      reached |= masks[n];
    if (reached >> to & 1)
      return true;
  }
  return false;
}

/// Are the bytes of the cell, as far as the store changes them, what is there?
static bool sameBytes(const char *memory, const void *value, int64_t bytes) {
  return value && std::memcmp(memory, value, size_t(bytes)) == 0;
}

void sim::watchShared(Warp &w, int lane, const Inst &i, int64_t offset,
                      int64_t bytes, bool reads, bool writes, bool atomic,
                      const void *value) {
  Block &block = *w.block;
  Running &launch = block.launch;
  Now p = w.now(lane);
  auto race = [&](const char *what, uint16_t other) {
    launch.hazard(HazardKind::SharedRace, w, lane, i,
                  llvm::formatv("{0} of {1}, at byte {2}, with no "
                                "synchronisation between",
                                what, who(other), offset)
                      .str());
  };
  int64_t last = (offset + bytes - 1) >> launch.cellShift;
  bool same = writes && sameBytes(block.shared.data() + offset, value, bytes);
  for (int64_t n = offset >> launch.cellShift; n <= last; ++n) {
    Cell &cell = block.cells[size_t(n)];
    bool mine = cell.write.block == p.block;
    if (reads && !mine)
      launch.hazard(HazardKind::NeverWritten, w, lane, i,
                    llvm::formatv("byte {0} of shared memory", offset).str());
    if (mine && !p.isAfter(cell.write) && !(cell.writeAtomic && atomic)) {
      if (reads)
        race("reads what is written by a store", cell.write.thread);
      else if (!same)
        race("writes over a store", cell.write.thread);
    }
    if (writes) {
      if (cell.read.block == p.block && !p.isAfter(cell.read) &&
          !(atomic && cell.readAtomic) && !same)
        race("writes over what is read by a load", cell.read.thread);
      cell.noteWrite(p, atomic, same);
    } else {
      cell.noteRead(p, atomic);
    }
  }
}

void sim::watchGlobal(Warp &w, int lane, const Inst &i, Allocation &a,
                      int64_t offset, int64_t bytes, bool reads, bool writes,
                      bool atomic, const void *value) {
  Block &block = *w.block;
  Running &launch = block.launch;
  Now p = w.now(lane);
  const ThreadOrder &thread = block.order(p.thread);
  auto place = [&] {
    return launch.memory.describe(a.base + uint64_t(offset), bytes);
  };
  auto race = [&](const char *what, uint16_t other) {
    launch.hazard(HazardKind::GlobalRace, w, lane, i,
                  llvm::formatv("{0} of {1}, {2}, with no synchronisation "
                                "between",
                                what, who(other), place())
                      .str());
  };
  auto fromOther = [&](uint32_t other) {
    return other != p.block && other >= launch.firstBlock;
  };
  auto between = [&](const char *what, const Position &other) {
    if (launch.order.knows(thread.acquired, block.acquired, other))
      return;
    launch.hazard(launch.order.why(thread, other), w, lane, i,
                  llvm::formatv("{0} by block {1}, {2}", what,
                                other.block - launch.firstBlock, place())
                      .str());
  };
  bool same = writes && sameBytes(a.data + offset, value, bytes);
  int64_t last = (offset + bytes - 1) >> launch.cellShift;
  for (int64_t n = offset >> launch.cellShift; n <= last; ++n) {
    GlobalCell &cell = a.cells[size_t(n)];
    bool bothAtomic = cell.writeAtomic && atomic;
    if (cell.write.block == p.block) {
      if (!p.isAfter(cell.write) && !bothAtomic) {
        if (reads)
          race("reads what is written by a store", cell.write.thread);
        else if (!same)
          race("writes over a store", cell.write.thread);
      }
    } else if (fromOther(cell.write.block) && !bothAtomic) {
      if (reads)
        between("reads what is written", cell.write);
      else if (!same)
        between("writes over what is written", cell.write);
    }
    if (!writes) {
      cell.noteRead(p, atomic);
      continue;
    }
    auto after = [&](const Position &read, bool readAtomic) {
      if (same || (atomic && readAtomic))
        return;
      if (read.block != p.block) {
        if (fromOther(read.block))
          between("writes over what is read", read);
      } else if (!p.isAfter(read)) {
        race("writes over what is read by a load", read.thread);
      }
    };
    if (cell.read.block != 0)
      after(cell.read, cell.readAtomic);
    if (cell.other.block != 0)
      after(cell.other, cell.otherAtomic);
    cell.noteWrite(p, atomic, same);
  }
}
