//===- Sass.h - From SASS instructions to effects ---------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What Effect.h leaves open is fixed here. RZ is the immediate 0. Sums leave
// zeros out, so that `IADD3 R0, R1, R2, RZ` has two sources and a sum of one is
// a Move. Predicates added are 0 or 1 (carries).
//
//   Mad          a * b + c; LEA and ISCADD too, b then is a power of two
//   MulHi        upper half of a * b + c, c of 64 bits where there is one
//   FunnelShift  low, high, shift[, added[, carry]]; `detail` is "left.hi",
//                "left.lo", "right.hi", "right.lo", or "rotate.left" with one
//                value; a high part "sign" is the low one's sign
//   Select       where true, where false, predicate; with `cmp` set: the third
//                is compared with zero (ICMP, FCMP)
//   Min, Max     two, or three, values; `detail` "add": min(a + b, c);
//                "predicate": the last source says that it is Min
//   Compare      a, b[, predicate][, carry of the lower half]; `detail` says
//                how the predicate joins: "and", "or", "xor". With `lut` set
//                the sources are three, and their Lop3 is compared with 0
//   Lop3         And, Or, Xor, Not, Move where the table is one of these, with
//                `invert` on sources; `detail` is the expression "a & b | c"
//   Load …       a descriptor's registers are in `in`; other sources are within
//                `memory`
//   BitField     value, position, width; BitInsert value, packed or position,
//                width, into
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_MACHINE_SASS_H
#define WARPFOLD_EXPLAIN_MACHINE_SASS_H

#include "Explain/Machine/SassOperand.h"

namespace wf::explain {

class SassContext;

/// One opcode: how its operands are read, and what it does by default.
struct SassOpcode {
  std::string_view name;
  void (*decode)(SassContext &);
  Op op = Op::Unknown;
  Type type = Type::B32;
  std::string_view meaning;
  std::string_view detail = {};
};

/// The row of "LDG"; of "UIADD3" that of "IADD3" where the uniform path has no
/// own one. Null where there is none.
const SassOpcode *sassOpcode(std::string_view base);

/// One instruction while it is decoded.
class SassContext {
public:
  SassContext(const Instruction &code, const SassOpcode &row, int sm,
              Decoded &out);

  const Instruction &code;
  const SassOpcode &row;
  const int sm;
  Decoded &out;
  std::vector<SassOperand> operands;
  std::vector<std::string_view> suffixes;
  size_t next = 0; ///< the operand that take() hands out

  bool suffix(std::string_view name) const;
  bool more() const { return next < operands.size(); }
  const SassOperand *peek(size_t ahead = 0) const {
    return next + ahead < operands.size() ? &operands[next + ahead] : nullptr;
  }
  bool peekPredicate() const {
    return more() && operands[next].kind == SassOperand::Kind::Predicate;
  }
  /// A destination; of RZ and PT there is none.
  std::optional<Def> takeDef(unsigned words = 1);
  /// The next operand as a value of a type; 0 where there is none.
  Source take(Type type = Type::B32);
  Source takePredicate();
  /// The next one or two operands: halves are printed as two numbers.
  Source takeHalves(Type type);

  Effect effect(Op op, Type type) const;
  void push(Effect effect) { out.effects.push_back(std::move(effect)); }
  void mean(std::string_view words) { out.meaning = words; }

  /// S32, or what the suffixes say.
  Type integerType(Type fallback = Type::S32) const;
  /// The width in a memory access's suffixes, as its data's type.
  Type accessType() const;
};

/// Registers of 32 bits that a type takes.
inline unsigned wordsOf(Type type) {
  return bitsOf(type) > 32 ? bitsOf(type) / 32 : 1;
}

bool isZero(const Source &source);
bool isTrue(const Source &source);
Source immediate(int64_t value);
Source trueSource(bool value = true);
/// `source` as an operand of a type: numbers become floats of float types.
Source typed(Source source, Type type);

/// The comparison in an opcode's suffixes.
struct SassCompare {
  Cmp cmp = Cmp::None;
  bool unordered = false;
};
SassCompare compareOf(const SassContext &context);

/// The expression of a three-input table, "(a & b) | c".
std::string lutExpression(uint8_t lut);

namespace sass {
// Readers of operands, by shape. Each is a column of the opcode table.
void simple(SassContext &c); ///< a destination and its sources
void none(SassContext &c);   ///< sources, no destination
void unknown(SassContext &c);
// integers
void iadd3(SassContext &c);
void imad(SassContext &c);
void xmad(SassContext &c);
void lea(SassContext &c);
void iscadd(SassContext &c);
void minMax(SassContext &c);
void addMinMax(SassContext &c);
void setPredicate(SassContext &c);
void setRegister(SassContext &c);
void compareSelect(SassContext &c);
void lop3(SassContext &c);
void lop(SassContext &c);
void plop3(SassContext &c);
void psetp(SassContext &c);
void shf(SassContext &c);
void shift(SassContext &c);
void bitField(SassContext &c);
void bitMask(SassContext &c);
// moves
void move(SassContext &c);
void select(SassContext &c);
void permute(SassContext &c);
void special(SassContext &c);
void loadConstant(SassContext &c);
void predicatesToRegister(SassContext &c);
void registerToPredicates(SassContext &c);
void barrierMove(SassContext &c);
void barrierResult(SassContext &c);
// floats
void floating(SassContext &c);
void floatCheck(SassContext &c);
void mufu(SassContext &c);
void halves(SassContext &c);
void halvesPredicate(SassContext &c);
void convert(SassContext &c);
void pack(SassContext &c);
void matrix(SassContext &c);
// memory
void load(SassContext &c);
void store(SassContext &c);
void atomic(SassContext &c);
void reduction(SassContext &c);
void copyAsync(SassContext &c);
void bulkCopy(SassContext &c);
void query(SassContext &c);
void texture(SassContext &c);
void syncs(SassContext &c);
// lanes and order
void shuffle(SassContext &c);
void vote(SassContext &c);
void match(SassContext &c);
void reduceWarp(SassContext &c);
void elect(SassContext &c);
void barrier(SassContext &c);
void fence(SassContext &c);
// flow; targets are bound afterwards
void reconvergeSet(SassContext &c);
void reconverge(SassContext &c);
} // namespace sass

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_MACHINE_SASS_H
