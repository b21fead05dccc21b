//===- Effects.cpp - What each operation computes, as a value -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Lowering.h"

#include <algorithm>

using namespace wf::explain;

using Kind = Value::Kind;

static bool isWideInteger(Type type) {
  return bitsOf(type) == 64 && !isFloat(type);
}

static bool contains(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

/// Operations whose result is their operands' alone.
static bool isPure(Op op) {
  return (op >= Op::Move && op <= Op::LaneCount) ||
         (op >= Op::Fma && op <= Op::ClassTest) || op == Op::ReadFirstLane ||
         op == Op::Rem || op == Op::ClusterAddress;
}

/// Where the text of `detail` changes what is computed.
static bool detailMatters(Op op) {
  switch (op) {
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Fma:
  case Op::Compare:
    return false;
  default:
    return true;
  }
}

ValueId ValueTable::operation(Value v) {
  if (v.kind != Kind::Operation || v.args.empty())
    return intern(std::move(v));
  const Value first = values[v.args[0]];
  if (isFloat(v.type) && first.kind == Kind::Float) {
    if (v.op == Op::Neg)
      return number(-first.number, v.type);
    if (v.op == Op::Abs)
      return number(first.number < 0 ? -first.number : first.number, v.type);
  }
  if (v.op == Op::Neg && first.kind == Kind::Operation && first.op == Op::Neg &&
      first.type == v.type)
    return first.args[0];
  if (v.op == Op::Abs && !isFloat(v.type) && isNonNegative(v.args[0]))
    return v.args[0];
  return intern(std::move(v));
}

ValueId Lowering::converted(const Effect &e, const std::vector<ValueId> &in) {
  bool integers = !isFloat(e.type) && !isFloat(e.from);
  unsigned to = bitsOf(e.type), from = bitsOf(e.from);
  if (integers && e.detail.empty() && from >= 32 && to >= 32) {
    if (to == 64)
      return t.widened(in[0], isSigned(e.from));
    return t.low(in[0]);
  }
  if (integers && e.detail.empty() && from && from < 32 && to >= from &&
      to <= 64) {
    ValueId field = t.bits(isWide(t[in[0]]) ? t.low(in[0]) : in[0], 0, from,
                           isSigned(e.from));
    return to == 64 ? t.widened(field, isSigned(e.from)) : field;
  }
  Value v;
  v.kind = Kind::Operation;
  v.op = Op::Convert;
  v.type = e.type;
  v.from = e.from;
  v.flushes = e.flushes;
  v.args = {in[0]};
  return t.intern(std::move(v));
}

/// A mask or a word as a truth value.
ValueId Lowering::asTruth(ValueId id) {
  if (auto c = t.integer(id))
    return t.truth(*c != 0);
  return isPredicate(t[id])
             ? id
             : t.compare(Cmp::Ne, Type::B32, id, t.constant(0), false);
}

/// Further operands are a truth value that the comparison is combined with,
/// and what the lower words' comparison said.
ValueId Lowering::compared(const Effect &e, std::vector<ValueId> in) {
  Type type = e.type;
  ValueId lower = noValue;
  if (e.carryIn) {
    lower = in.back();
    in.pop_back();
  }
  ValueId x = in[0], y = in[1];
  size_t used = 2;
  if (e.lut && in.size() >= 3) { // a table's result against 0
    x = t.lop3(e.lut, in[0], in[1], in[2], Type::B32);
    y = t.constant(0);
    used = 3;
  }
  if (lower != noValue) {
    const Value words = t[lower];
    if (words.kind != Kind::Operation || words.op != Op::Compare)
      return pureOf(e, {x, y, lower});
    x = t.pair(words.args[0], x);
    y = t.pair(words.args[1], y);
    type = isSigned(type) ? Type::S64 : Type::U64;
  }
  if (isWideInteger(type)) {
    x = t.widened(x, isSigned(type));
    y = t.widened(y, isSigned(type));
  }
  ValueId holds = t.compare(e.cmp, type, x, y, e.unordered);
  if (in.size() > used) {
    Op op = contains(e.detail, "xor")  ? Op::Xor
            : contains(e.detail, "or") ? Op::Or
                                       : Op::And;
    holds = t.bitwise(op, holds, asTruth(in[used]), Type::Pred);
  }
  bool isNumber = contains(e.detail, "set") ||
                  (e.def && e.def->reg.cls == RegClass::Vector && !isPtx(a));
  if (!isNumber)
    return holds;
  if (a.program.code[at].meaning.starts_with("1.0"))
    return t.select(holds, t.number(1, Type::F32), t.number(0, Type::F32),
                    Type::F32);
  return t.select(holds, t.constant(-1), t.constant(0), Type::B32);
}

/// Operands that an operation has at least; a text cut short has fewer.
static size_t leastOperands(Op op) {
  switch (op) {
  case Op::Select:
    return 3;
  case Op::FunnelShift: // a rotation has two
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Mad:
  case Op::Shl:
  case Op::ShrLogical:
  case Op::ShrArith:
  case Op::And:
  case Op::Or:
  case Op::Xor:
  case Op::Compare:
    return 2;
  default:
    return 1;
  }
}

/// Operations that are kept as they are.
ValueId Lowering::pureOf(const Effect &e, const std::vector<ValueId> &in) {
  Value v;
  v.kind = Kind::Operation;
  if (in.size() < leastOperands(e.op)) {
    v.kind = Kind::Result;
    v.instruction = at;
  }
  v.op = e.op;
  v.type = e.type;
  v.from = e.from;
  v.cmp = e.cmp;
  v.flushes = e.flushes;
  v.imm = e.lut;
  v.args = in;
  if (detailMatters(e.op))
    v.name = e.detail;
  if (e.saturates)
    v.name += v.name.empty() ? "sat" : ".sat";
  return t.operation(std::move(v));
}

ValueId Lowering::moved(const Effect &e, const std::vector<ValueId> &in) {
  const bool wide = isWideInteger(e.type);
  switch (e.op) {
  case Op::Move:
  case Op::Special:
  case Op::LoadConstant:
    if (in.size() != 1)
      return noValue;
    if (e.carryIn)
      return withCarry(Op::Add, {}, in[0]);
    return wide && !isPredicate(t[in[0]]) ? t.widened(in[0], true) : in[0];
  case Op::ClusterAddress: // a block's own rank in its cluster
    return in.size() == 1 && t[in[0]].kind == Kind::Symbol ? in[0] : noValue;
  case Op::Select:
    if (in.size() != 3 || !e.detail.empty())
      return noValue;
    return t.select(
        e.cmp == Cmp::None
            ? asTruth(in[2])
            : t.compare(e.cmp, e.type, in[2],
                        isFloat(e.type) ? t.number(0, e.type) : t.constant(0),
                        e.unordered),
        in[0], in[1], e.type);
  case Op::Pack:
    if (in.size() == 2 && bitsOf(e.type) == 64 && e.type != Type::F32x2 &&
        !isWide(t[in[0]]) && !isWide(t[in[1]]))
      return t.pair(in[0], in[1]);
    return noValue;
  case Op::Convert:
    return in.size() == 1 ? converted(e, in) : noValue;
  case Op::Compare:
    return in.size() >= 2 ? compared(e, in) : noValue;
  default:
    return noValue;
  }
}

ValueId Lowering::arithmetic(const Effect &e, const std::vector<ValueId> &in) {
  const bool wide = isWideInteger(e.type), plain = e.detail.empty();
  const size_t count = in.size();
  if ((e.op == Op::CarryOut || e.op == Op::BorrowOut) && count > 0)
    return carryOf(e, in);
  if (isFloat(e.type) || e.saturates || bitsOf(e.type) < 32 || count == 0)
    return noValue;
  switch (e.op) {
  case Op::Add:
  case Op::Sub:
    return plain ? integerOf(e, in) : noValue;
  case Op::Mul:
  case Op::Mad:
    if (e.detail.starts_with("xmad"))
      return product16(e, in);
    return plain && count >= 2 ? multiplied(e, in) : noValue;
  case Op::Neg:
    return t.neg(in[0], wide);
  case Op::Shl:
    return plain && count == 2 ? t.shl(in[0], in[1], wide) : noValue;
  case Op::ShrLogical:
  case Op::ShrArith:
    return plain && count == 2 ? t.shr(in[0], in[1], e.op == Op::ShrArith, wide)
                               : noValue;
  case Op::FunnelShift:
    return count >= 3 ? funnelled(e, in) : noValue;
  case Op::BitField: {
    auto from = count == 3 ? t.integer(in[1]) : std::nullopt;
    auto width = count == 3 ? t.integer(in[2]) : std::nullopt;
    if (!from || !width || wide || !plain)
      return noValue;
    return t.bits(in[0], unsigned(*from & 31), unsigned(*width & 63),
                  isSigned(e.type));
  }
  default:
    return noValue;
  }
}

ValueId Lowering::logic(const Effect &e, const std::vector<ValueId> &in) {
  const Type type = e.type == Type::Pred    ? Type::Pred
                    : isWideInteger(e.type) ? Type::B64
                                            : Type::B32;
  switch (e.op) {
  case Op::And:
  case Op::Or:
  case Op::Xor:
    return in.size() == 2 ? t.bitwise(e.op, in[0], in[1], type) : noValue;
  case Op::Not:
    return in.size() == 1 ? t.invert(in[0], type) : noValue;
  case Op::Lop3:
    return in.size() == 3 ? t.lop3(e.lut, in[0], in[1], in[2], type) : noValue;
  case Op::PredicateLogic:
    return in.size() == 3 ? t.lop3(e.lut, in[0], in[1], in[2], Type::Pred)
                          : noValue;
  default:
    return noValue;
  }
}

/// The second operation of a fused one.
ValueId Lowering::second(const Effect &e, ValueId first, ValueId last) {
  Effect then = e;
  then.op = e.then;
  then.then = Op::Nop;
  then.detail.clear();
  then.wide = then.carryIn = false;
  if (e.then == Op::Compare && isPredicate(t[first]) && e.cmp == Cmp::Ne)
    return first; // scc: whether any lane is left
  // Of v_cmpx `cmp` and `type` are the comparison's.
  if (e.op == Op::Compare)
    then.type = Type::Pred;
  return simple(then, {first, last});
}

ValueId Lowering::simple(const Effect &e, const std::vector<ValueId> &in) {
  ValueId id = moved(e, in);
  if (id == noValue)
    id = arithmetic(e, in);
  if (id == noValue)
    id = logic(e, in);
  return id == noValue ? pureOf(e, in) : id;
}

/// A source that DPP takes from another lane is what a shuffle gives. The
/// operation itself is then an ordinary one.
Effect Lowering::takeFromLanes(const Effect &e, EffectValues &out) {
  Effect plain = e;
  for (std::string_view word : {"quad_perm:", "row_", "wave_", "dpp8:"})
    plain.detail = plain.detail.substr(0, plain.detail.find(word));
  while (plain.detail.ends_with(' '))
    plain.detail.pop_back();
  for (size_t k = 0; k < e.in.size() && k < out.in.size(); ++k) {
    if (!e.in[k].otherLane)
      continue;
    Value v;
    v.kind = Kind::Result;
    v.op = Op::Shuffle;
    v.type = e.type;
    v.name = e.detail.substr(plain.detail.size());
    v.instruction = at;
    v.imm = int64_t(effectIndex) << 16;
    v.args = {out.in[k]};
    out.in[k] = t.intern(std::move(v));
  }
  return plain;
}

ValueId Lowering::resultOf(const Effect &e, EffectValues &out) {
  if (e.memory && (e.op == Op::Load || e.op == Op::LoadConstant) &&
      out.address != noValue)
    return loaded(e, out.address);
  if (e.memory || !isPure(e.op))
    return opaque(e, out);
  if (e.shuffle != ShuffleKind::None) {
    Effect plain = takeFromLanes(e, out);
    plain.shuffle = ShuffleKind::None;
    return resultOf(plain, out);
  }
  if (e.then == Op::Nop || out.in.size() < 2)
    return simple(e, out.in);
  std::vector<ValueId> in = out.in;
  ValueId last = in.back();
  in.pop_back();
  Effect first = e;
  first.then = Op::Nop;
  if (e.op != Op::Compare)
    first.cmp = Cmp::None;
  return second(e, simple(first, in), last);
}
