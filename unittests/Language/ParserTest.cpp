//===- ParserTest.cpp - Text to AST ---------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Grouping is tested by comparing a text with its parenthesised form.
//===----------------------------------------------------------------------===//
#include "Reductions.h"

using namespace wf;
using namespace wf::test;

static void expectSame(const char *text, const char *grouped) {
  EXPECT_TRUE(sameExpr(*parsedExpr(text), *parsedExpr(grouped)))
      << text << " is not " << grouped;
}

TEST(Parser, Precedence) {
  expectSame("a + b * c", "a + (b * c)");
  expectSame("a * b % c / d", "((a * b) % c) / d");
  expectSame("a - b - c", "(a - b) - c");
  expectSame("a << b + c", "a << (b + c)");
  expectSame("a & b << c", "a & (b << c)");
  expectSame("a ^ b & c", "a ^ (b & c)");
  expectSame("a | b ^ c", "a | (b ^ c)");
  // Tighter than comparison, unlike C.
  expectSame("a & b == c", "(a & b) == c");
  expectSame("a == b | c", "a == (b | c)");
  expectSame("a < b && c >= d || e", "((a < b) && (c >= d)) || e");
  expectSame("-a.x * !b", "(-(a.x)) * (!b)");
  expectSame("-a + ~-b", "(-a) + (~(-b))");
  expectSame("if a then b else c + d", "if a then b else (c + d)");
  expectSame("let v = a in v + b", "let v = (a) in (v + b)");
  expectSame("if a then b else if c then d else e",
             "if a then b else (if c then d else e)");
}

TEST(Parser, ClausesNeedNoSeparators) {
  ReductionAst ast =
      parsed("reduction r(x){commutative param p:f32=-1.5 exact map=x*p "
             "combine(a,b)=a+b update(s,y)=s+y finish(s)=s neutral=0 empty=1}");
  EXPECT_TRUE(ast.commutative && ast.exact);
  EXPECT_TRUE(ast.map && ast.combine && ast.update && ast.finish);
  EXPECT_TRUE(ast.neutral && ast.empty);
  ASSERT_EQ(ast.params.size(), 1u);
  EXPECT_EQ(ast.params[0].type, ScalarType::F32);
  EXPECT_EQ(ast.params[0].value->kind, ExprKind::Unary);
  EXPECT_EQ(ast.update->names[1].name, "y");
}

TEST(Parser, SeveralReductionsInAFile) {
  auto reductions = parseReductions(
      "reduction p(x) { combine(a, b) = a }\n"
      "# between\nreduction q(x, w) { map = x combine(a, b) = b }",
      "two.fold");
  ASSERT_TRUE(bool(reductions));
  ASSERT_EQ(reductions->size(), 2u);
  EXPECT_EQ((*reductions)[1].name, "q");
  EXPECT_EQ((*reductions)[1].inputs.size(), 2u);
  EXPECT_EQ((*reductions)[1].where.line, 3u);
}

TEST(Parser, CommandLineClauses) {
  ClauseTexts texts;
  texts.map = "(p, q) -> (v: p * q, at: index)";
  texts.combine = "(a, b) -> if a.v > b.v then a else b";
  texts.update = "(s, y, z) -> s";
  texts.finish = "(s) -> s.at";
  texts.empty = "-1";
  texts.commutative = true;
  ReductionAst fromFlags = llvm::cantFail(parseClauses(texts));
  ReductionAst fromFile =
      parsed("reduction custom(p, q) { commutative map = (v: p * q, at: index) "
             "combine(a, b) = if a.v > b.v then a else b update(s, y, z) = s "
             "finish(s) = s.at empty = -1 }");
  EXPECT_TRUE(sameReduction(fromFlags, fromFile));
}

TEST(Parser, InputsWithoutMap) {
  ClauseTexts texts;
  texts.combine = "(a, b) -> a + b";
  EXPECT_EQ(llvm::cantFail(parseClauses(texts)).inputs[0].name, "x");
  texts.update = "(s, y) -> s + y";
  EXPECT_EQ(llvm::cantFail(parseClauses(texts)).inputs[0].name, "y");
}

TEST(Parser, ParamDeclarations) {
  ParamDecl typed = llvm::cantFail(parseParamDecl("ddof:i64"));
  EXPECT_EQ(typed.name, "ddof");
  EXPECT_EQ(typed.type, ScalarType::I64);
  EXPECT_FALSE(llvm::cantFail(parseParamDecl("p")).type);
}

TEST(Parser, NestingIsBounded) {
  // Whatever nests: an error or a value, never a crash.
  auto parsesAt = [](const std::string &open, const std::string &close, int n) {
    std::string text = "reduction r(x) { combine(a, b) = ";
    for (int i = 0; i != n; ++i)
      text += open;
    text += "a";
    for (int i = 0; i != n; ++i)
      text += close;
    auto reductions = parseReductions(text + " }", "t.fold");
    if (reductions)
      return true;
    std::string error = textOf(reductions.takeError());
    EXPECT_NE(error.find("nested more than 256 levels deep"), std::string::npos)
        << error;
    return false;
  };
  const std::pair<const char *, const char *> forms[] = {
      {"(", ")"},
      {"-", ""},
      {"!", ""},
      {"abs(", ")"},
      {"(v: ", ")"},
      {"if a then b else ", ""},
      {"let v = b in ", ""},
      {"if ", " then a else b"},
      {"let v = ", " in v"},
      {"a + (", ")"},
      {"", ".v"},
      {"", " + b"},
      {"(", ".v + b)"},
      {"", " * b"}};
  for (const auto &[open, close] : forms) {
    EXPECT_TRUE(parsesAt(open, close, 100)) << open << close;
    EXPECT_FALSE(parsesAt(open, close, 100000)) << open << close;
  }
}
