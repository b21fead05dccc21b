//===- ElementOrderTest.cpp - Positions that increase ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What is left out of an arg reduction's update, and what counts from a chunk,
// must not change a bit. Both sides are asked of the oracle, at every state
// whose position is before the element's.
//===----------------------------------------------------------------------===//
#include "Reductions.h"

#include "Language/Catalogue.h"
#include "Language/ElementOrder.h"
#include "Numerics/Evaluate.h"
#include "Numerics/Value.h"

#include <limits>

using namespace wf;
using namespace wf::test;
using T = ScalarType;

static Program op(llvm::StringRef name, T type, bool nanIgnore = false) {
  CheckOptions options;
  options.inputs = {type};
  options.nanIgnore = nanIgnore;
  return checked(llvm::cantFail(lookupOp(name)), options);
}

static Program choosing(llvm::StringRef body, T type = T::F32) {
  return checked(parsedBody(body), type);
}

/// The argmax of the catalogue with another `map` or `combine` around it.
static Program argmaxOf(llvm::StringRef at, llvm::StringRef condition) {
  return choosing(("map = (v: raw(x), at: " + at + ")\ncombine(a, b) = if " +
                   condition + " then a else b")
                      .str());
}
static const char *const firstOfGreatest =
    "more(a.v, b.v) || (same(a.v, b.v) && a.at < b.at)";

template <typename F> static std::vector<uint64_t> specialFloats() {
  using L = std::numeric_limits<F>;
  std::vector<uint64_t> all;
  for (F v : {F(0), F(1), F(1) + L::epsilon(), L::denorm_min(), L::min(),
              L::max(), L::infinity()})
    for (F signedV : {v, -v})
      all.push_back(payloadOf(signedV));
  // NaNs of both signs and with another payload: bits are kept as they came.
  uint64_t nan = payloadOf(L::quiet_NaN());
  uint64_t sign = payloadOf(F(-0.0));
  for (uint64_t bits : {nan, nan | sign, nan | 5, nan | sign | 5})
    all.push_back(bits);
  return all;
}

static std::vector<uint64_t> specialValues(T type) {
  if (type == T::F32)
    return specialFloats<float>();
  if (type == T::F64)
    return specialFloats<double>();
  if (type == T::Bool)
    return {0, 1};
  uint64_t mask = ~uint64_t(0) >> (64 - 8 * byteSize(type));
  uint64_t half = mask / 2; // INT_MAX; one more is INT_MIN
  return {0, 1, 2, half - 1, half, half + 1, mask - 1, mask};
}

static size_t countOf(const wf::Function &f, NodeOp op) {
  size_t n = 0;
  for (const Node &node : f.nodes)
    n += node.op == op;
  return n;
}

/// update at state (v, at[, present]), element x at k.
static Scalars updated(const wf::Function &update,
                       llvm::ArrayRef<uint64_t> state, uint64_t x, int64_t k) {
  Operands operands;
  operands.stateA = state;
  operands.countA = 1;
  operands.inputs = x;
  operands.index = k;
  return evaluate(update, operands);
}

/// Both updates at every pair of special values, every position before k, and
/// every count of present elements where the state has one.
static void expectSameBits(const Program &p, const wf::Function &inOrder) {
  ASSERT_FALSE(bool(verify(inOrder)));
  const int64_t far = int64_t(1) << 40;
  std::vector<uint64_t> values = specialValues(p.inputs[0]);
  for (uint64_t v : values)
    for (uint64_t x : values)
      for (int64_t k : {int64_t(1), int64_t(2), int64_t(5), far})
        for (int64_t at : {int64_t(0), int64_t(1), int64_t(4), far - 1})
          for (uint64_t present : {0, 1, 3}) {
            if (at >= k)
              continue;
            Scalars state = {v, uint64_t(at)};
            if (p.nanIgnore)
              state.push_back(present);
            EXPECT_EQ(updated(inOrder, state, x, k),
                      updated(p.update, state, x, k))
                << p.name << " of " << describe(p.inputs[0], v) << " at " << at
                << ", then " << describe(p.inputs[0], x) << " at " << k;
          }
}

TEST(ElementOrder, ArgUpdatesKeepEveryBit) {
  for (const char *name : {"argmax", "argmin"})
    for (T type : allTypes()) {
      Program p = op(name, type);
      expectSameBits(p, updateInOrder(p));
    }
}

TEST(ElementOrder, AbsentElementsToo) {
  for (const char *name : {"argmax", "argmin"})
    for (T type : {T::F32, T::F64}) {
      Program p = op(name, type, /*nanIgnore=*/true);
      ASSERT_TRUE(p.nanIgnore);
      expectSameBits(p, updateInOrder(p));
    }
}

TEST(ElementOrder, OtherTieBreaks) {
  // The last of equals; nearest first; the tests in other words.
  for (const char *condition :
       {"more(a.v, b.v) || (same(a.v, b.v) && a.at > b.at)",
        "(b.at > a.at && same(b.v, a.v)) || more(a.v, b.v)",
        "less(a.v, b.v) || (same(a.v, b.v) && a.at <= b.at)",
        "less(a.v, b.v) || (same(a.v, b.v) && b.at >= a.at)",
        "more(a.v, b.v) || (same(a.v, b.v) && !(b.at < a.at))",
        "more(a.v, b.v) || (same(a.v, b.v) && a.at == b.at)",
        "less(a.v, b.v) || (same(a.v, b.v) && a.at != b.at)",
        "less(a.v, b.v) || (same(a.v, b.v) && less(a.at, b.at))",
        "more(a.v, b.v) || (same(a.v, b.v) && more(a.at, b.at))",
        "a.v > b.v || (a.v == b.v && a.at < b.at)", "a.at < b.at",
        "more(a.v, b.v) && a.at >= b.at"}) {
    Program p = argmaxOf("index", condition);
    wf::Function inOrder = updateInOrder(p);
    expectSameBits(p, inOrder);
    EXPECT_LT(inOrder.nodes.size(), p.update.nodes.size()) << condition;
  }
}

TEST(ElementOrder, NoComparisonOfPositionsIsLeft) {
  for (const char *name : {"argmax", "argmin"})
    for (T type : allTypes()) {
      Program p = op(name, type);
      ASSERT_EQ(countOf(p.update, NodeOp::Lt), 1u); // a.at < b.at
      ASSERT_EQ(countOf(p.update, NodeOp::Same), 1u);
      wf::Function inOrder = updateInOrder(p);
      EXPECT_LT(inOrder.nodes.size(), p.update.nodes.size());
      for (NodeOp gone : {NodeOp::Lt, NodeOp::Same, NodeOp::And, NodeOp::Or,
                          NodeOp::Not, NodeOp::Constant})
        EXPECT_EQ(countOf(inOrder, gone), 0u) << p.name;
      // One test is left.
      EXPECT_EQ(countOf(inOrder, NodeOp::More) + countOf(inOrder, NodeOp::Less),
                1u);
    }
}

TEST(ElementOrder, CombineIsNotAsked) {
  // Two states can come in either order: only update is simpler.
  Program p = op("argmax", T::F32);
  std::string combine = p.canonicalText();
  p.update = updateInOrder(p);
  EXPECT_EQ(countOf(p.combine, NodeOp::Lt), 1u);
  EXPECT_NE(p.canonicalText(), combine);
  // A second time there is nothing left to decide.
  wf::Function again = updateInOrder(p);
  EXPECT_EQ(again.nodes.size(), p.update.nodes.size());
  expectSameBits(p, again);
}

/// updateInOrder changes nothing.
static bool unchanged(Program p) {
  std::string before = p.canonicalText();
  p.update = updateInOrder(p);
  return p.canonicalText() == before;
}

TEST(ElementOrder, UserWrittenUpdatesStay) {
  Program p = choosing(
      "map = (v: raw(x), at: index)\n"
      "combine(a, b) = if more(a.v, b.v) || (same(a.v, b.v) && a.at < b.at) "
      "then a else b\n"
      "update(s, x) = if s.at < index && more(s.v, raw(x)) then s else "
      "(v: raw(x), at: index)");
  ASSERT_TRUE(p.hasOwnUpdate);
  EXPECT_EQ(countOf(p.update, NodeOp::Lt), 1u);
  EXPECT_TRUE(unchanged(p));
}

TEST(ElementOrder, OtherReductionsStay) {
  for (const char *name : {"sum", "max", "mean", "var", "norm2"})
    EXPECT_TRUE(unchanged(op(name, T::F32))) << name;
  // Not the position itself …
  for (const char *at : {"index + 1", "0 - index", "index / 2", "index * 3"})
    EXPECT_TRUE(unchanged(argmaxOf(at, firstOfGreatest))) << at;
  // … or not one of the two.
  EXPECT_TRUE(unchanged(
      choosing("map = (v: raw(x), at: index)\n"
               "combine(a, b) = (v: if a.at < b.at then a.v else b.v, "
               "at: a.at + b.at)")));
  EXPECT_TRUE(unchanged(
      choosing("map = (v: raw(x), at: index)\n"
               "combine(a, b) = (v: if a.at < b.at then a.v else b.v, "
               "at: if a.v < b.v then a.at else 7)")));
  // One more than a position may be the element's.
  EXPECT_TRUE(
      unchanged(choosing("map = (after: index + 1, at: index)\n"
                         "combine(a, b) = (after: a.after, "
                         "at: if a.after < b.at then a.at else b.at)")));
  // So may what comes from another member, in update …
  EXPECT_TRUE(unchanged(
      choosing("map = (p: index, q: index + 1)\n"
               "combine(a, b) = (p: a.q, q: if a.p < b.p then a.q else b.q)")));
  // … or in combine alone.
  EXPECT_TRUE(unchanged(choosing("map = (at: index, k: index)\n"
                                 "combine(a, b) = (at: b.k, "
                                 "k: if a.at < b.at then a.k * 2 else b.k)")));
}

TEST(ElementOrder, NearFunctionsOfArgReductions) {
  for (const char *name : {"argmax", "argmin"})
    for (T type : allTypes()) {
      Program p = op(name, type);
      p.update = updateInOrder(p);
      std::optional<NearFunctions> near = nearFunctions(p);
      ASSERT_TRUE(near) << name;
      EXPECT_EQ(near->map.name, "map.near");
      EXPECT_EQ(near->combine.name, "combine.near");
      EXPECT_EQ(near->update.name, "update.near");
      for (const wf::Function *f :
           {&near->map, &near->combine, &near->update}) {
        EXPECT_FALSE(bool(verify(*f))) << f->name;
        EXPECT_EQ(f->nodes[f->results[0]].type, p.state[0].type);
        EXPECT_EQ(f->nodes[f->results[1]].type, T::I32);
        for (const Argument &a : f->arguments)
          if (a.role == ArgumentRole::Index ||
              (a.role != ArgumentRole::Input && a.index == 1))
            EXPECT_EQ(a.type, T::I32);
          else if (a.role == ArgumentRole::CountA ||
                   a.role == ArgumentRole::CountB)
            EXPECT_EQ(a.type, T::I64);
      }
    }
}

TEST(ElementOrder, NearFunctionsAreTheSameShifted) {
  const int64_t chunk = int64_t(5) << 33, n = 3;
  for (const char *name : {"argmax", "argmin"})
    for (T type : {T::F32, T::F64, T::I8, T::U64, T::Bool}) {
      Program p = op(name, type);
      p.update = updateInOrder(p);
      NearFunctions near = *nearFunctions(p);
      auto expectShifted = [&](Scalars far, Scalars shifted) {
        EXPECT_EQ(far[0], shifted[0]) << name;
        EXPECT_EQ(int64_t(far[1]), chunk + int64_t(shifted[1])) << name;
      };
      std::vector<uint64_t> values = specialValues(type);
      for (uint64_t v : values)
        for (uint64_t x : values)
          for (int64_t i = 0; i != n; ++i)
            for (int64_t j = 0; j != n; ++j) {
              Scalars a = {v, uint64_t(i)}, b = {x, uint64_t(j)};
              Scalars farA = {v, uint64_t(chunk + i)};
              Scalars farB = {x, uint64_t(chunk + j)};
              Operands here, there;
              here.stateA = a, here.stateB = b;
              there.stateA = farA, there.stateB = farB;
              expectShifted(evaluate(p.combine, there),
                            evaluate(near.combine, here));
              if (i < j)
                expectShifted(updated(p.update, farA, x, chunk + j),
                              updated(near.update, a, x, j));
            }
      Operands here, there;
      here.inputs = there.inputs = values[0];
      here.index = 2, there.index = chunk + 2;
      expectShifted(evaluate(p.map, there), evaluate(near.map, here));
    }
}

TEST(ElementOrder, NoNearFunctionsWithoutPositions) {
  for (const char *name : {"sum", "max", "mean"})
    EXPECT_FALSE(nearFunctions(op(name, T::F32))) << name;
}

TEST(ElementOrder, NoNearFunctionsWherePositionsAreComputedWith) {
  ASSERT_TRUE(nearFunctions(argmaxOf("index", firstOfGreatest)));
  // Added to, converted, or scaled in map …
  for (const char *at : {"index + 1", "f64(index)", "i32(index)", "index / 2"})
    EXPECT_FALSE(nearFunctions(argmaxOf(at, firstOfGreatest))) << at;
  // … in combine, and where only the condition does so: what is chosen is a
  // position, but shifting it would change which.
  for (const char *condition :
       {"a.at < 5", "a.at + 1 < b.at", "f64(a.at) < f64(b.at)",
        "a.at < count(a)", "(a.at & 1) == 0", "bool(a.at)", "a.at - b.at < 10",
        "(if more(a.v, b.v) then a.at else 5) < b.at"})
    EXPECT_FALSE(nearFunctions(argmaxOf("index", condition))) << condition;
  // … beside a member that is a position.
  EXPECT_FALSE(nearFunctions(choosing(
      "map = (v: raw(x), at: index, w: f64(index))\n"
      "combine(a, b) = if more(a.v, b.v) || (same(a.v, b.v) && a.at < b.at) "
      "then a else b")));
  EXPECT_FALSE(nearFunctions(choosing(
      "map = (v: raw(x), at: index, last: index)\n"
      "combine(a, b) = (v: max(a.v, b.v), at: if more(a.v, b.v) then a.at else "
      "b.at, last: max(a.last, b.last))")));
  EXPECT_FALSE(nearFunctions(choosing(
      "map = (v: raw(x), at: index, sum: index)\n"
      "combine(a, b) = (v: max(a.v, b.v), at: if more(a.v, b.v) then a.at else "
      "b.at, sum: a.sum + 1)")));
  // … or in the user's update alone.
  EXPECT_FALSE(
      nearFunctions(choosing("map = (v: raw(x), at: index)\n"
                             "combine(a, b) = if more(a.v, b.v) then a else b\n"
                             "update(s, x) = if s.at + 1 < index then s else "
                             "(v: raw(x), at: index)")));
}
