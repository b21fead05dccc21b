//===- BlockCounts.h - Barriers, shuffles, shared memory ---------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What the machine code of a GPU plan has of each, as test/Target counts it:
//
//   barriers = block + tickets * (ticket + join)
//   shuffles = chunk + tail + block + tickets * join
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PLAN_BLOCKCOUNTS_H
#define WARPFOLD_PLAN_BLOCKCOUNTS_H

#include "Plan/Cost.h"

namespace wf {

/// Instructions on a block's way, once for every place of the code they are at.
BlockCounts blockCounts(const Plan &plan, const Problem &problem,
                        const ExplainFacts &facts);

/// Warp instructions of a whole launch.
double shufflesInAll(const Plan &plan, const Problem &problem,
                     const BlockCounts &counts);

} // namespace wf

#endif // WARPFOLD_PLAN_BLOCKCOUNTS_H
