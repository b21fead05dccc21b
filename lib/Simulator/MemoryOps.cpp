//===- MemoryOps.cpp - Handlers of loads, stores and fences ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/MemoryOps.h"

#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace wf;
using namespace wf::sim;

namespace {
enum class Where { Global, Shared, Private };

/// What an address of a space means, as an offset into it.
Where placeOf(unsigned space, uint64_t &address) {
  if (space == 3) {
    address &= 0xffffffff;
    return Where::Shared;
  }
  if (space == 5) {
    address &= 0xffffffff;
    return Where::Private;
  }
  if (space != 0)
    return Where::Global;
  uint64_t region = address >> regionShift;
  if (region == sharedRegion || region == privateRegion)
    address &= regionMask;
  return region == sharedRegion    ? Where::Shared
         : region == privateRegion ? Where::Private
                                   : Where::Global;
}

const char *verb(bool reads, bool writes) {
  return reads && writes ? "atomic on" : writes ? "store to" : "load from";
}
} // namespace

static char *checkedShared(Warp &w, int lane, const Inst &i, uint64_t offset,
                           int64_t bytes, bool reads, bool writes, bool atomic,
                           const void *value) {
  Block &block = *w.block;
  Running &launch = block.launch;
  int64_t size = int64_t(block.shared.size());
  if (int64_t(offset) + bytes > size) {
    bool dynamic = launch.kernel.dynamicShared &&
                   int64_t(offset) >= launch.kernel.dynamicStart;
    launch.hazard(
        dynamic ? HazardKind::SharedTooSmall : HazardKind::OutOfBounds, w, lane,
        i,
        dynamic ? llvm::formatv("{0} bytes {1} of dynamic shared memory, and "
                                "the launch gives {2}",
                                verb(reads, writes),
                                int64_t(offset) - launch.kernel.dynamicStart,
                                launch.request.sharedBytes)
                      .str()
                : llvm::formatv("{0} byte {1} of {2} bytes of shared memory",
                                verb(reads, writes), offset, size)
                      .str());
    return nullptr;
  }
  if (launch.options.hazards)
    watchShared(w, lane, i, int64_t(offset), bytes, reads, writes, atomic,
                value);
  return block.shared.data() + offset;
}

static char *checkedGlobal(Warp &w, int lane, const Inst &i, uint64_t address,
                           int64_t bytes, bool reads, bool writes, bool atomic,
                           const void *value) {
  Running &launch = w.block->launch;
  Allocation *a = launch.memory.find(address);
  int64_t offset = int64_t(address & regionMask);
  if (!a || offset + bytes > a->bytes) {
    launch.hazard(HazardKind::OutOfBounds, w, lane, i,
                  llvm::formatv("{0} {1} bytes at {2}", verb(reads, writes),
                                bytes, launch.memory.describe(address, bytes))
                      .str());
    return nullptr;
  }
  if (launch.options.hazards) {
    if (reads && !a->allWritten && !a->isWritten(offset, bytes))
      launch.hazard(HazardKind::NeverWritten, w, lane, i,
                    llvm::formatv("{0} {1}", verb(reads, writes),
                                  launch.memory.describe(address, bytes))
                        .str());
    if (a->watched)
      watchGlobal(w, lane, i, *a, offset, bytes, reads, writes, atomic, value);
  }
  if (writes)
    a->noteWritten(offset, bytes);
  return a->data + offset;
}

char *sim::checkedAccess(Warp &w, int lane, const Inst &i, unsigned space,
                         uint64_t address, int64_t bytes, uint32_t alignment,
                         bool reads, bool writes, bool atomic,
                         const void *value) {
  Running &launch = w.block->launch;
  if (address & (alignment - 1)) {
    uint64_t place = address;
    Where where = placeOf(space, place);
    launch.hazard(HazardKind::Misaligned, w, lane, i,
                  llvm::formatv("{0} {1} bytes at {2}, no multiple of {3}",
                                verb(reads, writes), bytes,
                                where == Where::Global
                                    ? launch.memory.describe(address, bytes)
                                    : llvm::formatv("byte {0}", place).str(),
                                alignment)
                      .str());
    return nullptr;
  }
  switch (placeOf(space, address)) {
  case Where::Shared:
    return checkedShared(w, lane, i, address, bytes, reads, writes, atomic,
                         value);
  case Where::Private: {
    int64_t size = w.kernel->privateBytes;
    if (int64_t(address) + bytes > size) {
      launch.hazard(HazardKind::OutOfBounds, w, lane, i,
                    llvm::formatv("{0} byte {1} of {2} bytes of a thread's own "
                                  "memory",
                                  verb(reads, writes), address, size)
                        .str());
      return nullptr;
    }
    return w.privateMemory.data() + int64_t(lane) * size + int64_t(address);
  }
  case Where::Global:
    break;
  }
  return checkedGlobal(w, lane, i, address, bytes, reads, writes, atomic,
                       value);
}

/// Counts what the active lanes do, by the space of the first of them.
static void count(Warp &w, const Access &a, const uint64_t *addresses,
                  bool reads, bool writes) {
  uint64_t first = addresses[__builtin_ctzll(w.mask)];
  switch (placeOf(a.space, first)) {
  case Where::Global:
    return countGlobal(w, addresses, a.total(), reads, writes);
  case Where::Shared:
    return countShared(w, addresses, a.total());
  case Where::Private:
    return;
  }
}

static void putComponent(Warp &w, Operand to, int lane, uint8_t bytes,
                         const char *from) {
  switch (bytes) {
  case 1:
    w.out<uint32_t>(to)[lane] = uint8_t(*from);
    break;
  case 2: {
    uint16_t v;
    std::memcpy(&v, from, 2);
    w.out<uint32_t>(to)[lane] = v;
    break;
  }
  case 4:
    std::memcpy(&w.out<uint32_t>(to)[lane], from, 4);
    break;
  default:
    std::memcpy(&w.out<uint64_t>(to)[lane], from, 8);
  }
}

static void getComponent(const Warp &w, Operand from, int lane, uint8_t bytes,
                         char *to) {
  if (bytes == 8)
    std::memcpy(to, &w.in<uint64_t>(from)[lane], 8);
  else // little-endian, and slots are zero-extended
    std::memcpy(to, &w.in<uint32_t>(from)[lane], bytes);
}

/// All lanes load neighbours from memory that nobody watches.
static bool loadTogether(Warp &w, const Access &a, const uint64_t *at) {
  if (!w.full || a.bytes != 4 || a.space == 0 || a.space == 3 || a.space == 5)
    return false;
  int64_t stride = a.total();
  Allocation *from = w.block->launch.memory.find(at[0]);
  int64_t offset = int64_t(at[0] & regionMask);
  if (!from || from->watched || !from->allWritten ||
      offset + stride * w.lanes > from->bytes || (at[0] & (a.alignment - 1)))
    return false;
  uint64_t differ = 0;
  for (int l = 0; l < w.lanes; ++l)
    differ |= at[l] ^ (at[0] + uint64_t(stride * l));
  if (differ)
    return false;
  const char *data = from->data + offset;
  if (a.values.size() == 1) {
    std::memcpy(w.out<char>(a.values[0]), data, size_t(4 * w.lanes));
    return true;
  }
  for (size_t c = 0; c < a.values.size(); ++c) {
    uint32_t *to = w.out<uint32_t>(a.values[c]);
    for (int l = 0; l < w.lanes; ++l)
      std::memcpy(&to[l], data + stride * l + 4 * int64_t(c), 4);
  }
  return true;
}

void sim::runLoad(Warp &w, const Inst &i) {
  const Access &a = w.kernel->accesses[size_t(i.imm)];
  const uint64_t *at = w.in<uint64_t>(i.a);
  Block &block = *w.block;
  if (block.launch.options.count)
    count(w, a, at, true, false);
  if (loadTogether(w, a, at))
    return;
  w.eachLane([&](int l) {
    const char *from =
        checkedAccess(w, l, i, a.space, at[l], a.total(), a.alignment, true,
                      false, a.atomic, nullptr);
    if (a.atomic && from) {
      block.launch.order.atomic(block.order(w.thread(l)), at[l], false);
      if (a.acquire && a.device)
        block.launch.order.acquireFence(block.order(w.thread(l)));
    }
    static const char nothing[8] = {};
    for (size_t c = 0; c < a.values.size(); ++c)
      putComponent(w, a.values[c], l, a.bytes,
                   from ? from + int64_t(c) * a.bytes : nothing);
  });
}

void sim::runStore(Warp &w, const Inst &i) {
  const Access &a = w.kernel->accesses[size_t(i.imm)];
  const uint64_t *at = w.in<uint64_t>(i.a);
  Block &block = *w.block;
  if (block.launch.options.count)
    count(w, a, at, false, true);
  w.eachLane([&](int l) {
    llvm::SmallVector<char, 64> value(size_t(a.total()));
    for (size_t c = 0; c < a.values.size(); ++c)
      getComponent(w, a.values[c], l, a.bytes, &value[c * a.bytes]);
    if (a.atomic && a.release && a.device) {
      block.launch.order.releaseFence(block.order(w.thread(l)),
                                      w.releasePoint(l), block.acquired);
      ++block.time; // what comes after is not released
    }
    char *to = checkedAccess(w, l, i, a.space, at[l], a.total(), a.alignment,
                             false, true, a.atomic, value.data());
    if (!to)
      return;
    std::memcpy(to, value.data(), value.size());
    if (a.atomic)
      block.launch.order.atomic(block.order(w.thread(l)), at[l], true);
  });
}

void sim::runCopy(Warp &w, const Inst &i) {
  int64_t bytes = i.imm & 0xffffffff;
  unsigned to = unsigned(i.imm >> 40) & 0xff,
           from = unsigned(i.imm >> 48) & 0xff;
  const uint64_t *a = w.in<uint64_t>(i.a), *b = w.in<uint64_t>(i.b);
  w.eachLane([&](int l) {
    const char *source = checkedAccess(w, l, i, from, b[l], bytes, 1, true,
                                       false, false, nullptr);
    if (!source)
      return;
    std::vector<char> value(source, source + bytes);
    if (char *target = checkedAccess(w, l, i, to, a[l], bytes, 1, false, true,
                                     false, value.data()))
      std::memcpy(target, value.data(), size_t(bytes));
  });
}

void sim::runSet(Warp &w, const Inst &i) {
  int64_t bytes = i.imm & 0xffffffff;
  unsigned to = unsigned(i.imm >> 40) & 0xff;
  const uint64_t *a = w.in<uint64_t>(i.a);
  const uint32_t *b = w.in<uint32_t>(i.b);
  w.eachLane([&](int l) {
    std::vector<char> value;
    value.assign(size_t(bytes), char(b[l]));
    if (char *target = checkedAccess(w, l, i, to, a[l], bytes, 1, false, true,
                                     false, value.data()))
      std::memcpy(target, value.data(), size_t(bytes));
  });
}

void sim::runFence(Warp &w, const Inst &i) {
  Block &block = *w.block;
  if (!(i.imm & 4))
    return; // within a block, barriers order
  w.eachLane([&](int l) {
    ThreadOrder &t = block.order(w.thread(l));
    if (i.imm & 1)
      block.launch.order.releaseFence(t, w.releasePoint(l), block.acquired);
    if (i.imm & 2)
      block.launch.order.acquireFence(t);
  });
  ++block.time;
}
