//===- OpsConvert.cpp - Handlers of casts and integer intrinsics ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/OpsTables.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

using namespace wf;
using namespace wf::sim;
using llvm::Instruction;
using llvm::Intrinsic::ID;

namespace {

/// Casts between slots: what an instruction's imm says of widths.
int64_t fromBits(const Inst &i) { return i.imm & 0xff; }
int64_t toBits(const Inst &i) { return (i.imm >> 8) & 0xff; }

/// Truncates towards zero and saturates; NaN gives 0. What LLVM leaves
/// undefined becomes what GPUs do.
template <class T> int64_t toSigned(T x, int64_t bits) {
  if (x != x)
    return 0;
  double low = -std::ldexp(1.0, int(bits - 1)), high = -low;
  if (double(x) < low)
    return int64_t(~uint64_t(0) << (bits - 1));
  if (double(x) >= high)
    return int64_t((uint64_t(1) << (bits - 1)) - 1);
  return int64_t(x);
}
template <class T> uint64_t toUnsigned(T x, int64_t bits) {
  if (x != x || x <= T(0))
    return 0;
  if (double(x) >= std::ldexp(1.0, int(bits)))
    return bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  return uint64_t(x);
}

template <int W> struct Convert {
  template <class To, class From> static void zext(Warp &w, const Inst &i) {
    lanes1<W, To, From>(w, i, [](From a) { return To(a); });
  }
  template <class To> static void sext(Warp &w, const Inst &i) {
    int64_t bits = fromBits(i);
    uint32_t m = maskOf(std::min<int64_t>(toBits(i), 32));
    lanes1<W, To, uint32_t>(w, i, [bits, m](uint32_t a) {
      int64_t s = signedOf(a, bits);
      return sizeof(To) == 8 ? To(s) : To(uint32_t(s) & m);
    });
  }
  template <class From> static void trunc(Warp &w, const Inst &i) {
    uint32_t m = maskOf(toBits(i));
    lanes1<W, uint32_t, From>(w, i, [m](From a) { return uint32_t(a) & m; });
  }
  template <class T, class I>
  static void fromFloatSigned(Warp &w, const Inst &i) {
    int64_t bits = toBits(i);
    uint64_t m = sizeof(I) == 8 ? ~uint64_t(0) : maskOf(bits);
    lanes1<W, I, T>(w, i,
                    [=](T a) { return I(uint64_t(toSigned(a, bits)) & m); });
  }
  template <class T, class I>
  static void fromFloatUnsigned(Warp &w, const Inst &i) {
    int64_t bits = toBits(i);
    lanes1<W, I, T>(w, i, [=](T a) { return I(toUnsigned(a, bits)); });
  }
  template <class T, class I>
  static void toFloatSigned(Warp &w, const Inst &i) {
    int64_t bits = fromBits(i);
    lanes1<W, T, I>(w, i, [=](I a) {
      return sizeof(I) == 8 ? T(int64_t(a)) : T(signedOf(uint32_t(a), bits));
    });
  }
  template <class T, class I>
  static void toFloatUnsigned(Warp &w, const Inst &i) {
    lanes1<W, T, I>(w, i, [](I a) { return T(a); });
  }
  static void extend(Warp &w, const Inst &i) {
    lanes1<W, double, float>(w, i, [](float a) { return double(a); });
  }
  static void shorten(Warp &w, const Inst &i) {
    lanes1<W, float, double>(w, i, [](double a) { return float(a); });
  }

  static Handler cast(unsigned opcode, Slot from, Slot to) {
    using u32 = uint32_t;
    using u64 = uint64_t;
    bool wf = isWide(from), wt = isWide(to);
    switch (opcode) {
    case Instruction::ZExt:
      return wt ? zext<u64, u32> : zext<u32, u32>;
    case Instruction::SExt:
      return wt ? sext<u64> : sext<u32>;
    case Instruction::Trunc:
      return wf ? trunc<u64> : trunc<u32>;
    case Instruction::FPExt:
      return extend;
    case Instruction::FPTrunc:
      return shorten;
    case Instruction::FPToSI:
      return wf ? (wt ? fromFloatSigned<double, u64>
                      : fromFloatSigned<double, u32>)
                : (wt ? fromFloatSigned<float, u64>
                      : fromFloatSigned<float, u32>);
    case Instruction::FPToUI:
      return wf ? (wt ? fromFloatUnsigned<double, u64>
                      : fromFloatUnsigned<double, u32>)
                : (wt ? fromFloatUnsigned<float, u64>
                      : fromFloatUnsigned<float, u32>);
    case Instruction::SIToFP:
      return wt ? (wf ? toFloatSigned<double, u64> : toFloatSigned<double, u32>)
                : (wf ? toFloatSigned<float, u64> : toFloatSigned<float, u32>);
    case Instruction::UIToFP:
      return wt ? (wf ? toFloatUnsigned<double, u64>
                      : toFloatUnsigned<double, u32>)
                : (wf ? toFloatUnsigned<float, u64>
                      : toFloatUnsigned<float, u32>);
    default:
      return nullptr;
    }
  }

  // Integer intrinsics. U is the slot; N its bits; n the value's.
#define INT_UNARY(X)                                                           \
  X(ctpop, U(std::popcount(a)))                                                \
  X(ctlz, U(std::countl_zero(a) - (N - n)))                                    \
  X(cttz, a ? U(std::countr_zero(a)) : U(n))                                   \
  X(bitreverse, U(N == 64 ? __builtin_bitreverse64(a)                          \
                          : __builtin_bitreverse32(uint32_t(a)) >> (32 - n)))  \
  X(bswap, U(N == 64 ? __builtin_bswap64(a)                                    \
                     : __builtin_bswap32(uint32_t(a)) >> (32 - n)))            \
  X(abs, s(a) < 0 ? U(0) - a : a)
#define INT_BINARY(X)                                                          \
  X(umin, a < b ? a : b)                                                       \
  X(umax, a > b ? a : b)                                                       \
  X(smin, s(a) < s(b) ? a : b)                                                 \
  X(smax, s(a) > s(b) ? a : b)                                                 \
  X(usub_sat, a > b ? a - b : U(0))                                            \
  X(uadd_sat, ((a + b) & m) < a ? m : a + b)                                   \
  X(sadd_sat, clampSum(s(a), s(b), n))                                         \
  X(ssub_sat, clampDifference(s(a), s(b), n))
  static int64_t clampTo(__int128 v, int64_t n) {
    __int128 high = (__int128(1) << (n - 1)) - 1, low = -high - 1;
    return int64_t(v > high ? high : v < low ? low : v);
  }
  static int64_t clampSum(int64_t a, int64_t b, int64_t n) {
    return clampTo(__int128(a) + b, n);
  }
  static int64_t clampDifference(int64_t a, int64_t b, int64_t n) {
    return clampTo(__int128(a) - b, n);
  }
  template <class U> struct Widths {
    static constexpr int N = int(sizeof(U) * 8);
    int64_t n;
    U m;
    explicit Widths(const Inst &i)
        : n(N == 64 ? 64 : i.imm), m(N == 64 ? ~U(0) : U(maskOf(n))) {}
    auto signedValue() const {
      return [n = n](U a) {
        return N == 64 ? int64_t(a) : int64_t(signedOf(uint32_t(a), n));
      };
    }
  };
#define X(NAME, EXPR)                                                          \
  template <class U> static void one_##NAME(Warp &w, const Inst &i) {          \
    Widths<U> v(i);                                                            \
    lanes1<W, U, U>(w, i, [v](U a) {                                           \
      [[maybe_unused]] constexpr int N = Widths<U>::N;                         \
      [[maybe_unused]] int64_t n = v.n;                                        \
      [[maybe_unused]] auto s = v.signedValue();                               \
      return U(EXPR) & v.m;                                                    \
    });                                                                        \
  }
  INT_UNARY(X)
#undef X
#define X(NAME, EXPR)                                                          \
  template <class U> static void two_##NAME(Warp &w, const Inst &i) {          \
    Widths<U> v(i);                                                            \
    lanes2<W, U, U>(w, i, [v](U a, U b) {                                      \
      [[maybe_unused]] U m = v.m;                                              \
      [[maybe_unused]] int64_t n = v.n;                                        \
      [[maybe_unused]] auto s = v.signedValue();                               \
      return U(EXPR) & v.m;                                                    \
    });                                                                        \
  }
  INT_BINARY(X)
#undef X
  // Funnel shifts of 32 and 64 bits.
  template <class U, bool left> static void funnel(Warp &w, const Inst &i) {
    constexpr U N = sizeof(U) * 8;
    lanes3<W, U, U>(w, i, [](U a, U b, U c) {
      c %= N;
      if (left)
        return c ? U(a << c | b >> (N - c)) : a;
      return c ? U(a << (N - c) | b >> c) : b;
    });
  }
  static Handler intrinsic(ID id, bool wide) {
    namespace I = llvm::Intrinsic;
    switch (id) {
#define X(NAME, EXPR)                                                          \
  case I::NAME:                                                                \
    return wide ? one_##NAME<uint64_t> : one_##NAME<uint32_t>;
      INT_UNARY(X)
#undef X
#define X(NAME, EXPR)                                                          \
  case I::NAME:                                                                \
    return wide ? two_##NAME<uint64_t> : two_##NAME<uint32_t>;
      INT_BINARY(X)
#undef X
    case I::fshl:
      return wide ? funnel<uint64_t, true> : funnel<uint32_t, true>;
    case I::fshr:
      return wide ? funnel<uint64_t, false> : funnel<uint32_t, false>;
    default:
      return nullptr;
    }
  }
};
} // namespace

Handler sim::castHandler(int lanes, unsigned opcode, Slot from, Slot to) {
  return lanes == 64 ? Convert<64>::cast(opcode, from, to)
                     : Convert<32>::cast(opcode, from, to);
}
Handler sim::integerIntrinsic(int lanes, ID id, bool wide) {
  return lanes == 64 ? Convert<64>::intrinsic(id, wide)
                     : Convert<32>::intrinsic(id, wide);
}
