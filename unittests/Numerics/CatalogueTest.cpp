//===- CatalogueTest.cpp - The built-in reductions by the oracle ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Language and oracle together, against loops written out in C++. What is
// exact is compared bit for bit; float sums with their exact value and bound.
//===----------------------------------------------------------------------===//
#include "Language/Catalogue.h"
#include "Language/Checker.h"
#include "Numerics/Check.h"
#include "Numerics/Evaluate.h"
#include "Numerics/Fold.h"
#include "Numerics/Operation.h"
#include "Numerics/TreeFold.h"
#include "Programs.h"

#include "gtest/gtest.h"

#include <functional>
#include <random>

using namespace wf;
using namespace wf::test;

namespace {

constexpr ScalarType allTypes[] = {
#define X(E, ...) ScalarType::E,
    WF_SCALAR_TYPES(X)
#undef X
};
constexpr Order allOrders[] = {Order::Canonical, Order::Ordered,
                               Order::Sequential};

llvm::Expected<Program> op(llvm::StringRef name, ScalarType type,
                           bool nanIgnore = false) {
  llvm::Expected<ReductionAst> ast = lookupOp(name);
  if (!ast)
    return ast.takeError();
  CheckOptions options;
  options.inputs = {type};
  options.nanIgnore = nanIgnore;
  return check(*ast, options);
}

std::vector<uint64_t> fold(const Program &p, Order order,
                           llvm::ArrayRef<uint64_t> xs) {
  auto results = foldOne(p, order, int64_t(xs.size()),
                         [&](unsigned, int64_t k) { return xs[size_t(k)]; });
  if (!results) {
    ADD_FAILURE() << llvm::toString(results.takeError());
    return {0, 0};
  }
  return *results;
}

/// Payloads of a type: any bits of an integer, small halves of a float (some
/// of them negative zeros), 0 or 1 of a bool.
std::vector<uint64_t> elements(ScalarType type, size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> xs;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t bits = random();
    const double small = (double(bits % 41) - 20) / 2;
    const double value = small == 0 && bits >> 63 ? -0.0 : small;
    if (type == ScalarType::F32)
      xs.push_back(payloadOf(float(value)));
    else if (type == ScalarType::F64)
      xs.push_back(payloadOf(value));
    else if (type == ScalarType::Bool)
      xs.push_back(bits & 1);
    else
      xs.push_back(apply(NodeOp::Cast, type, ScalarType::U64, bits));
  }
  return xs;
}

TEST(Catalogue, EveryOpOnEveryTypeIsAProgramTheOracleTakes) {
  int taken = 0;
  for (const CatalogueEntry &entry : catalogue())
    for (ScalarType type : allTypes)
      for (bool nanIgnore : {false, true}) {
        llvm::Expected<Program> p = op(entry.name, type, nanIgnore);
        if (!p) { // such as xor of floats
          llvm::consumeError(p.takeError());
          continue;
        }
        EXPECT_EQ(llvm::toString(verify(*p)), "")
            << entry.name.str() << " of " << name(type);
        fold(*p, Order::Canonical, elements(type, 300, 1));
        ++taken;
      }
  EXPECT_GT(taken, 300);
}

/// left = op(left, x) over all x, by apply().
uint64_t chain(NodeOp op, ScalarType type, llvm::ArrayRef<uint64_t> xs) {
  uint64_t all = xs[0];
  for (uint64_t x : xs.drop_front())
    all = apply(op, type, type, {all, x});
  return all;
}

/// `xs` cast to another type.
std::vector<uint64_t> castAll(ScalarType to, ScalarType from,
                              llvm::ArrayRef<uint64_t> xs) {
  std::vector<uint64_t> out;
  for (uint64_t x : xs)
    out.push_back(apply(NodeOp::Cast, to, from, x));
  return out;
}

TEST(Catalogue, ExactOpsAreTheirPlainLoops) {
  for (ScalarType type : allTypes)
    for (Order order : allOrders)
      for (size_t count : {1, 2, 5, 130, 4097, 20000}) {
        const std::vector<uint64_t> xs = elements(type, count, unsigned(count));
        auto expect = [&](llvm::StringRef what, uint64_t want) {
          llvm::Expected<Program> p = op(what, type);
          ASSERT_TRUE(bool(p)) << llvm::toString(p.takeError());
          EXPECT_EQ(fold(*p, order, xs)[0], want)
              << what.str() << " of " << count << " " << name(type);
        };
        expect("min", chain(NodeOp::Min, type, xs));
        expect("max", chain(NodeOp::Max, type, xs));
        const auto bools = castAll(ScalarType::Bool, type, xs);
        expect("any", chain(NodeOp::Or, ScalarType::Bool, bools));
        expect("all", chain(NodeOp::And, ScalarType::Bool, bools));
        uint64_t nonzero = 0, least = 0, greatest = 0;
        for (size_t k = 0; k < count; ++k) {
          nonzero += bools[k];
          auto beats = [&](NodeOp op, uint64_t best) {
            return apply(op, ScalarType::Bool, type, {xs[k], xs[best]});
          };
          least = beats(NodeOp::Less, least) ? k : least;
          greatest = beats(NodeOp::More, greatest) ? k : greatest;
        }
        expect("count_nonzero", nonzero);
        expect("argmin", least);
        expect("argmax", greatest);
        if (isFloat(type))
          continue;
        expect("xor", chain(NodeOp::Xor, type, xs));
        expect("bitand", chain(NodeOp::And, type, xs));
        expect("bitor", chain(NodeOp::Or, type, xs));
        const ScalarType wide =
            isUnsigned(type) ? ScalarType::U64 : ScalarType::I64;
        expect("sum", chain(NodeOp::Add, wide, castAll(wide, type, xs)));
        expect("prod", chain(NodeOp::Mul, wide, castAll(wide, type, xs)));
      }
}

TEST(Catalogue, FloatSumsAreThoseOfTheGoldenProgram) {
  for (ScalarType type : {ScalarType::F32, ScalarType::F64}) {
    llvm::Expected<Program> p = op("sum", type);
    ASSERT_TRUE(bool(p));
    EXPECT_EQ(orderShape(*p), orderShape(sumProgram(type)));
    const Array x = goldenArray(type, {5000});
    const int64_t axes[] = {0};
    for (Order order : allOrders) {
      auto got = foldArrays(*p, order, x, axes, false);
      auto want = foldArrays(sumProgram(type), order, x, axes, false);
      ASSERT_TRUE(bool(got) && bool(want));
      const CheckReport report = compare(
          (*got)[0], (*want)[0], SumProblem{x, axes, order, orderShape(*p)});
      EXPECT_TRUE(report.ok()) << report.text();
    }
  }
}

TEST(Catalogue, MeanAndVarianceWhereNothingIsRounded) {
  // 1024 elements, half of them 1, half of them 3: mean 2, variance 1. Every
  // subtree under `ordered` is a power of two, so the shares are exact.
  std::vector<uint64_t> xs;
  for (int k = 0; k < 1024; ++k)
    xs.push_back(payloadOf(k % 2 ? 3.0 : 1.0));
  for (auto [what, want] :
       {std::pair("mean", 2.0), {"var", 1.0}, {"std", 1.0}}) {
    llvm::Expected<Program> p = op(what, ScalarType::F64);
    ASSERT_TRUE(bool(p));
    EXPECT_EQ(valueOf<double>(fold(*p, Order::Ordered, xs)[0]), want) << what;
  }
  // Equal values have no variance, whatever the counts.
  llvm::Expected<Program> var = op("var", ScalarType::F64);
  for (Order order : allOrders)
    EXPECT_EQ(fold(*var, order, std::vector<uint64_t>(5001, payloadOf(0.1)))[0],
              payloadOf(0.0));
}

TEST(Catalogue, IgnoredNansLeaveTheOtherPositionsWhereTheyAre) {
  // Sums over trees in which an element may be absent: an empty side gives the
  // other, and the first present element seeds a slot.
  using Maybe = std::optional<float>;
  for (int holes : {1, 3, 40, 1000})
    for (Order order : allOrders)
      for (int64_t count : {1, 5, 130, 4097, 9000}) {
        auto at = [&](int64_t k) -> Maybe {
          if (k * 2654435761u % 1024 < unsigned(holes))
            return std::nullopt;
          return float(goldenElement(k));
        };
        llvm::Expected<Program> p = op("sum", ScalarType::F32, true);
        ASSERT_TRUE(bool(p));
        auto add = [](float a, float b) { return a + b; };
        const auto want = foldTree<Maybe>(
            order, orderShape(sumProgram(ScalarType::F32)), count, at,
            [&](Maybe &s, int64_t k) { s = join(s, at(k), add); },
            [&](Maybe a, Maybe b) { return join(a, b, add); });
        std::vector<uint64_t> xs;
        for (int64_t k = 0; k < count; ++k)
          xs.push_back(at(k) ? payloadOf(*at(k)) : quietNan(ScalarType::F32));
        EXPECT_EQ(fold(*p, order, xs)[0], payloadOf(want->value_or(0.0f)))
            << name(order) << " " << count << " " << holes;
      }
}

TEST(Catalogue, NothingPresentIsSeenInTheCount) {
  llvm::Expected<Program> p = op("max", ScalarType::F32, true);
  ASSERT_TRUE(bool(p));
  ASSERT_TRUE(p->reportsAbsence);
  const std::vector<uint64_t> nans(100, quietNan(ScalarType::F32));
  EXPECT_EQ(fold(*p, Order::Canonical, nans).back(), 0u);
  std::vector<uint64_t> one = nans;
  one[77] = payloadOf(-1.0f);
  EXPECT_EQ(fold(*p, Order::Canonical, one),
            (std::vector<uint64_t>{payloadOf(-1.0f), 1}));
}

} // namespace
