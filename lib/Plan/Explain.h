//===- Explain.h - A plan in words and numbers -------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// `--explain-plan`: the problem and how it was made canonical, the order and
// why, what merges what in every tier and how often, barriers, shuffles,
// scratch, launches, atomics, bytes, and the time that the cost model predicts
// with what bounds it.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PLAN_EXPLAIN_H
#define WARPFOLD_PLAN_EXPLAIN_H

#include "Plan/Cost.h"

namespace wf {

/// Lines of text, the last one ended. Works for CPU plans and for targets
/// without a row in the hardware table (then without a prediction).
std::string explainPlan(const Plan &plan, const Problem &problem,
                        const ExplainFacts &facts);

} // namespace wf

#endif // WARPFOLD_PLAN_EXPLAIN_H
