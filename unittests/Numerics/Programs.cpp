//===- Programs.cpp - Reductions and arrays for the tests -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Programs.h"

using namespace wf;
using namespace wf::test;
using Role = ArgumentRole;

uint32_t FunctionBuilder::argument(ArgumentRole role, uint32_t index,
                                   ScalarType type) {
  const uint32_t position = uint32_t(function.arguments.size());
  function.arguments.push_back({role, index, type});
  Node node{NodeOp::Argument, type, {}, position, {}};
  function.nodes.push_back(node);
  return uint32_t(function.nodes.size() - 1);
}

uint32_t FunctionBuilder::constant(ScalarType type, uint64_t payload) {
  function.nodes.push_back({NodeOp::Constant, type, {}, payload, {}});
  return uint32_t(function.nodes.size() - 1);
}

uint32_t FunctionBuilder::node(NodeOp op, ScalarType type,
                               std::vector<uint32_t> operands) {
  function.nodes.push_back({op, type, std::move(operands), 0, {}});
  return uint32_t(function.nodes.size() - 1);
}

Function FunctionBuilder::done(std::vector<uint32_t> results) {
  function.results = std::move(results);
  return function;
}

/// f(x, y) = op(x, y), or x where there is only one.
static Function simple(std::string name, NodeOp op,
                       std::vector<Argument> arguments) {
  FunctionBuilder f;
  f.function.name = std::move(name);
  std::vector<uint32_t> operands;
  for (const Argument &a : arguments)
    operands.push_back(f.argument(a.role, a.index, a.type));
  if (operands.size() == 1)
    return f.done(operands);
  return f.done({f.node(op, arguments[0].type, operands)});
}

Program wf::test::sumWithoutEmpty(ScalarType type) {
  const Argument x{Role::Input, 0, type}, a{Role::StateA, 0, type},
      b{Role::StateB, 0, type};
  Program p;
  p.name = "sum";
  p.inputs = {type};
  p.state = {{"", type}};
  p.results = {{"", type}};
  p.map = simple("map", NodeOp::Add, {x});
  p.combine = simple("combine", NodeOp::Add, {a, b});
  p.update = simple("update", NodeOp::Add, {a, x});
  p.finish = simple("finish", NodeOp::Add, {a});
  p.commutative = true;
  p.exact = !isFloat(type);
  p.stateBytes = p.widestInputBytes = byteSize(type);
  p.readsInput = {true};
  return p;
}

Program wf::test::sumProgram(ScalarType type) {
  Program p = sumWithoutEmpty(type);
  FunctionBuilder zero;
  zero.function.name = "empty";
  p.neutral = p.empty = zero.done({zero.constant(type, 0)});
  return p;
}

/// Members of one of combine's two sides.
static std::pair<uint32_t, uint32_t> pick(FunctionBuilder &f, uint32_t av,
                                          uint32_t aAt, uint32_t bv,
                                          uint32_t bAt, ScalarType type) {
  const ScalarType flag = ScalarType::Bool;
  const uint32_t more = f.node(NodeOp::More, flag, {av, bv});
  const uint32_t same = f.node(NodeOp::Same, flag, {av, bv});
  const uint32_t before = f.node(NodeOp::Lt, flag, {aAt, bAt});
  const uint32_t tie = f.node(NodeOp::And, flag, {same, before});
  const uint32_t left = f.node(NodeOp::Or, flag, {more, tie});
  return {f.node(NodeOp::Select, type, {left, av, bv}),
          f.node(NodeOp::Select, ScalarType::I64, {left, aAt, bAt})};
}

Program wf::test::argmaxProgram(ScalarType type) {
  const ScalarType i64 = ScalarType::I64;
  Program p;
  p.name = "argmax";
  p.inputs = {type};
  p.state = {{"v", type}, {"at", i64}};
  p.results = {{"", i64}};
  FunctionBuilder map, combine, update;
  const uint32_t v = map.argument(Role::Input, 0, type);
  p.map = map.done({v, map.argument(Role::Index, 0, i64)});
  auto side = [&](FunctionBuilder &f, Role role) {
    const uint32_t value = f.argument(role, 0, type);
    return std::pair(value, f.argument(role, 1, i64));
  };
  auto [av, aAt] = side(combine, Role::StateA);
  auto [bv, bAt] = side(combine, Role::StateB);
  auto both = pick(combine, av, aAt, bv, bAt, type);
  p.combine = combine.done({both.first, both.second});
  auto [sv, sAt] = side(update, Role::StateA);
  const uint32_t x = update.argument(Role::Input, 0, type);
  const uint32_t k = update.argument(Role::Index, 0, i64);
  both = pick(update, sv, sAt, x, k, type);
  p.update = update.done({both.first, both.second});
  FunctionBuilder finish;
  p.finish = finish.done({finish.argument(Role::StateA, 1, i64)});
  p.commutative = p.exact = true;
  p.widestInputBytes = byteSize(type);
  p.stateBytes = byteSize(type) + 8;
  p.readsInput = {true};
  return p;
}

Program wf::test::dotProgram() {
  const ScalarType f64 = ScalarType::F64;
  Program p = sumProgram(f64);
  p.name = "dot";
  p.inputs = {f64, f64};
  p.params = {{"scale", f64, std::nullopt}};
  FunctionBuilder map, update, finish;
  const uint32_t x = map.argument(Role::Input, 0, f64);
  const uint32_t y = map.argument(Role::Input, 1, f64);
  p.map = map.done({map.node(NodeOp::Mul, f64, {x, y})});
  const uint32_t s = update.argument(Role::StateA, 0, f64);
  const uint32_t ux = update.argument(Role::Input, 0, f64);
  const uint32_t uy = update.argument(Role::Input, 1, f64);
  const uint32_t product = update.node(NodeOp::Mul, f64, {ux, uy});
  p.update = update.done({update.node(NodeOp::Add, f64, {s, product})});
  const uint32_t total = finish.argument(Role::StateA, 0, f64);
  const uint32_t scale = finish.argument(Role::Param, 0, f64);
  p.finish = finish.done({finish.node(NodeOp::Mul, f64, {total, scale})});
  p.readsInput = {true, true};
  return p;
}

Program wf::test::countingProgram() {
  const ScalarType i64 = ScalarType::I64;
  Program p = sumProgram(i64);
  p.name = "counting";
  FunctionBuilder map, combine, update, finish;
  auto number = [&](FunctionBuilder &f, int64_t v) {
    return f.constant(i64, payloadOf(v));
  };
  auto op = [&](FunctionBuilder &f, NodeOp op, uint32_t a, uint32_t b) {
    return f.node(op, i64, {a, b});
  };
  const uint32_t k = map.argument(Role::Index, 0, i64);
  p.map = map.done({op(map, NodeOp::Mul, k, number(map, 1000))});

  const uint32_t a = combine.argument(Role::StateA, 0, i64);
  const uint32_t b = combine.argument(Role::StateB, 0, i64);
  const uint32_t na = combine.argument(Role::CountA, 0, i64);
  const uint32_t nb = combine.argument(Role::CountB, 0, i64);
  const uint32_t nb2 = op(combine, NodeOp::Add, nb, nb);
  const uint32_t counts =
      op(combine, NodeOp::Mul, op(combine, NodeOp::Add, na, nb2),
         number(combine, 1'000'000));
  const uint32_t sum = op(combine, NodeOp::Add, a, b);
  const uint32_t sum1 = op(combine, NodeOp::Add, sum, number(combine, 1));
  p.combine = combine.done({op(combine, NodeOp::Add, sum1, counts)});

  const uint32_t s = update.argument(Role::StateA, 0, i64);
  const uint32_t n = update.argument(Role::CountA, 0, i64);
  p.update = update.done({op(update, NodeOp::Add, s, n)});

  const uint32_t total = finish.argument(Role::StateA, 0, i64);
  const uint32_t all = finish.argument(Role::CountA, 0, i64);
  const uint32_t scaled =
      op(finish, NodeOp::Mul, all, number(finish, 1'000'000'000'000));
  p.finish = finish.done({op(finish, NodeOp::Add, total, scaled)});
  return p;
}

double wf::test::goldenElement(int64_t k) {
  return double(uint32_t(uint64_t(k) * 2654435761u) >> 8) / 16777216.0 - 0.5;
}

Array wf::test::goldenArray(ScalarType type, std::vector<int64_t> shape) {
  int64_t count = 1;
  for (int64_t length : shape)
    count *= length;
  std::vector<float> f32;
  std::vector<double> f64;
  for (int64_t k = 0; k < count; ++k) {
    f32.push_back(float(goldenElement(k)));
    f64.push_back(goldenElement(k));
  }
  return type == ScalarType::F32 ? arrayOf(type, shape, f32)
                                 : arrayOf(type, shape, f64);
}
