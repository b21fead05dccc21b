//===- Driver.cpp - NVIDIA's driver, found when it is asked for ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/Cuda/Driver.h"

#include "Error/Error.h"

using namespace wf;
using namespace wf::cuda;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

std::string Driver::hintFor(int code) const {
  switch (code) {
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

std::string Driver::describe(int code) const {
  const char *name = nullptr, *text = nullptr;
  if (getErrorName.raw(Result(code), &name) != Success)
    name = nullptr;
  if (getErrorString.raw(Result(code), &text) != Success)
    text = nullptr;
  return DriverLibrary::describe(code, name, text);
}

Error Driver::resolve(void *library, StringRef path) {
#define X(member, name, symbol, args) this->member.set(lookUp(library, symbol));
  WARPFOLD_CUDA_FUNCTIONS(X)
#undef X
  // An old driver lacks functions too: it is told by its version.
  if (!init.found() || !driverGetVersion.found() || !getErrorName.found() ||
      !getErrorString.found())
    return deviceError("cuda: " + path + " is no CUDA driver (it has no " +
                           missing + ")",
                       "WARPFOLD_CUDA_DRIVER names the library; unset it for "
                       "the system's libcuda.so.1");
  if (driverGetVersion.raw(&number) != Success)
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
  Expected<void *> library = openLibrary(file.c_str());
  if (!library)
    return deviceError("cuda: no driver (" +
                           llvm::toString(library.takeError()) + ")",
                       path.empty() ? "install the NVIDIA driver"
                                    : "WARPFOLD_CUDA_DRIVER names this file");
  if (Error error = resolve(*library, file))
    return error;
  return init(0);
}

Expected<std::unique_ptr<Driver>> Driver::load(StringRef path) {
  std::unique_ptr<Driver> driver(new Driver);
  if (Error error = driver->start(path))
    return std::move(error);
  return driver;
}
