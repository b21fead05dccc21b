//===- ValueTable.h - Unique values, simplified as they are made *- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Equal pure values are one, whatever instruction computed them, and in one
// form: a scaled add, a multiply-add by 4 and a shift with an add are all the
// same Add of a Mul, so that comparing two ids compares what they mean.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_FLOW_VALUETABLE_H
#define WARPFOLD_EXPLAIN_FLOW_VALUETABLE_H

#include "Explain/Flow/Internal.h"

namespace wf::explain {

class ValueTable {
public:
  explicit ValueTable(Analysis &a) : a(a), values(a.values) {}

  /// What a listing cut short leaves out (noValue) is Undefined.
  const Value &operator[](ValueId id) const {
    static const Value undefined;
    return id < values.size() ? values[id] : undefined;
  }
  void clear();
  ValueId intern(Value v);

  // Leaves.
  ValueId constant(int64_t imm, Type type = Type::B32);
  ValueId number(double number, Type type);
  ValueId truth(bool holds) { return constant(holds, Type::Pred); }
  ValueId symbol(std::string name, Type type = Type::B32, Reg reg = {});
  ValueId parameter(int64_t offset, Type type);
  ValueId undefined(Reg reg);
  /// A word of a constant bank that nothing says more of.
  ValueId bank(uint32_t bank, int64_t offset, Type type);
  /// What the runtime appends to the parameters, as "blockDim.x"; noValue where
  /// nothing of that place and size is known.
  ValueId hidden(int64_t offset, int64_t bytes);
  /// Bytes [offset, offset + width) of a loaded, returned or passed value.
  ValueId piece(ValueId whole, uint32_t offset, Type type);
  std::optional<int64_t> integer(ValueId id) const;
  bool isConstant(ValueId id, int64_t imm) const;
  /// `id` as an operand of a float operation: bits become a number.
  ValueId asFloat(ValueId id, Type type);

  // Integers of 32 or 64 bits; `wide` says which.
  ValueId add(ValueId x, ValueId y, bool wide);
  ValueId sub(ValueId x, ValueId y, bool wide);
  ValueId mul(ValueId x, ValueId y, bool wide);
  ValueId neg(ValueId x, bool wide);
  ValueId shl(ValueId x, ValueId n, bool wide);
  ValueId shr(ValueId x, ValueId n, bool arithmetic, bool wide);
  ValueId bitwise(Op op, ValueId x, ValueId y, Type type);
  ValueId invert(ValueId x, Type type);
  ValueId lop3(uint8_t lut, ValueId x, ValueId y, ValueId z, Type type);
  /// Bits [offset, offset + width) of a 32-bit value.
  ValueId bits(ValueId x, unsigned offset, unsigned width, bool isSigned);
  ValueId extend(ValueId x, bool isSigned);
  ValueId funnel(ValueId low, ValueId high, ValueId n, bool left);
  bool isNonNegative(ValueId id, int depth = 4) const;

  // Truth values.
  ValueId compare(Cmp cmp, Type type, ValueId x, ValueId y, bool unordered);
  ValueId gamma(ValueId guard, ValueId yes, ValueId no, Reg reg = {});
  ValueId select(ValueId guard, ValueId yes, ValueId no, Type type);
  /// Whether `guard` holds or not where `given` holds.
  std::optional<bool> known(ValueId guard, ValueId given, int depth = 4);
  /// `id` as it is seen where `given` holds.
  ValueId under(ValueId id, ValueId given, int depth = 4);
  ValueId notOf(ValueId truth);

  // 64 bits from 32 and back.
  /// `given` is what holds where the pair is read.
  ValueId pair(ValueId low, ValueId high, ValueId given = noValue);
  /// The phi of a join; the same value on every way is that value.
  ValueId join(size_t block, std::vector<ValueId> args, Reg reg);
  ValueId low(ValueId id, int depth = 12);
  ValueId high(ValueId id, int depth = 12);
  /// What a 64-bit operation takes: a 32-bit constant widened.
  ValueId widened(ValueId id, bool isSigned);

  /// Any operation, by the forms above where there is one.
  ValueId operation(Value v);
  /// The phi of 64 bits whose halves are `low` and `high`.
  struct WidePhi {
    ValueId whole, low, high;
    /// It is this only where these hold: before the loop, and in it.
    ValueId entryGiven, stepGiven;
  };
  std::vector<WidePhi> widePhis;
  /// What a loop's phi is before the first step.
  std::unordered_map<ValueId, ValueId> loopEntry;

private:
  ValueId plain(Op op, Type type, std::vector<ValueId> args, int64_t imm = 0);
  ValueId relatedPair(ValueId low, ValueId high, int depth);
  ValueId pairOfCarry(ValueId low, ValueId high, int depth);
  ValueId pairOfShift(ValueId low, ValueId high, int depth);
  ValueId pairOfPhis(ValueId low, ValueId high, int depth);
  ValueId packedIndex(ValueId id);
  ValueId orOfTruths(ValueId x, ValueId y);
  ValueId andOfTruths(ValueId x, ValueId y);
  ValueId pairOfSymbols(ValueId low, ValueId high);
  ValueId pairOfUpperSum(ValueId low, ValueId high, int depth);
  ValueId brokenLanes(ValueId x, ValueId y);
  ValueId foldCompare(Cmp cmp, Type type, ValueId x, ValueId y);
  ValueId gammaOfTruths(ValueId guard, ValueId yes, ValueId no);

  Analysis &a;
  std::vector<Value> &values;
  std::vector<ValueId> slots; ///< open addressing
  /// Wide phis and symbols, by what they are made of.
  std::unordered_map<ValueId, std::pair<ValueId, ValueId>> halves;
  std::unordered_map<uint64_t, size_t> widePhiBy; ///< halves → widePhis
  ValueId pairGiven = noValue;
};

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_FLOW_VALUETABLE_H
