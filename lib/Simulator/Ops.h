//===- Ops.h - Handlers of arithmetic ----------------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// One function an operation, kind of slot and number of lanes. Integers of up
// to 32 bits share handlers: Inst::imm is their width, and slots hold them
// zero-extended. A null handler means that there is none.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SIMULATOR_OPS_H
#define WARPFOLD_SIMULATOR_OPS_H

#include "Simulator/Warp.h"
#include "llvm/IR/Intrinsics.h"

namespace wf::sim {

enum class Slot : uint8_t { I32, I64, F32, F64 };
inline bool isWide(Slot s) { return s == Slot::I64 || s == Slot::F64; }

Handler binaryHandler(int lanes, unsigned opcode, Slot slot);
Handler compareHandler(int lanes, llvm::CmpInst::Predicate p, Slot slot);
/// d = a ? b : c, all lanes for themselves.
Handler selectHandler(int lanes, bool wide);
/// imm: bits of the source | bits of the result << 8.
Handler castHandler(int lanes, unsigned opcode, Slot from, Slot to);
Handler copyHandler(int lanes, bool wide);
/// Intrinsics over lanes one by one, with one to three operands.
Handler intrinsicHandler(int lanes, llvm::Intrinsic::ID id, Slot slot);
/// d = a + imm; d = a + b * imm, b sign-extended: addresses.
Handler addImmediateHandler(int lanes);
Handler scaleAddHandler(int lanes, bool wideIndex);

/// All lanes the same way: F(a), F(a, b), F(a, b, c).
template <int W, class R, class A, class F>
inline void lanes1(Warp &w, const Inst &i, F f) {
  R *__restrict d = w.out<R>(i.d);
  const A *a = w.in<A>(i.a);
  if (w.full) {
    for (int l = 0; l < W; ++l)
      d[l] = f(a[l]);
    return;
  }
  const uint32_t *m = w.laneMask;
  for (int l = 0; l < W; ++l)
    d[l] = m[l] ? f(a[l]) : d[l];
}

template <int W, class R, class A, class F>
inline void lanes2(Warp &w, const Inst &i, F f) {
  R *__restrict d = w.out<R>(i.d);
  const A *a = w.in<A>(i.a), *b = w.in<A>(i.b);
  if (w.full) {
    for (int l = 0; l < W; ++l)
      d[l] = f(a[l], b[l]);
    return;
  }
  const uint32_t *m = w.laneMask;
  for (int l = 0; l < W; ++l)
    d[l] = m[l] ? f(a[l], b[l]) : d[l];
}

template <int W, class R, class A, class F>
inline void lanes3(Warp &w, const Inst &i, F f) {
  R *__restrict d = w.out<R>(i.d);
  const A *a = w.in<A>(i.a), *b = w.in<A>(i.b), *c = w.in<A>(i.c);
  const uint32_t *m = w.laneMask;
  for (int l = 0; l < W; ++l)
    d[l] = m[l] ? f(a[l], b[l], c[l]) : d[l];
}

inline uint32_t maskOf(int64_t bits) {
  return bits >= 32 ? ~0u : (1u << bits) - 1;
}
/// A narrow integer with its sign, in 32 bits.
inline int32_t signedOf(uint32_t x, int64_t bits) {
  int shift = int(32 - bits);
  return int32_t(x << shift) >> shift;
}

} // namespace wf::sim

#endif // WARPFOLD_SIMULATOR_OPS_H
