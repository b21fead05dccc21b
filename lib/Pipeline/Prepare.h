//===- Prepare.h - A request made ready to run -------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Everything between a request and its run: types checked, shapes broadcast,
// axes normalised, an order decided, a plan chosen, a kernel compiled or found.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PIPELINE_PREPARE_H
#define WARPFOLD_PIPELINE_PREPARE_H

#include "Language/Program.h"
#include "Pipeline/Compiler.h"
#include "Pipeline/Reduce.h"
#include "Runtime/Launch.h"

#include <memory>

namespace wf {

struct Preparation {
  Program program;
  Plan plan;
  std::vector<Array> inputs;  ///< broadcast to one shape (not if together)
  std::vector<int64_t> shapeIn, shapeOut, axes;
  int64_t elementsIn = 0;     ///< read in all, per input
  std::vector<uint64_t> params;
  std::vector<std::string> notes;
  /// Strides of every user's result, in its own axes.
  std::vector<std::vector<int64_t>> resultStrides;
  std::vector<int64_t> presentCounts; ///< one an output, if reportsAbsence
  std::unique_ptr<Launch> launch; ///< null where there is nothing to fold
};

/// `outStrides`, where given, are the strides in elements of every output, in
/// its own dimensions; otherwise outputs are row-major.
llvm::Expected<Preparation>
prepare(const ReduceRequest &request, PhaseTimes &times,
        const std::vector<std::vector<int64_t>> *outStrides = nullptr);

/// Results the user sees: all but the count of present elements that
/// --nan ignore appends where nothing says what an empty reduction gives.
size_t userResults(const Program &program);

/// Runs a preparation: inputs[i] and results[i] point at the elements at index
/// 0, …, 0. An error if a fold turns out to have no elements and no `empty`.
llvm::Error runPrepared(Preparation &p, const void *const *inputs,
                        void *const *results);

/// Axes normalised, increasing; an error for one out of range or named twice.
llvm::Expected<std::vector<int64_t>>
normaliseAxes(const std::vector<int64_t> &axes, bool all, int64_t rank);

/// The order a program runs under: what was asked for if it can be honoured,
/// else the strongest one that can, with a note.
llvm::Expected<PlanOrder> decideOrder(const Program &program,
                                      const std::optional<std::string> &asked,
                                      std::vector<std::string> &notes);

/// Values of all params; an error for one without.
llvm::Expected<std::vector<uint64_t>> paramValues(const Program &program);

/// Devices and plans this step does not have are refused by name.
llvm::Error checkDevice(llvm::StringRef device);

} // namespace wf

#endif // WARPFOLD_PIPELINE_PREPARE_H
