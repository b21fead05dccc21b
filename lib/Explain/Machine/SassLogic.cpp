//===- SassLogic.cpp - Comparisons, logic, shifts and moves of SASS -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Sass.h"

using namespace wf::explain;

namespace {

/// How a comparison's predicate source joins it: the last of AND, OR, XOR.
std::string_view joinOf(const SassContext &c) {
  std::string_view join = "and";
  for (std::string_view suffix : c.suffixes)
    if (suffix == "AND")
      join = "and";
    else if (suffix == "OR")
      join = "or";
    else if (suffix == "XOR")
      join = "xor";
  return join;
}

/// PT joined by AND, !PT by OR and XOR: nothing.
bool isNeutral(std::string_view join, const Source &source) {
  return source.kind == Source::Kind::True && source.invert == (join != "and");
}

/// Reads "a, b, P[, carry]" into a Compare.
void takeComparison(SassContext &c, Effect &effect, Type type, bool halved) {
  const SassCompare how = compareOf(c);
  effect.cmp = how.cmp;
  effect.unordered = how.unordered;
  for (int i = 0; i < 2; ++i)
    effect.in.push_back(halved ? c.takeHalves(type) : c.take(type));
  if (c.more()) {
    const std::string_view join = joinOf(c);
    const Source joined = c.takePredicate();
    if (!isNeutral(join, joined)) {
      effect.in.push_back(joined);
      effect.detail = join;
    }
  }
  if (c.more() && c.suffix("EX")) {
    effect.in.push_back(c.takePredicate());
    effect.carryIn = true;
    c.mean("compare the upper halves, after the lower ones");
  }
}

void comparePredicates(SassContext &c, Type type, bool halved) {
  Effect effect = c.effect(Op::Compare, type);
  effect.def = c.takeDef();
  std::optional<Def> other;
  if (c.peekPredicate())
    other = c.takeDef();
  takeComparison(c, effect, type, halved);
  // The second predicate is the opposite comparison, joined alike; of halves it
  // is the upper half's.
  if (other) {
    Effect opposite = effect;
    opposite.def = other;
    if (halved) {
      opposite.detail += opposite.detail.empty() ? "h1" : ".h1";
    } else {
      opposite.cmp = inverse(effect.cmp);
      if (isFloat(type))
        opposite.unordered = !effect.unordered;
    }
    c.push(std::move(opposite));
  }
  c.push(std::move(effect));
}

/// A table of two variables at these bits' places: 8 and, 14 or, 6 xor …
bool setTwoInput(unsigned table, Effect &effect) {
  struct Row {
    unsigned table;
    Op op;
    bool notA, notB;
  };
  // Bit 2a + b of the table.
  static constexpr Row rows[] = {
      {0x8, Op::And, false, false}, {0x4, Op::And, false, true},
      {0x2, Op::And, true, false},  {0x1, Op::And, true, true},
      {0xe, Op::Or, false, false},  {0xd, Op::Or, false, true},
      {0xb, Op::Or, true, false},   {0x7, Op::Or, true, true},
      {0x6, Op::Xor, false, false}, {0x9, Op::Xor, true, false}};
  for (const Row &row : rows)
    if (row.table == table) {
      effect.op = row.op;
      effect.in[0].invert ^= row.notA;
      effect.in[1].invert ^= row.notB;
      return true;
    }
  return false;
}

/// The table with variable `v` (0 is a) fixed, as one of eight bits still.
uint8_t fixed(uint8_t lut, int v, bool value) {
  uint8_t out = 0;
  const int bit = 4 >> v;
  for (int i = 0; i < 8; ++i)
    if (lut >> (value ? i | bit : i & ~bit) & 1)
      out |= static_cast<uint8_t>(1 << i);
  return out;
}

/// Makes the simplest effect of a table of three sources: constants are put
/// in, sources that have no say left out.
void setLogic(Effect &effect, std::vector<Source> in, uint8_t lut,
              bool predicates) {
  for (int v = 0; v < 3; ++v) {
    const Source &source = in[v];
    if (predicates && source.kind == Source::Kind::True)
      lut = fixed(lut, v, !source.invert);
    else if (!predicates && isZero(source))
      lut = fixed(lut, v, false);
    else if (!predicates && source.kind == Source::Kind::Immediate &&
             source.imm == -1)
      lut = fixed(lut, v, true);
  }
  std::vector<int> used;
  for (int v = 0; v < 3; ++v)
    if (fixed(lut, v, false) != fixed(lut, v, true))
      used.push_back(v);
  effect.lut = lut;
  effect.detail = lutExpression(lut);
  effect.in.clear();
  for (int v : used)
    effect.in.push_back(in[v]);
  if (used.empty()) {
    effect.op = Op::Move;
    if (predicates)
      effect.detail = lut & 1 ? "true" : "false";
    effect.in = {predicates ? trueSource(lut & 1)
                            : immediate(lut & 1 ? -1 : 0)};
  } else if (used.size() == 1) {
    const bool inverted = !(lut >> (4 >> used[0]) & 1);
    effect.op = inverted && !predicates ? Op::Not : Op::Move;
    if (inverted && predicates)
      effect.in[0].invert ^= true;
  } else if (used.size() == 2) {
    unsigned pairs = 0;
    for (unsigned i = 0; i < 4; ++i)
      if (lut >> ((i & 2 ? 4 >> used[0] : 0) | (i & 1 ? 4 >> used[1] : 0)) & 1)
        pairs |= 1u << i;
    setTwoInput(pairs, effect);
  } else {
    effect.op = predicates ? Op::PredicateLogic : Op::Lop3;
    effect.in = std::move(in);
  }
}

uint8_t lutOf(const SassOperand &operand) {
  return static_cast<uint8_t>(operand.source.imm);
}

} // namespace

void sass::setPredicate(SassContext &c) {
  comparePredicates(
      c, isFloat(c.row.type) ? c.row.type : c.integerType(c.row.type), false);
}

void sass::halvesPredicate(SassContext &c) {
  comparePredicates(c, c.suffix("BF16_V2") ? Type::BF16x2 : Type::F16x2, true);
}

/// FSET, ISET: 1.0 or all ones where it holds.
void sass::setRegister(SassContext &c) {
  const Type type =
      isFloat(c.row.type) ? c.row.type : c.integerType(c.row.type);
  Effect effect = c.effect(Op::Compare, type);
  effect.def = c.takeDef();
  takeComparison(c, effect, type, type == Type::F16x2);
  c.mean(c.suffix("BF") ? "1.0 where it holds, else 0"
                        : "all ones where it holds, else 0");
  c.push(std::move(effect));
}

void sass::compareSelect(SassContext &c) {
  const Type type =
      isFloat(c.row.type) ? c.row.type : c.integerType(c.row.type);
  Effect effect = c.effect(Op::Select, type);
  effect.def = c.takeDef();
  const SassCompare how = compareOf(c);
  effect.cmp = how.cmp;
  effect.unordered = how.unordered;
  for (int i = 0; i < 3; ++i)
    effect.in.push_back(c.take(type));
  c.push(std::move(effect));
}

/// LOP3.LUT [P,] R, a, b, c, table[, P]: the predicate says whether the result
/// is not zero.
void sass::lop3(SassContext &c) {
  std::optional<Def> predicate;
  if (c.peekPredicate())
    predicate = c.takeDef();
  Effect effect = c.effect(Op::Lop3, Type::B32);
  effect.def = c.takeDef();
  std::vector<Source> in;
  for (int i = 0; i < 3; ++i)
    in.push_back(c.take());
  const uint8_t lut = c.more() ? lutOf(c.operands[c.next++]) : 0;
  if (predicate) {
    Effect test = c.effect(Op::Compare, Type::B32);
    test.def = predicate;
    test.cmp = Cmp::Ne;
    test.in = in;
    test.lut = lut;
    const Source joined = c.takePredicate();
    if (joined.kind == Source::Kind::Register) {
      test.in.push_back(joined);
      test.detail = "or";
    }
    c.push(std::move(test));
  }
  setLogic(effect, std::move(in), lut, false);
  c.mean("bitwise " + effect.detail);
  if (effect.def || !predicate)
    c.push(std::move(effect));
}

/// LOP.AND, LOP32I.OR, LOP.PASS_B of sm_61 and before.
void sass::lop(SassContext &c) {
  std::optional<Def> predicate;
  if (c.peekPredicate())
    predicate = c.takeDef();
  Effect effect = c.effect(Op::Lop3, Type::B32);
  effect.def = c.takeDef();
  std::vector<Source> in = {c.take(), c.take(), immediate(0)};
  uint8_t lut = 0xc0;
  if (c.suffix("OR"))
    lut = 0xfc;
  else if (c.suffix("XOR"))
    lut = 0x3c;
  else if (c.suffix("PASS_B"))
    lut = 0xcc;
  if (predicate) {
    Effect test = c.effect(Op::Compare, Type::B32);
    test.def = predicate;
    test.cmp = c.suffix("Z") ? Cmp::Eq : Cmp::Ne;
    test.in = in;
    test.lut = lut;
    c.push(std::move(test));
  }
  setLogic(effect, std::move(in), lut, false);
  c.mean("bitwise " + effect.detail);
  if (effect.def || !predicate)
    c.push(std::move(effect));
}

void sass::plop3(SassContext &c) {
  Effect effect = c.effect(Op::PredicateLogic, Type::Pred);
  effect.def = c.takeDef();
  std::optional<Def> other;
  if (c.peekPredicate())
    other = c.takeDef();
  std::vector<Source> in;
  for (int i = 0; i < 3; ++i)
    in.push_back(c.peekPredicate() ? c.takePredicate() : trueSource());
  const uint8_t lut = c.more() ? lutOf(c.operands[c.next++]) : 0;
  const uint8_t second = c.more() ? lutOf(c.operands[c.next++]) : 0;
  if (other) {
    Effect more = c.effect(Op::PredicateLogic, Type::Pred);
    more.def = other;
    setLogic(more, in, second, true);
    c.push(std::move(more));
  }
  setLogic(effect, std::move(in), lut, true);
  c.mean("predicate " + effect.detail);
  c.push(std::move(effect));
}

/// PSETP.AND.OR P, P, a, b, c: (a AND b) OR c. PSET has a register first.
void sass::psetp(SassContext &c) {
  Effect effect = c.effect(Op::PredicateLogic, Type::Pred);
  effect.def = c.takeDef();
  if (c.row.name == "PSETP" && c.peekPredicate())
    ++c.next;
  std::vector<Source> in;
  for (int i = 0; i < 3; ++i)
    in.push_back(c.takePredicate());
  const auto apply = [&](size_t at, unsigned a, unsigned b) {
    const std::string_view name =
        at < c.suffixes.size() ? c.suffixes[at] : std::string_view("AND");
    return name == "OR" ? a | b : name == "XOR" ? a ^ b : a & b;
  };
  const size_t first = !c.suffixes.empty() && c.suffixes[0] == "BF" ? 1 : 0;
  const auto lut =
      static_cast<uint8_t>(apply(first + 1, apply(first, 0xf0, 0xcc), 0xaa));
  setLogic(effect, std::move(in), lut, true);
  c.mean("predicate " + effect.detail);
  c.push(std::move(effect));
}

/// SHF takes the low part, the shift, the high part.
void sass::shf(SassContext &c) {
  const bool left = c.suffix("L");
  // Before sm_70 a shift to the left always gives the upper word.
  const bool high = c.suffix("HI") || (left && c.sm < 70);
  const bool isSigned = c.suffix("S32") || c.suffix("S64");
  Effect effect = c.effect(Op::FunnelShift, isSigned ? Type::S32 : Type::U32);
  effect.def = c.takeDef();
  const Source low = c.take(), by = c.take(), upper = c.take();
  if (left && !high && isZero(upper)) {
    effect.op = Op::Shl;
    effect.in = {low, by};
    c.mean("shift left");
  } else if (!left && (high || isZero(upper))) {
    // The upper word of a pair shifted right does not see the lower one.
    effect.op = isSigned ? Op::ShrArith : Op::ShrLogical;
    effect.in = {high ? upper : low, by};
    c.mean(isSigned ? "arithmetic shift right" : "logical shift right");
  } else if (left && !high) {
    effect.op = Op::Shl; // nor the lower word one to the left the upper one
    effect.in = {low, by};
    c.mean("shift left");
  } else {
    effect.detail = left ? "left.hi" : "right.lo";
    effect.in = {low, upper, by};
    const bool rotate = low.kind == Source::Kind::Register &&
                        upper.kind == Source::Kind::Register &&
                        low.reg == upper.reg;
    if (rotate) {
      effect.detail = left ? "rotate.left" : "rotate.right";
      effect.in = {low, by};
    }
    c.mean(rotate ? "rotate" : "shift of a pair");
  }
  c.push(std::move(effect));
}

void sass::shift(SassContext &c) {
  Effect effect = c.effect(c.row.op, c.row.type);
  if (c.row.op == Op::ShrArith && c.suffix("U32")) {
    effect.op = Op::ShrLogical;
    effect.type = Type::U32;
  }
  const Type type = c.integerType(effect.type);
  effect.type = type;
  effect.def = c.takeDef(wordsOf(type));
  effect.in = {c.take(type), c.take()};
  c.push(std::move(effect));
}

void sass::select(SassContext &c) {
  const Type type =
      isFloat(c.row.type) ? c.row.type : c.integerType(c.row.type);
  Effect effect = c.effect(Op::Select, type == Type::S32 ? Type::B32 : type);
  effect.def = c.takeDef(wordsOf(type));
  effect.in = {c.take(type), c.take(type)};
  effect.in.push_back(c.takePredicate());
  c.push(std::move(effect));
}

void sass::permute(SassContext &c) {
  Effect effect = c.effect(Op::Permute, Type::B32);
  effect.def = c.takeDef();
  const Source a = c.take(), selector = c.take(), b = c.take();
  effect.in = {a, selector, b};
  if (selector.kind == Source::Kind::Immediate) {
    // Bytes 0 to 3 are a's, 4 to 7 b's.
    if ((selector.imm & 0xffff) == 0x5410)
      c.mean("pack two halves");
    else if ((selector.imm & 0xffff) == 0x7632)
      c.mean("pack two upper halves");
    else if ((selector.imm & 0xffff) == 0x7610)
      c.mean("lower half from one, upper from the other");
    else if ((selector.imm & 0xffff) == 0x123)
      c.mean("reverse the bytes");
  }
  c.push(std::move(effect));
}
