//===- AmdgcnAlu.cpp - Arithmetic of AMD, scalar and vector ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Amdgcn.h"
#include "Explain/Machine/AmdgcnTables.h"
#include "Explain/Read/AmdgcnLine.h"

#include <algorithm>

using namespace wf::explain;
using namespace wf::explain::amdgcn;

namespace {
struct Condition {
  std::string_view name;
  Cmp cmp;
  bool unordered;
};
/// The n forms are true of NaN: nlt is "not less than".
constexpr Condition conditions[] = {
    {"eq", Cmp::Eq, false},      {"ne", Cmp::Ne, false},
    {"lg", Cmp::Ne, false},      {"lt", Cmp::Lt, false},
    {"le", Cmp::Le, false},      {"gt", Cmp::Gt, false},
    {"ge", Cmp::Ge, false},      {"o", Cmp::Ordered, false},
    {"u", Cmp::Unordered, true}, {"neq", Cmp::Ne, true},
    {"nlt", Cmp::Ge, true},      {"nle", Cmp::Gt, true},
    {"ngt", Cmp::Le, true},      {"nge", Cmp::Lt, true},
    {"nlg", Cmp::Eq, true},      {"t", Cmp::True, true},
    {"tru", Cmp::True, true},    {"f", Cmp::False, false}};
} // namespace

/// v_cmp_*, v_cmpx_*, s_cmp_*, s_cmpk_*.
bool amdgcn::decodeCompare(Context &c) {
  Name name = nameOf(c.mnemonic);
  std::string_view stem = name.stem;
  bool exec = false;
  if (stem.starts_with("cmpx_")) {
    exec = true;
    stem.remove_prefix(5);
  } else if (stem.starts_with("cmpk_")) {
    stem.remove_prefix(5);
  } else if (stem.starts_with("cmp_")) {
    stem.remove_prefix(4);
  } else {
    return false;
  }
  Op op = stem == "class" ? Op::ClassTest : Op::Compare;
  const Condition *found = nullptr;
  for (const Condition &row : conditions)
    if (row.name == stem)
      found = &row;
  if (!found && op == Op::Compare)
    return false;
  bool scalar = name.prefix == 's';
  // v_cmp names its destination, v_cmpx does so before gfx10.
  size_t first = scalar || (exec && c.size() < 3) ? 0 : 1;
  unsigned mask = static_cast<unsigned>(c.maskRegisters);
  auto addOne = [&](std::optional<Def> def) -> Effect & {
    Effect &effect = c.add(op, name.type);
    effect.from = name.type;
    if (found) {
      effect.cmp = found->cmp;
      effect.unordered = found->unordered && isFloat(name.type);
    }
    effect.def = def;
    for (size_t i = first; i < c.size(); ++i)
      effect.in.push_back(c.source(
          i, op == Op::ClassTest && i > first ? Type::B32 : name.type));
    return effect;
  };
  if (scalar) {
    addOne(flagDef(flags::scc));
    return true;
  }
  if (first == 1)
    if (auto def = c.def(0); def && !(exec && def->reg.cls == RegClass::Flag &&
                                      def->reg.index == flags::exec))
      addOne(def);
  if (exec) {
    Effect &effect = addOne(flagDef(flags::exec, mask));
    effect.then = Op::And;
    effect.in.push_back(flagSource(flags::exec, mask));
  }
  return true;
}

/// Additions with a carry out, or in and out; wide multiply-adds.
bool amdgcn::decodeCarry(Context &c) {
  Name name = nameOf(c.mnemonic);
  std::string_view stem = name.stem;
  if (name.prefix != 'v')
    return false;
  if (stem == "mad" || stem == "mad_co" || stem == "mad_nc") {
    if (name.type != Type::U64 && name.type != Type::S64)
      return false;
    bool carries = stem != "mad_nc";
    size_t first = carries ? 2 : 1;
    auto addOne = [&](Op op, std::optional<Def> def) {
      Effect &effect = c.add(op, name.type);
      effect.from = name.from;
      effect.wide = true;
      effect.def = def;
      for (size_t i = first; i < c.size(); ++i)
        effect.in.push_back(c.source(i, name.type));
      return effect.def.has_value();
    };
    addOne(Op::Mad, c.def(0));
    if (auto def = carries ? c.def(1) : std::nullopt) {
      addOne(Op::CarryOut, def);
      c.out.effects.back().detail = "mad";
    }
    return true;
  }
  struct Row {
    std::string_view stem;
    bool subtract, reversed, carryIn;
  };
  static constexpr Row rows[] = {
      {"add_co", false, false, false},  {"sub_co", true, false, false},
      {"subrev_co", true, true, false}, {"add_co_ci", false, false, true},
      {"addc_co", false, false, true},  {"addc", false, false, true},
      {"sub_co_ci", true, false, true}, {"subb_co", true, false, true},
      {"subb", true, false, true},      {"subrev_co_ci", true, true, true},
      {"subbrev_co", true, true, true}, {"subbrev", true, true, true}};
  for (const Row &row : rows) {
    if (row.stem != stem)
      continue;
    // Before gfx9, and in short encodings of later ones, vcc is named as well.
    for (int out = 0; out < 2; ++out) {
      auto def = c.def(out);
      if (!def)
        continue;
      Op op = out == 0 ? (row.subtract ? Op::Sub : Op::Add)
                       : (row.subtract ? Op::BorrowOut : Op::CarryOut);
      Effect &effect = c.add(op, name.type);
      effect.def = def;
      effect.carryIn = row.carryIn;
      for (size_t i = 2; i < c.size(); ++i)
        effect.in.push_back(c.source(i, name.type));
      if (row.reversed && effect.in.size() > 1)
        std::swap(effect.in[0], effect.in[1]);
    }
    return true;
  }
  return false;
}

/// Types of two numbers in one register, or in a pair.
static Type packedType(Type type) {
  switch (type) {
  case Type::F16:
    return Type::F16x2;
  case Type::BF16:
    return Type::BF16x2;
  case Type::F32:
    return Type::F32x2;
  default:
    return type;
  }
}

/// Where the halves come from: "op_sel:[0,1] op_sel_hi:[1,0]".
static std::string selections(const Context &c) {
  std::string text;
  for (const std::string &modifier : c.instruction.modifiers)
    if (modifier.starts_with("op_sel") || modifier.starts_with("neg_") ||
        modifier.starts_with("dst_sel"))
      text += (text.empty() ? "" : " ") + modifier;
  return text;
}

/// op_sel of a 16-bit operation picks the upper half of a source.
static void applyHalves(const Context &c, Effect &effect) {
  std::string_view bits = c.value("op_sel");
  if (!bits.starts_with('[') || bits.size() < 2)
    return;
  for (size_t i = 0; i < effect.in.size() && 1 + 2 * i < bits.size(); ++i)
    if (effect.in[i].kind == Source::Kind::Register &&
        effect.in[i].part.empty())
      effect.in[i].part = bits[1 + 2 * i] == '1' ? "h1" : "h0";
}

static void addScc(Context &c, const AluRow &row, Type type) {
  if (row.scc == Scc::Keeps || isFloat(type))
    return;
  Effect effect = c.out.effects.back();
  effect.def = flagDef(flags::scc);
  switch (row.scc) {
  case Scc::Keeps:
    return;
  case Scc::NonZero:
    // Two operations at most are said of one effect.
    if (effect.then != Op::Nop)
      return;
    effect.then = Op::Compare;
    effect.cmp = Cmp::Ne;
    effect.in.push_back(immediate(0));
    break;
  case Scc::Carry:
  case Scc::Borrow:
    effect.op = row.scc == Scc::Carry ? Op::CarryOut : Op::BorrowOut;
    if (type == Type::S32)
      effect.detail = "overflow";
    break;
  case Scc::Less:
  case Scc::Greater:
    effect.op = Op::Compare;
    effect.cmp = row.scc == Scc::Less ? Cmp::Lt : Cmp::Gt;
    break;
  }
  c.out.effects.push_back(std::move(effect));
}

/// A shift by a constant and an addition are a multiplication and an addition.
static void simplify(Effect &effect) {
  if (effect.op != Op::Shl || effect.then != Op::Add || effect.in.size() != 3 ||
      effect.in[1].kind != Source::Kind::Immediate)
    return;
  effect.op = Op::Mad;
  effect.then = Op::Nop;
  effect.in[1] = immediate(int64_t(1) << (effect.in[1].imm & 31));
}

bool amdgcn::decodeTable(Context &c) {
  Name name = nameOf(c.mnemonic);
  std::string_view stem = name.stem;
  // The tokens of some stems look like types.
  const AluRow *row = name.prefix ? aluRow(stem) : nullptr;
  if (!row || c.size() == 0)
    return false;
  Type type = row->shape == Shape::Packed || stem == "pk_fmac"
                  ? packedType(name.type)
                  : name.type;
  if (type == Type::None)
    type = Type::B32;
  Effect &effect = c.add(row->op, type);
  effect.from = name.from;
  effect.def = c.def(0);
  effect.then = row->then;
  effect.lut = row->lut;
  effect.detail = row->detail;
  if (row->shape == Shape::ReadModify)
    effect.in.push_back(c.source(0, type));
  Type read =
      row->op == Op::Convert && name.from != Type::None ? name.from : type;
  for (size_t i = 1; i < c.size(); ++i)
    effect.in.push_back(c.source(i, read));
  if (row->shape == Shape::Reversed && effect.in.size() == 2)
    std::swap(effect.in[0], effect.in[1]);
  if (row->shape == Shape::Accumulate)
    effect.in.push_back(c.source(0, type));
  if (row->inverted >= 0 && effect.in.size() > size_t(row->inverted))
    effect.in[row->inverted].invert ^= true;
  if (row->op == Op::Lop3 && effect.in.size() == 2)
    effect.in.push_back(immediate(0));
  if (row->op == Op::DivisionHelp && stem == "div_fmas")
    effect.in.push_back(flagSource(flags::vcc, c.maskRegisters));
  if (bitsOf(type) == 16)
    applyHalves(c, effect);
  if (std::string chosen = selections(c); !chosen.empty() && !name.dpp)
    effect.detail += (effect.detail.empty() ? "" : " ") + chosen;
  simplify(effect);
  if (name.prefix == 's')
    addScc(c, *row, type);
  return true;
}
