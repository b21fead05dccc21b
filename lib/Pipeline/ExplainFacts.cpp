//===- ExplainFacts.cpp - A program's facts for named plans ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Pipeline/ExplainFacts.h"

#include "Language/ElementOrder.h"

using namespace wf;

namespace {

/// Which nodes the results need.
std::vector<bool> reachable(const Function &f) {
  std::vector<bool> needed(f.nodes.size(), false);
  for (uint32_t r : f.results)
    needed[r] = true;
  for (size_t n = f.nodes.size(); n-- > 0;)
    if (needed[n])
      for (uint32_t operand : f.nodes[n].operands)
        needed[operand] = true;
  return needed;
}

bool isWork(const Node &node) {
  return node.op != NodeOp::Constant && node.op != NodeOp::Argument;
}

int64_t operations(const Function &f) {
  std::vector<bool> needed = reachable(f);
  int64_t count = 0;
  for (size_t n = 0; n < f.nodes.size(); ++n)
    count += needed[n] && isWork(f.nodes[n]);
  return count;
}

const char *opName(NodeOp op) {
  switch (op) {
#define X(E, N, ...)                                                           \
  case NodeOp::E:                                                              \
    return N;
    WF_NODE_OPS(X)
#undef X
  }
  return "?";
}

/// Work of combine that reads members of one state and nothing of the other,
/// outermost operation first. Counts are known anyway, and are no state.
std::vector<std::string> unmixedWork(const Function &f) {
  enum : uint8_t { Left = 1, Right = 2, Count = 4 };
  std::vector<uint8_t> reads(f.nodes.size(), 0);
  std::vector<bool> needed = reachable(f), inner(f.nodes.size(), false);
  for (size_t n = 0; n < f.nodes.size(); ++n) {
    const Node &node = f.nodes[n];
    if (node.op == NodeOp::Argument) {
      ArgumentRole role = f.arguments[node.payload].role;
      reads[n] = role == ArgumentRole::StateA   ? Left
                 : role == ArgumentRole::StateB ? Right
                 : role == ArgumentRole::CountA || role == ArgumentRole::CountB
                     ? Count
                     : 0;
    }
    for (uint32_t operand : node.operands)
      reads[n] |= reads[operand];
  }
  auto unmixed = [&](size_t n) {
    return needed[n] && isWork(f.nodes[n]) &&
           (reads[n] == Left || reads[n] == Right);
  };
  for (size_t n = 0; n < f.nodes.size(); ++n)
    if (unmixed(n))
      for (uint32_t operand : f.nodes[n].operands)
        inner[operand] = true;
  std::vector<std::string> texts;
  for (size_t n = 0; n < f.nodes.size(); ++n) {
    if (!unmixed(n) || inner[n])
      continue;
    const SourceLocation &at = f.nodes[n].where;
    std::string text = "'" + std::string(opName(f.nodes[n].op)) + "' of the " +
                       (reads[n] == Left ? "left" : "right") + " state only";
    if (at.line > 0)
      text += ", " + at.file + ":" + std::to_string(at.line) + ":" +
              std::to_string(at.column);
    texts.push_back(std::move(text));
  }
  return texts;
}

/// Is the one result the one member of the state, bit for bit?
bool returnsState(const Program &p) {
  if (p.results.size() != 1 || p.state.size() != 1 ||
      p.finish.results.size() != 1 || p.results[0].type != p.state[0].type)
    return false;
  const Node &result = p.finish.nodes[p.finish.results[0]];
  return result.op == NodeOp::Argument &&
         p.finish.arguments[result.payload].role == ArgumentRole::StateA;
}

} // namespace

NamedFacts wf::namedFacts(const Program &program,
                          std::optional<PlanOrder> asked) {
  NamedFacts facts;
  facts.commutative = program.commutative;
  facts.exact = program.exact;
  facts.neutral = program.neutral.has_value();
  facts.plainFinish = returnsState(program);
  facts.asked = asked;
  return facts;
}

ExplainFacts wf::explainFacts(const Program &program, const Problem &problem,
                              std::string reason) {
  ExplainFacts facts;
  facts.orderReason = std::move(reason);
  for (const Field &f : program.state)
    facts.members.push_back(byteSize(f.type));
  facts.nearMembers = facts.members;
  if (auto near = nearFunctions(program))
    for (size_t m = 0; m < facts.nearMembers.size(); ++m)
      facts.nearMembers[m] =
          byteSize(near->combine.nodes[near->combine.results[m]].type);
  facts.counted = program.combine.uses(ArgumentRole::CountA) ||
                  program.combine.uses(ArgumentRole::CountB);
  for (size_t i = 0; i < program.inputs.size(); ++i)
    if (program.readsInput[i])
      facts.inputBytes.push_back(byteSize(program.inputs[i]));
  for (const Field &f : program.results)
    facts.outputBytes += byteSize(f.type);
  facts.mapOps = operations(program.map);
  facts.updateOps = operations(program.update);
  facts.combineOps = operations(program.combine);
  facts.finishOps = operations(program.finish);
  facts.unmixed = unmixedWork(program.combine);
  return facts;
}
