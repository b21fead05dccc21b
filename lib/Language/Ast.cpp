//===- Ast.cpp - A reduction as the user wrote it -------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Operator tables and structural equality. In: ASTs. Out: what the printer
// spells and what the round-trip test compares.
//===----------------------------------------------------------------------===//
#include "Language/Ast.h"

using namespace wf;

namespace {
struct OperatorRow {
  const char *spelling;
  int precedence;
  char kind;
};
constexpr OperatorRow operatorRows[] = {
#define X(E, S, P, K) {S, P, K},
    WF_BINARY_OPS(X)
#undef X
};
} // namespace

const char *wf::spelling(BinaryOp op) {
  return operatorRows[unsigned(op)].spelling;
}
int wf::precedence(BinaryOp op) {
  return operatorRows[unsigned(op)].precedence;
}
char wf::kindOf(BinaryOp op) { return operatorRows[unsigned(op)].kind; }

const char *wf::spelling(UnaryOp op) {
  switch (op) {
  case UnaryOp::Neg:
    return "-";
  case UnaryOp::LogicalNot:
    return "!";
  case UnaryOp::BitNot:
    return "~";
  }
  return "?";
}

static bool samePointer(const ExprPtr &a, const ExprPtr &b) {
  return a && b ? sameExpr(*a, *b) : !a && !b;
}

bool wf::sameExpr(const Expr &a, const Expr &b) {
  if (a.kind != b.kind || a.text != b.text || a.fields != b.fields ||
      a.operands.size() != b.operands.size())
    return false;
  if (a.kind == ExprKind::Binary && a.binary != b.binary)
    return false;
  if (a.kind == ExprKind::Unary && a.unary != b.unary)
    return false;
  if (a.kind == ExprKind::Call && a.type != b.type)
    return false;
  for (size_t i = 0; i != a.operands.size(); ++i)
    if (!samePointer(a.operands[i], b.operands[i]))
      return false;
  return true;
}

static bool sameNames(const std::vector<NamedAt> &a,
                      const std::vector<NamedAt> &b) {
  if (a.size() != b.size())
    return false;
  for (size_t i = 0; i != a.size(); ++i)
    if (a[i].name != b[i].name)
      return false;
  return true;
}

static bool sameClause(const std::optional<Clause> &a,
                       const std::optional<Clause> &b) {
  if (!a || !b)
    return !a && !b;
  return sameNames(a->names, b->names) && samePointer(a->body, b->body);
}

static bool sameParams(const std::vector<ParamAst> &a,
                       const std::vector<ParamAst> &b) {
  if (a.size() != b.size())
    return false;
  for (size_t i = 0; i != a.size(); ++i)
    if (a[i].name != b[i].name || a[i].type != b[i].type ||
        !samePointer(a[i].value, b[i].value))
      return false;
  return true;
}

bool wf::sameReduction(const ReductionAst &a, const ReductionAst &b) {
  return a.name == b.name && sameNames(a.inputs, b.inputs) &&
         sameParams(a.params, b.params) && sameClause(a.map, b.map) &&
         sameClause(a.combine, b.combine) && sameClause(a.update, b.update) &&
         sameClause(a.finish, b.finish) && sameClause(a.neutral, b.neutral) &&
         sameClause(a.empty, b.empty) && a.commutative == b.commutative &&
         a.exact == b.exact;
}
