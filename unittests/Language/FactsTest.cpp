//===- FactsTest.cpp - Recognised facts -----------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Reductions.h"

using namespace wf;
using namespace wf::test;
using T = ScalarType;

static bool commutes(llvm::StringRef combine, T type = T::F32) {
  return checked(parsedBody(("combine(a, b) = " + combine).str()), type)
      .commutative;
}

static bool isExactBody(llvm::StringRef body, T type = T::F32) {
  return checked(parsedBody(body), type).exact;
}

TEST(Facts, SortedOperandsCommute) {
  for (const char *text : {"a + b", "b + a", "a * b", "min(a, b)", "max(b, a)",
                           "a * a + b * b", "if a == b then a * b else a + b",
                           "if a != b then 1 else a + b", "(a + b) * 0.5"})
    EXPECT_TRUE(commutes(text)) << text;
  for (const char *text : {"a & b", "a | b", "a ^ b", "(a & 3) + (b & 3)"})
    EXPECT_TRUE(commutes(text, T::I32)) << text;
  EXPECT_TRUE(commutes("f64(count(a) + count(b)) * (a * b)", T::F64));
}

TEST(Facts, NothingElseCommutes) {
  for (const char *text :
       {"a - b", "a", "b", "a / b", "a * 0.5 + b", "fma(a, b, a)",
        "fma(a, b, 1)", "if a < b then a else b", "if same(a, b) then a else 1",
        "(a + b) + a", "f32(count(a)) * (a * b)"})
    EXPECT_FALSE(commutes(text)) << text;
  EXPECT_FALSE(commutes("a << b", T::I32));
}

TEST(Facts, CommutativeOverSeveralMembers) {
  const char *straight = "map = (p: x, q: x)\n"
                         "combine(a, b) = (p: a.p + b.p, q: a.q * b.q)";
  const char *crossed = "map = (p: x, q: x)\n"
                        "combine(a, b) = (p: a.p + b.q, q: a.q * b.p)";
  EXPECT_TRUE(checked(parsedBody(straight), T::F32).commutative);
  EXPECT_FALSE(checked(parsedBody(crossed), T::F32).commutative);
}

TEST(Facts, DeclaredIsSaid) {
  Program declared =
      checked(parsedBody("commutative exact combine(a, b) = a - b"), T::F32);
  EXPECT_TRUE(declared.commutative && declared.commutativeDeclared);
  EXPECT_TRUE(declared.exact);
  Program seen = checked(parsedBody("combine(a, b) = a + b"), T::F32);
  EXPECT_TRUE(seen.commutative && !seen.commutativeDeclared);
  EXPECT_FALSE(seen.exact);
}

TEST(Facts, ExactByMember) {
  for (const char *text :
       {"a + b", "b * a", "a & b", "a | b", "a ^ b", "min(b, a)", "max(a, b)"})
    EXPECT_TRUE(isExactBody(("combine(a, b) = " + std::string(text)), T::I8))
        << text;
  for (const char *text : {"a - b", "a", "a + b + 1", "a / b", "a + a"})
    EXPECT_FALSE(isExactBody(("combine(a, b) = " + std::string(text)), T::I8))
        << text;
  EXPECT_FALSE(isExactBody("combine(a, b) = a + b"));
  EXPECT_TRUE(isExactBody("combine(a, b) = max(a, b)"));
  EXPECT_FALSE(
      isExactBody("map = (p: raw(x), q: raw(x))\n"
                  "combine(a, b) = (p: min(a.p, b.q), q: min(a.q, b.p))"));
}

TEST(Facts, ExactByChoice) {
  std::string map = "map = (v: raw(x), at: index)\ncombine(a, b) = ";
  for (const char *condition :
       {"more(a.v, b.v) || (same(a.v, b.v) && a.at < b.at)",
        "(a.at < b.at && same(b.v, a.v)) || less(a.v, b.v)",
        "less(a.v, b.v) || (same(a.v, b.v) && a.at > b.at)"})
    EXPECT_TRUE(isExactBody(map + "if " + condition + " then a else b"))
        << condition;
  for (const char *condition :
       {"more(a.v, b.v)", "a.v > b.v || (a.v == b.v && a.at < b.at)",
        "more(a.v, b.v) || (same(a.v, b.v) && a.v < b.v)",
        "more(a.v, b.v) || (same(a.v, b.v) && a.at <= b.at)",
        "more(a.v, b.v) || same(a.v, b.v) || a.at < b.at"})
    EXPECT_FALSE(isExactBody(map + "if " + condition + " then a else b"))
        << condition;
  // Ties are broken among equals of another member.
  EXPECT_FALSE(isExactBody(
      "map = (v: raw(x), w: x, at: index)\ncombine(a, b) = if more(a.v, b.v) "
      "|| (same(a.w, b.w) && a.at < b.at) then a else b"));
  // Two elements may share this place.
  EXPECT_FALSE(isExactBody(
      "map = (v: raw(x), at: index / 2)\ncombine(a, b) = if more(a.v, b.v) || "
      "(same(a.v, b.v) && a.at < b.at) then a else b"));
}
