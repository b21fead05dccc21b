//===- OpsInteger.cpp - Handlers of integer arithmetic --------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/Ops.h"
#include "Simulator/OpsTables.h"

using namespace wf;
using namespace wf::sim;
using llvm::CmpInst;
using llvm::Instruction;

// LLVM leaves shifts past the width and divisions by zero undefined; hosts
// would trap on the latter, so both give some value.
#define INTEGER_OPS(X)                                                         \
  X(Add, a + b)                                                                \
  X(Sub, a - b)                                                                \
  X(Mul, a *b)                                                                 \
  X(And, a &b)                                                                 \
  X(Or, a | b)                                                                 \
  X(Xor, a ^ b)                                                                \
  X(Shl, a << (b & U(N - 1)))                                                  \
  X(LShr, a >> (b & U(N - 1)))                                                 \
  X(UDiv, b ? a / b : U(0))                                                    \
  X(URem, b ? a % b : U(0))

#define SIGNED_OPS(X)                                                          \
  X(AShr, S(a) >> (b & S(N - 1)))                                              \
  X(SDiv, b == 0 ? S(0) : b == S(-1) ? S(U(0) - U(a)) : S(a / b))              \
  X(SRem, b == 0 || b == S(-1) ? S(0) : S(a % b))

namespace {
template <int W> struct Integer {
  // Up to 32 bits, of a width that the instruction says.
#define X(NAME, EXPR)                                                          \
  static void narrow##NAME(Warp &w, const Inst &i) {                           \
    using U = uint32_t;                                                        \
    [[maybe_unused]] constexpr int N = 32;                                     \
    U m = maskOf(i.imm);                                                       \
    lanes2<W, U, U>(w, i, [m](U a, U b) { return U(EXPR) & m; });              \
  }                                                                            \
  static void wide##NAME(Warp &w, const Inst &i) {                             \
    using U = uint64_t;                                                        \
    [[maybe_unused]] constexpr int N = 64;                                     \
    lanes2<W, U, U>(w, i, [](U a, U b) { return U(EXPR); });                   \
  }
  INTEGER_OPS(X)
#undef X
#define X(NAME, EXPR)                                                          \
  static void narrow##NAME(Warp &w, const Inst &i) {                           \
    using U = uint32_t;                                                        \
    using S = int32_t;                                                         \
    [[maybe_unused]] constexpr int N = 32;                                     \
    int64_t bits = i.imm;                                                      \
    U m = maskOf(bits);                                                        \
    lanes2<W, U, U>(w, i, [m, bits](U ua, U ub) {                              \
      S a = signedOf(ua, bits), b = signedOf(ub, bits);                        \
      return U(EXPR) & m;                                                      \
    });                                                                        \
  }                                                                            \
  static void wide##NAME(Warp &w, const Inst &i) {                             \
    using U = uint64_t;                                                        \
    using S = int64_t;                                                         \
    [[maybe_unused]] constexpr int N = 64;                                     \
    lanes2<W, U, U>(w, i, [](U ua, U ub) {                                     \
      S a = S(ua), b = S(ub);                                                  \
      return U(EXPR);                                                          \
    });                                                                        \
  }
  SIGNED_OPS(X)
#undef X

  static Handler binary(unsigned opcode, bool wide) {
    switch (opcode) {
#define X(NAME, EXPR)                                                          \
  case Instruction::NAME:                                                      \
    return wide ? wide##NAME : narrow##NAME;
      INTEGER_OPS(X)
      SIGNED_OPS(X)
#undef X
    default:
      return nullptr;
    }
  }

  template <class U, class F>
  static void compareUnsigned(Warp &w, const Inst &i, F f) {
    lanes2<W, U, U>(w, i, [f](U a, U b) { return U(f(a, b)); });
  }
#define COMPARISONS(X)                                                         \
  X(EQ, ==, false)                                                             \
  X(NE, !=, false)                                                             \
  X(UGT, >, false)                                                             \
  X(UGE, >=, false)                                                            \
  X(ULT, <, false)                                                             \
  X(ULE, <=, false)                                                            \
  X(SGT, >, true)                                                              \
  X(SGE, >=, true)                                                             \
  X(SLT, <, true)                                                              \
  X(SLE, <=, true)
#define X(NAME, OP, SIGNED)                                                    \
  static void narrow##NAME(Warp &w, const Inst &i) {                           \
    int64_t bits = i.imm;                                                      \
    lanes2<W, uint32_t, uint32_t>(w, i, [bits](uint32_t a, uint32_t b) {       \
      return uint32_t(SIGNED ? signedOf(a, bits) OP signedOf(b, bits)          \
                             : a OP b);                                        \
    });                                                                        \
  }                                                                            \
  static void wide##NAME(Warp &w, const Inst &i) {                             \
    lanes2<W, uint32_t, uint64_t>(w, i, [](uint64_t a, uint64_t b) {           \
      return uint32_t(SIGNED ? int64_t(a) OP int64_t(b) : a OP b);             \
    });                                                                        \
  }
  COMPARISONS(X)
#undef X
  static Handler compare(CmpInst::Predicate p, bool wide) {
    switch (p) {
#define X(NAME, OP, SIGNED)                                                    \
  case CmpInst::ICMP_##NAME:                                                   \
    return wide ? wide##NAME : narrow##NAME;
      COMPARISONS(X)
#undef X
    default:
      return nullptr;
    }
  }

  static void addImmediate(Warp &w, const Inst &i) {
    uint64_t n = uint64_t(i.imm);
    lanes1<W, uint64_t, uint64_t>(w, i, [n](uint64_t a) { return a + n; });
  }
  template <class Index> static void scaleAdd(Warp &w, const Inst &i) {
    uint64_t *__restrict d = w.out<uint64_t>(i.d);
    const uint64_t *a = w.in<uint64_t>(i.a);
    const Index *b = w.in<Index>(i.b);
    const uint32_t *m = w.laneMask;
    uint64_t n = uint64_t(i.imm);
    for (int l = 0; l < W; ++l)
      d[l] = m[l] ? a[l] + uint64_t(int64_t(b[l])) * n : d[l];
  }
  template <class T> static void select(Warp &w, const Inst &i) {
    T *__restrict d = w.out<T>(i.d);
    const uint32_t *c = w.in<uint32_t>(i.a);
    const T *a = w.in<T>(i.b), *b = w.in<T>(i.c);
    const uint32_t *m = w.laneMask;
    for (int l = 0; l < W; ++l)
      d[l] = m[l] ? (c[l] ? a[l] : b[l]) : d[l];
  }
  template <class T> static void copy(Warp &w, const Inst &i) {
    lanes1<W, T, T>(w, i, [](T a) { return a; });
  }
};
} // namespace

Handler sim::integerBinary(int lanes, unsigned opcode, bool wide) {
  return lanes == 64 ? Integer<64>::binary(opcode, wide)
                     : Integer<32>::binary(opcode, wide);
}
Handler sim::integerCompare(int lanes, CmpInst::Predicate p, bool wide) {
  return lanes == 64 ? Integer<64>::compare(p, wide)
                     : Integer<32>::compare(p, wide);
}
Handler sim::selectHandler(int lanes, bool wide) {
  if (lanes == 64)
    return wide ? Integer<64>::select<uint64_t> : Integer<64>::select<uint32_t>;
  return wide ? Integer<32>::select<uint64_t> : Integer<32>::select<uint32_t>;
}
Handler sim::copyHandler(int lanes, bool wide) {
  if (lanes == 64)
    return wide ? Integer<64>::copy<uint64_t> : Integer<64>::copy<uint32_t>;
  return wide ? Integer<32>::copy<uint64_t> : Integer<32>::copy<uint32_t>;
}
Handler sim::addImmediateHandler(int lanes) {
  return lanes == 64 ? Integer<64>::addImmediate : Integer<32>::addImmediate;
}
Handler sim::scaleAddHandler(int lanes, bool wideIndex) {
  if (lanes == 64)
    return wideIndex ? Integer<64>::scaleAdd<int64_t>
                     : Integer<64>::scaleAdd<int32_t>;
  return wideIndex ? Integer<32>::scaleAdd<int64_t>
                   : Integer<32>::scaleAdd<int32_t>;
}
