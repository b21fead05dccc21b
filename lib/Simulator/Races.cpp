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

/// Are the bytes of the cell, as far as the store changes them, what is there?
static bool sameBytes(const char *memory, const void *value, int64_t bytes) {
  return value && std::memcmp(memory, value, size_t(bytes)) == 0;
}

void sim::watchShared(Warp &w, int lane, const Inst &i, int64_t offset,
                      int64_t bytes, bool reads, bool writes, bool atomic,
                      const void *value) {
  Block &block = *w.block;
  Running &launch = block.launch;
  Position p = w.position(lane);
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
    if (mine && !cell.write.before(p) && !(cell.writeAtomic && atomic)) {
      if (reads)
        race("reads what is written by a store", cell.write.thread);
      else if (!same)
        race("writes over a store", cell.write.thread);
    }
    if (writes) {
      if (cell.read.block == p.block && !cell.read.before(p) &&
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
  Position p = w.position(lane);
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
      if (!cell.write.before(p) && !bothAtomic) {
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
      } else if (!read.before(p)) {
        race("writes over what is read by a load", read.thread);
      }
    };
    after(cell.read, cell.readAtomic);
    after(cell.other, cell.otherAtomic);
    cell.noteWrite(p, atomic, same);
  }
}
