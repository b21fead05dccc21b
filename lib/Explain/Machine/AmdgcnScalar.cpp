//===- AmdgcnScalar.cpp - Scalar operations that no table row fits --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Amdgcn.h"

#include "Explain/Read/AmdgcnLine.h"

#include <algorithm>

using namespace wf::explain;
using namespace wf::explain::amdgcn;

namespace {
/// s_OP_saveexec: exec becomes OP of the operand and exec, either inverted.
struct ExecRow {
  std::string_view stem;
  Op op;
  bool invertOperand, invertExec;
  uint8_t lut; ///< of (operand, exec, 0)
};
constexpr ExecRow execRows[] = {{"and", Op::And, false, false, 0},
                                {"or", Op::Or, false, false, 0},
                                {"xor", Op::Xor, false, false, 0},
                                {"andn2", Op::And, false, true, 0},
                                {"and_not1", Op::And, false, true, 0},
                                {"andn1", Op::And, true, false, 0},
                                {"and_not0", Op::And, true, false, 0},
                                {"orn2", Op::Or, false, true, 0},
                                {"or_not1", Op::Or, false, true, 0},
                                {"orn1", Op::Or, true, false, 0},
                                {"or_not0", Op::Or, true, false, 0},
                                {"nand", Op::Lop3, false, false, 0x3f},
                                {"nor", Op::Lop3, false, false, 0x03},
                                {"xnor", Op::Lop3, false, false, 0xc3}};
} // namespace

/// The old mask is saved (saveexec), or the new one written twice (wrexec).
static bool decodeExec(Context &c, std::string_view stem) {
  bool save = stem.ends_with("_saveexec"), write = stem.ends_with("_wrexec");
  if (!save && !write)
    return false;
  stem.remove_suffix(save ? 9 : 7);
  const auto *row =
      std::find_if(std::begin(execRows), std::end(execRows),
                   [&](const ExecRow &r) { return r.stem == stem; });
  if (row == std::end(execRows))
    return false;
  bool wide = c.mnemonic.ends_with("b64");
  unsigned count = wide ? 2 : 1;
  Type type = wide ? Type::B64 : Type::B32;
  Effect mask;
  mask.op = row->op;
  mask.type = type;
  mask.lut = row->lut;
  mask.def = flagDef(flags::exec, count);
  mask.in = {c.source(1, type), flagSource(flags::exec, count)};
  mask.in[0].invert ^= row->invertOperand;
  mask.in[1].invert ^= row->invertExec;
  if (row->op == Op::Lop3)
    mask.in.push_back(immediate(0));
  Effect first = mask;
  if (save) {
    first = Effect();
    first.op = Op::Move;
    first.type = type;
    first.in = {flagSource(flags::exec, count)};
  }
  first.def = c.def(0);
  Effect scc = mask;
  scc.def = flagDef(flags::scc);
  scc.then = Op::Compare;
  scc.cmp = Cmp::Ne;
  scc.in.push_back(immediate(0));
  for (Effect *effect : {&first, &mask, &scc})
    c.out.effects.push_back(std::move(*effect));
  return true;
}

/// s_bfe: offset and width stand in one operand.
static void decodeBitField(Context &c, Type type) {
  Source packed = c.source(2, Type::U32);
  std::vector<Source> in{c.source(1, type)};
  if (packed.kind == Source::Kind::Immediate) {
    in.push_back(immediate(packed.imm & 0x3f));
    in.push_back(immediate(packed.imm >> 16 & 0x7f));
  } else {
    in.push_back(packed);
  }
  Effect &effect = c.add(Op::BitField, type);
  effect.def = c.def(0);
  effect.in = in;
  Effect scc = effect;
  scc.def = flagDef(flags::scc);
  scc.then = Op::Compare;
  scc.cmp = Cmp::Ne;
  scc.in.push_back(immediate(0));
  c.out.effects.push_back(std::move(scc));
}

static void decodeShiftedAdd(Context &c, Type type, int shift) {
  Effect &effect = c.add(Op::Mad, type);
  effect.def = c.def(0);
  effect.in = {c.source(1, type), immediate(int64_t(1) << shift),
               c.source(2, type)};
  Effect carry = effect;
  carry.op = Op::CarryOut;
  carry.detail = "mad";
  carry.def = flagDef(flags::scc);
  c.out.effects.push_back(std::move(carry));
}

static void decodeCarryIn(Context &c, Type type, bool subtract) {
  for (bool carry : {false, true}) {
    Effect &effect = c.add(carry ? (subtract ? Op::BorrowOut : Op::CarryOut)
                                 : (subtract ? Op::Sub : Op::Add),
                           type);
    effect.def = carry ? flagDef(flags::scc) : c.def(0);
    effect.carryIn = true;
    effect.in = {c.source(1, type), c.source(2, type), flagSource(flags::scc)};
  }
}

static void decodeBitTest(Context &c, Type type, bool set) {
  Effect &effect = c.add(Op::BitField, type);
  effect.def = flagDef(flags::scc);
  effect.then = Op::Compare;
  effect.cmp = set ? Cmp::Ne : Cmp::Eq;
  effect.in = {c.source(0, type), c.source(1, Type::U32), immediate(1),
               immediate(0)};
}

bool amdgcn::decodeScalar(Context &c) {
  Name name = nameOf(c.mnemonic);
  if (name.prefix != 's')
    return false;
  std::string_view stem = name.stem;
  Type type = name.type == Type::None ? Type::B32 : name.type;
  if (decodeExec(c, stem))
    return true;
  if (stem == "cselect") {
    Effect &effect = c.add(Op::Select, type);
    effect.def = c.def(0);
    effect.in = {c.source(1, type), c.source(2, type), flagSource(flags::scc)};
    return true;
  }
  if (stem == "cmov" || stem == "cmovk") {
    Effect &effect = c.add(Op::Select, type);
    effect.def = c.def(0);
    effect.in = {c.source(1, type), c.source(0, type), flagSource(flags::scc)};
    return true;
  }
  if (stem == "addc" || stem == "add_co_ci" || stem == "subb" ||
      stem == "sub_co_ci") {
    decodeCarryIn(c, type, stem.starts_with("sub"));
    return true;
  }
  if (stem == "bitset0" || stem == "bitset1") {
    Effect &effect = c.add(Op::BitInsert, type);
    effect.def = c.def(0);
    effect.in = {c.source(0, type), immediate(stem.back() - '0'),
                 c.source(1, Type::U32), immediate(1)};
    return true;
  }
  if (stem == "bitcmp0" || stem == "bitcmp1") {
    decodeBitTest(c, type, stem.back() == '1');
    return true;
  }
  if (stem == "bfe") {
    decodeBitField(c, type);
    return true;
  }
  if (stem.size() == 9 && stem.starts_with("lshl") && stem.ends_with("_add") &&
      stem[4] >= '1' && stem[4] <= '4') {
    decodeShiftedAdd(c, type, stem[4] - '0');
    return true;
  }
  return false;
}
