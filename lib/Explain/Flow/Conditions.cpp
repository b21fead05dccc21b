//===- Conditions.cpp - Truth values in the source's polarity -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Printer.h"

using namespace wf::explain;

using Kind = Value::Kind;

static const char *signOf(Cmp cmp) {
  switch (cmp) {
  case Cmp::Eq:
    return "==";
  case Cmp::Ne:
    return "!=";
  case Cmp::Lt:
    return "<";
  case Cmp::Le:
    return "<=";
  case Cmp::Gt:
    return ">";
  default:
    return ">=";
  }
}

std::string Printer::truth(ValueId id, bool negated, int depth, int need) {
  const Value &v = a.value(id);
  if (v.kind == Kind::Constant)
    return (v.imm != 0) != negated ? "true" : "false";
  if (v.kind == Kind::Operation && depth > 0 && budget-- > 0) {
    if (v.op == Op::Not)
      return truth(v.args[0], !negated, depth, need);
    if (v.op == Op::Compare && v.args.size() == 2)
      return comparison(v, negated, depth, need);
    if ((v.op == Op::And || v.op == Op::Or) && v.type == Type::Pred) {
      bool isAnd = (v.op == Op::And) != negated;
      int mine = isAnd ? andAlso : orElse;
      return wrapped(truth(v.args[0], negated, depth - 1, mine) +
                         (isAnd ? " && " : " || ") +
                         truth(v.args[1], negated, depth - 1, mine),
                     mine, need);
    }
  }
  return negated ? "!" + text(id, depth, unary) : text(id, depth, need);
}

std::string Printer::comparison(const Value &v, bool negated, int depth,
                                int need) {
  Cmp cmp = v.cmp;
  const bool real = isFloat(v.type);
  if (cmp == Cmp::Ordered || cmp == Cmp::Unordered) {
    bool isNan = (cmp == Cmp::Unordered) != negated;
    return wrapped(std::string(isNan ? "" : "!") + "isnan(" +
                       text(v.args[0], depth - 1, 0) + ", " +
                       text(v.args[1], depth - 1, 0) + ")",
                   unary, need);
  }
  // Of floats "not less" is no comparison of C; a plain one is.
  bool flips = negated;
  if (real && (v.unordered != negated)) {
    Cmp plain = inverse(cmp);
    if (v.unordered && !negated && cmp != Cmp::Ne)
      return wrapped("!(" + operands(v, plain, depth) + ")", unary, need);
    if (negated && !v.unordered && cmp != Cmp::Eq)
      return wrapped("!(" + operands(v, cmp, depth) + ")", unary, need);
  }
  if (flips)
    cmp = inverse(cmp);
  return wrapped(operands(v, cmp, depth),
                 cmp == Cmp::Eq || cmp == Cmp::Ne ? equality : relation, need);
}

std::string Printer::operands(const Value &v, Cmp cmp, int depth) {
  bool real = isFloat(v.type) || looksReal(v.args[0]);
  bool saved = reals;
  reals = real;
  std::string out = text(v.args[0], depth - 1, shift);
  out += std::string(" ") + signOf(cmp) + " ";
  out += text(v.args[1], depth - 1, shift);
  reals = saved;
  return out;
}
