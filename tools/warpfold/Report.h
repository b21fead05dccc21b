//===- Report.h - What the user sees of a result ----------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Standard output gets the result and nothing else, as text ("name = value",
// one a line; a single unnamed result is its bare value) or as one JSON object.
// Standard error gets the shapes, the order, the notes and the times:
//
//   (64, 128) axis 1 → (64)
//   order canonical/1 · cpu (2 threads, avx512) · compile 21.4 ms · run 0.1 ms
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TOOLS_REPORT_H
#define WARPFOLD_TOOLS_REPORT_H

#include "Pipeline/Reduce.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <utility>
#include <vector>

namespace wf::cli {

/// One reduction that ran: `name` is its tensor where there are several.
struct Outcome {
  std::string name;
  ReduceResult result;
};

/// "w.mean": the tensor's name and the result's, whichever there are.
std::string resultName(const Outcome &outcome, const NamedResult &result);

void printText(llvm::ArrayRef<Outcome> outcomes, bool full);

/// One object. Of a single reduction `shape_in`, `axes` and `plan` stand at the
/// top; of several they stand with each result, and times are totals.
void printJson(llvm::ArrayRef<Outcome> outcomes);

/// The two lines above, on standard error.
void printSummary(const Outcome &outcome, bool rate);
void printNotes(llvm::ArrayRef<std::string> notes);
void printPhases(llvm::ArrayRef<std::pair<std::string, double>> phases);
void printPlan(const Outcome &outcome);

} // namespace wf::cli

#endif // WARPFOLD_TOOLS_REPORT_H
