//===- Reductions.cpp - What is folded in the tests -----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Reductions.h"

#include "Language/Catalogue.h"
#include "Language/Parser.h"
#include "llvm/Support/Error.h"

#include <cstdlib>

using namespace wf;
using namespace wf::test;

namespace {
struct Text {
  Takes takes;
  const char *text;
};
} // namespace

// Declared commutative although they are not, `witness` and `counted` show the
// whole tree: an integer mix of both sides that no regrouping or exchange of
// operands leaves the same.
static const Text texts[] = {
    {Takes::Any, R"(reduction witness(x) {
  commutative
  map           = index * 2654435761 + i64(raw(x))
  combine(a, b) = a * 31 + (b ^ (b >> 7)) * 17 + count(a) * 3 + count(b)
  update(s, x)  = s * 13 + i64(raw(x)) * 5 + index + count(s)
  finish(s)     = (tree: s, n: count)
})"},
    {Takes::Any, R"(reduction counted(x) {
  commutative
  map           = u32(index) * 40503 + u32(raw(x))
  combine(a, b) = a * 31 + (b ^ (b >> 7)) * 17
})"},
    {Takes::Any, R"(reduction narrow(x) {
  commutative
  map           = u8(raw(x))
  combine(a, b) = a * 3 + b
})"},
    {Takes::Any, R"(reduction wide(x) {
  commutative
  map = (a: f64(x), b: f64(x) * 3, c: f64(x) / 3, d: index, e: f32(x),
         f: i8(raw(x)), g: f64(x) + 1, h: bool(raw(x)), i: f64(index), j: u16(index))
  combine(p, q) =
    (a: p.a + q.a, b: p.b + q.b * 2, c: p.c - q.c, d: p.d * 5 + q.d,
     e: p.e * 0.5 + q.e, f: p.f ^ q.f, g: max(p.g, q.g), h: p.h != q.h,
     i: p.i + q.i, j: min(p.j, q.j))
})"},
    {Takes::Alike, R"(reduction dot(x, y) {
  map           = x * y
  combine(a, b) = a + b
})"},
    {Takes::Any, R"(reduction mixed_dot(x, y) {
  map           = f64(x) * f64(y)
  combine(a, b) = a + b
  neutral       = -0.0
})"},
    {Takes::Any, R"(reduction weighted_mean(x, w) {
  param p: f64 = 0.5
  map           = (sum: f64(x) * f64(w) * p, weight: f64(w) * p)
  combine(a, b) = (sum: a.sum + b.sum, weight: a.weight + b.weight)
  finish(s)     = (mean: s.sum / s.weight, weight: real(s.weight), n: count)
  empty         = (mean: nan, weight: 0, n: 0)
})"},
    {Takes::Any, R"(reduction triple(x, y, z) {
  map             = fma(f64(x), f64(y), f64(z))
  combine(a, b)   = a + b
  update(s, x, y, z) = fma(f64(x), f64(y), f64(z) + s)
})"},
    {Takes::Any, R"(reduction at_least_key(k, v, w) {
  commutative
  map           = (k: raw(k), at: index, v: raw(v), w: raw(w))
  combine(a, b) = if less(a.k, b.k) || (same(a.k, b.k) && a.at < b.at) then a else b
  finish(s)     = (v: s.v, w: s.w, at: s.at)
})"},
    {Takes::Any, R"(reduction first(x) {
  map           = raw(x)
  combine(a, b) = a
})"},
    {Takes::Any, R"(reduction last(x) {
  map           = (v: raw(x), at: index)
  combine(a, b) = b
})"},
    {Takes::Numbers, R"(reduction subtract(x) {
  combine(a, b) = a - b
})"},
    {Takes::Floats, R"(reduction affine(x, y) {
  map           = (a: x, b: y)
  combine(a, b) = (a: a.a * b.a, b: a.a * b.b + a.b)
})"},
    {Takes::Floats, R"(reduction polynomial(x) {
  param p: f64 = 0.875
  map           = (v: f64(x), p: p)
  combine(a, b) = (v: a.v * b.p + b.v, p: a.p * b.p)
  update(s, x)  = (v: fma(s.v, p, f64(x)), p: s.p * p)
  finish(s)     = (v: s.v, scaled: real(s.v * p))
})"},
    {Takes::Floats, R"(reduction squares(x) {
  map           = x * x
  combine(a, b) = a + b
  update(s, x)  = fma(x, x, s)
  finish(s)     = (root: sqrt(s), inverse: rsqrt(s), mean: s / real(count))
})"},
    {Takes::Floats, R"(reduction compensated(x) {
  commutative
  map = (s: x, c: x - x)
  combine(a, b) =
    let s = a.s + b.s in
    let t = s - a.s in
    (s: s, c: a.c + b.c + ((a.s - (s - t)) + (b.s - t)))
  finish(s) = s.s + s.c
})"},
    {Takes::Any, R"(reduction moments(x) {
  map = (one: f64(x), two: f64(x) * f64(x), low: raw(x), high: raw(x))
  combine(a, b) = (one: a.one + b.one, two: a.two + b.two,
                   low: min(a.low, b.low), high: max(a.high, b.high))
  finish(s) = (mean: real(s.one / f64(count)), square: real(s.two), low: s.low,
               high: s.high, n: count)
})"},
    {Takes::Any, R"(reduction positions(x) {
  map           = if bool(raw(x)) then index else i64(-1)
  combine(a, b) = max(a, b)
  neutral       = -1
})"},
    {Takes::Any, R"(reduction how_many(x) {
  map           = i64(1)
  combine(a, b) = a + b
  finish(s)     = (counted: s, n: count)
  empty         = (counted: 0, n: 0)
})"},
    {Takes::Alike, R"(reduction parity(x, y) {
  map           = raw(x) != raw(y)
  combine(a, b) = a != b
})"},
    {Takes::Any, R"(reduction arithmetic(x) {
  commutative
  map           = let i = i32(raw(x)) in
                  (i / 7) ^ (i % 5) ^ (i << 3) ^ (i >> i) ^ ~i ^ abs(i)
  combine(a, b) = a / (b | 1) + b % a - (a << b)
})"},
    {Takes::Any, R"(reduction conversions(x) {
  map = (a: i8(f32(x)), b: u16(f64(x) * 70000), c: i64(f32(x) * 1e30),
         d: f32(i64(raw(x))), e: u64(f64(x)), f: bool(f32(x)))
  combine(p, q) = (a: p.a ^ q.a, b: p.b + q.b, c: max(p.c, q.c), d: p.d + q.d,
                   e: p.e | q.e, f: p.f && q.f)
})"},
    {Takes::Floats, R"(reduction roundings(x) {
  map           = (f: floor(x * 3), c: ceil(x * 3), n: i64(isnan(x)), z: 1 / x)
  combine(a, b) = (f: a.f + b.f, c: a.c + b.c, n: a.n + b.n, z: min(a.z, b.z))
})"},
    {Takes::Any, R"(reduction halves(x) {
  param p: i32 = 2
  commutative
  map           = i32(raw(x)) + p
  combine(a, b) = if (a ^ b) % p == 0 then a - b * p else max(a, b) * 3 + p
  update(s, x)  = (s << 1) + i32(raw(x)) * p
  neutral       = 0
  finish(s)     = s * p
  empty         = p - 1
})"},
};

static TestReduction parsed(std::string text) {
  auto asts = parseReductions(text, "test.fold");
  if (!asts) {
    llvm::errs() << text << '\n' << llvm::toString(asts.takeError()) << '\n';
    std::abort();
  }
  TestReduction r;
  r.ast = asts->front();
  r.text = std::move(text);
  r.inputs = int64_t(r.ast.inputs.size());
  for (const ParamAst &p : r.ast.params) {
    r.hasParam |= p.name == "p";
    r.hasDdof |= p.name == "ddof";
  }
  return r;
}

const std::vector<TestReduction> &wf::test::builtIns() {
  static const std::vector<TestReduction> all = [] {
    std::vector<TestReduction> made;
    for (const CatalogueEntry &entry : catalogue())
      made.push_back(parsed(entry.source.str()));
    return made;
  }();
  return all;
}

const std::vector<TestReduction> &wf::test::customs() {
  static const std::vector<TestReduction> all = [] {
    std::vector<TestReduction> made;
    for (const Text &t : texts) {
      made.push_back(parsed(t.text));
      made.back().takes = t.takes;
    }
    return made;
  }();
  return all;
}

const TestReduction &wf::test::custom(const std::string &name) {
  for (const TestReduction &r : customs())
    if (r.ast.name == name)
      return r;
  std::abort();
}

std::vector<ScalarType> wf::test::randomTypes(Random &random,
                                              const TestReduction &r) {
  static const std::vector<ScalarType> all = {
#define X(E, ...) ScalarType::E,
      WF_SCALAR_TYPES(X)
#undef X
  };
  auto one = [&] {
    for (;;) {
      ScalarType type = random.onceIn(3) ? ScalarType::F32 : random.of(all);
      if (r.takes == Takes::Floats
              ? isFloat(type)
              : r.takes != Takes::Numbers || type != ScalarType::Bool)
        return type;
    }
  };
  std::vector<ScalarType> types(size_t(r.inputs), one());
  if (r.takes == Takes::Any)
    for (ScalarType &type : types)
      type = one();
  return types;
}
