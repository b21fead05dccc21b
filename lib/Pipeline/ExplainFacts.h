//===- ExplainFacts.h - A program's facts for named plans --------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// lib/Plan knows no programs. What it wants to know of one, to run a named plan
// and to explain any plan, is read off here.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PIPELINE_EXPLAINFACTS_H
#define WARPFOLD_PIPELINE_EXPLAINFACTS_H

#include "Language/Program.h"
#include "Plan/Explain.h"
#include "Plan/Named.h"

namespace wf {

/// `asked` is --order, where it was given.
NamedFacts namedFacts(const Program &program, std::optional<PlanOrder> asked);

/// For explainPlan: sizes, operations a call, and what of combine reads one of
/// its states only. `reason` is why the plan's order.
ExplainFacts explainFacts(const Program &program, const Problem &problem,
                          std::string reason);

} // namespace wf

#endif // WARPFOLD_PIPELINE_EXPLAINFACTS_H
