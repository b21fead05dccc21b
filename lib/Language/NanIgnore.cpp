//===- NanIgnore.cpp - Absent elements woven into a program ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Selects, not branches: every operation is total, so an absent element may be
// computed with as long as its result is not taken.
//===----------------------------------------------------------------------===//
#include "Language/NanIgnore.h"

#include "Language/FunctionBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace wf;

namespace {
/// One function being rewritten: the user's form of it and the builder of the
/// new one.
struct Rewriter {
  Rewriter(FunctionKind kind, const Program &counted)
      : counted(counted), members(uint32_t(counted.state.size()) - 1),
        builder(kind, counted) {}

  uint32_t zero() { return builder.constant(ScalarType::I64, 0); }
  uint32_t presentIn(ArgumentRole role) {
    return builder.argument(role, members);
  }
  uint32_t isZero(uint32_t n) {
    return builder.add(NodeOp::Eq, ScalarType::Bool, {n, zero()});
  }
  uint32_t anyNan();
  /// The arguments of `callee` here, the counts being those of the states.
  std::vector<uint32_t> arguments(const Function &callee);
  std::vector<uint32_t> call(const Function &callee) {
    return builder.inlineCall(callee, arguments(callee));
  }
  /// if condition then a else b, member by member.
  std::vector<uint32_t> select(uint32_t condition, llvm::ArrayRef<uint32_t> a,
                               llvm::ArrayRef<uint32_t> b);
  std::vector<uint32_t> state(ArgumentRole role);

  const Program &counted; ///< the program with the count member in its state
  uint32_t members;       ///< of the user's state; also the count's position
  FunctionBuilder builder;
};
} // namespace

uint32_t Rewriter::anyNan() {
  std::optional<uint32_t> any;
  for (size_t i = 0; i != counted.inputs.size(); ++i) {
    if (!isFloat(counted.inputs[i]))
      continue;
    uint32_t input = builder.argument(ArgumentRole::Input, uint32_t(i));
    uint32_t isNan = builder.add(NodeOp::IsNan, ScalarType::Bool, {input});
    any =
        any ? builder.add(NodeOp::Or, ScalarType::Bool, {*any, isNan}) : isNan;
  }
  return *any;
}

std::vector<uint32_t> Rewriter::arguments(const Function &callee) {
  std::vector<uint32_t> out;
  for (const Argument &argument : callee.arguments) {
    if (argument.role == ArgumentRole::CountA)
      out.push_back(presentIn(ArgumentRole::StateA));
    else if (argument.role == ArgumentRole::CountB)
      out.push_back(presentIn(ArgumentRole::StateB));
    else
      out.push_back(builder.argument(argument.role, argument.index));
  }
  return out;
}

std::vector<uint32_t> Rewriter::select(uint32_t condition,
                                       llvm::ArrayRef<uint32_t> a,
                                       llvm::ArrayRef<uint32_t> b) {
  std::vector<uint32_t> out;
  for (auto [left, right] : llvm::zip_equal(a, b))
    out.push_back(left == right
                      ? left
                      : builder.add(NodeOp::Select, builder.node(left).type,
                                    {condition, left, right}));
  return out;
}

std::vector<uint32_t> Rewriter::state(ArgumentRole role) {
  std::vector<uint32_t> out;
  for (uint32_t i = 0; i != members; ++i)
    out.push_back(builder.argument(role, i));
  return out;
}

static Function mapOf(const Program &user, const Program &counted) {
  Rewriter r(FunctionKind::Map, counted);
  std::vector<uint32_t> out = r.call(user.map);
  uint32_t one = r.builder.constant(ScalarType::I64, 1);
  out.push_back(r.builder.add(NodeOp::Select, ScalarType::I64,
                              {r.anyNan(), r.zero(), one}));
  return r.builder.finish(out);
}

static Function combineOf(const Program &user, const Program &counted) {
  Rewriter r(FunctionKind::Combine, counted);
  uint32_t inA = r.presentIn(ArgumentRole::StateA);
  uint32_t inB = r.presentIn(ArgumentRole::StateB);
  std::vector<uint32_t> out = r.select(
      r.isZero(inA), r.state(ArgumentRole::StateB), r.call(user.combine));
  out = r.select(r.isZero(inB), r.state(ArgumentRole::StateA), out);
  out.push_back(r.builder.add(NodeOp::Add, ScalarType::I64, {inA, inB}));
  return r.builder.finish(out);
}

static Function updateOf(const Program &user, const Program &counted) {
  Rewriter r(FunctionKind::Update, counted);
  uint32_t inA = r.presentIn(ArgumentRole::StateA), absent = r.anyNan();
  std::vector<uint32_t> out =
      r.select(r.isZero(inA), r.call(user.map), r.call(user.update));
  out = r.select(absent, r.state(ArgumentRole::StateA), out);
  uint32_t one = r.builder.constant(ScalarType::I64, 1);
  uint32_t step =
      r.builder.add(NodeOp::Select, ScalarType::I64, {absent, r.zero(), one});
  out.push_back(r.builder.add(NodeOp::Add, ScalarType::I64, {inA, step}));
  return r.builder.finish(out);
}

static Function finishOf(const Program &user, const Program &counted) {
  Rewriter r(FunctionKind::Finish, counted);
  uint32_t inA = r.presentIn(ArgumentRole::StateA);
  std::vector<uint32_t> out = r.call(user.finish);
  if (user.empty)
    out = r.select(r.isZero(inA), r.call(*user.empty), out);
  else
    out.push_back(inA);
  return r.builder.finish(out);
}

static Function neutralOf(const Program &user, const Program &counted) {
  Rewriter r(FunctionKind::Neutral, counted);
  std::vector<uint32_t> out = r.call(*user.neutral);
  out.push_back(r.zero());
  return r.builder.finish(out);
}

void wf::ignoreNan(Program &program) {
  if (llvm::none_of(program.inputs, isFloat))
    return;
  Program counted = program;
  counted.nanIgnore = true;
  counted.state.push_back({"count", ScalarType::I64});
  counted.map = mapOf(program, counted);
  counted.combine = combineOf(program, counted);
  counted.update = updateOf(program, counted);
  counted.finish = finishOf(program, counted);
  if (program.neutral)
    counted.neutral = neutralOf(program, counted);
  if (!program.empty) {
    counted.reportsAbsence = true;
    counted.results.push_back({"count", ScalarType::I64});
  }
  program = std::move(counted);
}
