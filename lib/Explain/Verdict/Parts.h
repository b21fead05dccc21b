//===- Parts.h - The steps of judge() ---------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_VERDICT_PARTS_H
#define WARPFOLD_EXPLAIN_VERDICT_PARTS_H

#include "Explain/Verdict/Report.h"
#include "Explain/Verdict/Slices.h"

namespace wf::explain {

/// One memory effect, found once and used by every verdict.
struct Touch {
  size_t instruction = 0, effect = 0;
  Space space = Space::None;
  bool load = false, store = false, atomic = false;
  uint32_t bytes = 4;
  ValueId address = noValue, data = noValue, result = noValue;
};
std::vector<Touch> touchesOf(const Slices &s);

/// In the order in which judge() calls them; each reads what those before it
/// wrote into the report.
void judgeAccesses(Report &r, const Slices &s, const std::vector<Touch> &t);
void judgeAccumulators(Report &r, const Slices &s, const std::vector<Touch> &t);
void judgeBarriers(Report &r, const Slices &s, const std::vector<Touch> &t);
void judgeRoles(Report &r, const Slices &s, const std::vector<Touch> &t);
void judgeBuild(Report &r, const Slices &s);
void judgeOccupancy(Report &r);
void judgeFacts(Report &r, const Slices &s, const std::vector<Touch> &t);
void judgeSummary(Report &r);

/// Is it an atomic whose old value decides who goes on? It may go through lane
/// exchanges, where one lane took the tickets of its warp.
bool isTicket(const Slices &s, const Touch &atomic);

/// Does the operation join two elements (add, max, fma, select …)?
bool combines(Op op);
/// "add", "max", as a reader says it.
std::string operationName(Op op);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_VERDICT_PARTS_H
