//===- TypeDiagnosticCases.cpp - Faults of meaning ------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Names, types, clauses, params, the catalogue.
//===----------------------------------------------------------------------===//
#include "DiagnosticCases.h"

using namespace wf;
using namespace wf::test;
using T = ScalarType;

// clang-format off: the texts stand as they are printed.
const std::vector<Case> wf::test::typeCases = {
inCombine(Diag::UnknownName, "(a, b) -> a + c",
R"-(--combine:1:15: error: there is no 'c' here
  (a, b) -> a + c
                ^
hint: the names here are a, b)-"),
inBody(Diag::UnknownName, "combine(first, second) = frist",
R"-(t.fold:2:26: error: there is no 'frist' here
  combine(first, second) = frist
                           ^
hint: did you mean 'first'?)-"),
inCombine(Diag::UnknownFunction, "(a, b) -> maxx(a, b)",
R"-(--combine:1:11: error: there is no function 'maxx'
  (a, b) -> maxx(a, b)
            ^
hint: did you mean 'max'?)-"),
inCombine(Diag::UnknownFunction, "(a, b) -> frobnicate(a)",
R"-(--combine:1:11: error: there is no function 'frobnicate'
  (a, b) -> frobnicate(a)
            ^
hint: the functions are in docs/language.md)-"),
inBody(Diag::UnknownField, "map = (v: x, at: index)\ncombine(a, b) = a.w",
R"-(t.fold:3:19: error: there is no field 'w'
  combine(a, b) = a.w
                    ^
hint: the fields are v, at)-"),
inCombine(Diag::NotARecord, "(a, b) -> a.v",
R"-(--combine:1:13: error: '.v' needs a record, not f32
  (a, b) -> a.v
              ^)-"),
inBody(Diag::InputWithoutValue, "combine(a, b) = a + x",
R"-(t.fold:2:21: error: the input 'x' has no value in combine
  combine(a, b) = a + x
                      ^
hint: only its type is known there: lowest(x), highest(x))-"),
inBody(Diag::InputWithoutValue, "combine(a, b) = a + raw(x)",
R"-(t.fold:2:25: error: the input 'x' has no value in combine
  combine(a, b) = a + raw(x)
                          ^
hint: only its type is known there: lowest(x), highest(x))-"),
inCombine(Diag::IndexElsewhere, "(a, b) -> index",
R"-(--combine:1:11: error: index is known in map and update only
  (a, b) -> index
            ^
hint: keep it in the state: map = (value: x, at: index))-"),
inCombine(Diag::CountElsewhere, "(a, b) -> count",
R"-(--combine:1:11: error: count is known in finish only
  (a, b) -> count
            ^
hint: in combine and update write count(a) of a state a)-"),
inBody(Diag::CountOfState, "combine(a, b) = a\nfinish(s) = count(s)",
R"-(t.fold:3:19: error: count(…) takes a state of combine or update
  finish(s) = count(s)
                    ^
hint: in finish write count, without parentheses)-"),
inBody(Diag::CountOfState, "combine(a, b) = f32(count(a + b))",
R"-(t.fold:2:29: error: count(…) takes a state of combine or update
  combine(a, b) = f32(count(a + b))
                              ^
hint: write the name of a state: count(a))-"),
inBody(Diag::RawOfInput, "map = raw(x + 1)\ncombine(a, b) = a",
R"-(t.fold:2:13: error: raw(…) takes the name of an input of map or update
  map = raw(x + 1)
              ^)-"),
inBody(Diag::NoTypeForLiteral, "map = 1\ncombine(a, b) = a",
R"-(t.fold:2:7: error: this literal has nothing to take its type from
  map = 1
        ^
hint: write its type, as in f32(1), or like(1) for the result's type)-"),
inBody(Diag::NoTypeForLiteral, "combine(a, b) = let c = 2 in a * c",
R"-(t.fold:2:25: error: this literal has nothing to take its type from
  combine(a, b) = let c = 2 in a * c
                          ^
hint: write its type, as in f32(1), or like(1) for the result's type)-"),
inBody(Diag::NoTypeForLiteral, "combine(a, b) = if 1 < 2 then a else b",
R"-(t.fold:2:20: error: this literal has nothing to take its type from
  combine(a, b) = if 1 < 2 then a else b
                     ^
hint: write its type, as in f32(1), or like(1) for the result's type)-"),
with(inBody(Diag::LiteralNotWhole, "combine(a, b) = a + 0.5",
R"-(t.fold:2:21: error: 0.5 is not a whole number, so it cannot be i64
  combine(a, b) = a + 0.5
                      ^
hint: write a float type around the other side, as in f64(x))-"), types({T::I32})),
with(inBody(Diag::LiteralOutOfRange, "map = raw(x)\ncombine(a, b) = a + 300",
R"-(t.fold:3:21: error: 300 does not fit u8
  combine(a, b) = a + 300
                      ^)-"), types({T::U8})),
with(inBody(Diag::LiteralOutOfRange, "map = raw(x)\ncombine(a, b) = max(a, -1)",
R"-(t.fold:3:24: error: -1 does not fit u8
  combine(a, b) = max(a, -1)
                         ^)-"), types({T::U8})),
inBody(Diag::LiteralOutOfRange, "combine(a, b) = a * 1e39",
R"-(t.fold:2:21: error: 1e39 does not fit f32
  combine(a, b) = a * 1e39
                      ^)-"),
with(inBody(Diag::LiteralForBool, "map = raw(x)\ncombine(a, b) = a == 1",
R"-(t.fold:3:22: error: 1 is a number, not a bool
  combine(a, b) = a == 1
                       ^
hint: write true or false, or compare: x != 0)-"), types({T::Bool})),
inBody(Diag::LiteralForRecord, "map = (v: x, at: index)\ncombine(a, b) = a\nneutral = 0",
R"-(t.fold:4:11: error: 0 is a number, but the record (v: f32, at: i64) is needed here
  neutral = 0
            ^
hint: give every field: (v: 0, at: 0))-"),
inCombine(Diag::OperandKind, "(a, b) -> a % b",
R"-(--combine:1:13: error: '%' takes integers, not f32
  (a, b) -> a % b
              ^
hint: convert it: i64(…) drops the fraction)-"),
inCombine(Diag::OperandKind, "(a, b) -> a && b",
R"-(--combine:1:13: error: '&&' takes bools, not f32
  (a, b) -> a && b
              ^
hint: compare it: x != 0)-"),
inCombine(Diag::OperandKind, "(a, b) -> a << b",
R"-(--combine:1:13: error: '<<' takes integers, not f32
  (a, b) -> a << b
              ^
hint: convert it: i64(…) drops the fraction)-"),
inCombine(Diag::OperandKind, "(a, b) -> a ^ b",
R"-(--combine:1:13: error: '^' takes integers or bools, not f32
  (a, b) -> a ^ b
              ^
hint: convert it: i64(…) drops the fraction, bitcast(…, u32) keeps the bits)-"),
with(inBody(Diag::OperandKind, "combine(a, b) = sqrt(a + b)",
R"-(t.fold:2:17: error: sqrt takes floats, not i64
  combine(a, b) = sqrt(a + b)
                  ^
hint: convert it: f64(…), or real(…) for the result's float type)-"), types({T::I8})),
with(inBody(Diag::OperandKind, "map = raw(x)\ncombine(a, b) = a + b",
R"-(t.fold:3:19: error: '+' takes numbers, not bool
  combine(a, b) = a + b
                    ^
hint: convert it: i64(…))-"), types({T::Bool})),
with(inBody(Diag::OperandKind, "map = raw(x)\ncombine(a, b) = ~a",
R"-(t.fold:3:17: error: '~' takes integers, not bool
  combine(a, b) = ~a
                  ^
hint: convert it: i64(…), or use && || ! on bools)-"), types({T::Bool})),
inBody(Diag::OperandTypes, "map = (v: x, at: index)\ncombine(a, b) = (v: a.v + a.at, at: b.at)",
R"-(t.fold:3:25: error: '+' takes values of one type, not f32 and i64
  combine(a, b) = (v: a.v + a.at, at: b.at)
                          ^
hint: nothing converts by itself: write f32(…) or i64(…) around one side)-"),
inBody(Diag::OperandTypes, "combine(a, b) = min(a, f64(b))",
R"-(t.fold:2:17: error: min takes values of one type, not f32 and f64
  combine(a, b) = min(a, f64(b))
                  ^
hint: nothing converts by itself: write f32(…) or f64(…) around one side)-"),
inBody(Diag::ScalarNeeded, "map = (v: x, at: index)\ncombine(a, b) = if a == b then a else b",
R"-(t.fold:3:22: error: '==' takes single values, not the record (v: f32, at: i64)
  combine(a, b) = if a == b then a else b
                       ^
hint: take a field of it: r.v)-"),
inBody(Diag::BranchTypes, "combine(a, b) = if a > b then a else f64(b)",
R"-(t.fold:2:17: error: the branches of if have different types: f32 and f64
  combine(a, b) = if a > b then a else f64(b)
                  ^
hint: convert one of them; records need the same fields in the same order)-"),
inCombine(Diag::ConditionNotBool, "(a, b) -> if a then a else b",
R"-(--combine:1:14: error: a condition is a bool, not f32
  (a, b) -> if a then a else b
               ^
hint: compare it: x != 0)-"),
inCombine(Diag::ArgumentCount, "(a, b) -> min(a)",
R"-(--combine:1:11: error: min takes two arguments, not one argument
  (a, b) -> min(a)
            ^)-"),
inCombine(Diag::ArgumentCount, "(a, b) -> f32()",
R"-(--combine:1:11: error: f32 takes one argument, not no arguments
  (a, b) -> f32()
            ^)-"),
inCombine(Diag::BitcastSize, "(a, b) -> bitcast(a, u64)",
R"-(--combine:1:11: error: bitcast keeps the bits, so f32 cannot become u64
  (a, b) -> bitcast(a, u64)
            ^
hint: both types need the same size, and bool goes only to bool; u64(…) converts the value)-"),
inBody(Diag::RecordTooLarge, "map = let a = (v: x) in let b = (v: a) in let c = (v: b) in let d = (v: c) in\nlet e = (v: d) in let f = (v: e) in let g = (v: f) in let h = (v: g) in (v: h)\ncombine(a, b) = a",
R"-(t.fold:3:73: error: a record has more than 64 values or 8 levels
  let e = (v: d) in let f = (v: e) in let g = (v: f) in let h = (v: g) in (v: h)
                                                                          ^
hint: keep less in the state)-"),
inBody(Diag::ClauseType, "combine(a, b) = f64(a) + f64(b)",
R"-(t.fold:2:24: error: combine gives f64, but the state is f32
  combine(a, b) = f64(a) + f64(b)
                         ^
hint: nothing converts by itself: write f32(…))-"),
inBody(Diag::ClauseType, "map = (v: x, at: index)\ncombine(a, b) = a.v",
R"-(t.fold:3:19: error: combine gives f32, but the state is (v: f32, at: i64)
  combine(a, b) = a.v
                    ^
hint: nothing converts by itself: write a record with the same fields in the same order)-"),
inBody(Diag::ClauseType, "map = (v: x, at: index)\ncombine(a, b) = (at: a.at, v: a.v)",
R"-(t.fold:3:17: error: combine gives (at: i64, v: f32), but the state is (v: f32, at: i64)
  combine(a, b) = (at: a.at, v: a.v)
                  ^
hint: nothing converts by itself: write a record with the same fields in the same order)-"),
inBody(Diag::ClauseType, "combine(a, b) = a\nempty = true",
R"-(t.fold:3:9: error: empty gives bool, but the result is f32
  empty = true
          ^
hint: nothing converts by itself: write f32(…))-"),
with(inFile(Diag::MapNeeded, "reduction dot(x, w) { combine(a, b) = a + b }",
R"-(t.fold:1:11: error: a reduction of 2 inputs needs map
  reduction dot(x, w) { combine(a, b) = a + b }
            ^
hint: say how the inputs become one state: map = x * w)-"), types({T::F32, T::F32})),
inOp(Diag::InputCount, "sum", types({T::F32, T::F32}),
R"-(sum.fold:2:11: error: 'sum' takes one input, not two inputs
  reduction sum(x) {
            ^)-"),
inOp(Diag::InputCount, "sum", types({}),
R"-(sum.fold:2:11: error: 'sum' takes one input, not no inputs
  reduction sum(x) {
            ^)-"),
with(inBody(Diag::AccUnused, "map = raw(x)\ncombine(a, b) = max(a, b)",
R"-(error: --acc f64 changes nothing in 'r'
hint: it sets the type of an input's name, like, real and acc; here every clause names its own types: leave --acc out)-"), CheckOptions{{T::F32}, T::F64, false, {}}),
inBody(Diag::ParamLiteral, "param p: f32 = x\ncombine(a, b) = a",
R"-(t.fold:2:16: error: a param's value is one literal, found 'x'
  param p: f32 = x
                 ^
hint: write param p: f32 = 0.5, or set it when it runs)-"),
inOp(Diag::ParamLiteral, "var", param("ddof", "1 2"),
R"-(--param ddof:1:3: error: a param's value is one literal, found '2'
  1 2
    ^
hint: write param p: f32 = 0.5, or set it when it runs)-"),
inBody(Diag::ParamValue, "param p: i32 = 0.5\ncombine(a, b) = a",
R"-(t.fold:2:16: error: '0.5' is no value for the param 'p' of type i32
  param p: i32 = 0.5
                 ^
hint: write a value of that type, or another type)-"),
inOp(Diag::ParamValue, "var", param("ddof", "0.5"),
R"-(error: '0.5' is no value for the param 'ddof' of type i64
hint: write a value of that type)-"),
with(withClauses(Diag::ParamValue, withParam("(a, b) -> a + p", {"p", {}}),
R"-(error: '0.5' is no value for the param 'p' of type i64
hint: without a type it has the one that like(…) gives: write --param p:f64=0.5)-"), CheckOptions{{T::I32}, {}, false, {{"p", "0.5"}}}),
inOp(Diag::ParamUnknown, "var", param("dof", "1"),
R"-(error: there is no param 'dof'
hint: did you mean 'ddof'?)-"),
inOp(Diag::ParamUnknown, "sum", param("dof", "1"),
R"-(error: there is no param 'dof'
hint: 'sum' has no params)-"),
inOp(Diag::ParamType, "var", param("ddof:f32", "1"),
R"-(error: the param 'ddof' is i64, not f32
hint: leave the type out: --param ddof=VALUE)-"),
inOp(Diag::ParamTwice, "var", CheckOptions{{T::F32}, {}, false, {{"ddof", "1"}, {"ddof:i64", "2"}}},
R"-(error: the param 'ddof' is set twice
hint: keep one of them)-"),
inOp(Diag::UnknownOp, "summ", types({T::F32}),
R"-(error: there is no built-in reduction 'summ'
hint: did you mean 'sum'?)-"),
inOp(Diag::UnknownOp, "convolve", types({T::F32}),
R"-(error: there is no built-in reduction 'convolve'
hint: there are all, aminmax, any, argmax, argmin, bitand, bitor, count_nonzero, max, mean, min, norm1, norm2, prod, std, sum, var, xor)-"),
};
