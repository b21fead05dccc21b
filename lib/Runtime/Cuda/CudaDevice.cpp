//===- CudaDevice.cpp - An NVIDIA GPU ------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/Cuda/CudaDevice.h"

#include "Runtime/DriverMemory.h"
#include "Runtime/DriverStreams.h"

using namespace wf;
using namespace wf::cuda;
using llvm::Error;
using llvm::Expected;

template class wf::DriverDevice<cuda::Api>;

Expected<std::unique_ptr<CudaDevice>> CudaDevice::open(const Driver &driver,
                                                       int index) {
  std::unique_ptr<CudaDevice> device(new CudaDevice(driver, index));
  DeviceOrdinal ordinal = 0;
  if (Error error = driver.deviceGet(&ordinal, index))
    return std::move(error);
  if (Error error = device->readProperties(ordinal))
    return std::move(error);
  if (Error error = driver.devicePrimaryCtxRetain(&device->context, ordinal))
    return std::move(error);
  return device;
}

Error CudaDevice::readProperties(DeviceOrdinal ordinal) {
  int failures = 0;
  Result worst = Success;
  auto read = [&](DeviceAttribute attribute, bool needed = true) {
    int value = 0;
    Result result = calls.deviceGetAttribute.raw(&value, attribute, ordinal);
    if (result != Success && needed) {
      ++failures;
      worst = result;
    }
    return result == Success ? value : 0;
  };
  char name[256] = "";
  size_t bytes = 0;
  if (Error error = calls.deviceGetName(name, sizeof name, ordinal))
    return error;
  if (Error error = calls.deviceTotalMem(&bytes, ordinal))
    return error;
  int major = read(CapabilityMajor), minor = read(CapabilityMinor);
  about.name = name;
  about.code = GpuCodeForm::Ptx;
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
    return calls.deviceGetAttribute.failed(worst);
  if (major * 10 + minor < 75)
    return deviceError(title() + ", " + about.name + ", is an " + about.target +
                           ", and Warpfold needs sm_75 or later",
                       "use another device; `warpfold devices` lists them");
  return Error::success();
}

Error CudaDevice::inContext(llvm::function_ref<Error()> work) const {
  Context current = nullptr;
  if (Error error = calls.ctxGetCurrent(&current))
    return error;
  if (current == context)
    return work();
  if (Error error = calls.ctxPushCurrent(context))
    return error;
  Error error = work();
  if (calls.ctxPopCurrent.raw(&current) != Success && !error)
    return deviceError("cuda: cuCtxPopCurrent: the calling thread's context "
                       "could not be put back");
  return error;
}
