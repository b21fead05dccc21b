//===- Cost.h - What a plan does, counted, and how long it takes -*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
//   T = launches + atomics * t_atomic + ticket + partials * t_partial
//       + max(bytes / read rate, operations / issue rate)
//
// with the constants of Hardware.h. On an H200 it is within a tenth of the
// hand-written ladder's times where these are beyond a cache (CostTest.cpp).
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PLAN_COST_H
#define WARPFOLD_PLAN_COST_H

#include "Plan/Hardware.h"
#include "Plan/Plan.h"
#include "Plan/Problem.h"
#include "Plan/Tree.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace wf {

/// What of a reduction decides what a plan costs, and what its explanation
/// says about it.
struct ExplainFacts {
  std::string orderReason;         ///< why the plan's order
  std::vector<int64_t> members;    ///< bytes of the state's members
  std::vector<int64_t> nearMembers; ///< the same with positions as i32
  bool counted = false;            ///< combine reads counts: i64, beside a state
  std::vector<int64_t> inputBytes; ///< bytes of an element, an input each
  int64_t outputBytes = 0;         ///< of one output, all results
  // Operations of one call, not counting constants and arguments; update's
  // include its map:
  int64_t mapOps = 0, updateOps = 1, combineOps = 1, finishOps = 0;
  /// Operations of combine that read only one of its states, as texts such as
  /// "sqrt of the left state's x": they belong into map or finish.
  std::vector<std::string> unmixed;
  /// GB/s that a CPU reads, where it was measured.
  std::optional<double> readRate;
};

/// Of one block's code. A shuffle moves a 32-bit word.
struct BlockCounts {
  int64_t steps = 1;    ///< column: of a block, one after the other, at most
  int64_t barriers = 0; ///< before the grid tier; column: of one step
  int64_t chunk = 0;    ///< shuffles of a warp: a chunk, column: a step
  int64_t tail = 0;     ///< of the code's second copy, for a short last chunk
  int64_t block = 0;    ///< shuffles of the first warp
  int64_t tickets = 0;  ///< 2: groups of runs join first
  int64_t ticketBarriers = 0; ///< of one ticket
  int64_t joinBarriers = 0;   ///< of the block that joins behind it
  int64_t join = 0;           ///< shuffles of that block's first warp
  int64_t shared = 0;         ///< bytes
};

/// Counts over the whole problem. `merges` are useful joins of two states;
/// `calls` the combines that lanes execute for them (counting up, all lanes
/// do).
struct Work {
  int64_t launches = 1, blocks = 1, threads = 1;
  double atomics = 0, partials = 0;
  int64_t tickets = 0; ///< i32 counters
  double maps = 0, updates = 0;
  std::array<double, 5> merges{}, calls{}; ///< by Tier; Rows is all 0
  int64_t levels = 0;   ///< shuffle levels of a chunk (ladder: of a block)
  BlockCounts block;
  double shuffles = 0; ///< warp instructions in all
  double scratch = 0;  ///< bytes of device memory
  double bytesRead = 0, bytesWritten = 0;
  double operations = 0; ///< 32-bit operations of lanes
};

Work workOf(const Plan &plan, const Problem &problem,
            const ExplainFacts &facts);

/// Microseconds.
struct Cost {
  double launch = 0, atomic = 0, ticket = 0, partial = 0, memory = 0, issue = 0;
  double total() const {
    return launch + atomic + ticket + partial +
           (memory > issue ? memory : issue);
  }
  /// "reading memory", "launching", "atomics on one address", "computing" or
  /// "joining partial states".
  const char *bound() const;
};

Cost costOf(const Work &work, const Hardware &hardware);

} // namespace wf

#endif // WARPFOLD_PLAN_COST_H
