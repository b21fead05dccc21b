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
#include "Pipeline/GpuPrepare.h"
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
  std::string explanation; ///< of the plan, if the request asks for it
  /// Strides of every user's result, in its own axes.
  std::vector<std::vector<int64_t>> resultStrides;
  std::vector<int64_t> presentCounts; ///< one an output, if reportsAbsence
  DeviceBuffer presentMemory;         ///< the same on a GPU
  /// One of them, or neither where there is nothing to fold.
  std::unique_ptr<Launch> launch;
  std::unique_ptr<GpuPreparation> gpu;
  Device *device = nullptr; ///< the GPU, if one was asked for
  /// GPU: how an input without memory of its own is made on the device
  /// (row-major); no segments: it is copied as it lies.
  std::vector<GatherInput> made;
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
/// 0, …, 0: in host memory, or for a GPU in the device's, where the call does
/// not wait. An error if a fold turns out to have no elements and no `empty`.
llvm::Error runPrepared(Preparation &p, const void *const *inputs,
                        void *const *results, void *stream = nullptr);

/// Runs a GPU preparation on the request's arrays and host results: copies in,
/// runs, copies out. `micros` gets the run itself.
llvm::Error runThroughDevice(Preparation &p, void *const *results,
                             double &micros);

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

/// The GPU of that name, or null for the CPU; what this version does not run on
/// is refused by name.
llvm::Expected<Device *> chooseDevice(llvm::StringRef name);

} // namespace wf

#endif // WARPFOLD_PIPELINE_PREPARE_H
