//===- Launch.cpp - Modules, launches and facts of kernels of a stub ------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "driver/State.h"

using namespace wf::driver;

Result wf::driver::moduleUnload(Module module) {
  ENTER(moduleUnload, Uncaptured)
  return state().modules.destroy(module, here);
}

Result wf::driver::moduleGetFunction(Function *function, Module module,
                                     const char *name) {
  ENTER(moduleGetFunction, Current)
  if (!state().modules.find(module, here))
    return InvalidHandle;
  checkImage(here, *module);
  for (auto &kernel : module->functions)
    if (kernel->name == name) {
      *function = kernel.get();
      return Success;
    }
  return NotFound;
}

ModuleObject *wf::driver::moduleOf(const char *caller, Function function) {
  for (auto &[handle, module] : state().modules)
    for (auto &candidate : module->functions)
      if (candidate.get() == function && state().modules.find(handle, caller))
        return handle;
  state().fault(caller, "no kernel of a loaded module");
  return nullptr;
}

/// The packed arguments of a launch, checked against the kernel's parameters.
static bool readArguments(const FunctionObject &kernel, void **params,
                          void **extra, std::string &arguments) {
  const char *data = nullptr;
  size_t bytes = 0;
  auto key = [&](int at) { return reinterpret_cast<uintptr_t>(extra[at]); };
  if (extra) {
    if (key(0) != LaunchBufferPointer || key(2) != LaunchBufferSize ||
        key(4) != LaunchEnd) {
      state().fault(name::launchKernel,
                    "a list that is not pointer, size, end");
      return false;
    }
    data = static_cast<const char *>(extra[1]);
    bytes = *static_cast<size_t *>(extra[3]);
  }
  size_t align = kernel.argumentAlign;
  if (params || (bytes && !data) ||
      (bytes != kernel.argumentBytes &&
       bytes != (kernel.argumentBytes + align - 1) / align * align)) {
    state().fault(name::launchKernel, kernel.name + " takes " +
                                          std::to_string(kernel.argumentBytes) +
                                          " bytes of arguments, not " +
                                          std::to_string(bytes));
    return false;
  }
  arguments.assign(data ? data : "", bytes);
  return true;
}

Result wf::driver::launchKernel(Function function, unsigned gridX,
                                unsigned gridY, unsigned gridZ, unsigned blockX,
                                unsigned blockY, unsigned blockZ,
                                unsigned dynamicSharedBytes, Stream stream,
                                void **params, void **extra) {
  ENTER(launchKernel, Current)
  ModuleObject *module = moduleOf(here, function);
  if (!module)
    return InvalidHandle;
  checkImage(here, *module);
  Launch launch{function->name, gridX, blockX, dynamicSharedBytes, "", stream};
  if (!readArguments(*function, params, extra, launch.arguments))
    return InvalidValue;
  if (Result wrong = checkShape(*function, {gridX, gridY, gridZ},
                                {blockX, blockY, blockZ}, dynamicSharedBytes))
    return wrong;
  Result result = enqueue(here, stream, [=] {
    // A graph may be replayed after its module is gone.
    ModuleObject *alive = moduleOf(name::graphLaunch, function);
    if (!alive)
      return Success;
    if (Result failed = execute(*alive, launch))
      return failed;
    state().launches.push_back(launch);
    state().clock += 1;
    return Success;
  });
  state().lost |= result == Success && mode("lost");
  return result;
}

Result wf::driver::funcGetAttribute(int *value, FunctionAttribute attribute,
                                    Function function) {
  ENTER(funcGetAttribute, Current)
  if (!moduleOf(here, function))
    return InvalidHandle;
  switch (attribute) {
  case MaxThreadsPerBlock:
    *value = function->maxThreads;
    return Success;
  case StaticSharedBytes:
    *value = function->sharedBytes;
    return Success;
  case LocalBytes:
    *value = function->localBytes;
    return Success;
  case Registers:
    *value = function->registers;
    return Success;
  case MaxDynamicSharedBytes:
    *value = function->dynamicBytes;
    return Success;
  }
  return InvalidValue;
}

Result wf::driver::occupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, Function function, int threads, size_t dynamicSharedBytes) {
  ENTER(occupancyMaxActiveBlocksPerMultiprocessor, Current)
  if (!moduleOf(here, function))
    return InvalidHandle;
  if (threads <= 0 || threads > 1024)
    return InvalidValue;
  *blocks = 2048 / ((threads + 31) / 32 * 32);
  return Success;
}
