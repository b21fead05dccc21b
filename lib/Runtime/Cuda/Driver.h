//===- Driver.h - NVIDIA's driver, found when it is asked for ----*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The functions of Functions.h, looked up in libcuda.so.1. The environment
// variable WARPFOLD_CUDA_DRIVER names another library file to load instead (the
// tests' stub; a driver in an unusual place).
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_CUDA_DRIVER_H
#define WARPFOLD_RUNTIME_CUDA_DRIVER_H

#include "Runtime/Cuda/Functions.h"
#include "Runtime/DriverLibrary.h"

namespace wf::cuda {

class Driver final : public DriverLibrary {
public:
  /// The driver of this process. A device error in one line where there is
  /// none, it is too old, or it does not start.
  static llvm::Expected<const Driver *> get() {
    return libraryOfProcess<Driver>("WARPFOLD_CUDA_DRIVER");
  }

  /// Loads and initialises the library file `path`; "" means libcuda.so.1.
  static llvm::Expected<std::unique_ptr<Driver>> load(llvm::StringRef path);

  std::string describe(int code) const override;
  std::string hintFor(int code) const override;

#define X(member, name, symbol, args)                                          \
  wf::detail::DriverCallOf<Result, void args>::Type member{*this, #name};
  WARPFOLD_CUDA_FUNCTIONS(X)
#undef X

private:
  Driver() : DriverLibrary("cuda") {}
  llvm::Error resolve(void *library, llvm::StringRef path);
  llvm::Error start(llvm::StringRef path);
};

/// "12.4" of 12040.
std::string versionText(int version);

} // namespace wf::cuda

#endif // WARPFOLD_RUNTIME_CUDA_DRIVER_H
