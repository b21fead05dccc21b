//===- Reductions.cpp - What the self-test folds --------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Selftest/Reductions.h"

#include "Language/Catalogue.h"
#include "Language/Checker.h"
#include "Language/Parser.h"
#include "Selftest/Views.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <cstdlib>

using namespace wf;
using namespace wf::selftest;

// `witness` and `narrow` are declared commutative although they are not: an
// integer mix of both sides that no regrouping, no exchange of operands and no
// lost or doubled element leaves the same. They show the whole tree.
static const UserReduction userTable[] = {
    {"witness", R"(reduction witness(x) {
  commutative
  map           = index * 2654435761 + i64(raw(x))
  combine(a, b) = a * 31 + (b ^ (b >> 7)) * 17 + count(a) * 3 + count(b)
  update(s, x)  = s * 13 + i64(raw(x)) * 5 + index + count(s)
  finish(s)     = (tree: s, n: count)
})",
     "i32;i8;f32;i64"},
    {"narrow", R"(reduction narrow(x) {
  commutative
  map           = u8(raw(x))
  combine(a, b) = a * 3 + b
})",
     "u8;i16;f64"},
    {"matrix2", R"(# Odd determinants: no product collapses to zero.
reduction matrix2(x) {
  map = let v = i32(raw(x)) in
        (a: v | 1, b: v << 1, c: i32(index) + v, d: (v * 5) | 1)
  combine(p, q) = (a: p.a * q.a + p.b * q.c, b: p.a * q.b + p.b * q.d,
                   c: p.c * q.a + p.d * q.c, d: p.c * q.b + p.d * q.d)
})",
     "i32;u8;i64"},
    {"affine", R"(reduction affine(x, y) {
  map           = (a: x, b: y)
  combine(a, b) = (a: a.a * b.a, b: a.a * b.b + a.b)
})",
     "f32,f32;f64,f64", Values::NearOne},
    {"welford", R"(reduction welford(x) {
  commutative
  map = (mean: f64(x), m2: f64(0))
  combine(a, b) =
    let n = f64(count(a) + count(b)) in
    let d = b.mean - a.mean in
    (mean: a.mean + d * (f64(count(b)) / n),
     m2: a.m2 + b.m2 + d * d * (f64(count(a)) * f64(count(b)) / n))
  finish(s) = (mean: s.mean, var: s.m2 / f64(count), n: count)
})",
     "f32;f64;i16"},
    {"eight", R"(# Eight members of five widths.
reduction eight(x) {
  commutative
  map = (a: f64(x), b: f32(x), c: index, d: i8(raw(x)), e: u16(index),
         f: bool(raw(x)), g: i32(raw(x)), h: f64(x) * 3)
  combine(p, q) =
    (a: p.a + q.a, b: p.b * 0.5 + q.b, c: p.c * 5 + q.c, d: p.d ^ q.d,
     e: p.e * 3 + q.e, f: p.f != q.f, g: min(p.g, q.g), h: max(p.h, q.h))
})",
     "f32;i8;u64"},
    {"halves", R"(reduction halves(x) {
  param p: i32 = 2
  commutative
  map           = i32(raw(x)) + p
  combine(a, b) = if (a ^ b) % p == 0 then a - b * p else max(a, b) * 3 + p
  finish(s)     = s * p
  empty         = p - 1
})",
     "i32;i8;f32"},
    {"quotients", R"(reduction quotients(x) {
  commutative
  map           = let i = i64(raw(x)) in (i / 7) ^ (i % 5) ^ (i << 3) ^ (i >> i)
  combine(a, b) = a / (b | 1) + b % a - (a << b)
})",
     "i64;i32;u8"},
    {"ratio", R"(reduction ratio(x) {
  commutative
  map           = (s: f64(x), z: 1 / f64(x))
  combine(a, b) = (s: a.s + b.s / 3, z: min(a.z, b.z))
  finish(s)     = (s: s.s / f64(count), r: sqrt(abs(s.s)), z: s.z)
})",
     "f32;f64", Values::Special},
    {"mixed_dot", R"(reduction mixed_dot(x, y) {
  map           = f64(x) * f64(y)
  combine(a, b) = a + b
  neutral       = -0.0
})",
     "i8,f32;f64,f32;u16,i64"},
    {"at_least_key", R"(reduction at_least_key(k, v, w) {
  commutative
  map           = (k: raw(k), at: index, v: raw(v), w: raw(w))
  combine(a, b) = if less(a.k, b.k) || (same(a.k, b.k) && a.at < b.at) then a else b
  finish(s)     = (v: s.v, w: s.w, at: s.at)
})",
     "f32,i64,u8;i16,f32,f64", Values::Ties},
    {"four", R"(reduction four(x, y, z, w) {
  map                   = fma(f64(x), f64(y), f64(z)) - f64(w)
  combine(a, b)         = a + b
  update(s, x, y, z, w) = fma(f64(x), f64(y), f64(z) + s) - f64(w)
})",
     "f32,i8,f64,i16"},
    {"last", R"(reduction last(x) {
  map           = (v: raw(x), at: index)
  combine(a, b) = b
})",
     "f32;i8;f64"},
    {"subtract", R"(reduction subtract(x) {
  combine(a, b) = a - b
})",
     "f32;i16"},
    {"compensated", R"(reduction compensated(x) {
  commutative
  map = (s: x, c: x - x)
  combine(a, b) =
    let s = a.s + b.s in
    let t = s - a.s in
    (s: s, c: a.c + b.c + ((a.s - (s - t)) + (b.s - t)))
  finish(s) = s.s + s.c
})",
     "f32;f64"},
    {"squares", R"(reduction squares(x) {
  map           = x * x
  combine(a, b) = a + b
  update(s, x)  = fma(x, x, s)
  finish(s)     = (root: sqrt(s), inverse: rsqrt(s), mean: s / real(count))
})",
     "f32;f64"},
    {"how_many", R"(reduction how_many(x) {
  map           = i64(1)
  combine(a, b) = a + b
  finish(s)     = (counted: s, n: count)
  empty         = (counted: 0, n: 0)
})",
     "bool;i8"},
    {"furthest", R"(reduction furthest(x) {
  map           = index
  combine(a, b) = max(a, b)
})",
     "bool;i8"},
};

llvm::ArrayRef<UserReduction> selftest::userReductions() { return userTable; }

std::string selftest::sourceOf(llvm::StringRef name) {
  for (const UserReduction &r : userTable)
    if (name == r.name)
      return r.source;
  for (const CatalogueEntry &entry : catalogue())
    if (name == entry.name)
      return entry.source.str();
  std::abort(); // a name in the matrix that nobody defines
}

Values selftest::valuesFor(llvm::StringRef op) {
  return llvm::StringSwitch<Values>(op)
      .Case("prod", Values::NearOne)
      .Cases({"all", "bitand"}, Values::Ones)
      .Cases({"any", "bitor"}, Values::Zeros)
      .Case("count_nonzero", Values::Ties)
      .Default(Values::Mixed);
}

std::vector<ScalarType> selftest::typesOf(llvm::StringRef text) {
  std::vector<ScalarType> types;
  for (llvm::StringRef word : llvm::split(text, ','))
    types.push_back(*scalarTypeNamed(std::string_view(word)));
  return types;
}

llvm::ArrayRef<ScalarType> selftest::allTypes() {
  static const ScalarType types[] = {
#define X(E, ...) ScalarType::E,
      WF_SCALAR_TYPES(X)
#undef X
  };
  return types;
}

bool selftest::accepts(const Case &c) {
  auto asts = parseReductions(c.source, "selftest.fold");
  if (!asts) {
    llvm::consumeError(asts.takeError());
    return false;
  }
  CheckOptions options;
  for (const CaseInput &input : c.inputs)
    options.inputs.push_back(input.type);
  options.acc = c.acc;
  options.nanIgnore = c.nanIgnore;
  options.params = c.params;
  auto program = check(asts->front(), options);
  if (program)
    return true;
  llvm::consumeError(program.takeError());
  return false;
}

Case selftest::makeCase(std::string name, llvm::StringRef reduction,
                        std::vector<ScalarType> types,
                        std::vector<int64_t> shape) {
  Case c;
  c.name = std::move(name);
  c.source = sourceOf(reduction);
  Values values = valuesFor(reduction);
  for (const UserReduction &r : userTable)
    if (reduction == r.name)
      values = r.values;
  for (ScalarType type : types)
    c.inputs.push_back({type, rowMajor(shape), values});
  return c;
}
