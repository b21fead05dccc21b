//===- SyntaxDiagnosticCases.cpp - Faults of form -------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Characters, tokens, grammar.
//===----------------------------------------------------------------------===//
#include "DiagnosticCases.h"

using namespace wf;
using namespace wf::test;
using T = ScalarType;

// clang-format off: the texts stand as they are printed.
const std::vector<Case> wf::test::syntaxCases = {
inCombine(Diag::BadCharacter, "(a, b) -> a @ b",
R"-(--combine:1:13: error: unexpected character '@'
  (a, b) -> a @ b
              ^
hint: the language is plain ASCII outside comments; a comment starts with #)-"),
inCombine(Diag::BadCharacter, "(a, b) -> a \x01",
R"-(--combine:1:13: error: unexpected character with code 0x1
  (a, b) -> a ?
              ^
hint: the language is plain ASCII outside comments; a comment starts with #)-"),
inCombine(Diag::BadNumber, "(a, b) -> a + 1.",
R"-(--combine:1:15: error: malformed number '1.'
  (a, b) -> a + 1.
                ^
hint: write 12, 0.5, 1e-3 or 0xff: digits on both sides of the point, at most 128 characters)-"),
inCombine(Diag::BadNumber, "(a, b) -> 2a",
R"-(--combine:1:11: error: malformed number '2a'
  (a, b) -> 2a
            ^
hint: write 12, 0.5, 1e-3 or 0xff: digits on both sides of the point, at most 128 characters)-"),
inCombine(Diag::BadNumber, "(a, b) -> a + 1e+",
R"-(--combine:1:15: error: malformed number '1e+'
  (a, b) -> a + 1e+
                ^
hint: write 12, 0.5, 1e-3 or 0xff: digits on both sides of the point, at most 128 characters)-"),
inCombine(Diag::BadNumber, "(a, b) -> a + 0x",
R"-(--combine:1:15: error: malformed number '0x'
  (a, b) -> a + 0x
                ^
hint: write 12, 0.5, 1e-3 or 0xff: digits on both sides of the point, at most 128 characters)-"),
inCombine(Diag::Expected, "(a, b) -> (a + b",
R"-(--combine:1:17: error: expected ')', found the end of the text
  (a, b) -> (a + b
                  ^)-"),
inCombine(Diag::Expected, "(a, b) -> a b",
R"-(--combine:1:13: error: expected an operator or the end, found 'b'
  (a, b) -> a b
              ^)-"),
inCombine(Diag::Expected, "(a, b) -> bitcast(a)",
R"-(--combine:1:20: error: expected ', TYPE' as in bitcast(x, u32), found ')'
  (a, b) -> bitcast(a)
                     ^)-"),
inCombine(Diag::Expected, "(a, b) -> if a > b a else b",
R"-(--combine:1:20: error: expected 'then' after the condition, found 'a'
  (a, b) -> if a > b a else b
                     ^)-"),
inBody(Diag::Expected, "combine(a, b) a + b",
R"-(t.fold:2:15: error: expected '=' after the names, found 'a'
  combine(a, b) a + b
                ^)-"),
inCombine(Diag::ExpectedExpression, "(a, b) -> a +",
R"-(--combine:1:14: error: expected an expression, found the end of the text
  (a, b) -> a +
               ^
hint: if and let inside an operator need parentheses: a + (if c then x else y))-"),
inCombine(Diag::ExpectedExpression, "(a, b) -> a + if a > b then a else b",
R"-(--combine:1:15: error: expected an expression, found 'if'
  (a, b) -> a + if a > b then a else b
                ^
hint: if and let inside an operator need parentheses: a + (if c then x else y))-"),
inCombine(Diag::ExpectedFunction, "a + b",
R"-(--combine:1:1: error: expected a function, found 'a'
  a + b
  ^
hint: write it as (a, b) -> a + b)-"),
inCombine(Diag::ReservedWord, "(index, b) -> b",
R"-(--combine:1:2: error: 'index' is a reserved word
  (index, b) -> b
   ^
hint: choose another name)-"),
inBody(Diag::ReservedWord, "combine(a, f16) = a",
R"-(t.fold:2:12: error: 'f16' is a reserved word
  combine(a, f16) = a
             ^
hint: choose another name)-"),
inCombine(Diag::TupleWithoutNames, "(a, b) -> (a, b)",
R"-(--combine:1:13: error: a record's fields need names
  (a, b) -> (a, b)
              ^
hint: write (value: a, at: b))-"),
inCombine(Diag::ComparisonChain, "(a, b) -> if 0 < a < b then a else b",
R"-(--combine:1:20: error: comparisons do not chain
  (a, b) -> if 0 < a < b then a else b
                     ^
hint: write a < b && b < c, or put one comparison in parentheses)-"),
inCombine(Diag::TooDeep, "(a, b) -> " + std::string(256, '-') + "a",
R"-(--combine:1:11: error: this is nested more than 256 levels deep
  (a, b) -> --------------------------------------------------------------------------------------------------------------...
            ^
hint: name a part of it with let, or write a long sum as several shorter ones in parentheses)-"),
inCombine(Diag::UnknownType, "(a, b) -> bitcast(a, int)",
R"-(--combine:1:22: error: 'int' is not a type
  (a, b) -> bitcast(a, int)
                       ^
hint: the types are bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64)-"),
inBody(Diag::UnknownType, "param p: double\ncombine(a, b) = a",
R"-(t.fold:2:10: error: 'double' is not a type
  param p: double
           ^
hint: the types are bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64)-"),
inBody(Diag::ComesLater, "pivot m = max(x)\ncombine(a, b) = a",
R"-(t.fold:2:1: error: 'pivot' comes later: this version does not have it
  pivot m = max(x)
  ^
hint: its place in the grammar is reserved)-"),
inCombine(Diag::ComesLater, "(a, b) -> exp(a) + b",
R"-(--combine:1:11: error: 'exp' comes later: this version does not have it
  (a, b) -> exp(a) + b
            ^
hint: the functions now are min max abs sqrt rsqrt fma floor ceil isnan more less same)-"),
inCombine(Diag::ComesLater, "(a, b) -> bf16(a)",
R"-(--combine:1:11: error: 'bf16' comes later: this version does not have it
  (a, b) -> bf16(a)
            ^
hint: the types are bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64)-"),
inBody(Diag::ComesLater, "param p: f16\ncombine(a, b) = a",
R"-(t.fold:2:10: error: 'f16' comes later: this version does not have it
  param p: f16
           ^
hint: the types are bool, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64)-"),
inFile(Diag::NoReduction, "# nothing here",
R"-(t.fold:1:15: error: there is no reduction in this file
  # nothing here
                ^
hint: write reduction NAME(x) { combine(a, b) = … })-"),
inBody(Diag::UnknownClause, "combine(a, b) = a\nfinal(s) = s",
R"-(t.fold:3:1: error: expected a clause or '}', found 'final'
  final(s) = s
  ^
hint: the clauses are map, combine, update, finish, neutral, empty, param, commutative and exact)-"),
inFile(Diag::UnknownClause, "reduction r(x) { combine(a, b) = a",
R"-(t.fold:1:35: error: expected a clause or '}', found the end of the text
  reduction r(x) { combine(a, b) = a
                                    ^
hint: the clauses are map, combine, update, finish, neutral, empty, param, commutative and exact)-"),
inFile(Diag::DuplicateReduction, body("combine(a, b) = a") + "\n" + body("combine(a, b) = b"),
R"-(t.fold:4:11: error: there is a second reduction 'r' in this file
  reduction r(x) {
            ^
hint: give it another name)-"),
inBody(Diag::DuplicateClause, "map = x\nmap = x\ncombine(a, b) = a",
R"-(t.fold:3:1: error: map is given twice
  map = x
  ^
hint: keep one of them)-"),
inBody(Diag::DuplicateClause, "exact exact",
R"-(t.fold:2:7: error: exact is given twice
  exact exact
        ^
hint: keep one of them)-"),
inCombine(Diag::DuplicateName, "(a, a) -> a",
R"-(--combine:1:5: error: the name 'a' is used twice here
  (a, a) -> a
      ^
hint: choose another name)-"),
inFile(Diag::DuplicateName, "reduction r(x) { param x: f32 }",
R"-(t.fold:1:24: error: the name 'x' is used twice here
  reduction r(x) { param x: f32 }
                         ^
hint: choose another name)-"),
inBody(Diag::DuplicateName, "map = (v: x, v: x)",
R"-(t.fold:2:14: error: the name 'v' is used twice here
  map = (v: x, v: x)
               ^
hint: choose another name)-"),
inBody(Diag::MissingCombine, "map = x",
R"-(t.fold:1:1: error: combine is missing
  reduction r(x) {
  ^
hint: say how two states become one: combine(a, b) = a + b)-"),
withClauses(Diag::MissingCombine, {},
R"-(error: combine is missing
hint: say how two states become one: --combine '(a, b) -> a + b')-"),
inFile(Diag::TooManyInputs, "reduction r(a, b, c, d, e) { }",
R"-(t.fold:1:1: error: a reduction has one to four inputs, not 5
  reduction r(a, b, c, d, e) { }
  ^)-"),
inCombine(Diag::WrongNameCount, "(a) -> a",
R"-(--combine:1:1: error: combine takes two states, not one name
  (a) -> a
  ^
hint: write (a, b) -> a + b)-"),
inBody(Diag::WrongNameCount, "update(s, x, y) = s",
R"-(t.fold:2:1: error: update takes a state and one element, not three names
  update(s, x, y) = s
  ^
hint: write update(s, x) = s + x)-"),
inBody(Diag::WrongNameCount, "finish(s, t) = s",
R"-(t.fold:2:1: error: finish takes one state, not two names
  finish(s, t) = s
  ^
hint: write finish(s) = sqrt(s))-"),
};
