//===- ShapeTest.cpp - Forms of values, on graphs built by hand -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Patterns/Shape.h"

#include "gtest/gtest.h"

using namespace wf::explain;
using Kind = Value::Kind;

namespace {

/// Makes values one by one; a load has an instruction of its own.
struct Graph {
  Analysis a;

  ValueId add(Value v) {
    a.values.push_back(std::move(v));
    return ValueId(a.values.size() - 1);
  }
  ValueId load(Space space = Space::Global) {
    Effect e;
    e.op = Op::Load;
    e.memory.emplace();
    e.memory->space = space;
    Decoded d;
    d.effects.push_back(e);
    a.program.code.push_back(d);
    Value v;
    v.kind = Kind::Load;
    v.op = Op::Load;
    v.instruction = a.program.code.size() - 1;
    return add(v);
  }
  ValueId op(Op op, std::vector<ValueId> args, Type type = Type::F32) {
    Value v;
    v.kind = Kind::Operation;
    v.op = op;
    v.type = type;
    v.args = std::move(args);
    return add(v);
  }
  ValueId number(double x) {
    Value v;
    v.kind = Kind::Float;
    v.type = Type::F32;
    v.number = x;
    return add(v);
  }
  ValueId constant(int64_t x) {
    Value v;
    v.kind = Kind::Constant;
    v.imm = x;
    return add(v);
  }
  ValueId parameter(int64_t offset) {
    Value v;
    v.kind = Kind::Parameter;
    v.imm = offset;
    return add(v);
  }
  ValueId symbol(std::string name) {
    Value v;
    v.kind = Kind::Symbol;
    v.name = std::move(name);
    return add(v);
  }
  ValueId compare(Cmp cmp, ValueId x, ValueId y) {
    Value v;
    v.kind = Kind::Operation;
    v.op = Op::Compare;
    v.cmp = cmp;
    v.type = Type::F32;
    v.args = {x, y};
    return add(v);
  }
  ValueId gamma(ValueId guard, ValueId yes, ValueId no) {
    Value v;
    v.kind = Kind::Gamma;
    v.args = {guard, yes, no};
    return add(v);
  }
  ValueId undefined() { return add({}); }

  bool is(ValueId id, const char *text) {
    Shape shape;
    auto fault = readShape(text, shape);
    EXPECT_FALSE(fault) << text;
    Origins origins(a);
    return ShapeMatcher(a, origins).matches(id, shape);
  }
};

TEST(Shape, Leaves) {
  Graph g;
  EXPECT_TRUE(g.is(g.load(), "load"));
  EXPECT_FALSE(g.is(g.load(Space::Shared), "load"));
  EXPECT_TRUE(g.is(g.load(Space::Shared), "shared"));
  EXPECT_TRUE(g.is(g.load(Space::Local), "local"));
  EXPECT_TRUE(g.is(g.parameter(16), "param"));
  EXPECT_TRUE(g.is(g.load(Space::Constant), "param"));
  EXPECT_TRUE(g.is(g.parameter(16), "scalar"));
  EXPECT_FALSE(g.is(g.symbol("threadIdx.x"), "scalar"));
  EXPECT_TRUE(g.is(g.symbol("threadIdx.x"), "index"));
  EXPECT_FALSE(g.is(g.load(), "index"));
  EXPECT_TRUE(g.is(g.number(2.5), "2.5"));
  EXPECT_FALSE(g.is(g.number(2.5), "2"));
  // A float's bits in an integer register.
  EXPECT_TRUE(g.is(g.constant(0x3f800000), "1"));
  EXPECT_TRUE(g.is(g.constant(0), "0"));
  EXPECT_FALSE(g.is(noValue, "load"));
  EXPECT_TRUE(g.is(noValue, "any"));
}

TEST(Shape, OrderOfOperandsDoesNotMatter) {
  Graph g;
  ValueId x = g.load(), zero = g.constant(0);
  EXPECT_TRUE(g.is(g.op(Op::Max, {x, zero}), "max(load, 0)"));
  EXPECT_TRUE(g.is(g.op(Op::Max, {zero, x}), "max(load, 0)"));
  EXPECT_FALSE(g.is(g.op(Op::Min, {x, zero}), "max(load, 0)"));
  // a - b is not b - a.
  ValueId p = g.parameter(0);
  EXPECT_TRUE(g.is(g.op(Op::Add, {x, g.op(Op::Neg, {p})}), "sub(load, param)"));
  EXPECT_FALSE(
      g.is(g.op(Op::Add, {x, g.op(Op::Neg, {p})}), "sub(param, load)"));
}

TEST(Shape, TwoLoadsAreTwoArrays) {
  Graph g;
  ValueId x = g.load(), y = g.load();
  EXPECT_TRUE(g.is(g.op(Op::Add, {x, y}), "add(load, load)"));
  EXPECT_FALSE(g.is(g.op(Op::Add, {x, x}), "add(load, load)"));
  EXPECT_TRUE(g.is(g.op(Op::Add, {x, x}), "mul(load, 2)"));
  EXPECT_TRUE(g.is(g.op(Op::Add, {x, x}), "mul(load, scalar)"));
}

TEST(Shape, FusedAndApart) {
  Graph g;
  ValueId x = g.load(), y = g.load(), z = g.load();
  ValueId fused = g.op(Op::Fma, {x, y, z});
  ValueId apart = g.op(Op::Add, {g.op(Op::Mul, {x, y}), z});
  EXPECT_TRUE(g.is(fused, "fma(load, load, load)"));
  EXPECT_TRUE(g.is(fused, "fma"));
  EXPECT_FALSE(g.is(apart, "fma(any, any, any)"));
  EXPECT_TRUE(g.is(apart, "add(mul(any, any), any)"));
  EXPECT_FALSE(g.is(fused, "add(mul(any, any), any)"));
}

TEST(Shape, SumsAreFlattened) {
  Graph g;
  ValueId x = g.load(), y = g.load(), z = g.load();
  ValueId sum = g.op(Op::Add, {x, g.op(Op::Add, {y, z})});
  EXPECT_TRUE(g.is(sum, "add(load, load, load)"));
  EXPECT_TRUE(g.is(sum, "add(load, any)"));
  // IADD3 with RZ.
  ValueId three = g.op(Op::Add, {x, g.constant(0), y}, Type::B32);
  EXPECT_TRUE(g.is(three, "add(load, load)"));
}

/// FSETP.GEU P, v, lo; FSEL v, v, lo, P; FSETP.GT P, v, hi; FSEL v, v, hi, !P
TEST(Shape, ClampByChoices) {
  Graph g;
  ValueId v = g.load(), lo = g.parameter(16), hi = g.parameter(20);
  ValueId low = g.op(Op::Select, {g.compare(Cmp::Ge, v, lo), v, lo});
  ValueId both = g.op(Op::Select, {g.compare(Cmp::Gt, low, hi), hi, low});
  EXPECT_TRUE(g.is(low, "max(load, param)"));
  EXPECT_FALSE(g.is(low, "min(load, param)"));
  EXPECT_FALSE(g.is(low, "load"));
  EXPECT_TRUE(g.is(both, "min(max(load, param), param)"));
  EXPECT_FALSE(g.is(both, "max(min(load, param), param)"));
  EXPECT_FALSE(g.is(both, "load"));
}

TEST(Shape, FourWaysToChoose) {
  Graph g;
  ValueId x = g.load(), y = g.parameter(0);
  struct Case {
    Cmp cmp;
    bool straight;
    const char *is, *isNot;
  };
  for (const Case &c :
       {Case{Cmp::Lt, true, "min", "max"}, Case{Cmp::Lt, false, "max", "min"},
        Case{Cmp::Ge, true, "max", "min"},
        Case{Cmp::Gt, false, "min", "max"}}) {
    ValueId id = g.op(Op::Select, {g.compare(c.cmp, x, y), c.straight ? x : y,
                                   c.straight ? y : x});
    EXPECT_TRUE(g.is(id, c.is));
    EXPECT_FALSE(g.is(id, c.isNot));
  }
  EXPECT_FALSE(g.is(g.op(Op::Select, {g.compare(Cmp::Eq, x, y), x, y}), "max"));
}

/// A guarded load stays a load: `i < n ? x[i] : 0`. One that asks for the data
/// does not: `x[i] > 0 ? x[i] : 0` is a maximum.
TEST(Shape, GuardsOfBoundsAreLookedThrough) {
  Graph g;
  ValueId v = g.load(), zero = g.constant(0);
  ValueId bounds = g.compare(Cmp::Lt, g.symbol("threadIdx.x"), g.parameter(16));
  EXPECT_TRUE(g.is(g.gamma(bounds, v, zero), "load"));
  EXPECT_TRUE(g.is(g.gamma(bounds, v, g.undefined()), "load"));
  EXPECT_TRUE(g.is(g.gamma(bounds, zero, v), "load"));
  EXPECT_FALSE(g.is(g.gamma(bounds, v, g.number(1)), "load"));
  ValueId positive = g.compare(Cmp::Gt, v, zero);
  EXPECT_FALSE(g.is(g.gamma(positive, v, zero), "load"));
  EXPECT_TRUE(g.is(g.gamma(positive, v, zero), "max(load, 0)"));
  // Another's sign decides: neither.
  ValueId other = g.compare(Cmp::Gt, g.load(), zero);
  EXPECT_FALSE(g.is(g.gamma(other, v, zero), "load"));
  EXPECT_FALSE(g.is(g.gamma(other, v, zero), "max"));
  EXPECT_TRUE(g.is(g.gamma(other, v, g.load()), "load"));
}

/// v_max_f32 v, v, v and × 1.0 only quiet NaNs; v_med3 decodes to both bounds.
TEST(Shape, CanonicalisingIsLookedThrough) {
  Graph g;
  ValueId v = g.load();
  ValueId quiet = g.op(Op::Max, {v, v});
  EXPECT_TRUE(g.is(g.op(Op::Max, {quiet, g.constant(0)}), "max(load, 0)"));
  EXPECT_TRUE(g.is(g.op(Op::Mul, {g.number(1), v}), "load"));
  EXPECT_TRUE(g.is(g.op(Op::Move, {quiet}), "load"));
}

TEST(Shape, HasAllOne) {
  Graph g;
  ValueId e = g.op(Op::Exp2, {g.load()});
  ValueId y = g.op(Op::Mul, {e, g.op(Op::Rcp, {g.load(Space::Shared)})});
  EXPECT_TRUE(g.is(y, "all(has(exp2), has(one(rcp, div)))"));
  EXPECT_TRUE(g.is(y, "div(exp2(load), shared)"));
  EXPECT_FALSE(g.is(y, "has(sqrt)"));
  EXPECT_FALSE(g.is(e, "all(has(exp2), has(rcp))"));
  EXPECT_TRUE(g.is(e, "one(load, exp2(load))"));
}

TEST(Shape, LoopsAndHostileGraphsEnd) {
  Graph g;
  g.a.blocks.resize(2);
  ValueId v = g.load();
  Value phi;
  phi.kind = Kind::Phi;
  phi.block = 1;
  phi.args = {v, ValueId(g.a.values.size())}; // itself
  ValueId loop = g.add(phi);
  EXPECT_TRUE(g.is(loop, "load"));
  EXPECT_FALSE(g.is(loop, "max(load, 0)"));
  // 2^40 paths.
  ValueId x = v;
  for (int i = 0; i < 40; ++i)
    x = g.op(Op::Max, {x, g.op(Op::Neg, {x})});
  EXPECT_FALSE(g.is(x, "has(sqrt)"));
  EXPECT_FALSE(g.is(x, "max(max(max(max(min, 1), 1), 1), 1)"));
  // Arguments that are no values.
  EXPECT_FALSE(g.is(g.op(Op::Max, {noValue, 1u << 30}), "max(load, 0)"));
  EXPECT_FALSE(g.is(g.op(Op::Select, {noValue, noValue, noValue}), "load"));
}

} // namespace
