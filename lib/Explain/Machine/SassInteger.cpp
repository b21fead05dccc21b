//===- SassInteger.cpp - Integer arithmetic of SASS -----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Sass.h"

#include <bit>

using namespace wf::explain;

namespace {

/// The carry flag of sm_61 and before, which has no number.
constexpr Reg carryFlag = {RegClass::Flag, flags::scc};

Source carrySource() {
  Source source;
  source.kind = Source::Kind::Register;
  source.reg = carryFlag;
  return source;
}

/// Predicates after the destination: where carries go.
std::vector<Def> takeCarries(SassContext &c, size_t most = 2) {
  std::vector<Def> out;
  for (size_t i = 0; i < most && c.peekPredicate(); ++i)
    if (auto def = c.takeDef())
      out.push_back(*def);
  return out;
}

/// Predicates at the end: carries to add. PT inverted adds nothing.
void takeCarryIns(SassContext &c, Effect &effect) {
  bool any = false;
  while (c.more()) {
    Source carry = c.takePredicate();
    if (carry.kind == Source::Kind::True && carry.invert)
      continue;
    effect.in.push_back(std::move(carry));
    any = true;
  }
  effect.carryIn = any;
}

/// Pushes a sum, and the carries out of it.
void pushWithCarries(SassContext &c, Effect effect,
                     const std::vector<Def> &carries) {
  std::vector<Effect> more;
  for (const Def &carry : carries) {
    Effect out = effect;
    out.op = Op::CarryOut;
    out.def = carry;
    more.push_back(std::move(out));
  }
  c.push(std::move(effect));
  for (Effect &out : more)
    c.push(std::move(out));
}

/// A sum of fewer than two is a move, unless a carry comes in or goes out.
void simplifySum(Effect &effect, bool carries) {
  std::erase_if(effect.in, isZero);
  if (effect.in.size() >= 2)
    return;
  if (effect.in.empty() || effect.carryIn)
    effect.in.insert(effect.in.begin(), immediate(0));
  if (effect.carryIn || carries)
    return;
  effect.op = effect.in[0].negate ? Op::Neg : Op::Move;
  effect.in[0].negate = false;
}

bool isPowerOfTwo(const Source &source, int &shift) {
  if (source.kind != Source::Kind::Immediate || source.imm <= 0)
    return false;
  const auto value = static_cast<uint64_t>(source.imm);
  shift = std::countr_zero(value);
  return std::has_single_bit(value);
}

bool isOne(const Source &source) {
  return source.kind == Source::Kind::Immediate && source.imm == 1;
}

} // namespace

void sass::iadd3(SassContext &c) {
  const bool flagOut = c.more() && c.operands[0].carryOut;
  const Type type = c.integerType(c.row.type);
  Effect effect = c.effect(Op::Add, type);
  effect.def = c.takeDef(wordsOf(type));
  std::vector<Def> carries = takeCarries(c);
  if (flagOut)
    carries.push_back({carryFlag, 1});
  while (c.more() && !c.peekPredicate()) {
    effect.in.push_back(c.take(type));
    // What is added reads better as -4 than as 0xfffffffc.
    Source &added = effect.in.back();
    if (added.kind == Source::Kind::Immediate && added.imm > INT32_MAX &&
        added.imm <= UINT32_MAX && bitsOf(type) == 32)
      added.imm = static_cast<int32_t>(added.imm);
  }
  takeCarryIns(c, effect);
  if (c.suffix("X") && c.sm < 70) {
    effect.in.push_back(carrySource());
    effect.carryIn = true;
  }
  simplifySum(effect, !carries.empty());
  if (effect.op == Op::Move)
    c.mean("move");
  else if (effect.op == Op::Neg)
    c.mean("negate");
  else if (effect.carryIn)
    c.mean("integer add, with a carry");
  else if (effect.in.size() == 2)
    c.mean("integer add");
  pushWithCarries(c, std::move(effect), carries);
}

void sass::imad(SassContext &c) {
  const bool wide = c.suffix("WIDE"), high = c.suffix("HI");
  const Type narrow = c.suffix("U32") ? Type::U32 : Type::S32;
  const Type type = !wide                 ? narrow
                    : narrow == Type::U32 ? Type::U64
                                          : Type::S64;
  const bool flagOut = c.more() && c.operands[0].carryOut;
  Effect effect = c.effect(Op::Mad, type);
  effect.wide = wide;
  if (wide)
    effect.from = narrow;
  effect.def = c.takeDef(wide ? 2 : 1);
  std::vector<Def> carries = takeCarries(c);
  if (flagOut)
    carries.push_back({carryFlag, 1});
  Source a = c.take(narrow), b = c.take(narrow);
  Source added = c.more() && !c.peekPredicate()
                     ? c.take(wide || high ? Type::U64 : narrow)
                     : immediate(0);
  takeCarryIns(c, effect);
  if (c.suffix("X") && c.sm < 70) {
    effect.in.push_back(carrySource());
    effect.carryIn = true;
  }
  std::vector<Source> carry = std::move(effect.in);
  effect.in.clear();
  int shift = 0;
  if (high) {
    effect.op = Op::MulHi;
    effect.in = {a, b};
    if (!isZero(added))
      effect.in.push_back(added);
    c.mean("upper half of a product");
  } else if (isZero(a) || isZero(b)) {
    effect.op = Op::Add;
    effect.wide = false;
    effect.in = {added};
    c.mean(carry.empty() ? "move, on the multiplier's pipe"
                         : "add of a carry, on the multiplier's pipe");
  } else if (isOne(b) && !wide) {
    effect.op = Op::Add;
    effect.in = {a, added};
    c.mean("add, on the multiplier's pipe");
  } else if (!wide && isZero(added) && isPowerOfTwo(b, shift)) {
    effect.op = Op::Shl;
    effect.in = {a, immediate(shift)};
    c.mean("shift left, on the multiplier's pipe");
  } else {
    effect.op = isZero(added) && carry.empty() ? Op::Mul : Op::Mad;
    effect.in = {a, b};
    if (effect.op == Op::Mad)
      effect.in.push_back(added);
    if (wide)
      c.mean(effect.op == Op::Mad ? "multiply-add into a pair"
                                  : "multiply into a pair");
  }
  for (Source &source : carry)
    effect.in.push_back(std::move(source));
  if (effect.op == Op::Add)
    simplifySum(effect, !carries.empty());
  pushWithCarries(c, std::move(effect), carries);
}

/// 16 × 16 + 32: which half of a source is in its part.
void sass::xmad(SassContext &c) {
  const bool flagOut = c.more() && c.operands[0].carryOut;
  Effect effect = c.effect(Op::Mad, Type::U32);
  effect.from = c.suffix("S16") ? Type::S16 : Type::U16;
  effect.def = c.takeDef();
  Source a = c.take(), b = c.take(), added = c.take();
  for (Source *source : {&a, &b})
    if (source->part.empty() && source->kind != Source::Kind::Immediate)
      source->part = "h0";
  effect.in = {a, b, added};
  effect.detail = "xmad";
  for (std::string_view suffix : c.suffixes)
    effect.detail.append(".").append(suffix);
  if (c.suffix("X")) {
    effect.in.push_back(carrySource());
    effect.carryIn = true;
  }
  c.mean("16-bit multiply-add: a part of a 32-bit product");
  std::vector<Def> carries;
  if (flagOut)
    carries.push_back({carryFlag, 1});
  pushWithCarries(c, std::move(effect), carries);
}

/// The shift's factor, of an immediate from 0 to 31.
static int64_t factorOf(const Source &shift) {
  return int64_t(1) << (shift.imm & 31);
}

void sass::lea(SassContext &c) {
  const bool high = c.suffix("HI"), extend = c.suffix("SX32");
  const bool flagOut = c.more() && c.operands[0].carryOut;
  Effect effect = c.effect(Op::Mad, Type::U32);
  effect.def = c.takeDef();
  std::vector<Def> carries = takeCarries(c);
  if (flagOut)
    carries.push_back({carryFlag, 1});
  const Source a = c.take(), b = c.take();
  Source upper = immediate(0);
  // Two values are left where an upper part is printed: it and the shift.
  if (high && !extend && c.peek(1) &&
      c.peek(1)->kind == SassOperand::Kind::Value)
    upper = c.take();
  const Source shift = c.take();
  takeCarryIns(c, effect);
  if (c.suffix("X") && c.sm < 70) {
    effect.in.push_back(carrySource());
    effect.carryIn = true;
  }
  std::vector<Source> carry = std::move(effect.in);
  effect.in.clear();
  if (!high) {
    effect.in = {a, immediate(factorOf(shift)), b};
    if (isZero(b)) {
      effect.op = Op::Shl;
      effect.in = {a, shift};
    } else {
      c.mean("scale by " + std::to_string(factorOf(shift)) + " and add");
    }
  } else if (isZero(b) && carry.empty() && (extend || isZero(upper)) &&
             (shift.imm & 31) != 0) {
    effect.op = extend ? Op::ShrArith : Op::ShrLogical;
    effect.type = extend ? Type::S32 : Type::U32;
    effect.in = {a, immediate(32 - (shift.imm & 31))};
    c.mean("shift right");
  } else {
    effect.op = Op::FunnelShift;
    effect.detail = "left.hi";
    if (extend) {
      upper = a;
      upper.part = "sign";
    }
    effect.in = {a, upper, shift};
    if (!isZero(b) || !carry.empty())
      effect.in.push_back(b);
    c.mean("upper half of a scaled value, added");
  }
  for (Source &source : carry)
    effect.in.push_back(std::move(source));
  pushWithCarries(c, std::move(effect), carries);
}

void sass::iscadd(SassContext &c) {
  const bool flagOut = c.more() && c.operands[0].carryOut;
  Effect effect = c.effect(Op::Mad, Type::S32);
  effect.def = c.takeDef();
  std::vector<Def> carries = takeCarries(c);
  if (flagOut)
    carries.push_back({carryFlag, 1});
  const Source a = c.take(), b = c.take(), shift = c.take();
  effect.in = {a, immediate(factorOf(shift)), b};
  c.mean("scale by " + std::to_string(factorOf(shift)) + " and add");
  pushWithCarries(c, std::move(effect), carries);
}

void sass::minMax(SassContext &c) {
  Type type = isFloat(c.row.type) ? c.row.type : c.integerType(c.row.type);
  if (c.suffix("BF16_V2"))
    type = Type::BF16x2;
  Effect effect = c.effect(Op::Min, type);
  effect.def = c.takeDef(wordsOf(type));
  while (c.peekPredicate()) // VIMNMX may say which it took
    ++c.next;
  while (c.more() && !c.peekPredicate())
    effect.in.push_back(c.take(type));
  const Source minimum = c.takePredicate();
  if (minimum.kind == Source::Kind::True) {
    effect.op = minimum.invert ? Op::Max : Op::Min;
  } else {
    effect.in.push_back(minimum);
    effect.detail = "predicate";
  }
  c.mean(effect.op == Op::Max ? "maximum" : "minimum");
  c.push(std::move(effect));
}

void sass::addMinMax(SassContext &c) {
  minMax(c);
  if (!c.out.effects.empty())
    c.out.effects.back().detail = "add";
  c.mean(c.out.effects.back().op == Op::Max ? "add, then maximum"
                                            : "add, then minimum");
}

/// BFE's packed field, or SGXT's width from bit 0.
void sass::bitField(SassContext &c) {
  const Type type = c.integerType(c.row.type);
  Effect effect = c.effect(Op::BitField, type);
  effect.def = c.takeDef();
  const Source value = c.take(), field = c.take();
  if (c.row.name == "SGXT")
    effect.in = {value, immediate(0), field};
  else if (field.kind == Source::Kind::Immediate)
    effect.in = {value, immediate(field.imm & 0xff),
                 immediate(field.imm >> 8 & 0xff)};
  else
    effect.in = {value, field};
  c.push(std::move(effect));
}

void sass::bitMask(SassContext &c) {
  Effect effect = c.effect(Op::BitInsert, Type::B32);
  effect.def = c.takeDef();
  const Source position = c.take(), width = c.take();
  effect.in = {immediate(-1), position, width, immediate(0)};
  c.push(std::move(effect));
}
