//===- AtomicOps.cpp - Handlers of atomics --------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/MemoryOps.h"

#include <cmath>
#include <cstring>

using namespace wf;
using namespace wf::sim;
using llvm::AtomicRMWInst;

namespace {

uint64_t bitsOf(const Warp &w, Operand o, int lane, unsigned bytes) {
  return bytes == 8 ? w.in<uint64_t>(o)[lane] : w.in<uint32_t>(o)[lane];
}

void put(Warp &w, Operand o, int lane, unsigned bytes, uint64_t value) {
  if (bytes == 8)
    w.out<uint64_t>(o)[lane] = value;
  else
    w.out<uint32_t>(o)[lane] = uint32_t(value);
}

template <class T> T reinterpret(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <class T> uint64_t bitsOfFloat(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T>
uint64_t floatResult(AtomicRMWInst::BinOp op, uint64_t oldBits,
                     uint64_t newBits) {
  T a = reinterpret<T>(oldBits), b = reinterpret<T>(newBits);
  switch (op) {
  case AtomicRMWInst::FAdd:
    return bitsOfFloat(T(a + b));
  case AtomicRMWInst::FSub:
    return bitsOfFloat(T(a - b));
  case AtomicRMWInst::FMax:
    return bitsOfFloat(T(std::fmax(a, b)));
  case AtomicRMWInst::FMin:
    return bitsOfFloat(T(std::fmin(a, b)));
  default:
    return newBits;
  }
}

uint64_t integerResult(AtomicRMWInst::BinOp op, uint64_t a, uint64_t b,
                       unsigned bytes) {
  auto wide = [&](uint64_t x) {
    unsigned shift = 64 - 8 * bytes;
    return int64_t(x << shift) >> shift;
  };
  switch (op) {
  case AtomicRMWInst::Add:
    return a + b;
  case AtomicRMWInst::Sub:
    return a - b;
  case AtomicRMWInst::And:
    return a & b;
  case AtomicRMWInst::Nand:
    return ~(a & b);
  case AtomicRMWInst::Or:
    return a | b;
  case AtomicRMWInst::Xor:
    return a ^ b;
  case AtomicRMWInst::Max:
    return wide(a) > wide(b) ? a : b;
  case AtomicRMWInst::Min:
    return wide(a) < wide(b) ? a : b;
  case AtomicRMWInst::UMax:
    return a > b ? a : b;
  case AtomicRMWInst::UMin:
    return a < b ? a : b;
  case AtomicRMWInst::UIncWrap:
    return a >= b ? 0 : a + 1;
  case AtomicRMWInst::UDecWrap:
    return a == 0 || a > b ? b : a - 1;
  default:
    return b; // exchange
  }
}

/// The lanes of the mask, in turn or by chance.
llvm::SmallVector<int, 64> lanesInOrder(const Warp &w) {
  llvm::SmallVector<int, 64> lanes;
  w.eachLane([&](int l) { lanes.push_back(l); });
  Running &launch = w.block->launch;
  if (launch.random())
    for (size_t i = lanes.size(); i > 1; --i)
      std::swap(lanes[i - 1], lanes[launch.dice(unsigned(i))]);
  return lanes;
}

void countAtomic(Warp &w, const Access &a, const uint64_t *at) {
  Running &launch = w.block->launch;
  bool inShared = a.space == 3;
  uint64_t lanes = uint64_t(__builtin_popcountll(w.mask));
  if (inShared) {
    countShared(w, at, a.bytes);
    launch.counters().sharedAtomics += lanes;
    return;
  }
  ++launch.counters().atomicInstructions;
  launch.counters().atomics += lanes;
  countGlobal(w, at, a.bytes, true, true);
  w.eachLane([&](int l) { ++launch.atomicCounts[at[l]]; });
}

} // namespace

// RMW: values are what was there before, and the operand. Compare and exchange:
// what was there before, whether it changed, what is compared, what is stored.
void sim::runAtomic(Warp &w, const Inst &i) {
  const Access &a = w.kernel->accesses[size_t(i.imm)];
  const uint64_t *at = w.in<uint64_t>(i.a);
  Block &block = *w.block;
  Order &order = block.launch.order;
  if (block.launch.options.count)
    countAtomic(w, a, at);
  bool swap = a.kind == Access::Kind::CompareExchange;
  for (int l : lanesInOrder(w)) {
    ThreadOrder &t = block.order(w.thread(l));
    if (a.release && a.device) {
      order.releaseFence(t, w.releasePoint(l), block.acquired);
      ++block.time; // what comes after is not released
    }
    char *data = checkedAccess(w, l, i, a.space, at[l], a.bytes, a.alignment,
                               true, true, true, nullptr);
    uint64_t before = 0;
    if (data)
      std::memcpy(&before, data, a.bytes);
    uint64_t operand = bitsOf(w, a.values[swap ? 2 : 1], l, a.bytes);
    uint64_t after = operand;
    bool changes = true;
    if (swap) {
      changes = before == operand;
      after = changes ? bitsOf(w, a.values[3], l, a.bytes) : before;
      put(w, a.values[1], l, 4, changes);
    } else if (a.floating) {
      after = a.bytes == 8 ? floatResult<double>(a.operation, before, operand)
                           : floatResult<float>(a.operation, before, operand);
    } else {
      after = integerResult(a.operation, before, operand, a.bytes);
    }
    put(w, a.values[0], l, a.bytes, before);
    if (!data)
      continue;
    std::memcpy(data, &after, a.bytes);
    order.atomic(t, at[l], changes);
    if (a.acquire && a.device)
      order.acquireFence(t);
  }
}
