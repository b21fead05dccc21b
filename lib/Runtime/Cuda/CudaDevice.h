//===- CudaDevice.h - An NVIDIA GPU ------------------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Device on the CUDA driver. It works in the device's primary context, the one
// that torch, CuPy and the CUDA runtime use too, so that pointers and streams
// of either side are good on the other. The context is never given up:
// whatever outlives main (a static buffer) can still be freed.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_CUDA_CUDADEVICE_H
#define WARPFOLD_RUNTIME_CUDA_CUDADEVICE_H

#include "Runtime/Cuda/Driver.h"
#include "Runtime/DriverDevice.h"

namespace wf::cuda {

struct Api {
  using Driver = cuda::Driver;
  using Address = cuda::Address;
  using Result = cuda::Result;
  static constexpr const char *name = "cuda";
  static constexpr Result outOfMemory = OutOfMemory, notFound = NotFound;
  static constexpr uintptr_t launchEnd = LaunchEnd;
};

class CudaDevice final : public DriverDevice<Api> {
public:
  /// A new object for device `index` of the driver, which must outlive it. A
  /// device error for one that is older than sm_75.
  static llvm::Expected<std::unique_ptr<CudaDevice>> open(const Driver &driver,
                                                          int index);

  llvm::Expected<std::shared_ptr<DeviceModule>>
  load(llvm::ArrayRef<char> code, llvm::StringRef key) override;
  llvm::Error inContext(llvm::function_ref<llvm::Error()> work) const override;
  llvm::Error prepare(Function function) const override;

private:
  using DriverDevice::DriverDevice;
  llvm::Error readProperties(DeviceOrdinal ordinal);
  llvm::Expected<std::vector<char>> assemble(llvm::ArrayRef<char> ptx) const;
  llvm::Expected<std::shared_ptr<DeviceModule>>
  loadImage(llvm::ArrayRef<char> image);

  Context context = nullptr;
};

} // namespace wf::cuda

#endif // WARPFOLD_RUNTIME_CUDA_CUDADEVICE_H
