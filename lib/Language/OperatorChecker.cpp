//===- OperatorChecker.cpp - Operands and operators -----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What an operator or function takes: single values, all of one type, of a
// kind it is defined on. Literals take the type of the values beside them.
//===----------------------------------------------------------------------===//
#include "Language/ExprChecker.h"

using namespace wf;

std::optional<uint32_t> ExprChecker::scalar(const Expr &operand,
                                            const ValueType *expected,
                                            const SourceLocation &where,
                                            const std::string &what) {
  std::optional<Value> value = check(operand, expected);
  if (!value)
    return std::nullopt;
  if (value->isRecord())
    return context.fail(Diag::ScalarNeeded, where,
                        {what, shown(typeOf(*value)), value->fields[0].first});
  return value->node;
}

static bool allows(OperandRule takes, ScalarType type) {
  switch (takes) {
  case OperandRule::Any:
    return true;
  case OperandRule::Numbers:
    return type != ScalarType::Bool;
  case OperandRule::Integers:
    return isInteger(type);
  case OperandRule::IntegersOrBool:
    return !isFloat(type);
  case OperandRule::Floats:
    return isFloat(type);
  case OperandRule::Bool:
    return type == ScalarType::Bool;
  }
  return false;
}

/// What the message says is taken, and the hint for a value of `type`.
static std::pair<std::string, std::string> takenAndHint(OperandRule takes,
                                                        ScalarType type) {
  switch (takes) {
  case OperandRule::Any:
    break;
  case OperandRule::Numbers:
    return {"numbers", "convert it: i64(…)"};
  case OperandRule::Integers:
    return {"integers", isFloat(type)
                            ? "convert it: i64(…) drops the fraction"
                            : "convert it: i64(…), or use && || ! on bools"};
  case OperandRule::IntegersOrBool:
    return {"integers or bools", "convert it: i64(…) drops the fraction, "
                                 "bitcast(…, u32) keeps the bits"};
  case OperandRule::Floats:
    return {"floats",
            "convert it: f64(…), or real(…) for the result's float type"};
  case OperandRule::Bool:
    return {"bools", "compare it: x != 0"};
  }
  return {"values", ""};
}

std::optional<std::vector<uint32_t>>
ExprChecker::scalars(const Expr &e, const ValueType *expected,
                     OperandRule takes, const std::string &what) {
  std::vector<std::optional<uint32_t>> nodes(e.operands.size());
  ValueType found;
  const ValueType *type =
      expected && !expected->isRecord() ? expected : nullptr;
  bool typed = false;
  // Operands with a type of their own first: literals take theirs.
  for (bool fromPlace : {false, true})
    for (size_t i = 0; i != nodes.size(); ++i) {
      const Expr &operand = *e.operands[i];
      if (takesTypeFromPlace(operand) != fromPlace)
        continue;
      nodes[i] = scalar(operand, fromPlace ? type : nullptr, e.where, what);
      if (!nodes[i])
        return std::nullopt;
      if (!typed) {
        typed = true;
        found = typeOfNode(*nodes[i]);
        type = &found;
      }
      // Said here, before a literal is fitted to a type that cannot be.
      if (!allows(takes, found.scalar)) {
        auto [taken, hint] = takenAndHint(takes, found.scalar);
        return context.fail(Diag::OperandKind, e.where,
                            {what, taken, shown(found), hint});
      }
    }
  std::vector<uint32_t> out;
  for (const std::optional<uint32_t> &node : nodes) {
    if (typeOfNode(*node) != typeOfNode(*nodes[0]))
      return context.fail(
          Diag::OperandTypes, e.where,
          {what, shown(typeOfNode(*nodes[0])), shown(typeOfNode(*node))});
    out.push_back(*node);
  }
  return out;
}

std::optional<Value> ExprChecker::unary(const Expr &e,
                                        const ValueType *expected) {
  const Expr &operand = *e.operands[0];
  if (e.unary == UnaryOp::Neg && operand.kind == ExprKind::Number)
    return number(e, operand, /*negative=*/true, expected);
  OperandRule takes = e.unary == UnaryOp::Neg          ? OperandRule::Numbers
                      : e.unary == UnaryOp::LogicalNot ? OperandRule::Bool
                                                       : OperandRule::Integers;
  ValueType boolType = ScalarType::Bool;
  auto nodes = scalars(e, e.unary == UnaryOp::LogicalNot ? &boolType : expected,
                       takes, "'" + std::string(spelling(e.unary)) + "'");
  if (!nodes)
    return std::nullopt;
  NodeOp op = e.unary == UnaryOp::Neg ? NodeOp::Neg : NodeOp::Not;
  return Value(builder.add(op, typeOfNode(nodes->front()), *nodes, e.where));
}

static NodeOp nodeOpOf(BinaryOp op) {
  switch (op) {
  case BinaryOp::Or:
  case BinaryOp::BitOr:
    return NodeOp::Or;
  case BinaryOp::And:
  case BinaryOp::BitAnd:
    return NodeOp::And;
  case BinaryOp::BitXor:
    return NodeOp::Xor;
#define SAME(E)                                                                \
  case BinaryOp::E:                                                            \
    return NodeOp::E;
    SAME(Eq)
    SAME(Ne)
    SAME(Lt)
    SAME(Le)
    SAME(Gt) SAME(Ge) SAME(Shl) SAME(Shr) SAME(Add) SAME(Sub) SAME(Mul)
        SAME(Div) SAME(Rem)
#undef SAME
  }
  return NodeOp::Add;
}

static OperandRule operandsOf(BinaryOp op) {
  switch (kindOf(op)) {
  case 'c':
    return OperandRule::Any;
  case 'l':
    return OperandRule::Bool;
  case 'b':
    return OperandRule::IntegersOrBool;
  case 's':
    return OperandRule::Integers;
  default:
    return op == BinaryOp::Rem ? OperandRule::Integers : OperandRule::Numbers;
  }
}

std::optional<Value> ExprChecker::binary(const Expr &e,
                                         const ValueType *expected) {
  bool isLogic = kindOf(e.binary) == 'l',
       isComparison = kindOf(e.binary) == 'c';
  ValueType boolType = ScalarType::Bool;
  auto nodes = scalars(e,
                       isLogic        ? &boolType
                       : isComparison ? nullptr
                                      : expected,
                       operandsOf(e.binary),
                       "'" + std::string(spelling(e.binary)) + "'");
  if (!nodes)
    return std::nullopt;
  ScalarType type =
      isComparison ? ScalarType::Bool : typeOfNode(nodes->front());
  return Value(builder.add(nodeOpOf(e.binary), type, *nodes, e.where));
}
