//===- ValueTable.cpp - Unique values and leaves --------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Flow/ValueTable.h"

#include <bit>
#include <cstdio>

using namespace wf::explain;

using Kind = Value::Kind;

static void mix(uint64_t &hash, uint64_t with) {
  hash = (hash ^ with) * 0x9e3779b97f4a7c15ull;
  hash ^= hash >> 29;
}

/// Whether the instruction is a part of what the value is.
static bool isUnique(const Value &v) {
  return v.kind == Kind::Load || v.kind == Kind::Result;
}

static uint64_t hashOf(const Value &v) {
  uint64_t hash = uint64_t(v.kind) | uint64_t(v.op) << 8 |
                  uint64_t(v.type) << 16 | uint64_t(v.cmp) << 24 |
                  uint64_t(v.unordered) << 32 | uint64_t(v.flushes) << 33 |
                  uint64_t(v.from) << 40;
  mix(hash, uint64_t(v.imm));
  mix(hash, std::bit_cast<uint64_t>(v.number));
  for (ValueId arg : v.args)
    mix(hash, arg);
  if (!v.name.empty())
    mix(hash, std::hash<std::string>{}(v.name));
  if (isUnique(v))
    mix(hash, v.instruction);
  if (v.kind == Kind::Phi)
    mix(hash, v.block);
  if (v.kind == Kind::Undefined || (v.kind == Kind::Phi && v.args.empty()))
    mix(hash, uint64_t(v.reg.cls) << 32 | v.reg.index);
  return hash;
}

static bool same(const Value &x, const Value &y) {
  if (x.kind != y.kind || x.op != y.op || x.type != y.type || x.cmp != y.cmp ||
      x.unordered != y.unordered || x.flushes != y.flushes ||
      x.from != y.from || x.imm != y.imm || x.args != y.args ||
      std::bit_cast<uint64_t>(x.number) != std::bit_cast<uint64_t>(y.number) ||
      x.name != y.name)
    return false;
  if (isUnique(x))
    return x.instruction == y.instruction;
  if (x.kind == Kind::Phi)
    return x.block == y.block && (!x.args.empty() || x.reg == y.reg);
  return x.kind != Kind::Undefined || x.reg == y.reg;
}

void ValueTable::clear() {
  values.clear();
  slots.clear();
  widePhis.clear();
  halves.clear();
  widePhiBy.clear();
  loopEntry.clear();
}

ValueId ValueTable::intern(Value v) {
  if (slots.size() < 2 * (values.size() + 1)) {
    slots.assign(slots.empty() ? 1024 : slots.size() * 2, noValue);
    const size_t mask = slots.size() - 1;
    for (ValueId id = 0; id < values.size(); ++id) {
      size_t at = hashOf(values[id]) & mask;
      while (slots[at] != noValue)
        at = (at + 1) & mask;
      slots[at] = id;
    }
  }
  const size_t mask = slots.size() - 1;
  size_t at = hashOf(v) & mask;
  for (; slots[at] != noValue; at = (at + 1) & mask)
    if (same(values[slots[at]], v))
      return slots[at];
  slots[at] = ValueId(values.size());
  values.push_back(std::move(v));
  return slots[at];
}

ValueId ValueTable::constant(int64_t imm, Type type) {
  Value v;
  v.kind = Kind::Constant;
  v.type = type == Type::Pred   ? type
           : bitsOf(type) == 64 ? Type::B64
                                : Type::B32;
  v.imm = v.type == Type::B32 ? int32_t(uint32_t(uint64_t(imm))) : imm;
  return intern(std::move(v));
}

ValueId ValueTable::number(double number, Type type) {
  Value v;
  v.kind = Kind::Float;
  v.type = type;
  v.number = number;
  return intern(std::move(v));
}

ValueId ValueTable::symbol(std::string name, Type type, Reg reg) {
  Value v;
  v.kind = Kind::Symbol;
  v.type = type;
  v.name = std::move(name);
  v.reg = reg;
  return intern(std::move(v));
}

ValueId ValueTable::parameter(int64_t offset, Type type) {
  // How the bits are read is the reader's; the width is the parameter's.
  switch (bitsOf(type)) {
  case 8:
    type = Type::B8;
    break;
  case 16:
    type = Type::B16;
    break;
  case 32:
    type = Type::B32;
    break;
  case 64:
    type = Type::B64;
    break;
  default:
    break;
  }
  Value v;
  v.kind = Kind::Parameter;
  v.type = type;
  v.imm = offset;
  return intern(std::move(v));
}

ValueId ValueTable::undefined(Reg reg) {
  Value v;
  v.reg = reg;
  return intern(std::move(v));
}

ValueId ValueTable::bank(uint32_t bank, int64_t offset, Type type) {
  char name[48];
  std::snprintf(name, sizeof name, "c[0x%x][0x%llx]", unsigned(bank),
                (unsigned long long)offset);
  Value v;
  v.kind = Kind::Symbol;
  v.type = type;
  v.name = name;
  v.imm = offset;
  ValueId whole = intern(std::move(v));
  if (bitsOf(type) == 64)
    halves[whole] = {this->bank(bank, offset, Type::B32),
                     this->bank(bank, offset + 4, Type::B32)};
  return whole;
}

ValueId ValueTable::hidden(int64_t offset, int64_t bytes) {
  for (const Parameter &p : a.program.kernel.hidden)
    if (int64_t(p.offset) == offset && int64_t(p.bytes) == bytes)
      return symbol(p.name, bytes == 8 ? Type::B64 : Type::B32);
  return noValue;
}

ValueId ValueTable::piece(ValueId whole, uint32_t offset, Type type) {
  Value v = values[whole];
  v.imm += offset;
  if (v.kind == Kind::Parameter)
    return parameter(v.imm, type);
  v.type = type;
  return intern(std::move(v));
}

std::optional<int64_t> ValueTable::integer(ValueId id) const {
  const Value &v = values[id];
  if (v.kind == Kind::Constant)
    return v.imm;
  if (v.kind == Kind::Float && v.type == Type::F32)
    return std::bit_cast<int32_t>(float(v.number));
  if (v.kind == Kind::Float && v.type == Type::F64)
    return std::bit_cast<int64_t>(v.number);
  return std::nullopt;
}

bool ValueTable::isConstant(ValueId id, int64_t imm) const {
  auto value = integer(id);
  return value && *value == imm;
}

ValueId ValueTable::asFloat(ValueId id, Type type) {
  const Value &v = values[id];
  if (v.kind != Kind::Constant || v.type == Type::Pred)
    return id;
  if (type == Type::F32)
    return number(std::bit_cast<float>(uint32_t(v.imm)), type);
  if (type == Type::F64 && v.type == Type::B64)
    return number(std::bit_cast<double>(v.imm), type);
  return id;
}

ValueId ValueTable::plain(Op op, Type type, std::vector<ValueId> args,
                          int64_t imm) {
  Value v;
  v.kind = Kind::Operation;
  v.op = op;
  v.type = type;
  v.args = std::move(args);
  v.imm = imm;
  return intern(std::move(v));
}
