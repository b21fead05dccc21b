//===- Guards.cpp - Comparisons, and values that depend on one ------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Internal.h"
#include "Explain/Flow/ValueTable.h"

#include <utility>

using namespace wf::explain;

using Kind = Value::Kind;

/// The comparison with its operands exchanged.
static Cmp mirrored(Cmp cmp) {
  switch (cmp) {
  case Cmp::Lt:
    return Cmp::Gt;
  case Cmp::Le:
    return Cmp::Ge;
  case Cmp::Gt:
    return Cmp::Lt;
  case Cmp::Ge:
    return Cmp::Le;
  default:
    return cmp;
  }
}

static bool holds(Cmp cmp, int order) {
  switch (cmp) {
  case Cmp::Eq:
    return order == 0;
  case Cmp::Ne:
    return order != 0;
  case Cmp::Lt:
    return order < 0;
  case Cmp::Le:
    return order <= 0;
  case Cmp::Gt:
    return order > 0;
  default:
    return order >= 0;
  }
}

/// What the comparison of integers is known to be, or noValue.
ValueId ValueTable::foldCompare(Cmp cmp, Type type, ValueId x, ValueId y) {
  auto cx = integer(x), cy = integer(y);
  if (x == y)
    return truth(holds(cmp, 0));
  if (cx && cy) {
    if (isSigned(type))
      return truth(holds(cmp, *cx < *cy ? -1 : *cx > *cy));
    uint64_t ux = uint64_t(*cx), uy = uint64_t(*cy);
    if (bitsOf(type) <= 32) {
      ux = uint32_t(ux);
      uy = uint32_t(uy);
    }
    return truth(holds(cmp, ux < uy ? -1 : ux > uy));
  }
  if (!cy || (cmp != Cmp::Eq && cmp != Cmp::Ne))
    return noValue;
  const Value v = values[x];
  if (isPredicate(v) && *cy == 0) // any lane of a mask
    return cmp == Cmp::Ne ? x : notOf(x);
  if (is(v, Op::Select)) {
    auto yes = integer(v.args[1]), no = integer(v.args[2]);
    if (yes && no && *yes != *no && (*yes == *cy || *no == *cy))
      return (*yes == *cy) == (cmp == Cmp::Eq) ? v.args[0] : notOf(v.args[0]);
  }
  return noValue;
}

/// Which side of a comparison a value belongs to: what differs between threads
/// to the left, limits to the right.
static int sideOf(const Value &v) {
  switch (v.kind) {
  case Kind::Constant:
  case Kind::Float:
    return 4;
  case Kind::Parameter:
    return 3;
  case Kind::Symbol:
    return v.name.starts_with("threadIdx") || v.name == "laneId" ? 0 : 2;
  default:
    return 1;
  }
}

ValueId ValueTable::compare(Cmp cmp, Type type, ValueId x, ValueId y,
                            bool unordered) {
  if (cmp == Cmp::True || cmp == Cmp::False)
    return truth(cmp == Cmp::True);
  const int left = sideOf(values[x]), right = sideOf(values[y]);
  if (left > right && (!isFloat(type) || left == 4)) {
    std::swap(x, y);
    cmp = mirrored(cmp);
  }
  if (!isFloat(type) && cmp != Cmp::Ordered && cmp != Cmp::Unordered) {
    if (ValueId known = foldCompare(cmp, type, x, y); known != noValue)
      return known;
    // Of what is never negative: > 0 is != 0, < 1 is == 0.
    bool natural = !isSigned(type) || isNonNegative(x);
    if (natural && (cmp == Cmp::Gt || cmp == Cmp::Le) && isConstant(y, 0))
      cmp = cmp == Cmp::Gt ? Cmp::Ne : Cmp::Eq;
    if (natural && (cmp == Cmp::Ge || cmp == Cmp::Lt) && isConstant(y, 1)) {
      cmp = cmp == Cmp::Ge ? Cmp::Ne : Cmp::Eq;
      y = constant(0, values[y].type);
    }
    bool wide = bitsOf(type) == 64;
    if (cmp == Cmp::Eq || cmp == Cmp::Ne)
      type = wide ? Type::B64 : Type::B32;
    else if (isSigned(type) && isNonNegative(x) && isNonNegative(y))
      type = wide ? Type::U64 : Type::U32;
  }
  Value v;
  v.kind = Kind::Operation;
  v.op = Op::Compare;
  v.type = type;
  v.cmp = cmp;
  v.unordered = unordered;
  v.args = {x, y};
  return intern(std::move(v));
}

std::optional<bool> ValueTable::known(ValueId guard, ValueId given, int depth) {
  if (values[guard].kind == Kind::Constant)
    return values[guard].imm != 0;
  if (guard == given)
    return true;
  if (notOf(given) == guard)
    return false;
  if (depth == 0)
    return std::nullopt;
  const Value context = values[given];
  if (is(context, Op::And) && context.type == Type::Pred)
    for (ValueId part : context.args)
      if (auto found = known(guard, part, depth - 1))
        return found;
  const Value v = values[guard];
  if (v.type != Type::Pred || v.kind != Kind::Operation)
    return std::nullopt;
  if (v.op == Op::Not) {
    auto inner = known(v.args[0], given, depth - 1);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  if (v.op != Op::And && v.op != Op::Or)
    return std::nullopt;
  auto first = known(v.args[0], given, depth - 1);
  auto second = known(v.args[1], given, depth - 1);
  bool decides = v.op == Op::Or; // this truth of either side is the whole's
  if ((first && *first == decides) || (second && *second == decides))
    return decides;
  return first && second ? std::optional(!decides) : std::nullopt;
}

ValueId ValueTable::under(ValueId id, ValueId given, int depth) {
  const Value v = values[id];
  if (v.kind == Kind::Gamma) {
    if (auto holds = known(v.args[0], given))
      return under(v.args[*holds ? 1 : 2], given, depth);
    if (depth == 0)
      return id;
    return gamma(v.args[0], under(v.args[1], given, depth - 1),
                 under(v.args[2], given, depth - 1), v.reg);
  }
  if (v.kind != Kind::Operation || v.type != Type::Pred ||
      (v.op != Op::And && v.op != Op::Or))
    return id;
  for (int k = 0; k < 2; ++k)
    if (auto holds = known(v.args[k], given))
      return *holds == (v.op == Op::And) ? v.args[1 - k]
                                         : truth(v.op == Op::Or);
  return id;
}

ValueId ValueTable::gammaOfTruths(ValueId guard, ValueId yes, ValueId no) {
  for (bool onYes : {true, false}) {
    ValueId constantSide = onYes ? yes : no, other = onYes ? no : yes;
    const Value v = values[constantSide];
    if (v.kind != Kind::Constant || (v.imm != 0 && v.imm != 1 && v.imm != -1))
      continue;
    if (!isPredicate(values[other]) && values[other].kind != Kind::Constant)
      continue;
    ValueId when = onYes ? guard : notOf(guard);
    return v.imm != 0 ? bitwise(Op::Or, when, other, Type::Pred)
                      : bitwise(Op::And, notOf(when), other, Type::Pred);
  }
  return noValue;
}

/// Whether a choice reads better, and compares equal, with its guard negated.
static bool turnsRound(const Value &guard) {
  if (is(guard, Op::Not))
    return true;
  return is(guard, Op::Compare) && !isFloat(guard.type) &&
         (guard.cmp == Cmp::Ge || guard.cmp == Cmp::Le || guard.cmp == Cmp::Ne);
}

ValueId ValueTable::gamma(ValueId guard, ValueId yes, ValueId no, Reg reg) {
  if (values[guard].kind == Kind::Constant)
    return values[guard].imm != 0 ? yes : no;
  if (turnsRound(values[guard])) {
    guard = notOf(guard);
    std::swap(yes, no);
  }
  // What was never written may be taken for anything.
  if (yes == no || values[no].kind == Kind::Undefined)
    return yes;
  if (values[yes].kind == Kind::Undefined)
    return no;
  while (values[yes].kind == Kind::Gamma) {
    auto holds = known(values[yes].args[0], guard);
    if (!holds)
      break;
    yes = values[yes].args[*holds ? 1 : 2];
  }
  while (values[no].kind == Kind::Gamma) {
    auto holds = known(values[no].args[0], notOf(guard));
    if (!holds)
      break;
    no = values[no].args[*holds ? 1 : 2];
  }
  if (yes == no)
    return yes;
  if (isPredicate(values[yes]) || isPredicate(values[no]))
    if (ValueId truths = gammaOfTruths(guard, yes, no); truths != noValue)
      return truths;
  Value v;
  v.kind = Kind::Gamma;
  v.type = values[yes].kind == Kind::Constant && !isPredicate(values[no])
               ? values[no].type
               : values[yes].type;
  if (isPredicate(values[yes]))
    v.type = Type::Pred;
  v.args = {guard, yes, no};
  v.reg = reg;
  return intern(std::move(v));
}

ValueId ValueTable::select(ValueId guard, ValueId yes, ValueId no, Type type) {
  if (values[guard].kind == Kind::Constant)
    return values[guard].imm != 0 ? yes : no;
  if (yes == no)
    return yes;
  if (turnsRound(values[guard])) {
    guard = notOf(guard);
    std::swap(yes, no);
  }
  return plain(Op::Select, type, {guard, yes, no});
}
