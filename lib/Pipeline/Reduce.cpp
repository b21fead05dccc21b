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

llvm::Expected<ReduceResult> wf::reduce(const ReduceRequest &request) {
  ReduceResult result;
  auto prepared = prepare(request, result.phases);
  if (!prepared)
    return prepared.takeError();
  Preparation &p = *prepared;
  std::vector<void *> outputs;
  for (size_t r = 0; r < userResults(p.program); ++r) {
    result.results.push_back(makeResult(p.program.results[r], p.shapeOut));
    outputs.push_back(const_cast<void *>(result.results.back().array.data));
  }
  std::vector<const void *> inputs;
  for (const Array &a : p.inputs)
    inputs.push_back(a.data);
  {
    PhaseTimer timer(result.phases, "run");
    if (llvm::Error e = runPrepared(p, inputs.data(), outputs.data()))
      return std::move(e);
  }
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
