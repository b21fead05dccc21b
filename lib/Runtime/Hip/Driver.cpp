//===- Driver.cpp - AMD's HIP runtime, found when it is asked for --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/Hip/Driver.h"

using namespace wf;
using namespace wf::hip;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

std::string Driver::hintFor(int code) const {
  switch (code) {
  case NoDevice:
    return "no GPU is visible to this process; see `rocminfo`, the rights to "
           "/dev/kfd (groups render and video), and HIP_VISIBLE_DEVICES and "
           "ROCR_VISIBLE_DEVICES if they are set";
  case InvalidImage:
  case NoBinaryForGpu:
  case InvalidKernelFile:
    return "the code object is for another architecture than this GPU's, or "
           "the runtime (" +
           versionText(number) + ") is older than its format";
  case IllegalAddress:
  case LaunchFailed:
    return "the GPU's state is lost to this process; start it again";
  default:
    return "";
  }
}

std::string hip::versionText(int version) {
  return std::to_string(version / 10000000) + "." +
         std::to_string(version % 10000000 / 100000);
}

std::string Driver::describe(int code) const {
  const char *name = nullptr, *text = nullptr;
  // For a code it does not know the runtime speaks of an unknown error.
  if (getErrorName.raw(Result(code), &name) != Success)
    name = nullptr;
  if (getErrorString.raw(Result(code), &text) != Success)
    text = nullptr;
  return DriverLibrary::describe(code, name, text);
}

Error Driver::resolve(void *library, StringRef path) {
#define X(member, name, symbol, args) this->member.set(lookUp(library, symbol));
  WARPFOLD_HIP_FUNCTIONS(X)
#undef X
  if (!init.found() || !runtimeGetVersion.found())
    return deviceError("hip: " + path + " is no HIP runtime (it has no " +
                           missing + ")",
                       "WARPFOLD_HIP_LIBRARY names the library; unset it for "
                       "the system's libamdhip64.so");
  if (runtimeGetVersion.raw(&number) != Success)
    number = 0;
  if (number != 0 && number < oldestRuntime)
    return deviceError("hip: the runtime is of ROCm " + versionText(number) +
                           ", and Warpfold needs " +
                           versionText(oldestRuntime) + " or later",
                       "update ROCm");
  if (missing)
    return deviceError("hip: the runtime (" + versionText(number) +
                           ") has no function " + missing,
                       "update ROCm");
  return Error::success();
}

Error Driver::start(StringRef path) {
  // By number first: the name without one is whatever was installed for
  // building last, ROCm 5 too. It stands for the copy inside a Python wheel,
  // which has no number, and for versions to come. ROCm's installer does not
  // tell the loader of its folder.
  std::vector<const char *> files = {
      "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so",
      "/opt/rocm/lib/libamdhip64.so.7", "/opt/rocm/lib/libamdhip64.so.6"};
  std::string given = path.str();
  if (!path.empty())
    files = {given.c_str()};
  Expected<void *> library = openLibrary(files);
  if (!library)
    return deviceError(
        "hip: no runtime (" + llvm::toString(library.takeError()) + ")",
        path.empty() ? "install the HIP runtime of ROCm 6 or 7, or name "
                       "its libamdhip64.so in WARPFOLD_HIP_LIBRARY"
                     : "WARPFOLD_HIP_LIBRARY names this file");
  if (Error error = resolve(*library, path.empty() ? files[0] : path))
    return error;
  return init(0);
}

Expected<std::unique_ptr<Driver>> Driver::load(StringRef path) {
  std::unique_ptr<Driver> driver(new Driver);
  if (Error error = driver->start(path))
    return std::move(error);
  return driver;
}
