//===- Lowering.cpp - Operands read, addresses made, results written ------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Lowering.h"

#include <algorithm>

using namespace wf::explain;

using Kind = Value::Kind;

/// Specials that differ each time they are read.
static bool changes(std::string_view name) {
  return name.find("clock") != name.npos || name.find("timer") != name.npos ||
         name.starts_with("pm");
}

ValueId Lowering::now(Reg reg) const {
  uint32_t r = registers.number(reg);
  if (r == UINT32_MAX || held[r].value == noValue || held[r].join != join)
    return a.program.kernel.entry || isPtx(a)
               ? t.undefined(reg)
               : t.symbol(a.program.registerName(reg), Type::B32, reg);
  return held[r].value;
}

ValueId Lowering::readRegister(const Source &s) {
  auto one = [&](uint32_t k) {
    Reg reg{s.reg.cls, s.reg.index + k};
    bool isExec = reg.cls == RegClass::Flag &&
                  (reg.index == flags::exec || reg.index == flags::execHi);
    ValueId id = now(reg);
    return given == noValue || isExec ? id : t.under(id, given);
  };
  if (isPtx(a) || s.count == 1)
    return one(0);
  if (s.count == 2)
    return t.pair(one(0), one(1), given);
  Value pack;
  pack.kind = Kind::Operation;
  pack.op = Op::Pack;
  pack.type = s.count == 4 ? Type::B128 : s.count == 3 ? Type::B96 : Type::B256;
  for (uint32_t k = 0; k < s.count; ++k)
    pack.args.push_back(one(k));
  return t.intern(std::move(pack));
}

/// "h1": bits 16 to 31, "b2": bits 16 to 23, "w1": bits 32 to 63.
ValueId Lowering::part(ValueId id, const std::string &name) {
  if (name == "sign")
    return t.shr(id, t.constant(31), true, false);
  if (name.size() == 2 && name[1] >= '0' && name[1] <= '7') {
    unsigned k = unsigned(name[1] - '0');
    if (name[0] == 'w')
      return k == 0 ? t.low(id) : t.high(id);
    bool inHigh = k >= (name[0] == 'h' ? 2u : 4u);
    ValueId half = inHigh ? t.high(id) : isWide(t[id]) ? t.low(id) : id;
    if (name[0] == 'h')
      return t.bits(half, 16 * (k % 2), 16, false);
    if (name[0] == 'b')
      return t.bits(half, 8 * (k % 4), 8, false);
  }
  Value v;
  v.kind = Kind::Operation;
  v.op = Op::BitField;
  v.type = Type::B16;
  v.name = name;
  v.args = {id};
  return t.intern(std::move(v));
}

ValueId Lowering::read(const Source &s, Type type) {
  ValueId id = noValue;
  const Type width = s.count == 2 ? Type::B64 : Type::B32;
  switch (s.kind) {
  case Source::Kind::Register:
    id = readRegister(s);
    break;
  case Source::Kind::Immediate:
    id = type == Type::Pred ? t.truth(s.imm != 0) : t.constant(s.imm, type);
    break;
  case Source::Kind::Float:
    id = t.number(s.number, isFloat(type) ? type : Type::F32);
    break;
  case Source::Kind::Parameter:
    id = t.parameter(s.imm, isPtx(a) ? type : width);
    break;
  case Source::Kind::Special:
  case Source::Kind::Symbol:
    id = t.symbol(s.name, bitsOf(type) == 64 && (isPtx(a) || s.count == 2)
                              ? Type::B64
                              : Type::B32);
    break;
  case Source::Kind::Constant:
    id = t.bank(s.bank, s.imm, width);
    break;
  case Source::Kind::True:
    id = t.truth(true);
    break;
  }
  if (s.kind == Source::Kind::Special && changes(s.name)) {
    Value v;
    v.kind = Kind::Result;
    v.op = Op::Special;
    v.name = s.name;
    v.type = width;
    v.instruction = at;
    id = t.intern(std::move(v));
  }
  if (!s.part.empty())
    id = part(id, s.part);
  if (isFloat(type))
    id = t.asFloat(id, type);
  auto floatForm = [&](Op op) {
    Value v;
    v.kind = Kind::Operation;
    v.op = op;
    v.type = type;
    v.args = {id};
    return t.operation(std::move(v));
  };
  if (s.absolute)
    id = floatForm(Op::Abs);
  if (s.negate)
    id = isFloat(type) ? floatForm(Op::Neg) : t.neg(id, isWide(t[id]));
  if (s.invert)
    id = type == Type::Pred
             ? t.notOf(id)
             : t.invert(id, isWide(t[id]) ? Type::B64 : Type::B32);
  return id;
}

ValueId Lowering::address(const Memory &m, int64_t offset) {
  ValueId sum = noValue;
  for (const auto *part : {&m.base, &m.uniform}) {
    if (!*part)
      continue;
    const Source &s = **part;
    bool ptxWide = isPtx(a) && m.space != Space::Shared;
    ValueId id = read(s, s.count == 2 || ptxWide ? Type::U64 : Type::U32);
    if (s.scale > 1)
      id = t.mul(id, t.constant(s.scale, t[id].type), isWide(t[id]));
    if (sum == noValue) {
      sum = id;
      continue;
    }
    bool wide = isWide(t[sum]) || isWide(t[id]);
    sum = wide ? t.add(t.widened(sum, false), t.widened(id, false), true)
               : t.add(sum, id, false);
  }
  if (sum == noValue)
    return t.constant(offset, Type::B32);
  bool wide = isWide(t[sum]);
  return t.add(sum, t.constant(offset, wide ? Type::B64 : Type::B32), wide);
}

/// What a store stores; of a copy past registers, what its load brings.
ValueId Lowering::stored(const Effect &e) {
  if (e.memory->data)
    return read(*e.memory->data, e.type);
  for (const EffectValues &other : a.code[at].effects)
    if (other.result != noValue && t[other.result].kind == Kind::Load)
      return other.result;
  return noValue;
}

/// Loads of the argument block are parameters; others are one value a
/// register, so that both a wide use and four narrow ones find their own.
ValueId Lowering::loaded(const Effect &e, ValueId address) {
  if (address == noValue) // a line cut before its address
    address = t.undefined(e.def ? e.def->reg : Reg());
  Type type = e.type;
  const bool single = !e.def || e.def->count == 1 || isPtx(a);
  if (!single && e.def->count == 2)
    type = Type::B64;
  else if (single && bitsOf(type) == 0)
    type = Type::B32;
  const Value where = t[address];
  const bool sum = where.kind == Kind::Operation && where.op == Op::Add &&
                   where.args.size() == 2;
  const Value root = sum ? t[where.args[0]] : where;
  if (root.kind == Kind::Symbol && root.name == "kernarg" &&
      (!sum || t.integer(where.args[1]))) {
    int64_t offset = sum ? *t.integer(where.args[1]) : 0;
    if (ValueId hidden = t.hidden(offset, std::max(1u, bitsOf(type) / 8));
        hidden != noValue)
      return hidden;
    return t.parameter(offset, isFloat(type) ? Type::B32 : type);
  }
  Value v;
  v.kind = Kind::Load;
  v.op = Op::Load;
  v.type = type;
  v.args = {address};
  v.instruction = at;
  return t.intern(std::move(v));
}

/// A result that only its instruction explains.
ValueId Lowering::opaque(const Effect &e, const EffectValues &out) {
  Value v;
  v.kind = Kind::Result;
  v.op = e.op;
  v.type = e.type;
  v.name = e.detail;
  v.instruction = at;
  v.imm = int64_t(effectIndex) << 16;
  if (e.def && e.def->count == 2 && !isPtx(a) && bitsOf(v.type) < 64)
    v.type = Type::B64;
  if (e.def && e.def->reg.cls == RegClass::Predicate)
    v.type = Type::Pred;
  v.args = out.in;
  if (out.address != noValue) {
    v.args = {out.address};
    if (out.data != noValue)
      v.args.push_back(out.data);
    if (e.memory->compare)
      v.args.push_back(read(*e.memory->compare, e.type));
  }
  return t.intern(std::move(v));
}

void Lowering::setRegister(Reg reg, ValueId value, Writes &writes) {
  if (uint32_t r = registers.number(reg); r != UINT32_MAX)
    writes.push_back({r, value});
}

void Lowering::write(const Effect &e, EffectValues &out, Writes &writes) {
  const Reg reg = e.def->reg;
  ValueId result = out.result;
  ValueId guard = a.program.code[at].guard || e.masked ? given : noValue;
  bool isMask = a.program.kernel.isa == Isa::Amdgcn &&
                (reg.cls == RegClass::Uniform || reg.cls == RegClass::Flag);
  if (isMask && e.masked && isPredicate(t[result])) {
    // Lanes that do not run compare as false.
    if (guard != noValue)
      result = t.bitwise(Op::And, guard, result, Type::Pred);
    guard = noValue;
  } else if (isMask) {
    guard = noValue;
  }
  if (reg == Reg{RegClass::Flag, flags::exec} && t.integer(result))
    result = t.truth(*t.integer(result) != 0);
  const uint32_t count = isPtx(a) ? 1 : e.def->count;
  const bool pieces = count > 2 && (t[result].kind == Kind::Load ||
                                    t[result].kind == Kind::Result ||
                                    t[result].kind == Kind::Parameter);
  bool twice = e.memory && e.memory->pieces == 2 && e.op == Op::Load;
  for (uint32_t k = 0; k < count; ++k) {
    ValueId value = result;
    if (twice) {
      uint32_t half = count / 2;
      ValueId from =
          k < half ? result : loaded(e, address(*e.memory, e.memory->offset2));
      value = t.piece(from, half ? 4 * (k % half) : 0, Type::B32);
    } else if (pieces) {
      value = t.piece(result, 4 * k, Type::B32);
    } else if (count == 2) {
      value = k == 0 ? t.low(result) : t.high(result);
    } else if (count > 2 && t[result].kind == Kind::Operation &&
               t[result].op == Op::Pack && k < t[result].args.size()) {
      value = t[result].args[k];
    } else if (!isPtx(a)) {
      value = t.low(result);
    }
    Reg to{reg.cls, reg.index + k};
    if (guard != noValue)
      value = t.gamma(guard, value, now(to), to);
    setRegister(to, value, writes);
  }
  out.written = result;
  if (guard != noValue && count == 1)
    out.written = writes.empty() ? result : writes.back().second;
  else if (guard != noValue && count == 2)
    out.written = t.gamma(guard, result,
                          t.pair(now(reg), now({reg.cls, reg.index + 1})), reg);
  else if (guard != noValue)
    out.written = t.gamma(guard, result, now(reg), reg);
}

/// The instruction's guard and, where an effect is masked, exec.
ValueId Lowering::guardOf(const Decoded &d) {
  ValueId guard = t.truth(true);
  if (d.guard)
    guard = read(*d.guard, Type::Pred);
  // Comparisons have no lanes to leave alone, yet only those that run count.
  const bool isAmd = a.program.kernel.isa == Isa::Amdgcn;
  bool masked =
      std::any_of(d.effects.begin(), d.effects.end(), [&](const Effect &e) {
        return e.masked ||
               (isAmd && (e.op == Op::Compare || e.op == Op::ClassTest) &&
                std::any_of(e.in.begin(), e.in.end(), [](const Source &s) {
                  return s.kind == Source::Kind::Register &&
                         s.reg.cls == RegClass::Vector;
                }));
      });
  if (masked) {
    ValueId exec = now({RegClass::Flag, flags::exec});
    if (t[exec].kind != Kind::Undefined)
      guard = t.bitwise(Op::And, guard, exec, Type::Pred);
  }
  return t[guard].kind == Kind::Constant && t[guard].imm != 0 ? noValue : guard;
}

void Lowering::instruction(size_t i, Writes &writes) {
  const Decoded &d = a.program.code[i];
  InstructionValues &out = a.code[i];
  out = {};
  writes.clear();
  out.effects.resize(d.effects.size());
  if (d.never)
    return;
  at = i;
  given = noValue;
  ValueId guard = guardOf(d);
  if (d.flow.condition) {
    out.condition = read(*d.flow.condition, Type::Pred);
    if (d.flow.onZero)
      out.condition =
          t.compare(Cmp::Eq, Type::B32, out.condition, t.truth(false), false);
  } else if (d.guard && d.flow.kind != Flow::Kind::Next) {
    out.condition = guard == noValue ? t.truth(true) : guard;
  }
  out.guard = guard;
  for (size_t k = 0; k < d.effects.size(); ++k) {
    const Effect &e = d.effects[k];
    EffectValues &values = out.effects[k];
    effectIndex = k;
    given = guard; // of what is read; a scalar is written for the whole wave
    Type type = e.op == Op::Convert && e.from != Type::None ? e.from
                : e.wide && e.from != Type::None            ? e.from
                                                            : e.type;
    for (size_t s = 0; s < e.in.size(); ++s) {
      const Source &source = e.in[s];
      bool isTruth = source.kind == Source::Kind::True ||
                     source.reg.cls == RegClass::Predicate ||
                     source.reg.cls == RegClass::UniformPredicate;
      bool isRegister = source.kind == Source::Kind::Register;
      bool lastOfWide = e.wide && s == 2;
      values.in.push_back(read(
          source, isTruth && (isRegister || source.kind == Source::Kind::True)
                      ? Type::Pred
                  : lastOfWide ? e.type
                               : type));
    }
    if (e.memory && e.op != Op::Fence) {
      values.address = address(*e.memory, e.memory->offset);
      if (e.op == Op::Store)
        values.data = stored(e);
      else if (e.memory->data)
        values.data = read(*e.memory->data, e.type);
    }
    if (e.def || e.op == Op::Atomic)
      values.result = resultOf(e, values);
    if (e.def && values.result != noValue)
      write(e, values, writes);
  }
}
