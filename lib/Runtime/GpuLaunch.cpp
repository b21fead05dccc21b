//===- GpuLaunch.cpp - A compiled GPU kernel on a problem -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/GpuLaunch.h"

#include <cstring>

using namespace wf;

namespace {
/// Appends values at their natural alignment, as a kernel's parameters lie.
struct ArgumentPacker {
  std::vector<char> &bytes;

  size_t append(uint64_t value, size_t size) {
    size_t at = (bytes.size() + size - 1) / size * size;
    bytes.resize(at + size);
    std::memcpy(&bytes[at], &value, size); // little-endian, as the device is
    return at;
  }
};
} // namespace

static int64_t aligned(int64_t bytes) { return (bytes + 255) / 256 * 256; }

void GpuLaunch::pack(const Problem &problem) {
  const Plan &plan = kernel->plan;
  ArgumentPacker packer{arguments};
  for (size_t i = 0; i < kernel->inputs.size(); ++i)
    inputAt.push_back(packer.append(0, 8));
  for (size_t o = 0; o < kernel->outputs.size(); ++o)
    outputAt.push_back(packer.append(0, 8));
  int64_t at = aligned(4 * parts.tickets);
  for (ScalarType type : kernel->partials) {
    scratchAt.emplace_back(packer.append(0, 8), at);
    at += aligned(parts.partials * byteSize(type));
  }
  scratchAt.emplace_back(packer.append(0, 8), 0);
  for (ScalarType type : kernel->params)
    paramAt.push_back(packer.append(0, size_t(byteSize(type))));
  auto index = [&](int64_t value) {
    packer.append(uint64_t(value), size_t(plan.address / 8));
  };
  index(problem.elements);
  index(parts.runs);
  index(problem.outputs);
  for (const LoopAxis &a : problem.kept)
    index(a.size);
  LoopAxis single{1, std::vector<int64_t>(kernel->inputs.size(), 1), {}};
  std::vector<LoopAxis> reduced = problem.reduced;
  if (reduced.empty())
    reduced.push_back(single);
  for (const LoopAxis &a : reduced)
    index(a.size);
  for (size_t i = 0; i < kernel->inputs.size(); ++i) {
    for (const LoopAxis &a : problem.kept)
      index(a.inStrides[i]);
    for (const LoopAxis &a : reduced)
      index(a.inStrides[i]);
  }
  for (size_t o = 0; o < kernel->outputs.size(); ++o)
    for (const LoopAxis &a : problem.kept)
      index(a.outStrides[o]);
}

void GpuLaunch::placeWorkspace(DeviceAddress memory) {
  for (auto [at, offset] : scratchAt) {
    DeviceAddress address = memory + uint64_t(offset);
    std::memcpy(&arguments[at], &address, 8);
  }
}

llvm::Error GpuLaunch::useWorkspace(DeviceAddress memory, DeviceStream stream) {
  // Tickets start at zero and every launch leaves them so.
  if (parts.tickets > 0)
    if (llvm::Error e = device.fill(memory, 0, 4 * parts.tickets, stream))
      return e;
  placeWorkspace(memory);
  scratch.reset();
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<GpuLaunch>>
GpuLaunch::make(Device &device, std::shared_ptr<const GpuKernel> kernel,
                const Problem &problem) {
  auto division = divideGpu(kernel->plan, problem);
  if (!division)
    return division.takeError();
  std::unique_ptr<GpuLaunch> launch(new GpuLaunch(device, kernel));
  launch->parts = *division;
  launch->outputCount = problem.outputs;
  int64_t bytes = aligned(4 * division->tickets);
  for (ScalarType type : kernel->partials)
    bytes += aligned(division->partials * byteSize(type));
  launch->needed = bytes;
  launch->pack(problem);
  if (bytes > 0) {
    auto scratch = device.allocate(bytes);
    if (!scratch)
      return scratch.takeError();
    if (llvm::Error e = launch->useWorkspace(scratch->address(), nullptr))
      return std::move(e);
    if (division->tickets > 0)
      if (llvm::Error e = device.synchronise(nullptr))
        return std::move(e);
    launch->scratch = std::move(*scratch);
  }
  return launch;
}

llvm::Error GpuLaunch::run(const DeviceAddress *inputs,
                           const DeviceAddress *outputs,
                           const uint64_t *params, DeviceStream stream) {
  auto put = [&](size_t at, uint64_t value, size_t size) {
    std::memcpy(&arguments[at], &value, size);
  };
  for (size_t i = 0; i < inputAt.size(); ++i)
    put(inputAt[i], inputs[i], 8);
  for (size_t o = 0; o < outputAt.size(); ++o)
    put(outputAt[o], outputs[o], 8);
  for (size_t p = 0; p < paramAt.size(); ++p)
    put(paramAt[p], params[p], size_t(byteSize(kernel->params[p])));
  int64_t threads = kernel->plan.threads();
  auto launch = [&](void *function, int64_t blocks) {
    LaunchShape shape;
    shape.blocks = uint32_t(blocks);
    shape.threads = uint32_t(threads);
    return device.launch(function, shape, arguments, stream);
  };
  if (kernel->init)
    if (llvm::Error e =
            launch(kernel->init, (outputCount + threads - 1) / threads))
      return e;
  if (llvm::Error e = launch(kernel->function, parts.blocks))
    return e;
  if (kernel->join)
    return launch(kernel->join, outputCount);
  return llvm::Error::success();
}
