//===- PrinterTest.cpp - AST to text and back -----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Random ASTs from a seeded generator, printed and parsed again; the layout of
// a few by hand.
//===----------------------------------------------------------------------===//
#include "Language/Printer.h"
#include "Language/Catalogue.h"
#include "Reductions.h"

#include <algorithm>
#include <random>

using namespace wf;
using namespace wf::test;

namespace {
/// Makes every kind of expression in every place, typed or not.
class Generator {
public:
  explicit Generator(uint32_t seed) : random(seed) {}

  ReductionAst reduction();

private:
  unsigned below(unsigned n) { return unsigned(random()) % n; }
  bool coin() { return below(2) == 0; }
  template <size_t N> std::string oneOf(const char *const (&list)[N]) {
    return list[below(N)];
  }
  ExprPtr leaf();
  ExprPtr expr(unsigned levels);
  ExprPtr literal();
  std::optional<Clause> clause(std::vector<std::string> names, bool always);
  std::shared_ptr<Expr> make(ExprKind kind, std::string text,
                             std::vector<ExprPtr> operands = {});

  std::mt19937 random;
};
} // namespace

static const char *const names[] = {"a", "b", "s", "x", "value_1", "min"};
static const char *const numbers[] = {"0",    "12",  "0.5", "1e-3",
                                      "0xfF", "inf", "nan", "2.50E+10"};

std::shared_ptr<Expr> Generator::make(ExprKind kind, std::string text,
                                      std::vector<ExprPtr> operands) {
  auto e = std::make_shared<Expr>();
  e->kind = kind;
  e->text = std::move(text);
  for (const ExprPtr &operand : operands)
    e->depth = std::max(e->depth, operand->depth + 1);
  e->operands = std::move(operands);
  return e;
}

ExprPtr Generator::leaf() {
  switch (below(4)) {
  case 0:
    return make(ExprKind::Number, oneOf(numbers));
  case 1:
    return make(ExprKind::Bool, coin() ? "true" : "false");
  case 2:
    return make(ExprKind::Name, coin() ? "index" : "count");
  default:
    return make(ExprKind::Name, oneOf(names));
  }
}

ExprPtr Generator::expr(unsigned levels) {
  static const char *const calls[] = {"f32", "u8",    "bool", "max",
                                      "raw", "count", "fma",  "nothing"};
  if (levels == 0)
    return leaf();
  auto sub = [&] { return expr(below(levels)); };
  switch (below(9)) {
  case 0:
    return leaf();
  case 1:
    return make(ExprKind::Member, oneOf(names), {sub()});
  case 2: {
    auto e = make(ExprKind::Unary, "", {sub()});
    e->unary = UnaryOp(below(3));
    return e;
  }
  case 3:
  case 4: {
    auto e = make(ExprKind::Binary, "", {sub(), sub()});
    e->binary = BinaryOp(below(unsigned(BinaryOp::Rem) + 1));
    return e;
  }
  case 5:
    return make(ExprKind::If, "", {sub(), sub(), sub()});
  case 6:
    return make(ExprKind::Let, oneOf(names), {sub(), sub()});
  case 7: {
    std::vector<ExprPtr> operands;
    std::vector<std::string> fields;
    for (unsigned i = 0, n = 1 + below(3); i != n; ++i) {
      operands.push_back(sub());
      fields.push_back(names[i]);
    }
    auto e = make(ExprKind::Record, "", operands);
    e->fields = fields;
    return e;
  }
  default: {
    if (below(4) == 0) {
      auto e = make(ExprKind::Call, "bitcast", {sub()});
      e->type = allTypes()[below(unsigned(allTypes().size()))];
      return e;
    }
    std::vector<ExprPtr> operands;
    for (unsigned i = 0, n = below(4); i != n; ++i)
      operands.push_back(sub());
    return make(ExprKind::Call, oneOf(calls), operands);
  }
  }
}

ExprPtr Generator::literal() {
  if (below(4) == 0)
    return make(ExprKind::Bool, coin() ? "true" : "false");
  ExprPtr number = make(ExprKind::Number, oneOf(numbers));
  return coin() ? number : make(ExprKind::Unary, "", {number});
}

std::optional<Clause> Generator::clause(std::vector<std::string> clauseNames,
                                        bool always) {
  if (!always && coin())
    return std::nullopt;
  Clause out;
  for (const std::string &name : clauseNames)
    out.names.push_back({name, {}});
  out.body = expr(below(7));
  return out;
}

ReductionAst Generator::reduction() {
  ReductionAst out;
  out.name = oneOf(names);
  std::vector<std::string> updateNames = {"s"};
  for (unsigned i = 0, n = 1 + below(4); i != n; ++i) {
    out.inputs.push_back({"in" + std::to_string(i), {}});
    updateNames.push_back("e" + std::to_string(i));
  }
  for (unsigned i = 0, n = below(3); i != n; ++i) {
    ParamAst param{"p" + std::to_string(i), {}, std::nullopt, nullptr};
    if (coin())
      param.type = allTypes()[below(unsigned(allTypes().size()))];
    if (coin())
      param.value = literal();
    out.params.push_back(param);
  }
  out.commutative = coin();
  out.exact = coin();
  out.map = clause({}, false);
  out.combine = clause({"a", "b"}, true);
  out.update = clause(updateNames, false);
  out.finish = clause({"s"}, false);
  out.neutral = clause({}, false);
  out.empty = clause({}, false);
  return out;
}

TEST(Printer, ParsingWhatIsPrintedGivesTheSame) {
  Generator generator(20240229);
  for (int i = 0; i != 5000; ++i) {
    ReductionAst ast = generator.reduction();
    std::string text = print(ast);
    auto again = parseReductions(text, "printed.fold");
    ASSERT_TRUE(bool(again)) << text << textOf(again.takeError());
    ASSERT_EQ(again->size(), 1u);
    ASSERT_TRUE(sameReduction(ast, again->front())) << text;
    ASSERT_EQ(print(again->front()), text);
  }
}

TEST(Printer, CatalogueComesBack) {
  for (const CatalogueEntry &entry : catalogue()) {
    ReductionAst ast = llvm::cantFail(lookupOp(entry.name));
    EXPECT_TRUE(sameReduction(ast, parsed(print(ast)))) << entry.name.str();
  }
}

TEST(Printer, DeepestTextComesBack) {
  // Alternating so that each level needs parentheses and a sign of its own.
  for (const char *open : {"-(a + ", "a * (b - ", "abs(-", "!(b || a && "}) {
    std::string text = "reduction r(x) { combine(a, b) = ", close;
    unsigned levels = 0;
    for (; levels != 84; ++levels) {
      text += open;
      close += std::string(1, ')');
    }
    ReductionAst ast = parsed(text + "a" + close + " }");
    EXPECT_TRUE(sameReduction(ast, parsed(print(ast)))) << open;
  }
}

TEST(Printer, LayoutOfOneLineClauses) {
  const char *text =
      "reduction argmax(x) {\n"
      "  commutative\n"
      "  map           = (v: raw(x), at: index)\n"
      "  combine(a, b) = if more(a.v, b.v) || (same(a.v, b.v) && a.at < b.at) "
      "then a else b\n"
      "  finish(s)     = s.at\n"
      "}\n";
  EXPECT_EQ(print(parsed(text)), text);
}

TEST(Printer, LayoutOfLongClauses) {
  const char *text =
      "reduction spread(x) {\n"
      "  param limit: f32 = -0.5\n"
      "  map       = (low: x, high: x)\n"
      "  combine(a, b) =\n"
      "    let low_of_both = min(a.low, b.low) in\n"
      "    let high_of_both = max(a.high, b.high) in\n"
      "    (low: if low_of_both < limit then limit else low_of_both,\n"
      "     high: if high_of_both < limit then limit else high_of_both)\n"
      "  finish(s) =\n"
      "    if s.low < limit && s.high > limit && s.low + s.high > limit * "
      "limit\n"
      "    then s.high - s.low\n"
      "    else if s.high > limit * limit * limit * limit * limit\n"
      "    then limit\n"
      "    else s.low * s.low * s.low * s.low * s.low * s.low * s.low * s.low "
      "* "
      "s.low * s.low\n"
      "}\n";
  EXPECT_TRUE(sameReduction(parsed(print(parsed(text))), parsed(text)));
}
