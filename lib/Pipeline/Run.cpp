//===- Run.cpp - A preparation on pointers --------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Pipeline/Prepare.h"

#include "Error/Error.h"
#include "Numerics/Fold.h"

#include <cstring>

using namespace wf;

size_t wf::userResults(const Program &program) {
  return program.results.size() - (program.reportsAbsence ? 1 : 0);
}

/// Calls body(offset in elements) for every output of a shape with strides.
static void forEachOutput(const std::vector<int64_t> &shape,
                          const std::vector<int64_t> &strides,
                          llvm::function_ref<void(int64_t)> body) {
  int64_t outputs = 1;
  for (int64_t d : shape)
    outputs *= d;
  for (int64_t i = 0; i < outputs; ++i) {
    int64_t offset = 0, rest = i;
    for (size_t d = shape.size(); d-- > 0;) {
      offset += rest % shape[d] * strides[d];
      rest /= shape[d];
    }
    body(offset);
  }
}

/// Output i of a shape as "(2, 0)".
static std::string indexText(const std::vector<int64_t> &shape, int64_t i) {
  std::string text;
  for (size_t d = shape.size(); d-- > 0; i /= shape[d])
    text = std::to_string(i % shape[d]) + (text.empty() ? "" : ", ") + text;
  return "(" + text + ")";
}

/// What a reduction over no elements gives, in every output.
static llvm::Error fillEmpty(const Preparation &p, void *const *results) {
  int64_t outputs = 1;
  for (int64_t d : p.shapeOut)
    outputs *= d;
  if (outputs == 0)
    return llvm::Error::success();
  if (!p.program.empty) {
    return userError("empty reduction: output " + indexText(p.shapeOut, 0) +
                         " of '" +
                         p.program.name + "' has no elements",
                     "give a `neutral` or say what `empty` is");
  }
  auto one = foldOne(p.program, Order::Ordered, 0,
                     [](unsigned, int64_t) -> uint64_t { return 0; });
  if (!one)
    return one.takeError();
  for (size_t r = 0; r < userResults(p.program); ++r) {
    int64_t bytes = byteSize(p.program.results[r].type);
    auto *to = static_cast<char *>(results[r]);
    forEachOutput(p.shapeOut, p.resultStrides[r], [&](int64_t offset) {
      std::memcpy(to + offset * bytes, &(*one)[r], size_t(bytes));
    });
  }
  return llvm::Error::success();
}

/// The error for an output that turned out to have no elements.
static llvm::Error checkPresent(const Preparation &p) {
  for (size_t i = 0; i < p.presentCounts.size(); ++i)
    if (p.presentCounts[i] == 0)
      return userError("empty reduction: every element of output " +
                           indexText(p.shapeOut, int64_t(i)) +
                           " is absent (NaN, ignored)",
                       "give `empty` a value, or use --nan propagate");
  return llvm::Error::success();
}

/// Device pointers in, device pointers out.
static llvm::Error runOnGpu(Preparation &p, const void *const *inputs,
                            void *const *results, void *stream) {
  std::vector<DeviceAddress> from, to;
  for (size_t i = 0; i < p.program.inputs.size(); ++i)
    from.push_back(reinterpret_cast<DeviceAddress>(inputs[i]));
  for (size_t r = 0; r < userResults(p.program); ++r)
    to.push_back(reinterpret_cast<DeviceAddress>(results[r]));
  if (!p.program.reportsAbsence)
    return p.gpu->run(from.data(), to.data(), p.params.data(), stream);
  // Whether an output has no elements is known only once it ran.
  to.push_back(p.presentMemory.address());
  if (llvm::Error e =
          p.gpu->run(from.data(), to.data(), p.params.data(), stream))
    return e;
  if (llvm::Error e = p.device->synchronise(stream))
    return e;
  if (llvm::Error e = p.device->copyOut(p.presentCounts.data(),
                                        p.presentMemory.address(),
                                        p.presentMemory.bytes()))
    return e;
  return checkPresent(p);
}

llvm::Error wf::runPrepared(Preparation &p, const void *const *inputs,
                            void *const *results, void *stream) {
  if (p.gpu)
    return runOnGpu(p, inputs, results, stream);
  if (!p.launch)
    return fillEmpty(p, results);
  if (!p.program.reportsAbsence) {
    p.launch->run(inputs, results, p.params.data());
    return llvm::Error::success();
  }
  std::vector<void *> all(results, results + userResults(p.program));
  all.push_back(p.presentCounts.data());
  p.launch->run(inputs, all.data(), p.params.data());
  return checkPresent(p);
}

llvm::Error wf::runThroughDevice(Preparation &p, void *const *results,
                                 double &micros) {
  if (!p.gpu)
    return fillEmpty(p, results);
  Device &device = *p.device;
  std::vector<DeviceArray> arrays;
  std::vector<const void *> from;
  for (size_t i = 0; i < p.program.inputs.size(); ++i) {
    bool made = !p.made[i].segments.empty();
    auto array = made ? gatherToDevice(device, p.made[i], p.elementsIn)
                      : copyToDevice(device, p.inputs[i]);
    if (!array)
      return array.takeError();
    arrays.push_back(std::move(*array));
    from.push_back(reinterpret_cast<const void *>(arrays.back().first));
  }
  std::vector<DeviceBuffer> outputs;
  std::vector<void *> to;
  int64_t count = 1;
  for (int64_t d : p.shapeOut)
    count *= d;
  for (size_t r = 0; r < userResults(p.program); ++r) {
    auto memory = device.allocate(count * byteSize(p.program.results[r].type));
    if (!memory)
      return memory.takeError();
    outputs.push_back(std::move(*memory));
    to.push_back(reinterpret_cast<void *>(outputs.back().address()));
  }
  auto begin = device.makeEvent(), end = device.makeEvent();
  if (!begin)
    return begin.takeError();
  if (!end)
    return end.takeError();
  if (llvm::Error e = (*begin)->record(nullptr))
    return e;
  if (llvm::Error e = runPrepared(p, from.data(), to.data(), nullptr))
    return e;
  if (llvm::Error e = (*end)->record(nullptr))
    return e;
  if (llvm::Error e = device.synchronise(nullptr))
    return e;
  auto took = device.elapsed(**begin, **end);
  if (!took)
    return took.takeError();
  micros = *took;
  for (size_t r = 0; r < outputs.size(); ++r)
    if (llvm::Error e = device.copyOut(results[r], outputs[r].address(),
                                       outputs[r].bytes()))
      return e;
  return llvm::Error::success();
}
