//===- LoopSteps.h - How a loop's phis change -------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_FLOW_LOOPSTEPS_H
#define WARPFOLD_EXPLAIN_FLOW_LOOPSTEPS_H

#include "Explain/Flow/Internal.h"

namespace wf::explain {

/// What a step does to a phi.
struct Step {
  enum class Kind { None, Shift, Count, Accumulate } kind = Kind::None;
  int64_t by = 0; ///< shifted or added, where a constant; length of a chain
  ValueId next = noValue; ///< of a count that is not constant
  Op op = Op::Unknown;
};

class LoopSteps {
public:
  explicit LoopSteps(const Analysis &a);

  /// The phis of a loop that something beside them uses.
  const std::vector<ValueId> &phis(const Loop &loop) const {
    return phisAt[loop.header];
  }
  /// A phi after a step, and before the first.
  ValueId stepped(const Loop &loop, ValueId phi) const {
    return argument(loop, phi, true);
  }
  ValueId entered(const Loop &loop, ValueId phi) const {
    return argument(loop, phi, false);
  }
  Step stepOf(const Loop &loop, ValueId phi) const;
  /// Copies of a loop's step within its body.
  int copiesOf(const Loop &loop) const;

private:
  std::vector<bool> usedValues() const;
  ValueId argument(const Loop &loop, ValueId phi, bool back) const;
  Step accumulates(ValueId next, ValueId phi) const;
  bool invariant(const Loop &loop, ValueId id, int depth = 4) const;
  int64_t repeated(const Loop &loop, Op op) const;

  const Analysis &a;
  std::vector<std::vector<ValueId>> phisAt;
};

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_FLOW_LOOPSTEPS_H
