//===- AskedPlan.h - The plan that --plan and --order ask for ----*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PIPELINE_ASKEDPLAN_H
#define WARPFOLD_PIPELINE_ASKEDPLAN_H

#include "Language/Program.h"
#include "Plan/Named.h"

#include <string>
#include <vector>

namespace wf {

/// What was asked for: --plan and --order, where they were given.
struct PlanWish {
  std::optional<std::string> plan, order;
  /// Not "auto": what cannot run under it is refused, never changed.
  bool named() const { return plan && *plan != "auto"; }
};

/// The plan of a program on a problem. facts.order is what decideOrder says.
/// `notes` get the order that runs where it is not what was said.
llvm::Expected<PlanChoice> askedPlan(const Program &program,
                                     const Problem &problem,
                                     const PlanFacts &facts,
                                     const PlanWish &wish,
                                     std::vector<std::string> &notes);

/// An error for a written plan that passes checkPlan but says of the problem
/// what is not so, or cannot run it (PlanFit.cpp).
llvm::Error checkPlanFits(const Plan &plan, const Problem &problem,
                          const PlanFacts &facts, const NamedFacts &named);

} // namespace wf

#endif // WARPFOLD_PIPELINE_ASKEDPLAN_H
