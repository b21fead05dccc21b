//===- Lowering.h - An instruction's effects as values ----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_FLOW_LOWERING_H
#define WARPFOLD_EXPLAIN_FLOW_LOWERING_H

#include "Explain/Flow/ValueTable.h"

namespace wf::explain {

/// What registers hold at a place. A value that a join did not hand on is not
/// known any more.
struct Held {
  ValueId value = noValue;
  uint32_t join = 0;
};

class Lowering {
public:
  Lowering(Analysis &a, ValueTable &table, const RegisterTable &registers,
           const std::vector<Held> &held, const uint32_t &join)
      : a(a), t(table), registers(registers), held(held), join(join) {}

  using Writes = std::vector<std::pair<uint32_t, ValueId>>;
  /// Fills `a.code[i]` and lists what registers hold afterwards.
  void instruction(size_t i, Writes &writes);
  ValueId now(Reg reg) const;

private:
  // Operands.
  ValueId read(const Source &s, Type type);
  ValueId readRegister(const Source &s);
  ValueId part(ValueId id, const std::string &name);
  ValueId address(const Memory &m, int64_t offset);
  ValueId stored(const Effect &e);
  // Results.
  Effect takeFromLanes(const Effect &e, EffectValues &out);
  ValueId resultOf(const Effect &e, EffectValues &out);
  ValueId simple(const Effect &e, const std::vector<ValueId> &in);
  ValueId second(const Effect &e, ValueId first, ValueId last);
  // Kinds of operations; noValue where the effect is none of them.
  ValueId moved(const Effect &e, const std::vector<ValueId> &in);
  ValueId arithmetic(const Effect &e, const std::vector<ValueId> &in);
  ValueId logic(const Effect &e, const std::vector<ValueId> &in);
  ValueId pureOf(const Effect &e, const std::vector<ValueId> &in);
  // Single ones.
  ValueId integerOf(const Effect &e, const std::vector<ValueId> &in);
  ValueId multiplied(const Effect &e, const std::vector<ValueId> &in);
  ValueId product16(const Effect &e, const std::vector<ValueId> &in);
  ValueId funnelled(const Effect &e, const std::vector<ValueId> &in);
  ValueId carryOf(const Effect &e, const std::vector<ValueId> &in);
  ValueId withCarry(Op op, std::vector<ValueId> terms, ValueId carry);
  ValueId converted(const Effect &e, const std::vector<ValueId> &in);
  ValueId compared(const Effect &e, std::vector<ValueId> in);
  ValueId asTruth(ValueId id);
  ValueId loaded(const Effect &e, ValueId address);
  ValueId opaque(const Effect &e, const EffectValues &out);
  void write(const Effect &e, EffectValues &out, Writes &writes);
  void setRegister(Reg reg, ValueId value, Writes &writes);
  ValueId guardOf(const Decoded &d);

  Analysis &a;
  ValueTable &t;
  const RegisterTable &registers;
  const std::vector<Held> &held;
  const uint32_t &join;
  size_t at = 0; ///< the instruction
  size_t effectIndex = 0;
  ValueId given = noValue; ///< what holds where it runs
};

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_FLOW_LOWERING_H
