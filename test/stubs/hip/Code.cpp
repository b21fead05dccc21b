//===- Code.cpp - Code objects and launches on the stub of HIP ------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Codes are those of AMD's runtime (clr, hip_module.cpp): a block past the
// kernel's bound is a launch failure, a grid past 2^32 threads is a
// configuration that cannot be.
//===----------------------------------------------------------------------===//
#include "CodeObject.h"
#include "Devices.h"
#include "Run.h"

#include <cstring>

using namespace wf::driver;

static constexpr unsigned sharedBytes = 64 << 10;

Result wf::driver::moduleLoadData(Module *module, const void *image) {
  ENTER(moduleLoadData, Uncaptured)
  if (!image)
    return InvalidValue;
  if (reinterpret_cast<uintptr_t>(image) % 8 != 0)
    state().fault(here, "an image that is not aligned");
  size_t bytes = codeObjectBytes(image);
  if (mode("badimage") || bytes == 0)
    return InvalidImage;
  std::string code(static_cast<const char *>(image), bytes);
  CodeObject object;
  std::string wrong = readCodeObject(code, object);
  if (!wrong.empty()) {
    state().fault(here, wrong);
    return InvalidImage;
  }
  if (object.target != targetOf(entry.context->device))
    return NoBinaryForGpu;
  *module = state().modules.make(entry.context);
  (*module)->image = image;
  (*module)->code = std::move(code);
  for (CodeObjectKernel &kernel : object.kernels) {
    auto function = std::make_unique<FunctionObject>();
    function->context = entry.context;
    function->name = kernel.name;
    function->argumentBytes = kernel.argumentBytes;
    function->argumentAlign = kernel.argumentAlign;
    function->maxThreads = kernel.maxThreads;
    function->dynamicBytes = int(sharedBytes) - kernel.sharedBytes;
    function->registers = kernel.registers;
    function->sharedBytes = kernel.sharedBytes;
    function->localBytes = kernel.localBytes;
    (*module)->functions.push_back(std::move(function));
  }
  return Success;
}

void wf::driver::checkImage(const char *function, const ModuleObject &module) {
  // The runtime takes no copy: it would run what the bytes have become.
  if (std::memcmp(module.image, module.code.data(), module.code.size()) != 0)
    state().fault(function, "the image of the module has changed");
}

Result wf::driver::checkShape(const FunctionObject &kernel,
                              const unsigned (&grid)[3],
                              const unsigned (&block)[3],
                              unsigned dynamicSharedBytes) {
  if (grid[0] == 0 || grid[0] > 0x7fffffff || grid[1] != 1 || grid[2] != 1)
    return InvalidValue;
  if (uint64_t(grid[0]) * block[0] > UINT32_MAX || block[0] == 0)
    return InvalidConfiguration;
  if (block[0] > 1024 || block[1] != 1 || block[2] != 1 ||
      int64_t(dynamicSharedBytes) > kernel.dynamicBytes)
    return InvalidValue;
  return block[0] > unsigned(kernel.maxThreads) ? LaunchFailed : Success;
}

Result wf::driver::execute(const ModuleObject &module, const Launch &launch) {
  return runKernel(module.code, launch.kernel, launch.blocks, launch.threads,
                   launch.arguments);
}
