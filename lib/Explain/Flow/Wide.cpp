//===- Wide.cpp - 64-bit values of 32-bit registers -----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Machines add 64 bits as two adds and a carry, and shift them as a shift and
// a funnel. Read as a pair, the two halves are one Add or Mul again.
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Internal.h"
#include "Explain/Flow/ValueTable.h"

#include <algorithm>

using namespace wf::explain;

using Kind = Value::Kind;

static bool hasPieces(const Value &v) {
  return v.kind == Kind::Load || v.kind == Kind::Result ||
         v.kind == Kind::Parameter;
}

ValueId ValueTable::low(ValueId id, int depth) {
  const Value v = values[id];
  if (!isWide(v))
    return id;
  if (auto c = integer(id))
    return constant(*c);
  if (hasPieces(v))
    return piece(id, 0, Type::B32);
  if (auto at = halves.find(id); at != halves.end())
    return at->second.first;
  if (v.kind == Kind::Pair)
    return v.args[0];
  if (v.kind == Kind::Gamma && depth > 0)
    return gamma(v.args[0], low(v.args[1], depth - 1),
                 low(v.args[2], depth - 1), v.reg);
  if (v.kind == Kind::Operation && v.type == Type::B64 && depth > 0) {
    // What the lower bits depend on is the operands' lower bits.
    if (v.op == Op::Convert)
      return v.args[0];
    auto arg = [&](size_t k) { return low(v.args[k], depth - 1); };
    if (v.op == Op::Select)
      return select(v.args[0], arg(1), arg(2), Type::B32);
    if (v.op == Op::Add && v.args.size() == 2)
      return add(arg(0), arg(1), false);
    if (v.op == Op::Sub)
      return sub(arg(0), arg(1), false);
    if (v.op == Op::Mul)
      return mul(arg(0), arg(1), false);
    if (v.op == Op::Neg)
      return neg(arg(0), false);
    if (v.op == Op::And || v.op == Op::Or || v.op == Op::Xor)
      return bitwise(v.op, arg(0), arg(1), Type::B32);
  }
  Value half;
  half.kind = Kind::Low;
  half.args = {id};
  return intern(std::move(half));
}

ValueId ValueTable::high(ValueId id, int depth) {
  const Value v = values[id];
  if (isWide(v)) {
    if (auto c = integer(id))
      return constant(*c >> 32);
    if (hasPieces(v))
      return piece(id, 4, Type::B32);
    if (auto at = halves.find(id); at != halves.end())
      return at->second.second;
    if (v.kind == Kind::Pair)
      return v.args[1];
    if (v.kind == Kind::Gamma && depth > 0)
      return gamma(v.args[0], high(v.args[1], depth - 1),
                   high(v.args[2], depth - 1), v.reg);
    if (is(v, Op::Select) && v.type == Type::B64 && depth > 0)
      return select(v.args[0], high(v.args[1], depth - 1),
                    high(v.args[2], depth - 1), Type::B32);
    if (is(v, Op::Convert) && v.type == Type::B64)
      return v.from == Type::S32 ? shr(v.args[0], constant(31), true, false)
                                 : constant(0);
  }
  Value half;
  half.kind = Kind::High;
  half.type = isPredicate(v) ? Type::Pred : Type::B32;
  half.args = {id};
  return intern(std::move(half));
}

ValueId ValueTable::pair(ValueId low, ValueId high, ValueId given) {
  pairGiven = given;
  if (ValueId whole = relatedPair(low, high, 6); whole != noValue)
    return whole;
  Value v;
  v.kind = Kind::Pair;
  v.type = Type::B64;
  v.args = {low, high};
  return intern(std::move(v));
}

/// The 64-bit value whose halves these are; noValue where nothing says so.
ValueId ValueTable::relatedPair(ValueId low, ValueId high, int depth) {
  const Value l = values[low], h = values[high];
  if (h.kind == Kind::High && (h.args[0] == low || this->low(h.args[0]) == low))
    return h.args[0];
  if (l.kind == Kind::Low && this->high(l.args[0]) == high)
    return l.args[0];
  if (isPredicate(l) && l.kind != Kind::Constant)
    return low; // a mask whose upper half nobody needs to tell apart
  auto cl = integer(low), ch = integer(high);
  if (cl && ch)
    return constant(int64_t(uint64_t(uint32_t(*cl)) | uint64_t(*ch) << 32),
                    Type::B64);
  if (l.kind == Kind::Undefined && h.kind == Kind::Undefined)
    return low;
  if ((ch && *ch == 0) || h.kind == Kind::Undefined)
    return extend(low, false);
  if (is(h, Op::ShrArith) && h.args[0] == low && isConstant(h.args[1], 31))
    return extend(low, true);
  if (hasPieces(l) && l.kind == h.kind && l.instruction == h.instruction &&
      l.args == h.args && l.name == h.name && h.imm == l.imm + 4)
    return piece(low, 0, Type::B64);
  if (depth == 0)
    return noValue;
  if (is(l, Op::Neg) && is(h, Op::Not)) { // an operand taken away with a carry
    ValueId taken = relatedPair(l.args[0], h.args[0], depth - 1);
    return taken == noValue ? noValue : neg(widened(taken, false), true);
  }
  if (l.kind == Kind::Gamma && h.kind == Kind::Gamma &&
      l.args[0] == h.args[0]) {
    ValueId yes = relatedPair(l.args[1], h.args[1], depth - 1);
    ValueId no = relatedPair(l.args[2], h.args[2], depth - 1);
    if (yes != noValue && no != noValue)
      return gamma(l.args[0], yes, no, l.reg);
    return noValue;
  }
  if (is(l, Op::Select) && is(h, Op::Select) && l.args[0] == h.args[0]) {
    ValueId yes = relatedPair(l.args[1], h.args[1], depth - 1);
    ValueId no = relatedPair(l.args[2], h.args[2], depth - 1);
    return yes == noValue || no == noValue
               ? noValue
               : select(l.args[0], widened(yes, false), widened(no, false),
                        Type::B64);
  }
  if (l.kind == Kind::Phi && h.kind == Kind::Phi && l.block == h.block)
    return pairOfPhis(low, high, depth);
  for (auto attempt : {&ValueTable::pairOfCarry, &ValueTable::pairOfShift,
                       &ValueTable::pairOfUpperSum})
    if (ValueId whole = (this->*attempt)(low, high, depth); whole != noValue)
      return whole;
  return pairOfSymbols(low, high);
}

ValueId ValueTable::pairOfPhis(ValueId low, ValueId high, int depth) {
  const Value l = values[low], h = values[high];
  if (l.args.size() != h.args.size())
    return noValue;
  if (!l.args.empty()) { // all arguments known: a join
    Value v;
    v.kind = Kind::Phi;
    v.type = Type::B64;
    v.block = l.block;
    v.reg = l.reg;
    for (size_t k = 0; k < l.args.size(); ++k)
      v.args.push_back(pair(l.args[k], h.args[k]));
    return intern(std::move(v));
  }
  // Halves of one pair, or of a pair that entered the loop: a compiler may keep
  // them in registers far apart. Lanes that run in the loop entered it.
  auto entryOf = [&](ValueId phi) {
    auto at = loopEntry.find(phi);
    return at == loopEntry.end() ? noValue : at->second;
  };
  ValueId stepGiven = pairGiven, entryGiven = noValue;
  if (pairGiven != noValue) {
    entryGiven = entryOf(pairGiven);
    const Value context = values[pairGiven];
    if (is(context, Op::And))
      for (ValueId part : context.args)
        if (entryGiven == noValue)
          entryGiven = entryOf(part);
  }
  ValueId entryLow = entryOf(low), entryHigh = entryOf(high);
  const bool known = entryLow != noValue && entryHigh != noValue;
  if (known && entryGiven != noValue) {
    entryLow = under(entryLow, entryGiven);
    entryHigh = under(entryHigh, entryGiven);
  }
  bool adjacent = h.reg.cls == l.reg.cls && h.reg.index == l.reg.index + 1;
  ValueId entered =
      known ? relatedPair(entryLow, entryHigh, depth - 1) : noValue;
  if (!adjacent && (entered == noValue || !isWide(values[entered])))
    return noValue;
  uint64_t key = uint64_t(low) << 32 | high;
  if (auto at = widePhiBy.find(key); at != widePhiBy.end())
    return widePhis[at->second].whole;
  Value v;
  v.kind = Kind::Phi;
  v.type = Type::B64;
  v.block = l.block;
  v.reg = l.reg;
  ValueId whole = intern(std::move(v));
  halves[whole] = {low, high};
  widePhiBy[key] = widePhis.size();
  widePhis.push_back({whole, low, high, entryGiven, stepGiven});
  if (known)
    loopEntry[whole] =
        entered == noValue ? pair(entryLow, entryHigh, entryGiven) : entered;
  return whole;
}

/// high is h1 + h2 + carry(l1, l2), low is l1 + l2: pairs each h with an l.
ValueId ValueTable::pairOfCarry(ValueId low, ValueId high, int depth) {
  const Value h = values[high];
  if (!(is(h, Op::Add) || is(h, Op::Sub)) || h.args.size() < 2)
    return noValue;
  const Value carry = values[h.args.back()];
  bool subtracts = is(carry, Op::BorrowOut);
  if (!is(carry, Op::CarryOut) && !subtracts)
    return noValue;
  std::vector<ValueId> lows = carry.args;
  std::vector<ValueId> highs(h.args.begin(), h.args.end() - 1);
  if (lows.empty() || lows.size() > 3 || highs.size() > 3)
    return noValue;
  size_t n = std::max(lows.size(), highs.size());
  lows.resize(n, constant(0));
  highs.resize(n, constant(0));
  ValueId sum = lows[0];
  for (size_t k = 1; k < n; ++k)
    sum = subtracts ? sub(sum, lows[k], false) : add(sum, lows[k], false);
  if (sum != low)
    return noValue;
  std::vector<size_t> order(n);
  for (size_t k = 0; k < n; ++k)
    order[k] = k;
  do {
    ValueId total = noValue;
    for (size_t k = 0; k < n; ++k) {
      ValueId part = relatedPair(lows[k], highs[order[k]], depth - 1);
      if (part == noValue) {
        total = noValue;
        break;
      }
      part = widened(part, false);
      total = k == 0      ? part
              : subtracts ? sub(total, part, true)
                          : add(total, part, true);
    }
    if (total != noValue)
      return total;
  } while (!subtracts && std::next_permutation(order.begin(), order.end()));
  return noValue;
}

/// high is what a shift to the left takes out of a sign-extended, a
/// zero-extended or a wide x, of which low is what stays.
ValueId ValueTable::pairOfShift(ValueId low, ValueId high, int depth) {
  const Value h = values[high];
  if (h.kind != Kind::Operation || h.args.size() < 2)
    return noValue;
  bool shifts = h.op == Op::ShrArith || h.op == Op::ShrLogical;
  bool funnels = h.op == Op::FunnelShift && h.imm == 1;
  auto by = integer(h.args[funnels ? 2 : 1]);
  if ((!shifts && !funnels) || !by || *by < 1 || *by > 31)
    return noValue;
  int64_t scale = int64_t(1) << (funnels ? *by : 32 - *by);
  ValueId x = h.args[0];
  if (mul(x, constant(scale), false) != low)
    return noValue;
  ValueId whole = noValue;
  if (shifts)
    whole = extend(x, h.op == Op::ShrArith);
  else if (whole = relatedPair(x, h.args[1], depth - 1); whole != noValue)
    whole = widened(whole, false);
  return whole == noValue ? noValue
                          : mul(whole, constant(scale, Type::B64), true);
}

/// The lower halves are added with a carry into an upper half of zero, and the
/// upper one is added to that: low(V), high(V) + h with V = zext(l) + c.
ValueId ValueTable::pairOfUpperSum(ValueId low, ValueId high, int depth) {
  const Value h = values[high];
  if (!is(h, Op::Add) || h.args.size() != 2)
    return noValue;
  for (int k = 0; k < 2; ++k) {
    const Value part = values[h.args[k]];
    if (part.kind != Kind::High || this->low(part.args[0]) != low)
      continue;
    const Value sum = values[part.args[0]];
    if (!is(sum, Op::Add) || sum.args.size() != 2)
      continue;
    for (int l = 0; l < 2; ++l) {
      const Value narrow = values[sum.args[l]];
      if (!is(narrow, Op::Convert) || narrow.from != Type::U32)
        continue;
      ValueId whole = relatedPair(narrow.args[0], h.args[1 - k], depth - 1);
      if (whole != noValue)
        return add(widened(whole, false), sum.args[1 - l], true);
    }
  }
  return noValue;
}

/// Neighbours in a constant bank, "name" and "name.high", and two registers
/// that a function is called with.
ValueId ValueTable::pairOfSymbols(ValueId low, ValueId high) {
  const Value l = values[low], h = values[high];
  if (l.kind != Kind::Symbol || h.kind != Kind::Symbol || isWide(l) ||
      isWide(h))
    return noValue;
  std::string name;
  if (h.name == l.name + ".high") {
    name = l.name;
  } else if (l.name.starts_with("c[") && h.name.starts_with("c[") &&
             h.imm == l.imm + 4 &&
             l.name.substr(0, l.name.find(']')) ==
                 h.name.substr(0, h.name.find(']'))) {
    name = l.name;
  } else if (!a.program.kernel.entry && h.reg.cls == l.reg.cls &&
             h.reg.index == l.reg.index + 1 &&
             l.name == a.program.registerName(l.reg) &&
             h.name == a.program.registerName(h.reg)) {
    name = l.name + ":" + h.name;
  } else {
    return noValue;
  }
  Value v = l;
  v.type = Type::B64;
  v.name = name;
  ValueId whole = intern(std::move(v));
  halves[whole] = {low, high};
  return whole;
}
