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

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>

using namespace wf;

/// Room for one result, row-major, and the output strides its problem needs
/// (one a dimension of the input; those of reduced axes are not used).
static llvm::Expected<NamedResult>
makeResult(const Field &field, const std::vector<int64_t> &shape) {
  NamedResult r;
  r.name = field.name;
  r.array.type = field.type;
  r.array.shape = shape;
  r.array.strides = rowMajorStrides(shape);
  int64_t bytes = byteSize(field.type);
  bool tooLarge = false;
  for (int64_t d : shape)
    tooLarge |= llvm::MulOverflow(bytes, std::max<int64_t>(d, 1), bytes);
  // A page-aligned, zeroed block from the system: outputs can be large, and a
  // vector would write them once more.
  void *memory = tooLarge ? nullptr : std::calloc(size_t(bytes), 1);
  if (!memory)
    return deviceError("no memory for a result of " +
                           llvm::Twine(tooLarge ? "more than 2^63"
                                                : std::to_string(bytes)) +
                           " bytes",
                       "reduce along more axes, or a slice at a time");
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
    auto made = makeResult(p.program.results[r], p.shapeOut);
    if (!made)
      return made.takeError();
    result.results.push_back(std::move(*made));
    outputs.push_back(const_cast<void *>(result.results.back().array.data));
  }
  std::vector<const void *> inputs;
  for (const Array &a : p.inputs)
    inputs.push_back(a.data);
  if (p.device) {
    double micros = 0;
    if (llvm::Error e = runThroughDevice(p, outputs.data(), micros))
      return std::move(e);
    result.phases.emplace_back("run", micros);
  } else {
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
  result.explanation = std::move(p.explanation);
  result.order = versionedName(p.plan.order);
  if (p.device) {
    const DeviceProperties &d = p.device->properties();
    result.device = request.device + " (" + d.name + ", " + d.target + ")";
    result.notes = p.notes;
    result.peakAnonBytes = notePeakAnonymousBytes();
    return result;
  }
  int threads = p.launch ? p.launch->threads() : 1;
  result.device = "cpu (" + std::to_string(threads) +
                  (threads == 1 ? " thread, " : " threads, ") +
                  hostCpu().simdName + ")";
  result.notes = p.notes;
  result.peakAnonBytes = notePeakAnonymousBytes();
  return result;
}
