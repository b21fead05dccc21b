//===- Reduce.cpp - One reduction from request to result ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Pipeline/Reduce.h"

#include "Error/Error.h"
#include "Pipeline/Compiler.h"
#include "Pipeline/PhaseTimer.h"
#include "Pipeline/Prepare.h"
#include "Runtime/Memory.h"
#include "Target/CpuTarget.h"

#include <algorithm>

using namespace wf;

/// Room for one result, row-major, and the output strides its problem needs
/// (one a dimension of the input; those of reduced axes are not used).
static NamedResult makeResult(const Field &field,
                              const std::vector<int64_t> &shape) {
  NamedResult r;
  r.name = field.name;
  r.array.type = field.type;
  r.array.shape = shape;
  r.array.strides = rowMajorStrides(shape);
  size_t bytes = size_t(std::max<int64_t>(r.array.elements(), 1) *
                        byteSize(field.type));
  // A page-aligned, zeroed block from the system: outputs can be large, and a
  // vector would write them once more.
  void *memory = std::calloc(bytes, 1);
  r.array.owner = std::shared_ptr<const void>(memory, std::free);
  r.array.data = memory;
  return r;
}

static int64_t readBytes(const Preparation &p) {
  int64_t bytes = 0;
  for (ScalarType t : p.program.inputs)
    bytes += p.elementsIn * byteSize(t);
  return bytes;
}

/// The first output that had nothing to reduce under --nan ignore, if the
/// program says so in a last result that is not the user's.
static llvm::Error checkAbsence(const Program &program,
                                std::vector<NamedResult> &results) {
  if (!program.reportsAbsence)
    return llvm::Error::success();
  Array counts = results.back().array;
  results.pop_back();
  auto *n = static_cast<const int64_t *>(counts.data);
  for (int64_t i = 0; i < counts.elements(); ++i)
    if (n[i] == 0)
      return userError("empty reduction: every element of output " +
                           llvm::Twine(i) + " is absent (NaN, ignored)",
                       "give `empty` a value, or use --nan propagate");
  return llvm::Error::success();
}

llvm::Expected<ReduceResult> wf::reduce(const ReduceRequest &request) {
  ReduceResult result;
  auto prepared = prepare(request, result.phases);
  if (!prepared)
    return prepared.takeError();
  Preparation &p = *prepared;
  std::vector<void *> outputs;
  for (const Field &field : p.program.results) {
    result.results.push_back(makeResult(field, p.shapeOut));
    outputs.push_back(const_cast<void *>(result.results.back().array.data));
  }
  if (p.launch) {
    std::vector<const void *> inputs;
    for (const Array &a : p.inputs)
      inputs.push_back(a.data);
    PhaseTimer timer(result.phases, "run");
    p.launch->run(inputs.data(), outputs.data(), p.params.data());
  } else if (llvm::Error e = fillEmpty(p, result.results)) {
    return std::move(e);
  }
  if (llvm::Error e = checkAbsence(p.program, result.results))
    return std::move(e);
  for (const auto &[phase, micros] : result.phases)
    (phase == "run" ? result.runMicros : result.compileMicros) += micros;
  if (result.runMicros > 0)
    result.gigabytesPerSecond = double(readBytes(p)) / result.runMicros / 1e3;
  result.shapeIn = p.shapeIn;
  result.axes = p.axes;
  result.plan = p.plan.text();
  result.order = versionedName(p.plan.order);
  int threads = p.launch ? p.launch->threads() : 1;
  result.device = "cpu (" + std::to_string(threads) +
                  (threads == 1 ? " thread, " : " threads, ") +
                  hostCpu().simdName + ")";
  result.notes = p.notes;
  result.peakAnonBytes = notePeakAnonymousBytes();
  return result;
}
