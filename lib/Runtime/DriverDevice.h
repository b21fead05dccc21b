//===- DriverDevice.h - A GPU behind a vendor's driver -----------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Device on a driver of CUDA's kind. The two drivers differ in how a device is
// made current, what they say of it and what code they load; all the rest is
// the same calls under other names, and stands here once. `Api` says which
// driver (Cuda/CudaDevice.h, Hip/HipDevice.h):
//
//   struct Api {
//     using Driver, Address, Result;       // of the vendor's namespace
//     static constexpr const char *name;   // "cuda"
//     static constexpr Result outOfMemory, notFound;
//     static constexpr uintptr_t launchEnd;
//   };
//
// Every call makes the device current and puts back what the calling thread
// had. Copies go through the default stream. It waits for streams of
// makeStream() and for nothing on a host program's non-blocking ones:
// synchronise those.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_DRIVERDEVICE_H
#define WARPFOLD_RUNTIME_DRIVERDEVICE_H

#include "Runtime/Device.h"
#include "Runtime/DriverTypes.h"

namespace wf {

template <typename Api> class DriverDevice : public Device {
public:
  using Driver = typename Api::Driver;

  const DeviceProperties &properties() const override { return about; }

  llvm::Expected<DeviceBuffer> allocate(int64_t bytes) override;
  void release(DeviceAddress address) override;
  llvm::Error copyIn(DeviceAddress to, const void *from,
                     int64_t bytes) override;
  llvm::Error copyOut(void *to, DeviceAddress from, int64_t bytes) override;
  llvm::Error fill(DeviceAddress at, uint8_t value, int64_t bytes,
                   DeviceStream stream) override;

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

  /// Runs `work` with this device current, and puts back the calling thread's
  /// own afterwards.
  virtual llvm::Error
  inContext(llvm::function_ref<llvm::Error()> work) const = 0;

  /// What a kernel needs once, before its first launch; in context.
  virtual llvm::Error prepare(driver::Function function) const {
    return llvm::Error::success();
  }

protected:
  DriverDevice(const Driver &driver, int index) : calls(driver), index(index) {}
  /// A loaded module as an object that unloads it. `image` is kept as long.
  std::shared_ptr<DeviceModule> own(driver::Module module,
                                    std::vector<char> image = {});
  /// "cuda:1".
  std::string title() const {
    return Api::name + (":" + std::to_string(index));
  }

  const Driver &calls;
  int index;
  DeviceProperties about;

private:
  llvm::Error outOfMemory(int64_t bytes) const;
  llvm::Error captureOn(driver::Stream stream, driver::Graph &graph,
                        llvm::function_ref<llvm::Error(DeviceStream)> body);
};

} // namespace wf

#endif // WARPFOLD_RUNTIME_DRIVERDEVICE_H
