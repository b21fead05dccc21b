//===- ElementOrder.cpp - What increasing positions let us leave out ------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Language/ElementOrder.h"

#include "Language/FunctionBuilder.h"

#include <algorithm>

using namespace wf;

static const Argument *argumentOf(const Function &f, uint32_t n) {
  const Node &node = f.nodes[n];
  return node.op == NodeOp::Argument ? &f.arguments[node.payload] : nullptr;
}

/// Is node n the position of an element or of member `member` of a state?
static bool isPosition(const Function &f, uint32_t n, uint32_t member) {
  const Argument *a = argumentOf(f, n);
  if (!a)
    return false;
  if (a->role == ArgumentRole::Index)
    return true;
  return (a->role == ArgumentRole::StateA || a->role == ArgumentRole::StateB) &&
         a->index == member;
}

/// Is result `member` one of the positions that come in, whatever the
/// conditions say? One pass forward: nodes are shared, and a walk back from the
/// result could meet one along very many paths.
static bool choosesPosition(const Function &f, uint32_t member) {
  std::vector<bool> chooses(f.nodes.size());
  for (uint32_t n = 0; n < f.nodes.size(); ++n) {
    const Node &node = f.nodes[n];
    chooses[n] = isPosition(f, n, member) ||
                 (node.op == NodeOp::Select && chooses[node.operands[1]] &&
                  chooses[node.operands[2]]);
  }
  return chooses[f.results[member]];
}

/// State members that always hold the position of one of the state's elements.
static std::vector<bool> positionMembers(const Program &p) {
  std::vector<bool> is(p.state.size());
  for (uint32_t m = 0; m < p.state.size(); ++m) {
    const Argument *a = argumentOf(p.map, p.map.results[m]);
    is[m] = a && a->role == ArgumentRole::Index &&
            choosesPosition(p.combine, m) && choosesPosition(p.update, m);
  }
  return is;
}

namespace {
/// Copies update node by node, deciding what is known.
struct Decider {
  const Function &f;
  const std::vector<bool> &position;
  FunctionBuilder builder;
  std::vector<uint32_t> copies; ///< of f's nodes, in the builder

  bool isState(uint32_t n) const {
    const Argument *a = argumentOf(f, n);
    return a && a->role == ArgumentRole::StateA && position[a->index];
  }
  bool isElement(uint32_t n) const {
    const Argument *a = argumentOf(f, n);
    return a && a->role == ArgumentRole::Index;
  }
  std::optional<bool> known(uint32_t copy) const {
    const Node &node = builder.node(copy);
    if (node.op != NodeOp::Constant || node.type != ScalarType::Bool)
      return std::nullopt;
    return node.payload != 0;
  }
  uint32_t truth(bool value) {
    return builder.constant(ScalarType::Bool, value);
  }
  std::optional<bool> comparison(const Node &node) const;
  std::optional<uint32_t> logic(const Node &node);
  std::optional<uint32_t> strictOrSame(const Node &x, const Node &y);
  uint32_t copy(const Node &node);
};
} // namespace

/// A state's position against the element's: the state's is the lower.
std::optional<bool> Decider::comparison(const Node &node) const {
  if (node.operands.size() != 2)
    return std::nullopt;
  bool stateFirst = isState(node.operands[0]) && isElement(node.operands[1]);
  bool elementFirst = isElement(node.operands[0]) && isState(node.operands[1]);
  if (!stateFirst && !elementFirst)
    return std::nullopt;
  switch (node.op) {
  case NodeOp::Lt:
  case NodeOp::Le:
  case NodeOp::Less:
    return stateFirst;
  case NodeOp::Gt:
  case NodeOp::Ge:
  case NodeOp::More:
    return elementFirst;
  case NodeOp::Eq:
  case NodeOp::Same:
    return false;
  case NodeOp::Ne:
    return true;
  default:
    return std::nullopt;
  }
}

/// more(a, b) || same(a, b) is !more(b, a); less likewise: both are strict weak
/// orders, and same is being neither before nor after.
std::optional<uint32_t> Decider::strictOrSame(const Node &x, const Node &y) {
  if ((x.op != NodeOp::More && x.op != NodeOp::Less) || y.op != NodeOp::Same)
    return std::nullopt;
  uint32_t a = x.operands[0], b = x.operands[1];
  if (!((y.operands[0] == a && y.operands[1] == b) ||
        (y.operands[0] == b && y.operands[1] == a)))
    return std::nullopt;
  uint32_t swapped = builder.add(x.op, ScalarType::Bool, {b, a}, x.where);
  return builder.add(NodeOp::Not, ScalarType::Bool, {swapped}, x.where);
}

/// What is left of a logical operation; `node` has copied operands.
std::optional<uint32_t> Decider::logic(const Node &node) {
  if (node.op == NodeOp::Select) {
    if (auto c = known(node.operands[0]))
      return node.operands[*c ? 1 : 2];
    const Node condition = builder.node(node.operands[0]);
    if (condition.op == NodeOp::Not)
      return builder.add(
          NodeOp::Select, node.type,
          {condition.operands[0], node.operands[2], node.operands[1]},
          node.where);
    return std::nullopt;
  }
  if (node.type != ScalarType::Bool)
    return std::nullopt;
  if (node.op == NodeOp::Not)
    if (auto x = known(node.operands[0]))
      return truth(!*x);
  if (node.op != NodeOp::And && node.op != NodeOp::Or)
    return std::nullopt;
  bool neutral = node.op == NodeOp::And;
  for (int side : {0, 1})
    if (auto x = known(node.operands[side]))
      return *x == neutral ? node.operands[1 - side] : truth(!neutral);
  if (node.op == NodeOp::And)
    return std::nullopt;
  const Node x = builder.node(node.operands[0]);
  const Node y = builder.node(node.operands[1]);
  if (auto merged = strictOrSame(x, y))
    return merged;
  return strictOrSame(y, x);
}

uint32_t Decider::copy(const Node &node) {
  if (node.op == NodeOp::Argument) {
    const Argument &a = f.arguments[node.payload];
    return builder.argument(a.role, a.index, node.where);
  }
  if (node.op == NodeOp::Constant)
    return builder.constant(node.type, node.payload, node.where);
  if (auto decided = comparison(node))
    return truth(*decided);
  Node here = node;
  for (uint32_t &operand : here.operands)
    operand = copies[operand];
  if (auto simpler = logic(here))
    return *simpler;
  return builder.add(here.op, here.type, here.operands, here.where);
}

Function wf::updateInOrder(const Program &program) {
  if (program.hasOwnUpdate)
    return program.update;
  std::vector<bool> position = positionMembers(program);
  Decider decider{program.update, position,
                  FunctionBuilder(FunctionKind::Update, program), {}};
  for (const Node &node : program.update.nodes)
    decider.copies.push_back(decider.copy(node));
  std::vector<uint32_t> results;
  for (uint32_t r : program.update.results)
    results.push_back(decider.copies[r]);
  return decider.builder.finish(results);
}

//===----------------------------------------------------------------------===//
// Near positions
//===----------------------------------------------------------------------===//

/// `f` with positions as i32; nothing if one goes anywhere but into a choice or
/// a comparison with another.
static std::optional<Function> nearFunction(const Function &f,
                                            const std::vector<bool> &member) {
  Function near = f;
  near.name += ".near";
  auto isNearArgument = [&](const Argument &a) {
    return a.role == ArgumentRole::Index ||
           ((a.role == ArgumentRole::StateA ||
             a.role == ArgumentRole::StateB) &&
            member[a.index]);
  };
  for (Argument &a : near.arguments)
    if (isNearArgument(a))
      a.type = ScalarType::I32;
  std::vector<bool> isNear(f.nodes.size());
  for (size_t n = 0; n < f.nodes.size(); ++n) {
    Node &node = near.nodes[n];
    if (node.op == NodeOp::Argument) {
      isNear[n] = isNearArgument(f.arguments[node.payload]);
    } else {
      size_t count = 0;
      for (uint32_t o : node.operands)
        count += isNear[o];
      bool compares = node.op >= NodeOp::Eq && node.op <= NodeOp::Same;
      bool chooses = node.op == NodeOp::Select && !isNear[node.operands[0]];
      if (count && !(compares && count == 2) && !(chooses && count == 2))
        return std::nullopt;
      isNear[n] = count && chooses;
    }
    if (isNear[n])
      node.type = ScalarType::I32;
  }
  for (size_t r = 0; r < f.results.size(); ++r)
    if (isNear[f.results[r]] != member[r])
      return std::nullopt;
  return near;
}

std::optional<NearFunctions> wf::nearFunctions(const Program &program) {
  std::vector<bool> member = positionMembers(program);
  if (std::find(member.begin(), member.end(), true) == member.end())
    return std::nullopt;
  auto map = nearFunction(program.map, member);
  auto combine = nearFunction(program.combine, member);
  auto update = nearFunction(program.update, member);
  if (!map || !combine || !update)
    return std::nullopt;
  return NearFunctions{std::move(*map), std::move(*combine),
                       std::move(*update)};
}
