//===- NanIgnoreTest.cpp - Absent elements --------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Under --nan ignore a fold with NaNs in it equals the fold, by the same tree,
// that skips those elements.
//===----------------------------------------------------------------------===//
#include "Reductions.h"

#include "Language/Catalogue.h"
#include "Numerics/Evaluate.h"
#include "Numerics/Fold.h"
#include "Numerics/Value.h"

#include <random>

using namespace wf;
using namespace wf::test;
using T = ScalarType;

static Program ignoring(const ReductionAst &ast, std::vector<T> inputs) {
  CheckOptions options;
  options.inputs = std::move(inputs);
  options.nanIgnore = true;
  return checked(ast, options);
}

static ReductionAst op(llvm::StringRef name) {
  return llvm::cantFail(lookupOp(name));
}

static std::vector<uint64_t> fold(const Program &p, Order order,
                                  const std::vector<float> &elements) {
  auto result = foldOne(p, order, int64_t(elements.size()),
                        [&](unsigned input, int64_t k) {
                          return payloadOf(elements[size_t(k)]);
                        });
  if (result)
    return *result;
  ADD_FAILURE() << textOf(result.takeError());
  return {0};
}

static Scalars mapped(const Program &p, llvm::ArrayRef<uint64_t> inputs) {
  Operands operands;
  operands.inputs = inputs;
  return evaluate(p.map, operands);
}

static Scalars finished(const Program &p, llvm::ArrayRef<uint64_t> state) {
  Operands operands;
  operands.stateA = state;
  return evaluate(p.finish, operands);
}

TEST(NanIgnore, ShapeOfTheProgram) {
  Program p = ignoring(op("max"), {T::F32});
  EXPECT_TRUE(p.nanIgnore);
  EXPECT_TRUE(p.reportsAbsence);
  ASSERT_EQ(p.state.size(), 2u);
  EXPECT_EQ(p.state[1].type, T::I64);
  EXPECT_EQ(p.stateBytes, 4);
  ASSERT_EQ(p.results.size(), 2u);
  EXPECT_EQ(p.results[1].name, "count");
  EXPECT_TRUE(p.exact);
  EXPECT_FALSE(bool(verify(p)));
  Program sum = ignoring(op("sum"), {T::F32});
  EXPECT_FALSE(sum.reportsAbsence);
  EXPECT_EQ(sum.results.size(), 1u);
}

TEST(NanIgnore, NothingChangesWithoutFloats) {
  for (T type : {T::I8, T::U64, T::Bool}) {
    Program with = ignoring(op("max"), {type});
    EXPECT_FALSE(with.nanIgnore);
    EXPECT_EQ(with.canonicalText(), checked(op("max"), type).canonicalText());
  }
}

TEST(NanIgnore, EveryProgramVerifies) {
  for (const CatalogueEntry &entry : catalogue())
    for (T type : allTypes()) {
      CheckOptions options;
      options.inputs = {type};
      options.nanIgnore = true;
      auto p = check(op(entry.name), options);
      if (!p) {
        llvm::consumeError(p.takeError()); // bit operations of floats
        continue;
      }
      EXPECT_FALSE(bool(verify(*p))) << entry.name.str();
    }
}

TEST(NanIgnore, EqualsTheFoldWithoutThem) {
  const float nan = NAN;
  std::mt19937 random(7);
  std::vector<float> all, present;
  for (int i = 0; i != 300; ++i) {
    bool absent = random() % 3 == 0;
    all.push_back(absent ? nan : float(int(random() % 1000)) - 500);
    if (!absent)
      present.push_back(all.back());
  }
  // Sums of small integers are exact, so the trees' shapes do not matter.
  for (const char *name : {"sum", "min", "max", "mean", "count_nonzero",
                           "norm1", "norm2", "any", "all"}) {
    Program with = ignoring(op(name), {T::F32});
    Program without = checked(op(name), T::F32);
    for (Order order : {Order::Canonical, Order::Ordered, Order::Sequential})
      EXPECT_EQ(fold(with, order, all)[0], fold(without, order, present)[0])
          << name;
  }
}

TEST(NanIgnore, PositionsStay) {
  Program p = ignoring(op("argmin"), {T::F32});
  std::vector<float> elements = {NAN, 5.0f, NAN, 0.5f, NAN, 0.5f};
  for (Order order : {Order::Canonical, Order::Ordered, Order::Sequential}) {
    std::vector<uint64_t> result = fold(p, order, elements);
    EXPECT_EQ(result[0], 3u);
    EXPECT_EQ(result[1], 3u); // three are present
  }
}

TEST(NanIgnore, CountsInCombineAndFinish) {
  Program p = ignoring(op("var"), {T::F32});
  std::vector<float> elements = {NAN, 1.0f, NAN, 3.0f, NAN, NAN, 5.0f};
  for (Order order : {Order::Canonical, Order::Ordered, Order::Sequential})
    EXPECT_EQ(fold(p, order, elements)[0], payloadOf(float(8.0 / 3.0)));
}

TEST(NanIgnore, NothingPresent) {
  std::vector<float> elements(5, NAN);
  for (Order order : {Order::Canonical, Order::Ordered, Order::Sequential}) {
    EXPECT_EQ(fold(ignoring(op("sum"), {T::F32}), order, elements)[0],
              payloadOf(0.0f));
    Program mean = ignoring(op("mean"), {T::F32});
    EXPECT_TRUE(std::isnan(valueOf<float>(fold(mean, order, elements)[0])));
    // max has no value of nothing; its count tells the caller.
    Program max = ignoring(op("max"), {T::F32});
    Scalars state = mapped(max, payloadOf(elements[0]));
    EXPECT_EQ(state[1], 0u);
    EXPECT_EQ(finished(max, state)[1], 0u);
  }
}

TEST(NanIgnore, AnyOfTheInputs) {
  ReductionAst dot = parsed(
      "reduction dot(x, w) { map = f64(x) * f64(w) combine(a, b) = a + b "
      "empty = 0 }");
  Program p = ignoring(dot, {T::F32, T::I32});
  uint64_t absent[] = {payloadOf(NAN), 3};
  uint64_t there[] = {payloadOf(2.0f), 3};
  EXPECT_EQ(mapped(p, absent)[1], 0u);
  EXPECT_EQ(mapped(p, there)[1], 1u);
  Program both = ignoring(dot, {T::F32, T::F64});
  uint64_t second[] = {payloadOf(2.0f), payloadOf(double(NAN))};
  EXPECT_EQ(mapped(both, second)[1], 0u);
}

TEST(NanIgnore, FilterIsNotAnInput) {
  // w is only looked at for NaN: it does not widen the order's E.
  ReductionAst first =
      parsed("reduction first(x, w) { map = raw(x) combine(a, b) = a + b }");
  Program p = ignoring(first, {T::F32, T::F64});
  EXPECT_EQ(p.widestInputBytes, 4);
  EXPECT_EQ(p.readsInput, (std::vector<bool>{true, true}));
}
