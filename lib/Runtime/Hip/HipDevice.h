//===- HipDevice.h - An AMD GPU ----------------------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Device on the HIP runtime. HIP has no contexts to push: a thread has a
// current device, and memory, modules and the default stream are taken from it.
// Torch and CuPy use the same ones, so that pointers and streams of either side
// are good on the other.
//
// A kernel that reads outside memory ends the process: ROCm's handler of memory
// faults aborts, and no error comes back.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_HIP_HIPDEVICE_H
#define WARPFOLD_RUNTIME_HIP_HIPDEVICE_H

#include "Runtime/DriverDevice.h"
#include "Runtime/Hip/Driver.h"

namespace wf::hip {

struct Api {
  using Driver = hip::Driver;
  using Address = hip::Address;
  using Result = hip::Result;
  static constexpr const char *name = "hip";
  static constexpr Result outOfMemory = OutOfMemory, notFound = NotFound;
  static constexpr uintptr_t launchEnd = LaunchEnd;
};

class HipDevice final : public DriverDevice<Api> {
public:
  /// A new object for device `index` of the runtime, which must outlive it. A
  /// device error for an architecture that is not in the hardware table, and
  /// for one whose waves are not as wide as the table says.
  static llvm::Expected<std::unique_ptr<HipDevice>> open(const Driver &driver,
                                                         int index);

  /// A linked code object. It is machine code already, so nothing is kept on
  /// disk: the compiler's own cache would be the place.
  llvm::Expected<std::shared_ptr<DeviceModule>>
  load(llvm::ArrayRef<char> code, llvm::StringRef key) override;
  llvm::Error launch(void *function, const LaunchShape &shape,
                     llvm::ArrayRef<char> arguments,
                     DeviceStream stream) override;
  llvm::Error inContext(llvm::function_ref<llvm::Error()> work) const override;

private:
  using DriverDevice::DriverDevice;
  llvm::Error readProperties();
  llvm::Error checkArchitecture() const;
};

} // namespace wf::hip

#endif // WARPFOLD_RUNTIME_HIP_HIPDEVICE_H
