//===- Driver.h - AMD's HIP runtime, found when it is asked for --*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The functions of Functions.h, looked up in libamdhip64.so. The environment
// variable WARPFOLD_HIP_LIBRARY names another library file to load instead (the
// tests' stub; a runtime in an unusual place).
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_HIP_DRIVER_H
#define WARPFOLD_RUNTIME_HIP_DRIVER_H

#include "Runtime/DriverLibrary.h"
#include "Runtime/Hip/Functions.h"

namespace wf::hip {

class Driver final : public DriverLibrary {
public:
  /// The HIP runtime of this process. A device error in one line where there is
  /// none, it is too old, or it does not start.
  static llvm::Expected<const Driver *> get() {
    return libraryOfProcess<Driver>("WARPFOLD_HIP_LIBRARY");
  }

  /// Loads and initialises the library file `path`; "" means libamdhip64.so.7,
  /// .6, and without a number, also in ROCm's own folder.
  static llvm::Expected<std::unique_ptr<Driver>> load(llvm::StringRef path);

  std::string describe(int code) const override;
  std::string hintFor(int code) const override;

#define X(member, name, symbol, args)                                          \
  wf::detail::DriverCallOf<Result, void args>::Type member{*this, #name};
  WARPFOLD_HIP_FUNCTIONS(X)
#undef X

private:
  Driver() : DriverLibrary("hip") {}
  llvm::Error resolve(void *library, llvm::StringRef path);
  llvm::Error start(llvm::StringRef path);
};

/// "6.1" of 60140093.
std::string versionText(int version);

} // namespace wf::hip

#endif // WARPFOLD_RUNTIME_HIP_DRIVER_H
