//===- OpsFloat.cpp - Handlers of floating-point arithmetic ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Every operation rounds once, to nearest even, denormals kept, as the host
// does. Fast-math flags permit other results and are not made use of.
//===----------------------------------------------------------------------===//
#include "Simulator/OpsTables.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

#include <bit>
#include <cmath>

using namespace wf;
using namespace wf::sim;
using llvm::CmpInst;
using llvm::Instruction;
using llvm::Intrinsic::ID;

namespace {

template <class T> T ieeeMinimum(T a, T b) { // NaN wins, -0 below +0
  if (a != a || b != b)
    return a + b;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class T> T ieeeMaximum(T a, T b) {
  if (a != a || b != b)
    return a + b;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
// A NaN is as if it were not there.
template <class T> T numberMinimum(T a, T b) {
  return a != a ? b : b != b ? a : ieeeMinimum(a, b);
}
template <class T> T numberMaximum(T a, T b) {
  return a != a ? b : b != b ? a : ieeeMaximum(a, b);
}

template <int W, class T> struct Float {
#define FLOAT_OPS(X)                                                           \
  X(FAdd, a + b)                                                               \
  X(FSub, a - b)                                                               \
  X(FMul, a *b)                                                                \
  X(FDiv, a / b)                                                               \
  X(FRem, std::fmod(a, b))
#define X(NAME, EXPR)                                                          \
  static void op##NAME(Warp &w, const Inst &i) {                               \
    lanes2<W, T, T>(w, i, [](T a, T b) { return T(EXPR); });                   \
  }
  FLOAT_OPS(X)
#undef X
  static void negate(Warp &w, const Inst &i) {
    lanes1<W, T, T>(w, i, [](T a) { return -a; });
  }
  static Handler binary(unsigned opcode) {
    switch (opcode) {
#define X(NAME, EXPR)                                                          \
  case Instruction::NAME:                                                      \
    return op##NAME;
      FLOAT_OPS(X)
#undef X
    case Instruction::FNeg:
      return negate;
    default:
      return nullptr;
    }
  }

  template <class F> static void compareBy(Warp &w, const Inst &i, F f) {
    lanes2<W, uint32_t, T>(w, i, [f](T a, T b) { return uint32_t(f(a, b)); });
  }
#define FLOAT_COMPARISONS(X)                                                   \
  X(FALSE, false)                                                              \
  X(OEQ, a == b)                                                               \
  X(OGT, a > b)                                                                \
  X(OGE, a >= b)                                                               \
  X(OLT, a < b)                                                                \
  X(OLE, a <= b)                                                               \
  X(ONE, a<b || a> b)                                                          \
  X(ORD, a == a && b == b)                                                     \
  X(UNO, a != a || b != b)                                                     \
  X(UEQ, !(a < b || a > b))                                                    \
  X(UGT, !(a <= b))                                                            \
  X(UGE, !(a < b))                                                             \
  X(ULT, !(a >= b))                                                            \
  X(ULE, !(a > b))                                                             \
  X(UNE, a != b)                                                               \
  X(TRUE, true)
#define X(NAME, EXPR)                                                          \
  static void cmp##NAME(Warp &w, const Inst &i) {                              \
    compareBy(w, i, [](T a, T b) { return EXPR; });                            \
  }
  FLOAT_COMPARISONS(X)
#undef X
  static Handler compare(CmpInst::Predicate p) {
    switch (p) {
#define X(NAME, EXPR)                                                          \
  case CmpInst::FCMP_##NAME:                                                   \
    return cmp##NAME;
      FLOAT_COMPARISONS(X)
#undef X
    default:
      return nullptr;
    }
  }

  // exp, log and their kind are the host's: a GPU's own differ in the last
  // bits, and Warpfold's kernels do not use them.
#define FLOAT_UNARY(X)                                                         \
  X(fabs, std::fabs(a))                                                        \
  X(sqrt, std::sqrt(a))                                                        \
  X(floor, std::floor(a))                                                      \
  X(ceil, std::ceil(a))                                                        \
  X(trunc, std::trunc(a))                                                      \
  X(rint, std::nearbyint(a))                                                   \
  X(nearbyint, std::nearbyint(a))                                              \
  X(roundeven, std::nearbyint(a))                                              \
  X(round, std::round(a))                                                      \
  X(exp, std::exp(a))                                                          \
  X(exp2, std::exp2(a))                                                        \
  X(log, std::log(a))                                                          \
  X(log2, std::log2(a))                                                        \
  X(log10, std::log10(a))                                                      \
  X(sin, std::sin(a))                                                          \
  X(cos, std::cos(a))                                                          \
  X(tanh, std::tanh(a))                                                        \
  X(canonicalize, a)
#define FLOAT_BINARY(X)                                                        \
  X(minimum, ieeeMinimum(a, b))                                                \
  X(maximum, ieeeMaximum(a, b))                                                \
  X(minnum, numberMinimum(a, b))                                               \
  X(maxnum, numberMaximum(a, b))                                               \
  X(minimumnum, numberMinimum(a, b))                                           \
  X(maximumnum, numberMaximum(a, b))                                           \
  X(copysign, std::copysign(a, b))                                             \
  X(pow, std::pow(a, b))
#define X(NAME, EXPR)                                                          \
  static void one_##NAME(Warp &w, const Inst &i) {                             \
    lanes1<W, T, T>(w, i, [](T a) { return T(EXPR); });                        \
  }
  FLOAT_UNARY(X)
#undef X
#define X(NAME, EXPR)                                                          \
  static void two_##NAME(Warp &w, const Inst &i) {                             \
    lanes2<W, T, T>(w, i, [](T a, T b) { return T(EXPR); });                   \
  }
  FLOAT_BINARY(X)
#undef X
  static void fused(Warp &w, const Inst &i) {
    lanes3<W, T, T>(w, i, [](T a, T b, T c) { return std::fma(a, b, c); });
  }
  static void unfused(Warp &w, const Inst &i) {
    lanes3<W, T, T>(w, i, [](T a, T b, T c) {
      T product = a * b; // not contracted: -ffp-contract=off
      return product + c;
    });
  }
  static void reciprocal(Warp &w, const Inst &i) {
    lanes1<W, T, T>(w, i, [](T a) { return T(1) / a; });
  }
  static Handler intrinsic(ID id) {
    namespace I = llvm::Intrinsic;
    switch (id) {
#define X(NAME, EXPR)                                                          \
  case I::NAME:                                                                \
    return one_##NAME;
      FLOAT_UNARY(X)
#undef X
#define X(NAME, EXPR)                                                          \
  case I::NAME:                                                                \
    return two_##NAME;
      FLOAT_BINARY(X)
#undef X
    case I::fma:
      return fused;
    case I::fmuladd:
      return unfused;
    case I::nvvm_sqrt_rn_f:
    case I::nvvm_sqrt_rn_d:
      return one_sqrt;
    case I::nvvm_rcp_rn_f:
    case I::nvvm_rcp_rn_d:
      return reciprocal;
    default:
      return nullptr;
    }
  }
};
} // namespace

#define PICK(CALL)                                                             \
  (lanes == 64 ? (wide ? Float<64, double>::CALL : Float<64, float>::CALL)     \
               : (wide ? Float<32, double>::CALL : Float<32, float>::CALL))

Handler sim::floatBinary(int lanes, unsigned opcode, bool wide) {
  return PICK(binary(opcode));
}
Handler sim::floatCompare(int lanes, CmpInst::Predicate p, bool wide) {
  return PICK(compare(p));
}
Handler sim::floatIntrinsic(int lanes, ID id, bool wide) {
  return PICK(intrinsic(id));
}

Handler sim::binaryHandler(int lanes, unsigned opcode, Slot slot) {
  return slot == Slot::F32 || slot == Slot::F64
             ? floatBinary(lanes, opcode, isWide(slot))
             : integerBinary(lanes, opcode, isWide(slot));
}
Handler sim::compareHandler(int lanes, CmpInst::Predicate p, Slot slot) {
  return slot == Slot::F32 || slot == Slot::F64
             ? floatCompare(lanes, p, isWide(slot))
             : integerCompare(lanes, p, isWide(slot));
}
Handler sim::intrinsicHandler(int lanes, ID id, Slot slot) {
  return slot == Slot::F32 || slot == Slot::F64
             ? floatIntrinsic(lanes, id, isWide(slot))
             : integerIntrinsic(lanes, id, isWide(slot));
}
