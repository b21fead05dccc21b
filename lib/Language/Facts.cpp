//===- Facts.cpp - What can be seen of a combine --------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Commutativity by giving the nodes of combine(a, b) and of combine(b, a)
// numbers from one table; exactness by matching two forms.
//===----------------------------------------------------------------------===//
#include "Language/Facts.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace wf;

namespace {
/// A node with its operands' numbers; equal keys get one number.
using NodeKey = std::tuple<NodeOp, ScalarType, std::vector<uint32_t>, uint64_t,
                           ArgumentRole, uint32_t>;
using NumberTable = std::map<NodeKey, uint32_t>;
} // namespace

static bool sortsOperands(NodeOp op) {
  switch (op) {
  case NodeOp::Add:
  case NodeOp::Mul:
  case NodeOp::And:
  case NodeOp::Or:
  case NodeOp::Xor:
  case NodeOp::Min:
  case NodeOp::Max:
  case NodeOp::Eq:
  case NodeOp::Ne:
    return true;
  default:
    return false;
  }
}

static ArgumentRole swapped(ArgumentRole role) {
  switch (role) {
  case ArgumentRole::StateA:
    return ArgumentRole::StateB;
  case ArgumentRole::StateB:
    return ArgumentRole::StateA;
  case ArgumentRole::CountA:
    return ArgumentRole::CountB;
  case ArgumentRole::CountB:
    return ArgumentRole::CountA;
  default:
    return role;
  }
}

static std::vector<uint32_t> numbersOfResults(const Function &f, bool swap,
                                              NumberTable &table) {
  std::vector<uint32_t> numbers;
  for (const Node &node : f.nodes) {
    NodeKey key{node.op, node.type, {}, node.payload, ArgumentRole::Param, 0};
    if (node.op == NodeOp::Argument) {
      const Argument &argument = f.arguments[node.payload];
      key = {node.op,
             node.type,
             {},
             0,
             swap ? swapped(argument.role) : argument.role,
             argument.index};
    }
    std::vector<uint32_t> &operands = std::get<2>(key);
    for (uint32_t operand : node.operands)
      operands.push_back(numbers[operand]);
    if (sortsOperands(node.op))
      std::sort(operands.begin(), operands.end());
    numbers.push_back(table.try_emplace(std::move(key), uint32_t(table.size()))
                          .first->second);
  }
  std::vector<uint32_t> out;
  for (uint32_t result : f.results)
    out.push_back(numbers[result]);
  return out;
}

bool wf::isCommutative(const Function &combine) {
  NumberTable table;
  return numbersOfResults(combine, false, table) ==
         numbersOfResults(combine, true, table);
}

static bool isMember(const Function &f, uint32_t node, ArgumentRole role,
                     size_t member) {
  const Node &n = f.nodes[node];
  return n.op == NodeOp::Argument && f.arguments[n.payload].role == role &&
         f.arguments[n.payload].index == member;
}

/// The node reads members `member` of a and of b; `flipped` if b comes first.
static bool readsBoth(const Function &f, const Node &node, size_t member,
                      bool &flipped) {
  auto reads = [&](ArgumentRole left, ArgumentRole right) {
    return isMember(f, node.operands[0], left, member) &&
           isMember(f, node.operands[1], right, member);
  };
  flipped = reads(ArgumentRole::StateB, ArgumentRole::StateA);
  return flipped || reads(ArgumentRole::StateA, ArgumentRole::StateB);
}

static bool isExactOp(const Node &node) {
  switch (node.op) {
  case NodeOp::Min:
  case NodeOp::Max:
    return true;
  case NodeOp::Add:
  case NodeOp::Mul:
    return isInteger(node.type);
  case NodeOp::And:
  case NodeOp::Or:
  case NodeOp::Xor:
    return !isFloat(node.type);
  default:
    return false;
  }
}

/// Member by member, each by one exact operation.
static bool isExactByMember(const Function &combine) {
  bool flipped;
  for (size_t i = 0; i != combine.results.size(); ++i) {
    const Node &node = combine.nodes[combine.results[i]];
    if (!isExactOp(node) || !readsBoth(combine, node, i, flipped))
      return false;
  }
  return true;
}

namespace {
/// before(a.v, b.v) || (same(a.v, b.v) && a.at < b.at), in any order of the
/// operands of || and && and of same.
struct Choice {
  uint32_t value = 0, place = 0;
};
} // namespace

/// The state member that a comparison of a and b reads, or nothing.
static bool comparedMember(const Function &f, const Node &node,
                           uint32_t &member, bool &flipped) {
  for (const Argument &argument : f.arguments)
    if (argument.role == ArgumentRole::StateA &&
        readsBoth(f, node, argument.index, flipped)) {
      member = argument.index;
      return true;
    }
  return false;
}

static bool matchesTie(const Function &f, const Node &tie, Choice &choice) {
  bool flipped;
  if (tie.op != NodeOp::And)
    return false;
  for (unsigned i : {0u, 1u}) {
    const Node &same = f.nodes[tie.operands[i]];
    const Node &place = f.nodes[tie.operands[1 - i]];
    if (same.op == NodeOp::Same &&
        comparedMember(f, same, choice.value, flipped) &&
        (place.op == NodeOp::Lt || place.op == NodeOp::Gt ||
         place.op == NodeOp::Less || place.op == NodeOp::More) &&
        comparedMember(f, place, choice.place, flipped))
      return true;
  }
  return false;
}

static bool matchesChoice(const Function &f, const Node &condition,
                          Choice &choice) {
  bool flipped;
  if (condition.op != NodeOp::Or)
    return false;
  for (unsigned i : {0u, 1u}) {
    const Node &first = f.nodes[condition.operands[i]];
    const Node &tie = f.nodes[condition.operands[1 - i]];
    uint32_t member = 0;
    if ((first.op == NodeOp::More || first.op == NodeOp::Less) &&
        comparedMember(f, first, member, flipped) &&
        matchesTie(f, tie, choice) && member == choice.value)
      return true;
  }
  return false;
}

/// All members chosen together, ties broken by an index: one winner whatever
/// the tree, since no two elements share an index.
static bool isExactByChoice(const Function &map, const Function &combine) {
  const Node &first = combine.nodes[combine.results[0]];
  if (first.op != NodeOp::Select)
    return false;
  for (size_t i = 0; i != combine.results.size(); ++i) {
    const Node &node = combine.nodes[combine.results[i]];
    if (node.op != NodeOp::Select || node.operands[0] != first.operands[0])
      return false;
    bool straight =
        isMember(combine, node.operands[1], ArgumentRole::StateA, i) &&
        isMember(combine, node.operands[2], ArgumentRole::StateB, i);
    if (!straight)
      return false;
  }
  Choice choice;
  if (!matchesChoice(combine, combine.nodes[first.operands[0]], choice))
    return false;
  const Node &place = map.nodes[map.results[choice.place]];
  return place.op == NodeOp::Argument &&
         map.arguments[place.payload].role == ArgumentRole::Index;
}

bool wf::isExact(const Function &map, const Function &combine) {
  return isExactByMember(combine) || isExactByChoice(map, combine);
}
