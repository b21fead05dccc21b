//===- Driver.cpp - NVIDIA's driver, found when it is asked for ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The library is never closed: other parts of the process may use it, and a
// driver is not made to be unloaded.
//===----------------------------------------------------------------------===//
#include "Runtime/Cuda/Driver.h"

#include "Error/Error.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace wf;
using namespace wf::cuda;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// What to do about a code, or nothing. `number` is the driver's version.
static std::string hintFor(Result result, int number) {
  switch (result) {
  case NotInitialized:
    return "CUDA does not survive a fork: start worker processes afresh "
           "(Python: the 'spawn' start method)";
  case NoDevice:
    return "no GPU is visible to this process; see `nvidia-smi`, and "
           "CUDA_VISIBLE_DEVICES if it is set";
  case NoBinaryForGpu:
  case UnsupportedPtxVersion:
    return "the driver (" + versionText(number) +
           ") is older than the code for this GPU; update it";
  case JitCompilerNotFound:
    return "libnvidia-ptxjitcompiler.so.1 belongs to the driver and is "
           "missing; install the whole driver";
  case IllegalAddress:
  case HardwareStackError:
  case LaunchFailed:
  case LaunchTimeout:
    return "the GPU's state is lost to this process; start it again";
  case SystemNotReady:
    return "the machine's GPU fabric is not up; see the service "
           "nvidia-fabricmanager";
  case SystemDriverMismatch:
    return "the kernel's part of the driver is of another version; restart "
           "the machine after an update";
  default:
    return "";
  }
}

std::string cuda::versionText(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

std::string Driver::describe(Result result) const {
  const char *name = nullptr, *text = nullptr;
  std::string description = "code " + std::to_string(int(result));
  if (cuGetErrorName.raw(result, &name) == Success && name)
    description = name;
  if (cuGetErrorString.raw(result, &text) == Success && text)
    description += std::string(" (") + text + ")";
  return description;
}

Error Driver::failed(const char *function, Result result) const {
  return deviceError("cuda: " + llvm::Twine(function) + ": " + describe(result),
                     hintFor(result, number));
}

Error Driver::resolve(void *library, StringRef path) {
  const char *missing = nullptr;
  auto lookUp = [&](auto &call, const char *symbol) {
    using Pointer = decltype(call.pointer);
    call.pointer = reinterpret_cast<Pointer>(::dlsym(library, symbol));
    if (!call.pointer && !missing)
      missing = symbol;
  };
#define X(name, symbol, args) lookUp(this->name, symbol);
  WARPFOLD_CUDA_FUNCTIONS(X)
#undef X
  // An old driver lacks functions too: it is told by its version.
  if (!cuInit.pointer || !cuDriverGetVersion.pointer ||
      !cuGetErrorName.pointer || !cuGetErrorString.pointer)
    return deviceError("cuda: " + path + " is no CUDA driver (it has no " +
                           missing + ")",
                       "WARPFOLD_CUDA_DRIVER names the library; unset it for "
                       "the system's libcuda.so.1");
  if (cuDriverGetVersion.raw(&number) != Success)
    number = 0;
  if (number != 0 && number < oldestDriver)
    return deviceError("cuda: the driver is for CUDA " + versionText(number) +
                           ", and Warpfold needs " + versionText(oldestDriver) +
                           " or later",
                       "update the NVIDIA driver");
  if (missing)
    return deviceError("cuda: the driver (" + versionText(number) +
                           ") has no function " + missing,
                       "update the NVIDIA driver");
  return Error::success();
}

Error Driver::start(StringRef path) {
  std::string file = path.empty() ? "libcuda.so.1" : path.str();
  void *library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *text = ::dlerror();
    StringRef reason = text ? text : "dlopen failed";
    std::string why = file + " not found";
    // dlopen says the same of a library that this one needs, by its name.
    if (!reason.starts_with(file) || !reason.contains("No such file"))
      why = reason.str();
    return deviceError("cuda: no driver (" + why + ")",
                       path.empty() ? "install the NVIDIA driver"
                                    : "WARPFOLD_CUDA_DRIVER names this file");
  }
  if (Error error = resolve(library, file))
    return error;
  return cuInit(0);
}

Expected<std::unique_ptr<Driver>> Driver::load(StringRef path) {
  std::unique_ptr<Driver> driver(new Driver);
  if (Error error = driver->start(path))
    return std::move(error);
  return driver;
}

Expected<const Driver *> Driver::get() {
  struct Loaded {
    const Driver *driver = nullptr; ///< lives until the process ends
    std::string message, hint;
  };
  // Not destroyed: buffers of static lifetime may be freed after it.
  static const Loaded &loaded = *[] {
    auto *result = new Loaded;
    const char *path = ::getenv("WARPFOLD_CUDA_DRIVER");
    auto driver = load(path ? path : "");
    if (driver) {
      result->driver = driver->release();
      return result;
    }
    llvm::handleAllErrors(driver.takeError(), [&](const WarpfoldError &error) {
      result->message = error.message;
      result->hint = error.hint;
    });
    return result;
  }();
  if (!loaded.driver)
    return deviceError(loaded.message, loaded.hint);
  return loaded.driver;
}
