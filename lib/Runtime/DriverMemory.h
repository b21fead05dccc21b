//===- DriverMemory.h - Memory, modules and launches on a driver -*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Members of DriverDevice. Included, with DriverStreams.h, only by the file
// that instantiates it for a vendor.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_DRIVERMEMORY_H
#define WARPFOLD_RUNTIME_DRIVERMEMORY_H

#include "Error/Error.h"
#include "Runtime/DriverDevice.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <bit>

namespace wf {

template <typename Api>
llvm::Error DriverDevice<Api>::outOfMemory(int64_t bytes) const {
  size_t free = 0, total = 0;
  std::string left = "it does not say how much is free";
  // How much is free is asked for the message only: if even that fails, the
  // first fault is the one to report.
  if (calls.memGetInfo.raw(&free, &total) == 0)
    left = llvm::formatv("{0} bytes of {1} are free", free, total);
  return deviceError(llvm::formatv("{0} has no memory for {1} bytes: {2} "
                                   "({3}: {4})",
                                   title(), bytes, left, calls.memAlloc.name(),
                                   calls.describe(Api::outOfMemory))
                         .str(),
                     "free memory on the device, or reduce a part at a time");
}

template <typename Api>
llvm::Expected<DeviceBuffer> DriverDevice<Api>::allocate(int64_t bytes) {
  if (bytes < 0)
    return internalError("a device buffer of a negative size");
  typename Api::Address address{};
  llvm::Error error = inContext([&] {
    // The driver refuses zero bytes, or gives a null pointer for them.
    auto result =
        calls.memAlloc.raw(&address, size_t(std::max<int64_t>(bytes, 1)));
    if (result == Api::outOfMemory)
      return outOfMemory(bytes);
    return result == 0 ? llvm::Error::success() : calls.memAlloc.failed(result);
  });
  if (error)
    return std::move(error);
  return DeviceBuffer(this, std::bit_cast<DeviceAddress>(address), bytes);
}

template <typename Api> void DriverDevice<Api>::release(DeviceAddress address) {
  // A fault of earlier work shows here too, and is reported by the call that
  // waits for that work; at process exit the driver may be gone.
  llvm::consumeError(inContext([&] {
    return calls.memFree(std::bit_cast<typename Api::Address>(address));
  }));
}

template <typename Api>
llvm::Error DriverDevice<Api>::copyIn(DeviceAddress to, const void *from,
                                      int64_t bytes) {
  if (bytes == 0)
    return llvm::Error::success();
  return inContext([&] {
    if (llvm::Error error = calls.memcpyHtoD(
            std::bit_cast<typename Api::Address>(to), from, size_t(bytes)))
      return error;
    // From pageable memory the driver returns once the bytes are staged, which
    // would let a non-blocking stream overtake them.
    return calls.streamSynchronize(nullptr);
  });
}

template <typename Api>
llvm::Error DriverDevice<Api>::copyOut(void *to, DeviceAddress from,
                                       int64_t bytes) {
  if (bytes == 0)
    return llvm::Error::success();
  return inContext([&] {
    return calls.memcpyDtoH(to, std::bit_cast<typename Api::Address>(from),
                            size_t(bytes));
  });
}

template <typename Api>
llvm::Error DriverDevice<Api>::fill(DeviceAddress at, uint8_t value,
                                    int64_t bytes, DeviceStream stream) {
  if (bytes == 0)
    return llvm::Error::success();
  return inContext([&] {
    return calls.memsetD8Async(std::bit_cast<typename Api::Address>(at), value,
                               size_t(bytes),
                               static_cast<driver::Stream>(stream));
  });
}

namespace detail {
template <typename Api> class LoadedModule final : public DeviceModule {
public:
  LoadedModule(DriverDevice<Api> &device, driver::Module module,
               std::vector<char> image)
      : device(device), handle(module), image(std::move(image)) {}
  ~LoadedModule() override {
    llvm::consumeError(
        device.inContext([&] { return device.driver().moduleUnload(handle); }));
  }

  llvm::Expected<void *> function(llvm::StringRef name) override {
    const auto &calls = device.driver();
    driver::Function function = nullptr;
    llvm::Error error = device.inContext([&]() -> llvm::Error {
      auto result =
          calls.moduleGetFunction.raw(&function, handle, name.str().c_str());
      if (result == Api::notFound)
        return deviceError(llvm::Twine(Api::name) +
                           ": the module has no kernel called '" + name +
                           "' (" + calls.moduleGetFunction.name() + ": " +
                           calls.describe(result) + ")");
      if (result != 0)
        return calls.moduleGetFunction.failed(result);
      return device.prepare(function);
    });
    if (error)
      return std::move(error);
    return static_cast<void *>(function);
  }

private:
  DriverDevice<Api> &device;
  driver::Module handle;
  std::vector<char> image;
};
} // namespace detail

template <typename Api>
std::shared_ptr<DeviceModule> DriverDevice<Api>::own(driver::Module module,
                                                     std::vector<char> image) {
  return std::make_shared<detail::LoadedModule<Api>>(*this, module,
                                                     std::move(image));
}

template <typename Api>
llvm::Error DriverDevice<Api>::launch(void *function, const LaunchShape &shape,
                                      llvm::ArrayRef<char> arguments,
                                      DeviceStream stream) {
  size_t bytes = arguments.size();
  void *extra[] = {reinterpret_cast<void *>(driver::LaunchBufferPointer),
                   const_cast<char *>(arguments.data()),
                   reinterpret_cast<void *>(driver::LaunchBufferSize), &bytes,
                   reinterpret_cast<void *>(Api::launchEnd)};
  return inContext([&] {
    return calls.launchKernel(
        static_cast<driver::Function>(function), shape.blocks, 1, 1,
        shape.threads, 1, 1, shape.dynamicSharedBytes,
        static_cast<driver::Stream>(stream), nullptr, bytes ? extra : nullptr);
  });
}

template <typename Api>
llvm::Expected<FunctionFacts> DriverDevice<Api>::facts(void *function,
                                                       int threadsPerBlock) {
  FunctionFacts facts;
  auto kernel = static_cast<driver::Function>(function);
  llvm::Error error = inContext([&]() -> llvm::Error {
    auto read = [&](driver::FunctionAttribute attribute,
                    auto &value) -> llvm::Error {
      int number = 0;
      if (llvm::Error error =
              calls.funcGetAttribute(&number, attribute, kernel))
        return error;
      value = number;
      return llvm::Error::success();
    };
    if (llvm::Error error = read(driver::Registers, facts.registers))
      return error;
    if (llvm::Error error = read(driver::StaticSharedBytes, facts.sharedBytes))
      return error;
    if (llvm::Error error = read(driver::LocalBytes, facts.localBytes))
      return error;
    if (llvm::Error error =
            read(driver::MaxThreadsPerBlock, facts.maxThreadsPerBlock))
      return error;
    return calls.occupancyMaxActiveBlocksPerMultiprocessor(
        &facts.blocksPerMultiprocessor, kernel, threadsPerBlock, 0);
  });
  if (error)
    return std::move(error);
  return facts;
}

} // namespace wf

#endif // WARPFOLD_RUNTIME_DRIVERMEMORY_H
