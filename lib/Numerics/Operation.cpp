//===- Operation.cpp - One total operation on scalars ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The rules of Language/Program.h, one kind of type at a time: integers,
// floats, bool; then casts, which go between them.
//===----------------------------------------------------------------------===//
#include "Numerics/Operation.h"
#include "Numerics/Value.h"

#include "llvm/Support/ErrorHandling.h"

#include <limits>
#include <type_traits>

using namespace wf;

//===----------------------------------------------------------------------===//
// What is defined on what
//===----------------------------------------------------------------------===//

std::string_view wf::operationName(NodeOp op) {
  switch (op) {
#define X(E, N, C)                                                             \
  case NodeOp::E:                                                              \
    return N;
    WF_NODE_OPS(X)
#undef X
  }
  return "?";
}

unsigned wf::operandCount(NodeOp op) {
  switch (op) {
#define X(E, N, C)                                                             \
  case NodeOp::E:                                                              \
    return C;
    WF_NODE_OPS(X)
#undef X
  }
  return 0;
}

bool wf::isDefined(NodeOp op, ScalarType result,
                   llvm::ArrayRef<ScalarType> operands) {
  if (operands.size() != operandCount(op))
    return false;
  if (operands.empty())
    return true;
  const ScalarType first = operands.front();
  auto allAre = [&](ScalarType t) {
    return llvm::all_of(operands, [&](ScalarType o) { return o == t; });
  };
  switch (op) {
  case NodeOp::Constant:
  case NodeOp::Argument:
    return true;
  case NodeOp::Add:
  case NodeOp::Sub:
  case NodeOp::Mul:
  case NodeOp::Div:
  case NodeOp::Neg:
  case NodeOp::Abs:
    return allAre(result) && result != ScalarType::Bool;
  case NodeOp::Rem:
  case NodeOp::Shl:
  case NodeOp::Shr:
    return allAre(result) && isInteger(result);
  case NodeOp::And:
  case NodeOp::Or:
  case NodeOp::Xor:
  case NodeOp::Not:
    return allAre(result) && !isFloat(result);
  case NodeOp::Min:
  case NodeOp::Max:
    return allAre(result);
  case NodeOp::Eq:
  case NodeOp::Ne:
  case NodeOp::Lt:
  case NodeOp::Le:
  case NodeOp::Gt:
  case NodeOp::Ge:
  case NodeOp::More:
  case NodeOp::Less:
  case NodeOp::Same:
    return result == ScalarType::Bool && allAre(first);
  case NodeOp::Select:
    return first == ScalarType::Bool && operands[1] == result &&
           operands[2] == result;
  case NodeOp::Cast:
    return true;
  case NodeOp::Bitcast:
    return byteSize(first) == byteSize(result) &&
           (first == ScalarType::Bool) == (result == ScalarType::Bool);
  case NodeOp::Sqrt:
  case NodeOp::Rsqrt:
  case NodeOp::Fma:
  case NodeOp::Floor:
  case NodeOp::Ceil:
    return allAre(result) && isFloat(result);
  case NodeOp::IsNan:
    return result == ScalarType::Bool && isFloat(first);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// Lt..Ge and Eq, Ne, by C++'s operators: IEEE on floats.
template <typename T> static bool compare(NodeOp op, T a, T b) {
  switch (op) {
  case NodeOp::Eq:
    return a == b;
  case NodeOp::Ne:
    return a != b;
  case NodeOp::Lt:
    return a < b;
  case NodeOp::Le:
    return a <= b;
  case NodeOp::Gt:
    return a > b;
  case NodeOp::Ge:
    return a >= b;
  default:
    llvm_unreachable("not a comparison");
  }
}

/// More, Less, Same: NaN stands first in both directions, so that argmax and
/// argmin both find it.
template <typename T> static bool compareTotal(NodeOp op, T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    const bool aNan = std::isnan(a), bNan = std::isnan(b);
    if (aNan || bNan)
      return op == NodeOp::Same ? aNan && bNan : aNan && !bNan;
  }
  if (op == NodeOp::Same)
    return a == b;
  return op == NodeOp::More ? a > b : a < b;
}

/// True for the nine operations that give a bool from two operands.
static bool isComparison(NodeOp op) {
  return op >= NodeOp::Eq && op <= NodeOp::Same;
}

template <typename T>
static uint64_t compareAny(NodeOp op, uint64_t a, uint64_t b) {
  const T x = valueOf<T>(a), y = valueOf<T>(b);
  return op >= NodeOp::More ? compareTotal(op, x, y) : compare(op, x, y);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Quotient and remainder, truncating; total.
template <typename T> static T divide(T a, T b) {
  if (b == 0)
    return 0;
  if (std::is_signed_v<T> && b == T(-1))
    return T(0 - uint64_t(a)); // wraps at the least value
  return T(a / b);
}
template <typename T> static T remainder(T a, T b) {
  if (b == 0)
    return a;
  if (std::is_signed_v<T> && b == T(-1))
    return 0;
  return T(a % b);
}

template <typename T>
static T applyInteger(NodeOp op, llvm::ArrayRef<uint64_t> x) {
  const T a = valueOf<T>(x[0]), b = x.size() > 1 ? valueOf<T>(x[1]) : T(0);
  // Sums, differences and products wrap: their low bits are the same in
  // unsigned 64-bit arithmetic, where C++ defines them.
  const uint64_t ua = uint64_t(a), ub = uint64_t(b);
  const unsigned amount = unsigned(ub & (8 * sizeof(T) - 1));
  switch (op) {
  case NodeOp::Add:
    return T(ua + ub);
  case NodeOp::Sub:
    return T(ua - ub);
  case NodeOp::Mul:
    return T(ua * ub);
  case NodeOp::Div:
    return divide(a, b);
  case NodeOp::Rem:
    return remainder(a, b);
  case NodeOp::And:
    return T(ua & ub);
  case NodeOp::Or:
    return T(ua | ub);
  case NodeOp::Xor:
    return T(ua ^ ub);
  case NodeOp::Shl:
    return T(ua << amount);
  case NodeOp::Shr:
    return T(a >> amount); // arithmetic for signed (C++20)
  case NodeOp::Neg:
    return T(0 - ua);
  case NodeOp::Not:
    return T(~ua);
  case NodeOp::Min:
    return b < a ? b : a;
  case NodeOp::Max:
    return a < b ? b : a;
  case NodeOp::Abs:
    return a < T(0) ? T(0 - ua) : a;
  default:
    llvm_unreachable("not an operation on integers");
  }
}

/// bool is 0 or 1 in a uint8_t, ordered false < true.
static uint64_t applyBool(NodeOp op, llvm::ArrayRef<uint64_t> x) {
  const bool a = x[0], b = x.size() > 1 && x[1];
  switch (op) {
  case NodeOp::And:
  case NodeOp::Min:
    return a && b;
  case NodeOp::Or:
  case NodeOp::Max:
    return a || b;
  case NodeOp::Xor:
    return a != b;
  case NodeOp::Not:
    return !a;
  default:
    llvm_unreachable("not an operation on bool");
  }
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

template <typename T> static T minimum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<T>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? a : b; // -0 below +0
  return a < b ? a : b;
}
template <typename T> static T maximum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<T>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? b : a;
  return a < b ? b : a;
}

template <typename T>
static T applyFloat(NodeOp op, llvm::ArrayRef<uint64_t> x) {
  const T a = valueOf<T>(x[0]), b = x.size() > 1 ? valueOf<T>(x[1]) : T(0);
  switch (op) {
  case NodeOp::Add:
    return a + b;
  case NodeOp::Sub:
    return a - b;
  case NodeOp::Mul:
    return a * b;
  case NodeOp::Div:
    return a / b;
  case NodeOp::Neg:
    return -a;
  case NodeOp::Min:
    return minimum(a, b);
  case NodeOp::Max:
    return maximum(a, b);
  case NodeOp::Abs:
    return std::fabs(a);
  case NodeOp::Sqrt:
    return std::sqrt(a);
  case NodeOp::Rsqrt:
    return T(1) / std::sqrt(a); // two roundings: that is its definition
  case NodeOp::Fma:
    return std::fma(a, b, valueOf<T>(x[2]));
  case NodeOp::Floor:
    return std::floor(a);
  case NodeOp::Ceil:
    return std::ceil(a);
  default:
    llvm_unreachable("not an operation on floats");
  }
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Float to integer: towards zero, saturating, NaN to 0.
template <typename To, typename From> static To saturate(From x) {
  if (std::isnan(x))
    return 0;
  // The bounds are powers of two (or 0), so both are exact in From: `lowest`
  // is the least integer, `past` the first value above the greatest.
  const From past = std::ldexp(From(1), std::numeric_limits<To>::digits);
  const From lowest = std::is_signed_v<To> ? -past : From(0);
  if (x <= lowest)
    return std::numeric_limits<To>::min();
  if (x >= past)
    return std::numeric_limits<To>::max();
  return To(x);
}

template <typename To, typename From> static To convert(From x) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>)
    return saturate<To>(x);
  else
    return To(x); // wraps to integers, rounds to nearest even to floats
}

/// From a C++ value to the type `to`.
template <typename From> static uint64_t castTo(ScalarType to, From x) {
  if (to == ScalarType::Bool)
    return x != From(0); // NaN is not 0
  switch (to) {
#define X(E, N, B, D, S, T)                                                    \
  case ScalarType::E:                                                          \
    return payloadOf(convert<T>(x));
    WF_SCALAR_TYPES(X)
#undef X
  }
  llvm_unreachable("unknown type");
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

template <typename T>
static uint64_t applyTyped(NodeOp op, ScalarType result,
                           llvm::ArrayRef<uint64_t> x) {
  if (op == NodeOp::Cast)
    return castTo(result, valueOf<T>(x[0]));
  if (isComparison(op))
    return compareAny<T>(op, x[0], x[1]);
  if constexpr (std::is_floating_point_v<T>)
    return payloadOf(applyFloat<T>(op, x));
  else
    return payloadOf(applyInteger<T>(op, x));
}

uint64_t wf::apply(NodeOp op, ScalarType result, ScalarType operandType,
                   llvm::ArrayRef<uint64_t> x) {
  if (op == NodeOp::Select)
    return x[0] ? x[1] : x[2];
  if (op == NodeOp::Bitcast)
    return x[0];
  if (op == NodeOp::IsNan)
    return isNan(operandType, x[0]);
  if (operandType == ScalarType::Bool && op != NodeOp::Cast &&
      !isComparison(op))
    return applyBool(op, x);
  switch (operandType) {
#define X(E, N, B, D, S, T)                                                    \
  case ScalarType::E:                                                          \
    return applyTyped<T>(op, result, x);
    WF_SCALAR_TYPES(X)
#undef X
  }
  llvm_unreachable("unknown type");
}
