//===- CudaDevice.cpp - An NVIDIA GPU: memory and launches ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/Cuda/CudaDevice.h"

#include "Error/Error.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace wf;
using namespace wf::cuda;
using llvm::Error;
using llvm::Expected;

static Stream asStream(DeviceStream stream) {
  return static_cast<Stream>(stream);
}

Expected<std::unique_ptr<CudaDevice>> CudaDevice::open(const Driver &driver,
                                                       int index) {
  std::unique_ptr<CudaDevice> device(new CudaDevice(driver, index));
  DeviceOrdinal ordinal = 0;
  if (Error error = driver.cuDeviceGet(&ordinal, index))
    return std::move(error);
  if (Error error = device->readProperties(ordinal))
    return std::move(error);
  if (Error error = driver.cuDevicePrimaryCtxRetain(&device->context, ordinal))
    return std::move(error);
  return device;
}

Error CudaDevice::readProperties(DeviceOrdinal ordinal) {
  int failures = 0;
  Result worst = Success;
  auto read = [&](DeviceAttribute attribute, bool needed = true) {
    int value = 0;
    Result result = calls.cuDeviceGetAttribute.raw(&value, attribute, ordinal);
    if (result != Success && needed) {
      ++failures;
      worst = result;
    }
    return result == Success ? value : 0;
  };
  char name[256] = "";
  size_t bytes = 0;
  if (Error error = calls.cuDeviceGetName(name, sizeof name, ordinal))
    return error;
  if (Error error = calls.cuDeviceTotalMem(&bytes, ordinal))
    return error;
  int major = read(CapabilityMajor), minor = read(CapabilityMinor);
  about.name = name;
  about.target = "sm_" + std::to_string(major) + std::to_string(minor);
  about.multiprocessors = read(Multiprocessors);
  about.warpSize = read(WarpSize);
  about.maxThreadsPerMultiprocessor = read(ThreadsPerMultiprocessor);
  about.memoryBytes = int64_t(bytes);
  about.l2Bytes = read(L2Bytes);
  about.sharedBytesPerBlock = read(SharedBytesPerBlock);
  about.sharedBytesOptIn = read(SharedBytesOptIn);
  about.sharedBytesPerMultiprocessor = read(SharedBytesPerMultiprocessor);
  about.registersPerMultiprocessor = read(RegistersPerMultiprocessor);
  // Only told to people; a driver may refuse them (virtual GPUs).
  about.clockKilohertz = read(ClockKilohertz, false);
  about.memoryClockKilohertz = read(MemoryClockKilohertz, false);
  about.memoryBusBits = read(MemoryBusBits, false);
  about.driverVersion = calls.version();
  if (failures)
    return calls.failed("cuDeviceGetAttribute", worst);
  if (major * 10 + minor < 75)
    return deviceError("cuda:" + llvm::Twine(index) + ", " + about.name +
                           ", is an " + about.target +
                           ", and Warpfold needs sm_75 or later",
                       "use another device; `warpfold devices` lists them");
  return Error::success();
}

Error CudaDevice::inContext(llvm::function_ref<Error()> work) const {
  Context current = nullptr;
  if (Error error = calls.cuCtxGetCurrent(&current))
    return error;
  if (current == context)
    return work();
  if (Error error = calls.cuCtxPushCurrent(context))
    return error;
  Error error = work();
  if (calls.cuCtxPopCurrent.raw(&current) != Success && !error)
    return deviceError("cuda: cuCtxPopCurrent: the calling thread's context "
                       "could not be put back");
  return error;
}

Error CudaDevice::outOfMemory(int64_t bytes) const {
  size_t free = 0, total = 0;
  std::string left = "it does not say how much is free";
  // How much is free is asked for the message only: if even that fails, the
  // first fault is the one to report.
  if (calls.cuMemGetInfo.raw(&free, &total) == Success)
    left = llvm::formatv("{0} bytes of {1} are free", free, total);
  return deviceError(llvm::formatv("cuda:{0} has no memory for {1} bytes: {2} "
                                   "(cuMemAlloc: {3})",
                                   index, bytes, left,
                                   calls.describe(OutOfMemory))
                         .str(),
                     "free memory on the device, or reduce a part at a time");
}

Expected<DeviceBuffer> CudaDevice::allocate(int64_t bytes) {
  if (bytes < 0)
    return internalError("a device buffer of a negative size");
  Address address = 0;
  Error error = inContext([&] {
    // The driver refuses zero bytes.
    Result result =
        calls.cuMemAlloc.raw(&address, size_t(std::max<int64_t>(bytes, 1)));
    if (result == OutOfMemory)
      return outOfMemory(bytes);
    return result == Success ? Error::success()
                             : calls.failed("cuMemAlloc", result);
  });
  if (error)
    return std::move(error);
  return DeviceBuffer(this, address, bytes);
}

void CudaDevice::release(DeviceAddress address) {
  // A fault of earlier work shows here too, and is reported by the call that
  // waits for that work; at process exit the driver may be gone.
  llvm::consumeError(inContext([&] { return calls.cuMemFree(address); }));
}

Error CudaDevice::copyIn(DeviceAddress to, const void *from, int64_t bytes) {
  if (bytes == 0)
    return Error::success();
  return inContext([&] {
    if (Error error = calls.cuMemcpyHtoD(to, from, size_t(bytes)))
      return error;
    // From pageable memory the driver returns once the bytes are staged, which
    // would let a non-blocking stream overtake them.
    return calls.cuStreamSynchronize(nullptr);
  });
}

Error CudaDevice::copyOut(void *to, DeviceAddress from, int64_t bytes) {
  if (bytes == 0)
    return Error::success();
  return inContext([&] { return calls.cuMemcpyDtoH(to, from, size_t(bytes)); });
}

Error CudaDevice::fill(DeviceAddress at, uint8_t value, int64_t bytes,
                       DeviceStream stream) {
  if (bytes == 0)
    return Error::success();
  return inContext([&] {
    return calls.cuMemsetD8Async(at, value, size_t(bytes), asStream(stream));
  });
}

Error CudaDevice::launch(void *function, const LaunchShape &shape,
                         llvm::ArrayRef<char> arguments, DeviceStream stream) {
  size_t bytes = arguments.size();
  void *extra[] = {reinterpret_cast<void *>(LaunchBufferPointer),
                   const_cast<char *>(arguments.data()),
                   reinterpret_cast<void *>(LaunchBufferSize), &bytes,
                   reinterpret_cast<void *>(LaunchEnd)};
  return inContext([&] {
    return calls.cuLaunchKernel(static_cast<Function>(function), shape.blocks,
                                1, 1, shape.threads, 1, 1,
                                shape.dynamicSharedBytes, asStream(stream),
                                nullptr, bytes ? extra : nullptr);
  });
}

Expected<FunctionFacts> CudaDevice::facts(void *function, int threadsPerBlock) {
  FunctionFacts facts;
  auto kernel = static_cast<Function>(function);
  Error error = inContext([&]() -> Error {
    auto read = [&](FunctionAttribute attribute, auto &value) -> Error {
      int number = 0;
      if (Error error = calls.cuFuncGetAttribute(&number, attribute, kernel))
        return error;
      value = number;
      return Error::success();
    };
    if (Error error = read(Registers, facts.registers))
      return error;
    if (Error error = read(StaticSharedBytes, facts.sharedBytes))
      return error;
    if (Error error = read(LocalBytes, facts.localBytes))
      return error;
    if (Error error = read(MaxThreadsPerBlock, facts.maxThreadsPerBlock))
      return error;
    return calls.cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &facts.blocksPerMultiprocessor, kernel, threadsPerBlock, 0);
  });
  if (error)
    return std::move(error);
  return facts;
}
