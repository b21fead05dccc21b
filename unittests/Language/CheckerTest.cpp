//===- CheckerTest.cpp - AST to program -----------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Reductions.h"

#include "Numerics/Evaluate.h"
#include "Numerics/Value.h"

#include <algorithm>

using namespace wf;
using namespace wf::test;
using T = ScalarType;

static std::string canonical(llvm::StringRef body, T type = T::F32) {
  return checked(parsedBody(body), type).canonicalText();
}

static unsigned countOps(const Function &f, NodeOp op) {
  return unsigned(std::count_if(f.nodes.begin(), f.nodes.end(),
                                [&](const Node &n) { return n.op == op; }));
}

TEST(CanonicalText, NamesDoNotMatter) {
  EXPECT_EQ(canonical("combine(x, y) = x + y"),
            canonical("combine(u, v) = u + v"));
  EXPECT_EQ(
      canonical("map = (p: x, q: index)\ncombine(a, b) = (p: a.p, q: b.q)"),
      canonical("map = (k: x, l: index)\ncombine(s, t) = (k: s.k, l: t.l)"));
  ReductionAst other = parsed("reduction named(element) {\n"
                              "  # a comment\n  combine(a, b) = (a + b)\n}");
  EXPECT_EQ(canonical("combine(x, y) = x + y"),
            checked(other, T::F32).canonicalText());
}

TEST(CanonicalText, LetsAndEqualPartsDoNotMatter) {
  std::string plain = canonical("combine(a, b) = (a - b) * (a - b)");
  EXPECT_EQ(plain, canonical("combine(a, b) = let d = a - b in d * d"));
  EXPECT_EQ(plain, canonical("combine(a, b) = let unused = a * b in "
                             "let d = a - b in d * d"));
}

TEST(CanonicalText, MeaningMatters) {
  std::string sum = canonical("combine(a, b) = a + b");
  EXPECT_NE(sum, canonical("combine(a, b) = b + a"));
  EXPECT_NE(sum, canonical("combine(a, b) = a + b", T::F64));
  EXPECT_NE(sum, canonical("exact combine(a, b) = a + b"));
  EXPECT_NE(sum, canonical("combine(a, b) = a + b\nneutral = 0"));
  EXPECT_NE(canonical("combine(a, b) = a + b\nneutral = 0"),
            canonical("combine(a, b) = a + b\nneutral = -0.0"));
  EXPECT_NE(canonical("map = i64(f32(raw(x)))\ncombine(a, b) = a", T::I32),
            canonical("map = i64(f64(raw(x)))\ncombine(a, b) = a", T::I32));
}

TEST(Checker, LocationsSurvive) {
  Program p =
      checked(parsedBody("map = (v: x, at: index)\n"
                         "combine(left, right) =\n  let best = max(left.v, "
                         "right.v) in (v: best, at: left.at)"),
              T::F32);
  const Node &best = p.combine.nodes[p.combine.results[0]];
  EXPECT_EQ(best.op, NodeOp::Max);
  EXPECT_EQ(best.where.file, "t.fold");
  EXPECT_EQ(best.where.line, 4u);
  EXPECT_EQ(best.where.column, 14u);
  EXPECT_EQ(best.where.name, "best");
  EXPECT_EQ(p.combine.nodes[p.combine.results[1]].where.name, "left.at");
}

TEST(Checker, WideningInMapAndUpdate) {
  for (T type : allTypes()) {
    T wide = isFloat(type) ? type : isUnsigned(type) ? T::U64 : T::I64;
    T state = wide;
    Program p = checked(parsedBody("combine(a, b) = a"), type);
    EXPECT_EQ(p.state[0].type, state);
    EXPECT_EQ(p.update.arguments[2].type, type);
    Program raw = checked(parsedBody("map = raw(x)\ncombine(a, b) = a"), type);
    EXPECT_EQ(raw.state[0].type, type);
    CheckOptions options;
    options.inputs = {type};
    options.acc = T::U16;
    EXPECT_EQ(checked(parsedBody("combine(a, b) = a"), options).state[0].type,
              T::U16);
  }
}

TEST(Checker, ArgumentListsAreFixed) {
  ReductionAst ast =
      parsed("reduction r(x, w) { param p: f32 = 2 param q: bool\n"
             "map = (s: f64(x), n: index) combine(a, b) = a }");
  CheckOptions options;
  options.inputs = {T::F32, T::I8};
  Program p = checked(ast, options);
  auto roles = [](const Function &f) {
    std::string out;
    for (const Argument &a : f.arguments)
      out += "ABIKnmP"[unsigned(a.role)];
    return out;
  };
  EXPECT_EQ(roles(p.map), "IIKPP");
  EXPECT_EQ(roles(p.combine), "AABBnmPP");
  EXPECT_EQ(roles(p.update), "AAnIIKPP");
  EXPECT_EQ(roles(p.finish), "AAnPP");
  EXPECT_EQ(p.params[0].value, payloadOf(2.0f));
  EXPECT_FALSE(p.params[1].value);
  EXPECT_EQ(p.stateBytes, 16);
  EXPECT_EQ(p.readsInput, (std::vector<bool>{true, false}));
  EXPECT_EQ(p.widestInputBytes, 4);
}

TEST(Checker, DerivedUpdateIsCombineOfMap) {
  Program p = checked(
      parsedBody("map = x * x\n"
                 "combine(a, b) = a + b * f32(count(b)) / f32(count(a))"),
      T::F32);
  EXPECT_FALSE(p.hasOwnUpdate);
  EXPECT_FALSE(p.update.uses(ArgumentRole::CountB));
  EXPECT_TRUE(p.update.uses(ArgumentRole::CountA));
  uint64_t s = payloadOf(10.0f), x = payloadOf(3.0f);
  Operands operands;
  operands.stateA = s;
  operands.inputs = x;
  operands.countA = 2;
  EXPECT_EQ(evaluate(p.update, operands)[0], payloadOf(14.5f));
}

TEST(Checker, OwnUpdateMayRenameInputs) {
  Program p =
      checked(parsedBody("combine(a, b) = a + b\nupdate(s, y) = s + y"), T::I8);
  EXPECT_TRUE(p.hasOwnUpdate);
  EXPECT_EQ(p.canonicalText(), canonical("combine(a, b) = a + b", T::I8));
}

TEST(Checker, EmptyComesFromNeutral) {
  Program p = checked(parsedBody("combine(a, b) = a + b\nneutral = 3\n"
                                 "finish(s) = s * 2 + f32(count)"),
                      T::F32);
  ASSERT_TRUE(p.empty);
  EXPECT_EQ(evaluate(*p.empty, {})[0], payloadOf(6.0f));
  EXPECT_FALSE(checked(parsedBody("combine(a, b) = a"), T::F32).empty);
  Program own = checked(
      parsedBody("combine(a, b) = a + b\nneutral = 3\nempty = 1"), T::F32);
  EXPECT_EQ(evaluate(*own.empty, {})[0], payloadOf(1.0f));
}

TEST(Checker, LiteralsTakeTheirPlacesType) {
  // Beside a value, in a branch, in a record, in a result.
  const std::string bodies[] = {
      "combine(a, b) = 2 * a + b * 1e0",
      "combine(a, b) = if a > 0 then 1 else b",
      "combine(a, b) = if a > 0 then (1 + 2) else -3",
      "combine(a, b) = min(1, max(a, 2))",
      "combine(a, b) = let c = a + 1 in if c == 2 then inf - 1 * 2 else c",
      ("map = (v: x, w: x)\ncombine(a, b) = if a.v > 1 then (v: 1, w: a.w) "
       "else (v: b.v, w: 0)"),
      "map = (v: x, w: x)\ncombine(a, b) = if a.v > 1 then a else (v: 1, w: 0)",
      "map = f32(0.5)\ncombine(a, b) = a",
      "map = like(1)\ncombine(a, b) = real(2)",
      "map = if x > 0 then f32(1) else 0\ncombine(a, b) = a"};
  for (const std::string &body : bodies)
    EXPECT_EQ(errorOf(body, T::F32), "") << body;
  EXPECT_EQ(errorOf("map = raw(x)\ncombine(a, b) = a + 1e2 - 0xf", T::I8), "");
}

TEST(Checker, NegativeLiteralIsOneConstant) {
  Program p = checked(parsedBody("map = raw(x)\ncombine(a, b) = "
                                 "if a < -128 then a else -b"),
                      T::I8);
  EXPECT_EQ(countOps(p.combine, NodeOp::Neg), 1u);
}

TEST(Checker, ExtremesOfTypes) {
  Program p = checked(
      parsedBody("map = raw(x)\ncombine(a, b) = a\nneutral = lowest(x) * "
                 "highest(raw(x))"),
      T::F32);
  EXPECT_EQ(evaluate(*p.neutral, {})[0], payloadOf(-float(INFINITY)));
  // Only the type of x is asked for, so it is not read.
  Program unread =
      checked(parsedBody("map = lowest(x)\ncombine(a, b) = a"), T::F32);
  EXPECT_FALSE(unread.readsInput[0]);
  EXPECT_EQ(unread.widestInputBytes, 4);
}

TEST(Checker, CastsAndBitcasts) {
  Program p =
      checked(parsedBody("map = u8(i32(raw(x)))\ncombine(a, b) = a\n"
                         "finish(s) = (f: bitcast(u32(s), f32), same: u8(s))"),
              T::F32);
  EXPECT_EQ(p.state[0].type, T::U8);
  EXPECT_EQ(p.results[0].type, T::F32);
  EXPECT_EQ(countOps(p.finish, NodeOp::Cast), 1u);
  uint64_t x = payloadOf(300.5f);
  Operands operands;
  operands.inputs = x;
  EXPECT_EQ(evaluate(p.map, operands)[0], 255u & 300u);
}

TEST(Checker, NestedRecordsAreTakenApart) {
  Program p = checked(
      parsedBody("map = (p: (re: x, im: x), n: i64(1))\n"
                 "combine(a, b) = (p: if a.n > b.n then a.p else b.p, n: a.n)"),
      T::F64);
  ASSERT_EQ(p.state.size(), 3u);
  EXPECT_EQ(p.state[0].name, "p.re");
  EXPECT_EQ(p.state[1].name, "p.im");
  EXPECT_EQ(p.state[2].name, "n");
  EXPECT_EQ(countOps(p.combine, NodeOp::Select), 2u);
}

TEST(Checker, LogicAndBits) {
  EXPECT_EQ(errorOf("map = raw(x)\ncombine(a, b) = a & ~b | a ^ b << 1", T::U8),
            "");
  EXPECT_EQ(
      errorOf("map = raw(x)\ncombine(a, b) = !a && b || a ^ (a & b)", T::Bool),
      "");
}

TEST(Checker, ParamsFromTheCommandLine) {
  ClauseTexts texts;
  texts.combine = "(a, b) -> a + b * scale";
  texts.params = {llvm::cantFail(parseParamDecl("scale"))};
  ReductionAst ast = llvm::cantFail(parseClauses(texts));
  CheckOptions options;
  options.inputs = {T::F32};
  options.params = {{"scale", "-2.5"}};
  Program p = checked(ast, options);
  EXPECT_EQ(p.params[0].type, T::F32);
  EXPECT_EQ(p.params[0].value, payloadOf(-2.5f));
  texts.map = "(x) -> f32(x)";
  texts.combine = "(a, b) -> if f64(a) > scale then a else b";
  texts.params = {llvm::cantFail(parseParamDecl("scale:f64"))};
  options.params = {{"scale:f64", "inf"}};
  p = checked(llvm::cantFail(parseClauses(texts)), options);
  EXPECT_EQ(p.params[0].value, payloadOf(double(INFINITY)));
}

TEST(Checker, LongChainsOfLetsDoNotRecurse) {
  // Each let doubles the depth of the graph's text, but adds two nodes to it.
  std::string body = "combine(a, b) = let v0 = a + b in\n";
  for (int i = 0; i != 200; ++i) {
    std::string from = "v" + std::to_string(i);
    body += "let v" + std::to_string(i + 1) + " = " + from + " + " + from +
            " * 2 in\n";
  }
  Program p = checked(parsedBody(body + "v200"), T::F32);
  EXPECT_EQ(p.combine.nodes.size(), 3u + 1u + 400u);
}

TEST(Checker, DoublingRecordsAreRefused) {
  std::string body = "combine(a, b) = let v0 = (l: a, r: b) in\n";
  for (int i = 0; i != 100; ++i) {
    std::string from = "v" + std::to_string(i);
    body += "let v" + std::to_string(i + 1) + " = (l: " + from +
            ", r: " + from + ") in\n";
  }
  EXPECT_NE(errorOf(body + "v100.l", T::F32).find("more than 64 values"),
            std::string::npos);
}
