//===- FunctionBuilder.cpp - Nodes in, one tidy function out --------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Nothing here recurses: a chain of lets can make a graph far deeper than any
// expression.
//===----------------------------------------------------------------------===//
#include "Language/FunctionBuilder.h"

#include <cassert>

using namespace wf;

const char *wf::functionName(FunctionKind kind) {
  switch (kind) {
  case FunctionKind::Map:
    return "map";
  case FunctionKind::Combine:
    return "combine";
  case FunctionKind::Update:
    return "update";
  case FunctionKind::Finish:
    return "finish";
  case FunctionKind::Neutral:
    return "neutral";
  case FunctionKind::Empty:
    return "empty";
  }
  return "?";
}

std::vector<Argument> wf::signatureOf(FunctionKind kind,
                                      const Program &program) {
  std::vector<Argument> out;
  auto state = [&](ArgumentRole role) {
    for (size_t i = 0; i != program.state.size(); ++i)
      out.push_back({role, uint32_t(i), program.state[i].type});
  };
  auto count = [&](ArgumentRole role) {
    out.push_back({role, 0, ScalarType::I64});
  };
  bool hasState = kind == FunctionKind::Combine ||
                  kind == FunctionKind::Update || kind == FunctionKind::Finish;
  if (hasState)
    state(ArgumentRole::StateA);
  if (kind == FunctionKind::Combine)
    state(ArgumentRole::StateB);
  if (hasState)
    count(ArgumentRole::CountA);
  if (kind == FunctionKind::Combine)
    count(ArgumentRole::CountB);
  if (kind == FunctionKind::Map || kind == FunctionKind::Update) {
    for (size_t i = 0; i != program.inputs.size(); ++i)
      out.push_back({ArgumentRole::Input, uint32_t(i), program.inputs[i]});
    out.push_back({ArgumentRole::Index, 0, ScalarType::I64});
  }
  for (size_t i = 0; i != program.params.size(); ++i)
    out.push_back({ArgumentRole::Param, uint32_t(i), program.params[i].type});
  return out;
}

uint32_t FunctionBuilder::intern(Node node) {
  Key key{node.op, node.type, node.operands, node.payload};
  auto [it, isNew] = known.try_emplace(std::move(key), uint32_t(nodes.size()));
  if (isNew)
    nodes.push_back(std::move(node));
  return it->second;
}

uint32_t FunctionBuilder::argument(ArgumentRole role, uint32_t index,
                                   SourceLocation where) {
  for (size_t i = 0; i != arguments.size(); ++i)
    if (arguments[i].role == role && arguments[i].index == index)
      return intern(
          {NodeOp::Argument, arguments[i].type, {}, i, std::move(where)});
  assert(false && "the function has no such argument");
  return 0;
}

uint32_t FunctionBuilder::constant(ScalarType type, uint64_t bits,
                                   SourceLocation where) {
  return intern({NodeOp::Constant, type, {}, bits, std::move(where)});
}

uint32_t FunctionBuilder::add(NodeOp op, ScalarType type,
                              std::vector<uint32_t> operands,
                              SourceLocation where) {
  return intern({op, type, std::move(operands), 0, std::move(where)});
}

std::vector<uint32_t>
FunctionBuilder::inlineCall(const Function &callee,
                            llvm::ArrayRef<uint32_t> values) {
  assert(values.size() == callee.arguments.size());
  std::vector<uint32_t> here;
  here.reserve(callee.nodes.size());
  for (const Node &node : callee.nodes) {
    if (node.op == NodeOp::Argument) {
      here.push_back(values[node.payload]);
      continue;
    }
    Node copy = node;
    for (uint32_t &operand : copy.operands)
      operand = here[operand];
    here.push_back(intern(std::move(copy)));
  }
  std::vector<uint32_t> results;
  for (uint32_t result : callee.results)
    results.push_back(here[result]);
  return results;
}

Function FunctionBuilder::finish(llvm::ArrayRef<uint32_t> results) const {
  constexpr uint32_t none = ~0u;
  Function out{name, arguments, {}, {}};
  std::vector<uint32_t> renumbered(nodes.size(), none);
  // Post-order from the results, operands from left to right.
  std::vector<std::pair<uint32_t, size_t>> stack;
  for (uint32_t result : results) {
    if (renumbered[result] == none)
      stack.push_back({result, 0});
    while (!stack.empty()) {
      auto &[index, nextOperand] = stack.back();
      const Node &node = nodes[index];
      if (nextOperand != node.operands.size()) {
        uint32_t operand = node.operands[nextOperand++];
        if (renumbered[operand] == none)
          stack.push_back({operand, 0});
        continue;
      }
      Node copy = node;
      for (uint32_t &operand : copy.operands)
        operand = renumbered[operand];
      renumbered[index] = uint32_t(out.nodes.size());
      out.nodes.push_back(std::move(copy));
      stack.pop_back();
    }
    out.results.push_back(renumbered[result]);
  }
  return out;
}
