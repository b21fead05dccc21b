//===- OperationTest.cpp - Totality, op by op and type by type ------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Integers are compared with __int128 arithmetic on every pair of corner
// values (all pairs for 8 bits); floats with tables of the special cases.
//===----------------------------------------------------------------------===//
#include "Numerics/Operation.h"
#include "Numerics/Value.h"

#include "gtest/gtest.h"

#include <limits>
#include <set>

using namespace wf;

namespace {

using Wide = __int128;
constexpr ScalarType integers[] = {
    ScalarType::I8, ScalarType::I16, ScalarType::I32, ScalarType::I64,
    ScalarType::U8, ScalarType::U16, ScalarType::U32, ScalarType::U64};

int bitsOf(ScalarType t) { return int(8 * byteSize(t)); }

/// A value modulo 2^bits, as a payload.
uint64_t wrap(ScalarType t, Wide value) {
  return uint64_t(value) & (~uint64_t(0) >> (64 - bitsOf(t)));
}

/// The integer behind a payload.
Wide integer(ScalarType t, uint64_t payload) {
  const Wide value = payload;
  return isSigned(t) && payload >> (bitsOf(t) - 1) & 1
             ? value - (Wide(1) << bitsOf(t))
             : value;
}

std::vector<uint64_t> corners(ScalarType t) {
  std::set<uint64_t> payloads;
  if (byteSize(t) == 1)
    for (uint64_t p = 0; p < 256; ++p)
      payloads.insert(p);
  const Wide half = Wide(1) << (bitsOf(t) - 1);
  for (Wide base : {Wide(0), half, 2 * half, half / 2, Wide(7), Wide(100)})
    for (int d = -3; d <= 3; ++d)
      payloads.insert(wrap(t, base + d));
  payloads.insert(wrap(t, Wide(0x9e3779b97f4a7c15u)));
  return {payloads.begin(), payloads.end()};
}

/// What an operation of two integers should give, from exact arithmetic.
Wide expected(NodeOp op, Wide a, Wide b, int bits) {
  const int amount = int(b & (bits - 1));
  switch (op) {
  case NodeOp::Add:
    return a + b;
  case NodeOp::Sub:
    return a - b;
  case NodeOp::Mul:
    return Wide((unsigned __int128)(a) * (unsigned __int128)(b));
  case NodeOp::Div:
    return b == 0 ? 0 : a / b;
  case NodeOp::Rem:
    return b == 0 ? a : a % b;
  case NodeOp::And:
    return a & b;
  case NodeOp::Or:
    return a | b;
  case NodeOp::Xor:
    return a ^ b;
  case NodeOp::Shl:
    return Wide((unsigned __int128)(a) << amount);
  case NodeOp::Shr:
    return a >> amount;
  case NodeOp::Min:
    return std::min(a, b);
  case NodeOp::Max:
    return std::max(a, b);
  case NodeOp::Eq:
  case NodeOp::Same:
    return a == b;
  case NodeOp::Ne:
    return a != b;
  case NodeOp::Lt:
  case NodeOp::Less:
    return a < b;
  case NodeOp::Le:
    return a <= b;
  case NodeOp::Gt:
  case NodeOp::More:
    return a > b;
  case NodeOp::Ge:
    return a >= b;
  case NodeOp::Neg:
    return -a;
  case NodeOp::Not:
    return ~a;
  case NodeOp::Abs:
    return a < 0 ? -a : a;
  default:
    ADD_FAILURE();
    return 0;
  }
}

TEST(Operation, IntegersOfTwo) {
  for (ScalarType t : integers)
    for (NodeOp op :
         {NodeOp::Add, NodeOp::Sub, NodeOp::Mul, NodeOp::Div,  NodeOp::Rem,
          NodeOp::And, NodeOp::Or,  NodeOp::Xor, NodeOp::Shl,  NodeOp::Shr,
          NodeOp::Min, NodeOp::Max, NodeOp::Eq,  NodeOp::Ne,   NodeOp::Lt,
          NodeOp::Le,  NodeOp::Gt,  NodeOp::Ge,  NodeOp::More, NodeOp::Less,
          NodeOp::Same}) {
      const ScalarType result = isDefined(op, t, {t, t}) ? t : ScalarType::Bool;
      ASSERT_TRUE(isDefined(op, result, {t, t})) << operationName(op);
      for (uint64_t a : corners(t))
        for (uint64_t b : corners(t))
          ASSERT_EQ(
              apply(op, result, t, {a, b}),
              wrap(t, expected(op, integer(t, a), integer(t, b), bitsOf(t))))
              << name(t) << " " << operationName(op) << " " << a << " " << b;
    }
}

TEST(Operation, IntegersOfOne) {
  for (ScalarType t : integers)
    for (NodeOp op : {NodeOp::Neg, NodeOp::Not, NodeOp::Abs})
      for (uint64_t a : corners(t))
        ASSERT_EQ(apply(op, t, t, {a}),
                  wrap(t, expected(op, integer(t, a), 0, bitsOf(t))))
            << name(t) << " " << operationName(op) << " " << a;
}

TEST(Operation, TheRulesInTheirOwnWords) {
  const ScalarType i32 = ScalarType::I32;
  const uint64_t min = 0x80000000u, minusOne = 0xffffffffu;
  EXPECT_EQ(apply(NodeOp::Div, i32, i32, {7, 0}), 0u);
  EXPECT_EQ(apply(NodeOp::Rem, i32, i32, {7, 0}), 7u);
  EXPECT_EQ(apply(NodeOp::Div, i32, i32, {min, minusOne}), min);
  EXPECT_EQ(apply(NodeOp::Rem, i32, i32, {min, minusOne}), 0u);
  EXPECT_EQ(apply(NodeOp::Shl, i32, i32, {1, 33}), 2u);
  EXPECT_EQ(apply(NodeOp::Shr, i32, i32, {min, 31}), minusOne);
  EXPECT_EQ(apply(NodeOp::Div, i32, i32, {wrap(i32, -7), 2}), wrap(i32, -3));
  EXPECT_EQ(apply(NodeOp::Rem, i32, i32, {wrap(i32, -7), 2}), minusOne);
  EXPECT_EQ(apply(NodeOp::Abs, i32, i32, {min}), min);
}

TEST(Operation, Bool) {
  const ScalarType t = ScalarType::Bool;
  for (uint64_t a : {0, 1})
    for (uint64_t b : {0, 1}) {
      EXPECT_EQ(apply(NodeOp::And, t, t, {a, b}), a & b);
      EXPECT_EQ(apply(NodeOp::Or, t, t, {a, b}), a | b);
      EXPECT_EQ(apply(NodeOp::Xor, t, t, {a, b}), a ^ b);
      EXPECT_EQ(apply(NodeOp::Min, t, t, {a, b}), a & b);
      EXPECT_EQ(apply(NodeOp::Max, t, t, {a, b}), a | b);
      EXPECT_EQ(apply(NodeOp::Eq, t, t, {a, b}), a == b);
      EXPECT_EQ(apply(NodeOp::Ne, t, t, {a, b}), a != b);
      EXPECT_EQ(apply(NodeOp::Lt, t, t, {a, b}), a < b);
      EXPECT_EQ(apply(NodeOp::More, t, t, {a, b}), a > b);
      EXPECT_EQ(apply(NodeOp::Same, t, t, {a, b}), a == b);
      EXPECT_EQ(apply(NodeOp::Select, ScalarType::I8, t, {a, 3, 4}),
                a ? 3u : 4u);
      for (NodeOp op : {NodeOp::Add, NodeOp::Sub, NodeOp::Mul, NodeOp::Div,
                        NodeOp::Rem, NodeOp::Shl, NodeOp::Shr})
        EXPECT_FALSE(isDefined(op, t, {t, t})) << operationName(op);
    }
  EXPECT_EQ(apply(NodeOp::Not, t, t, {0}), 1u);
  EXPECT_EQ(apply(NodeOp::Not, t, t, {1}), 0u);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

template <typename T> struct FloatOps : testing::Test {
  static constexpr ScalarType type =
      sizeof(T) == 4 ? ScalarType::F32 : ScalarType::F64;
  using L = std::numeric_limits<T>;
  static constexpr T inf = L::infinity(), nan = L::quiet_NaN();

  static T run(NodeOp op, T a, T b = 0, T c = 0) {
    uint64_t x[] = {payloadOf(a), payloadOf(b), payloadOf(c)};
    return valueOf<T>(
        apply(op, type, type, llvm::ArrayRef(x, operandCount(op))));
  }
  static bool test(NodeOp op, T a, T b) {
    return apply(op, ScalarType::Bool, type, {payloadOf(a), payloadOf(b)});
  }
  /// Same value and sign of zero; any NaN equals any.
  static void same(T got, T want, const char *what) {
    if (std::isnan(want))
      EXPECT_TRUE(std::isnan(got)) << what << " gave " << got;
    else
      EXPECT_EQ(payloadOf(got), payloadOf(want)) << what << " gave " << got;
  }
};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(FloatOps, FloatTypes);
#define SAME(got, want) TestFixture::same(got, want, #got)

TYPED_TEST(FloatOps, Specials) {
  using F = TestFixture;
  using T = TypeParam;
  const T inf = F::inf, nan = F::nan, max = F::L::max();
  SAME(F::run(NodeOp::Div, 1, 0), inf);
  SAME(F::run(NodeOp::Div, -1, 0), -inf);
  SAME(F::run(NodeOp::Div, 0, 0), nan);
  SAME(F::run(NodeOp::Sub, inf, inf), nan);
  SAME(F::run(NodeOp::Mul, T(0), inf), nan);
  SAME(F::run(NodeOp::Add, max, max), inf);
  SAME(F::run(NodeOp::Add, T(-0.0), T(-0.0)), T(-0.0));
  SAME(F::run(NodeOp::Sub, 1, 1), T(0));
  SAME(F::run(NodeOp::Neg, 0), T(-0.0));
  SAME(F::run(NodeOp::Abs, T(-0.0)), T(0));
  SAME(F::run(NodeOp::Abs, -inf), inf);
  SAME(F::run(NodeOp::Sqrt, -1), nan);
  SAME(F::run(NodeOp::Sqrt, T(-0.0)), T(-0.0));
  SAME(F::run(NodeOp::Rsqrt, 0), inf);
  SAME(F::run(NodeOp::Rsqrt, T(-0.0)), -inf);
  SAME(F::run(NodeOp::Rsqrt, inf), T(0));
  SAME(F::run(NodeOp::Rsqrt, 4), T(0.5));
  SAME(F::run(NodeOp::Floor, T(-0.5)), T(-1));
  SAME(F::run(NodeOp::Ceil, T(-0.5)), T(-0.0));
  // Denormals are kept.
  const T tiny = F::L::denorm_min();
  SAME(F::run(NodeOp::Add, tiny, tiny), 2 * tiny);
  SAME(F::run(NodeOp::Div, F::L::min(), 2), F::L::min() / 2);
  EXPECT_GT(F::L::min() / 2, T(0));
}

TYPED_TEST(FloatOps, EachRoundsOnce) {
  using F = TestFixture;
  using T = TypeParam;
  const T u = F::L::epsilon() / 2;                    // half a unit of 1
  SAME(F::run(NodeOp::Add, 1, u), T(1));              // a tie, to even
  SAME(F::run(NodeOp::Add, 1 + 2 * u, u), 1 + 4 * u); // a tie, to even
  // (1+2u)(1-2u) = 1 - 4u²: lost by mul, seen by fma.
  SAME(F::run(NodeOp::Mul, 1 + 2 * u, 1 - 2 * u), T(1));
  SAME(F::run(NodeOp::Fma, 1 + 2 * u, 1 - 2 * u, -1), -4 * u * u);
  EXPECT_LT(-4 * u * u, T(0));
  // rsqrt is 1/sqrt(x) with both roundings.
  for (int i = 1; i < 200; ++i)
    SAME(F::run(NodeOp::Rsqrt, T(i)),
         F::run(NodeOp::Div, 1, F::run(NodeOp::Sqrt, T(i))));
}

TYPED_TEST(FloatOps, MinMax) {
  using F = TestFixture;
  using T = TypeParam;
  const T nan = F::nan, minus = T(-0.0), plus = T(0);
  for (NodeOp op : {NodeOp::Min, NodeOp::Max})
    for (T x : {T(1), T(-1), F::inf, -F::inf, nan}) {
      SAME(F::run(op, x, nan), nan);
      SAME(F::run(op, nan, x), nan);
    }
  SAME(F::run(NodeOp::Min, minus, plus), minus);
  SAME(F::run(NodeOp::Min, plus, minus), minus);
  SAME(F::run(NodeOp::Max, minus, plus), plus);
  SAME(F::run(NodeOp::Max, plus, minus), plus);
  SAME(F::run(NodeOp::Min, 2, -3), T(-3));
  SAME(F::run(NodeOp::Max, 2, -3), T(2));
}

TYPED_TEST(FloatOps, Orders) {
  using F = TestFixture;
  using T = TypeParam;
  const T nan = F::nan, minus = T(-0.0);
  for (T x : {T(1), T(0), F::inf, -F::inf}) {
    for (NodeOp op : {NodeOp::More, NodeOp::Less}) {
      EXPECT_TRUE(F::test(op, nan, x));
      EXPECT_FALSE(F::test(op, x, nan));
      EXPECT_FALSE(F::test(op, x, x));
    }
    EXPECT_FALSE(F::test(NodeOp::Same, nan, x));
    EXPECT_FALSE(F::test(NodeOp::Same, x, nan));
    EXPECT_TRUE(F::test(NodeOp::Same, x, x));
    // IEEE comparisons with NaN: all false but !=.
    for (NodeOp op :
         {NodeOp::Eq, NodeOp::Lt, NodeOp::Le, NodeOp::Gt, NodeOp::Ge}) {
      EXPECT_FALSE(F::test(op, nan, x));
      EXPECT_FALSE(F::test(op, x, nan));
    }
    EXPECT_TRUE(F::test(NodeOp::Ne, nan, x));
  }
  EXPECT_FALSE(F::test(NodeOp::More, nan, nan));
  EXPECT_FALSE(F::test(NodeOp::Less, nan, nan));
  EXPECT_TRUE(F::test(NodeOp::Same, nan, -nan));
  EXPECT_TRUE(F::test(NodeOp::Same, minus, T(0)));
  EXPECT_FALSE(F::test(NodeOp::Less, minus, T(0)));
  EXPECT_TRUE(F::test(NodeOp::Eq, minus, T(0)));
  EXPECT_TRUE(F::test(NodeOp::More, 2, 1));
  EXPECT_TRUE(F::test(NodeOp::Less, -F::inf, 1));
  EXPECT_EQ(apply(NodeOp::IsNan, ScalarType::Bool, F::type, {payloadOf(nan)}),
            1u);
  EXPECT_EQ(
      apply(NodeOp::IsNan, ScalarType::Bool, F::type, {payloadOf(F::inf)}), 0u);
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

TEST(Operation, IntegerCastsWrap) {
  for (ScalarType from : integers)
    for (ScalarType to : integers)
      for (uint64_t a : corners(from))
        ASSERT_EQ(apply(NodeOp::Cast, to, from, {a}),
                  wrap(to, integer(from, a)))
            << name(from) << " " << name(to) << " " << a;
}

template <typename F> void floatToIntegers(ScalarType from) {
  const F inf = std::numeric_limits<F>::infinity();
  for (ScalarType to : integers) {
    auto cast = [&](F x) {
      return integer(to, apply(NodeOp::Cast, to, from, {payloadOf(x)}));
    };
    const int digits = bitsOf(to) - (isSigned(to) ? 1 : 0);
    const Wide max = (Wide(1) << digits) - 1;
    const Wide min = isSigned(to) ? -max - 1 : Wide(0);
    const F past = std::ldexp(F(1), digits);
    EXPECT_EQ(int64_t(cast(std::numeric_limits<F>::quiet_NaN())), 0);
    EXPECT_TRUE(cast(inf) == max && cast(past) == max && cast(F(1e30)) == max);
    EXPECT_TRUE(cast(-inf) == min && cast(-past * 2) == min);
    const F below = std::nextafter(past, F(0));
    EXPECT_TRUE(cast(below) == Wide(below)) << name(to);
    EXPECT_TRUE(cast(F(2.75)) == 2);
    EXPECT_TRUE(cast(F(-2.75)) == (isSigned(to) ? -2 : 0));
    EXPECT_TRUE(cast(F(-0.5)) == 0);
  }
}

TEST(Operation, FloatsToIntegersSaturate) {
  floatToIntegers<float>(ScalarType::F32);
  floatToIntegers<double>(ScalarType::F64);
}

TEST(Operation, CastsToFloatsRoundToNearestEven) {
  auto toF32 = [](ScalarType from, uint64_t x) {
    return valueOf<float>(apply(NodeOp::Cast, ScalarType::F32, from, {x}));
  };
  EXPECT_EQ(toF32(ScalarType::I32, 16777217), 16777216.0f); // a tie, to even
  EXPECT_EQ(toF32(ScalarType::I32, 16777219), 16777220.0f);
  EXPECT_EQ(toF32(ScalarType::U64, ~uint64_t(0)), 18446744073709551616.0f);
  // Rounding through f64 first would make this a tie and give 2^60.
  const uint64_t once = (uint64_t(1) << 60) + (uint64_t(1) << 36) + 1;
  EXPECT_EQ(toF32(ScalarType::U64, once),
            std::ldexp(1.0f, 60) * (1 + 0x1p-23f));
  EXPECT_EQ(toF32(ScalarType::I64, once),
            std::ldexp(1.0f, 60) * (1 + 0x1p-23f));
  EXPECT_EQ(toF32(ScalarType::F64, payloadOf(1 + 0x1p-24)), 1.0f);
  EXPECT_EQ(toF32(ScalarType::F64, payloadOf(1e300)), HUGE_VALF);
  EXPECT_EQ(toF32(ScalarType::I8, 0xff), -1.0f);
  EXPECT_EQ(valueOf<double>(apply(NodeOp::Cast, ScalarType::F64,
                                  ScalarType::I64, {(1ull << 53) + 1})),
            9007199254740992.0);
}

TEST(Operation, BoolCasts) {
  const ScalarType b = ScalarType::Bool;
  auto toBool = [&](ScalarType from, uint64_t x) {
    return apply(NodeOp::Cast, b, from, {x});
  };
  for (ScalarType t : integers) {
    EXPECT_EQ(toBool(t, 0), 0u);
    EXPECT_EQ(toBool(t, uint64_t(1) << (bitsOf(t) - 1)), 1u);
    EXPECT_EQ(apply(NodeOp::Cast, t, b, {1}), 1u);
    EXPECT_EQ(apply(NodeOp::Cast, t, b, {0}), 0u);
  }
  EXPECT_EQ(toBool(ScalarType::F32, quietNan(ScalarType::F32)), 1u);
  EXPECT_EQ(toBool(ScalarType::F32, payloadOf(-0.0f)), 0u);
  EXPECT_EQ(toBool(ScalarType::F64, 1), 1u); // the least denormal
  EXPECT_EQ(apply(NodeOp::Cast, ScalarType::F64, b, {1}), payloadOf(1.0));
  EXPECT_EQ(toBool(b, 1), 1u);
}

TEST(Operation, BitcastsKeepBits) {
  const uint64_t oddNan = 0xffc12345u;
  EXPECT_EQ(apply(NodeOp::Bitcast, ScalarType::U32, ScalarType::F32, {oddNan}),
            oddNan);
  EXPECT_EQ(apply(NodeOp::Bitcast, ScalarType::F32, ScalarType::I32, {oddNan}),
            oddNan);
  EXPECT_FALSE(isDefined(NodeOp::Bitcast, ScalarType::F32, {ScalarType::F64}));
  EXPECT_FALSE(isDefined(NodeOp::Bitcast, ScalarType::Bool, {ScalarType::U8}));
}

TEST(Operation, FloatsHaveNoRemainder) {
  EXPECT_FALSE(isDefined(NodeOp::Rem, ScalarType::F32,
                         {ScalarType::F32, ScalarType::F32}));
  EXPECT_FALSE(isDefined(NodeOp::Sqrt, ScalarType::I32, {ScalarType::I32}));
  EXPECT_FALSE(isDefined(NodeOp::Add, ScalarType::I32,
                         {ScalarType::I32, ScalarType::I64}));
  EXPECT_FALSE(isDefined(NodeOp::Add, ScalarType::I32, {ScalarType::I32}));
}

} // namespace
