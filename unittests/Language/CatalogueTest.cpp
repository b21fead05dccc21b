//===- CatalogueTest.cpp - The built-in reductions ------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The result-type table over every type, the laws of neutral and empty, and
// values that other systems got wrong.
//===----------------------------------------------------------------------===//
#include "Reductions.h"

#include "Language/Catalogue.h"
#include "Numerics/Evaluate.h"
#include "Numerics/Fold.h"
#include "Numerics/Value.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <set>

using namespace wf;
using namespace wf::test;
using T = ScalarType;

namespace {
/// A row of the design's table "Result types of the catalogue".
enum class Rule { Sum, Real, Input, IndexLike, Truth };
struct Row {
  const char *op;
  Rule rule;
};
} // namespace

static const Row table[] = {
    {"sum", Rule::Sum},          {"prod", Rule::Sum},
    {"mean", Rule::Real},        {"var", Rule::Real},
    {"std", Rule::Real},         {"norm1", Rule::Real},
    {"norm2", Rule::Real},       {"min", Rule::Input},
    {"max", Rule::Input},        {"aminmax", Rule::Input},
    {"xor", Rule::Input},        {"bitand", Rule::Input},
    {"bitor", Rule::Input},      {"argmin", Rule::IndexLike},
    {"argmax", Rule::IndexLike}, {"count_nonzero", Rule::IndexLike},
    {"all", Rule::Truth},        {"any", Rule::Truth}};

static bool isBitOp(llvm::StringRef op) {
  return op == "xor" || op == "bitand" || op == "bitor";
}

static T expectedType(Rule rule, T input, std::optional<T> acc) {
  bool isReal = rule == Rule::Real;
  if (acc && (!isReal || isFloat(*acc)))
    return *acc;
  switch (rule) {
  case Rule::Sum:
    return isFloat(input) ? input : isUnsigned(input) ? T::U64 : T::I64;
  case Rule::Real:
    return isFloat(input) ? input : T::F64;
  case Rule::Input:
    return input;
  case Rule::IndexLike:
    return T::I64;
  case Rule::Truth:
    return T::Bool;
  }
  return T::Bool;
}

/// Adding or multiplying bools and the bits of floats are errors.
static bool isRefused(const Row &row, T input, std::optional<T> acc) {
  llvm::StringRef op = row.op;
  if (isBitOp(op))
    return isFloat(input);
  return acc == T::Bool && row.rule == Rule::Sum;
}

static ReductionAst op(llvm::StringRef name) {
  auto ast = lookupOp(name);
  if (!ast) {
    ADD_FAILURE() << textOf(ast.takeError());
    return {};
  }
  return *ast;
}

TEST(Catalogue, TableNamesEveryOp) {
  std::set<std::string> inTable, inCatalogue;
  for (const Row &row : table)
    inTable.insert(row.op);
  for (const CatalogueEntry &entry : catalogue()) {
    inCatalogue.insert(entry.name.str());
    EXPECT_FALSE(entry.description.empty());
    EXPECT_TRUE(entry.source.starts_with("# " + entry.description.str()));
    EXPECT_EQ(op(entry.name).name, entry.name);
  }
  EXPECT_EQ(inTable, inCatalogue);
}

TEST(Catalogue, ResultTypes) {
  std::vector<std::optional<T>> accs = {std::nullopt};
  accs.insert(accs.end(), allTypes().begin(), allTypes().end());
  for (const Row &row : table)
    for (T input : allTypes())
      for (std::optional<T> acc : accs) {
        SCOPED_TRACE(std::string(row.op) + " " + std::string(name(input)) +
                     " acc " + (acc ? std::string(name(*acc)) : "none"));
        CheckOptions options;
        options.inputs = {input};
        options.acc = acc;
        auto program = check(op(row.op), options);
        if (isRefused(row, input, acc)) {
          ASSERT_FALSE(bool(program));
          EXPECT_NE(textOf(program.takeError()).find("takes"),
                    std::string::npos);
          continue;
        }
        ASSERT_TRUE(bool(program)) << textOf(program.takeError());
        EXPECT_FALSE(bool(verify(*program)));
        for (const Field &result : program->results)
          EXPECT_EQ(name(result.type),
                    name(expectedType(row.rule, input, acc)));
      }
}

TEST(Catalogue, NamedResults) {
  Program p = checked(op("aminmax"), T::F32);
  ASSERT_EQ(p.results.size(), 2u);
  EXPECT_EQ(p.results[0].name, "min");
  EXPECT_EQ(p.results[1].name, "max");
  EXPECT_EQ(checked(op("argmax"), T::F32).results[0].name, "");
}

TEST(Catalogue, Facts) {
  auto exactFor = [](llvm::StringRef name, T type) {
    return checked(op(name), type).exact;
  };
  for (const Row &row : table) {
    SCOPED_TRACE(row.op);
    EXPECT_TRUE(checked(op(row.op), T::I32).commutative);
  }
  for (const char *name : {"min", "max", "aminmax", "argmin", "argmax", "all",
                           "any", "count_nonzero"})
    for (T type : allTypes())
      EXPECT_TRUE(exactFor(name, type)) << name;
  for (const char *name : {"xor", "bitand", "bitor", "sum", "prod"})
    EXPECT_TRUE(exactFor(name, T::I8)) << name;
  for (const char *name : {"sum", "prod", "mean", "norm1", "norm2", "var"})
    EXPECT_FALSE(exactFor(name, T::F32)) << name;
}

/// A few states' worth of telling values of each member.
static std::vector<uint64_t> tellingValues(T type) {
  if (type == T::Bool)
    return {0, 1};
  if (type == T::F32)
    return {payloadOf(0.0f), payloadOf(-0.0f), payloadOf(-1.5f),
            payloadOf(INFINITY), payloadOf(-INFINITY)};
  if (type == T::F64)
    return {payloadOf(0.0), payloadOf(-0.0), payloadOf(2.5),
            payloadOf(double(INFINITY))};
  uint64_t mask = byteSize(type) == 8
                      ? ~uint64_t(0)
                      : (uint64_t(1) << (8 * byteSize(type))) - 1;
  return {0, 1, mask, mask >> 1, (mask >> 1) + 1};
}

TEST(Catalogue, NeutralIsNeutralBitForBit) {
  unsigned tried = 0;
  for (const Row &row : table)
    for (T type : allTypes()) {
      if (isRefused(row, type, std::nullopt))
        continue;
      Program p = checked(op(row.op), type);
      if (!p.neutral)
        continue;
      ASSERT_EQ(p.state.size(), 1u) << "give this test more members";
      Scalars neutral = evaluate(*p.neutral, {});
      for (uint64_t x : tellingValues(p.state[0].type)) {
        Operands left, right;
        left.stateA = right.stateB = neutral;
        left.stateB = right.stateA = x;
        EXPECT_EQ(evaluate(p.combine, left)[0], x) << row.op;
        EXPECT_EQ(evaluate(p.combine, right)[0], x) << row.op;
        ++tried;
      }
    }
  EXPECT_GT(tried, 300u);
}

static uint64_t folded(llvm::StringRef name, T type,
                       std::vector<uint64_t> elements,
                       Order order = Order::Canonical,
                       CheckOptions options = {}) {
  options.inputs = {type};
  Program p = checked(op(name), options);
  auto result =
      foldOne(p, order, int64_t(elements.size()),
              [&](unsigned, int64_t k) { return elements[size_t(k)]; });
  if (!result) {
    ADD_FAILURE() << textOf(result.takeError());
    return 0;
  }
  return result->front();
}

TEST(Catalogue, EmptyResults) {
  EXPECT_EQ(folded("sum", T::F32, {}), payloadOf(0.0f));
  EXPECT_EQ(folded("sum", T::I32, {}), 0u);
  EXPECT_EQ(folded("prod", T::F64, {}), payloadOf(1.0));
  EXPECT_EQ(folded("all", T::F32, {}), 1u);
  EXPECT_EQ(folded("any", T::F32, {}), 0u);
  EXPECT_EQ(folded("count_nonzero", T::F32, {}), 0u);
  EXPECT_EQ(folded("norm1", T::F32, {}), payloadOf(0.0f));
  EXPECT_EQ(folded("norm2", T::F32, {}), payloadOf(0.0f));
  EXPECT_EQ(folded("xor", T::I8, {}), 0u);
  EXPECT_EQ(folded("bitor", T::U16, {}), 0u);
  EXPECT_EQ(folded("bitand", T::I8, {}), 0xffu);
  EXPECT_EQ(folded("bitand", T::Bool, {}), 1u);
  for (const char *name : {"mean", "var", "std"})
    EXPECT_TRUE(std::isnan(valueOf<float>(folded(name, T::F32, {})))) << name;
  for (const char *name : {"min", "max", "argmin", "argmax", "aminmax"})
    EXPECT_FALSE(checked(op(name), T::F32).empty) << name;
}

TEST(Catalogue, DeviationOfAConstantIsZero) {
  std::vector<uint64_t> elements(1000, payloadOf(0.1f));
  for (Order order : {Order::Canonical, Order::Ordered, Order::Sequential})
    EXPECT_EQ(folded("std", T::F32, elements, order), payloadOf(0.0f));
}

TEST(Catalogue, VarianceOfNearAndOfLargeValues) {
  CheckOptions options;
  options.params = {{"ddof", "1"}};
  EXPECT_EQ(folded("var", T::F32, {payloadOf(2281.5f), payloadOf(2281.25f)},
                   Order::Canonical, options),
            payloadOf(0.03125f));
  EXPECT_EQ(folded("std", T::F32,
                   {payloadOf(0.0f), payloadOf(2e19f), payloadOf(4e19f)},
                   Order::Canonical, options),
            payloadOf(2e19f));
  // The divisor count - ddof is 0: 0/0.
  EXPECT_TRUE(std::isnan(valueOf<float>(
      folded("var", T::F32, {payloadOf(1.0f)}, Order::Canonical, options))));
}

TEST(Catalogue, NormDoesNotOverflow) {
  EXPECT_EQ(folded("norm2", T::F32, {payloadOf(3e19f), payloadOf(4e19f)}),
            payloadOf(5e19f));
  EXPECT_EQ(folded("norm1", T::I64, {uint64_t(1) << 63}),
            payloadOf(9223372036854775808.0));
}

TEST(Catalogue, NanIsNotZero) {
  EXPECT_EQ(folded("any", T::F32, {payloadOf(NAN)}), 1u);
  EXPECT_EQ(folded("all", T::F32, {payloadOf(NAN), payloadOf(-0.0f)}), 0u);
  EXPECT_EQ(folded("count_nonzero", T::F32,
                   {payloadOf(NAN), payloadOf(-0.0f), payloadOf(2.0f)}),
            2u);
}

TEST(Catalogue, ExtremesOfInfinities) {
  std::vector<uint64_t> positive(10, payloadOf(INFINITY));
  std::vector<uint64_t> negative(10, payloadOf(-INFINITY));
  EXPECT_EQ(folded("min", T::F32, positive), payloadOf(INFINITY));
  EXPECT_EQ(folded("max", T::F32, negative), payloadOf(-INFINITY));
  EXPECT_EQ(folded("argmin", T::F32, positive), 0u);
  EXPECT_EQ(folded("argmax", T::F32, negative), 0u);
}

TEST(Catalogue, NanWinsArgAtItsFirstPlace) {
  std::vector<uint64_t> elements = {payloadOf(2.0f), payloadOf(NAN),
                                    payloadOf(1.0f), payloadOf(NAN)};
  for (Order order : {Order::Canonical, Order::Ordered, Order::Sequential})
    for (const char *name : {"argmin", "argmax"})
      EXPECT_EQ(folded(name, T::F32, elements, order), 1u);
}

TEST(Catalogue, UnknownNameProposesNearOnes) {
  auto ast = lookupOp("agrmax");
  ASSERT_FALSE(bool(ast));
  std::string text = textOf(ast.takeError());
  EXPECT_NE(text.find("'agrmax'"), std::string::npos) << text;
  EXPECT_NE(text.find("'argmax'"), std::string::npos) << text;
}
