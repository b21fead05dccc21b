//===- CudaDevice.h - An NVIDIA GPU ------------------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Device on the CUDA driver. It works in the device's primary context, the one
// that torch, CuPy and the CUDA runtime use too, so that pointers and streams
// of either side are good on the other. Every call makes that context current
// and puts back what the calling thread had. The context is never given up:
// whatever outlives main (a static buffer) can still be freed.
//
// Copies go through the default stream. It waits for streams of makeStream()
// and for nothing on a host program's non-blocking ones: synchronise those.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_CUDA_CUDADEVICE_H
#define WARPFOLD_RUNTIME_CUDA_CUDADEVICE_H

#include "Runtime/Cuda/Driver.h"
#include "Runtime/Device.h"

namespace wf::cuda {

class CudaDevice final : public Device {
public:
  /// A new object for device `index` of the driver, which must outlive it. A
  /// device error for one that is older than sm_75.
  static llvm::Expected<std::unique_ptr<CudaDevice>> open(const Driver &driver,
                                                          int index);

  const DeviceProperties &properties() const override { return about; }

  llvm::Expected<DeviceBuffer> allocate(int64_t bytes) override;
  void release(DeviceAddress address) override;
  llvm::Error copyIn(DeviceAddress to, const void *from,
                     int64_t bytes) override;
  llvm::Error copyOut(void *to, DeviceAddress from, int64_t bytes) override;
  llvm::Error fill(DeviceAddress at, uint8_t value, int64_t bytes,
                   DeviceStream stream) override;

  llvm::Expected<std::shared_ptr<DeviceModule>>
  load(llvm::ArrayRef<char> code, llvm::StringRef key) override;
  llvm::Expected<FunctionFacts> facts(void *function,
                                      int threadsPerBlock) override;
  llvm::Error launch(void *function, const LaunchShape &shape,
                     llvm::ArrayRef<char> arguments,
                     DeviceStream stream) override;

  llvm::Expected<DeviceStream> makeStream() override;
  void destroyStream(DeviceStream stream) override;
  llvm::Error synchronise(DeviceStream stream) override;
  llvm::Expected<std::unique_ptr<DeviceEvent>> makeEvent() override;
  llvm::Expected<double> elapsed(DeviceEvent &from, DeviceEvent &to) override;
  llvm::Expected<std::unique_ptr<DeviceGraph>>
  capture(llvm::function_ref<llvm::Error(DeviceStream)> body) override;

  const Driver &driver() const { return calls; }

  /// Runs `work` with this device's context current, and puts back the calling
  /// thread's own afterwards.
  llvm::Error inContext(llvm::function_ref<llvm::Error()> work) const;

private:
  CudaDevice(const Driver &driver, int index) : calls(driver), index(index) {}
  llvm::Error readProperties(DeviceOrdinal ordinal);
  llvm::Error outOfMemory(int64_t bytes) const;
  llvm::Expected<std::vector<char>> assemble(llvm::ArrayRef<char> ptx) const;
  llvm::Expected<std::shared_ptr<DeviceModule>>
  loadImage(llvm::ArrayRef<char> image);

  const Driver &calls;
  int index;
  Context context = nullptr;
  DeviceProperties about;
};

} // namespace wf::cuda

#endif // WARPFOLD_RUNTIME_CUDA_CUDADEVICE_H
