//===- Steps.h - Combining operations and what feeds them -------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_VERDICT_STEPS_H
#define WARPFOLD_EXPLAIN_VERDICT_STEPS_H

#include "Explain/Verdict/Parts.h"

namespace wf::explain {

/// A combining operation that data flow through.
struct Step {
  ValueId value = noValue;
  size_t at = 0;                 ///< its instruction
  std::vector<ValueId> operands; ///< origins of its operands, shuffles seen
                                 ///< through
  std::vector<size_t> loads;     ///< touches whose value is an operand
  std::vector<size_t> stores;    ///< touches that store the result
  std::vector<size_t> shuffles;  ///< instructions that bring an operand over
  Space space = Space::None;     ///< of the memory that it both loads from and
                                 ///< stores to
  bool partial = false;          ///< an operand stays in a register as well

  std::vector<size_t> instructions(const std::vector<Touch> &touches) const;
};

/// In code order.
std::vector<Step> findSteps(const Slices &s, const std::vector<Touch> &touches);

/// A loop's phi and the combining operations between it and its next value.
struct Carried {
  ValueId phi = noValue;
  int loop = -1;
  std::vector<ValueId> operations; ///< in code order
  bool rescaled = false;           ///< the phi is a factor
  bool gridStride = false;
};
std::vector<Carried> carriedValues(const Slices &s);

/// Fills what is counted for one step of steps that are chained.
void measure(Report &r, const Slices &s, Accumulator &acc,
             const std::vector<const Step *> &steps,
             const std::vector<Touch> &touches);
/// Does the distance between the two elements halve from step to step?
bool halves(const Report &r, const Slices &s,
            const std::vector<const Step *> &steps,
            const std::vector<Touch> &touches);
/// "shared[threadIdx.x] += shared[threadIdx.x + stride]"
std::string sourceOf(const Report &r, const Accumulator &acc, const Step &step,
                     const std::vector<Touch> &touches);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_VERDICT_STEPS_H
