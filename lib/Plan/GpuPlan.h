//===- GpuPlan.h - How a GPU plan meets a problem ----------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PLAN_GPUPLAN_H
#define WARPFOLD_PLAN_GPUPLAN_H

#include "Plan/Plan.h"

namespace wf {

/// Blocks that share an output at most.
inline constexpr int64_t kMostRuns = 16384;
/// As many runs the last block joins by itself; more of them join in groups of
/// that size first. A block that folds columns reads their states one after the
/// other, where otherwise all threads read together.
inline constexpr int64_t kWarpGroup = 512, kColumnGroup = 32;

/// What a launch of a plan on a problem needs.
struct GpuDivision {
  int64_t blocks = 1;   ///< of the grid
  int64_t runs = 1;     ///< blocks that share an output
  int64_t groups = 1;   ///< groups of runs that join first; one ticket each
  int64_t tickets = 0;  ///< i32 counters, zero between launches
  int64_t partials = 0; ///< states kept between blocks
};

/// A user error where the launch would be larger than a grid can be.
llvm::Expected<GpuDivision> divideGpu(const Plan &plan, const Problem &problem);

/// Bytes of shared memory that form=column takes for states of so many bytes.
int64_t columnSharedBytes(const Plan &plan, int64_t memberBytes);

/// Leaves of a fold of `elements` under form=column: slots of all chunks that
/// hold an element.
int64_t columnLeaves(const Plan &plan, int64_t elements);

} // namespace wf

#endif // WARPFOLD_PLAN_GPUPLAN_H
