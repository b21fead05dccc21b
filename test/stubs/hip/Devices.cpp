//===- Devices.cpp - Devices of the stub of HIP ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Devices.h"

#include <cstdlib>
#include <cstring>

using namespace wf::driver;

static int deviceCount() { return numberFrom("WARPFOLD_STUB_HIP_DEVICES", 1); }

static bool isThere(int device) {
  return device >= 0 && device < deviceCount() && device < 16;
}

/// A thread begins on the first device.
static int &currentDevice() {
  thread_local int device = 0;
  return device;
}

Context wf::driver::currentContext() {
  return &state().contexts[currentDevice()];
}

std::string wf::driver::targetOf(int device) {
  const char *value = std::getenv("WARPFOLD_STUB_HIP_TARGET");
  std::string targets = value ? value : "gfx942";
  for (; device > 0 && targets.find(',') != std::string::npos; --device)
    targets.erase(0, targets.find(',') + 1);
  return targets.substr(0, targets.find(','));
}

/// gfx90a, gfx942: three characters follow "gfx"; RDNA's names have four.
static bool isGfx9(int device) { return targetOf(device).size() == 6; }

Result wf::driver::init(unsigned flags) {
  ENTER(init, Nothing)
  if (flags != 0)
    return InvalidValue;
  if (mode("nodevice"))
    return NoDevice;
  state().started = true;
  for (int i = 0; i < 16; ++i)
    state().contexts[i].device = i;
  return Success;
}

Result wf::driver::runtimeGetVersion(int *version) {
  ENTER(runtimeGetVersion, Nothing)
  *version = mode("old") ? 50221153 : 70125424; // 5.2, 7.1
  return Success;
}

Result wf::driver::getErrorName(Result code, const char **name) {
  switch (code) {
#define NAME(value, text)                                                      \
  case value:                                                                  \
    *name = text;                                                              \
    return Success;
    NAME(Success, "hipSuccess")
    NAME(InvalidValue, "hipErrorInvalidValue")
    NAME(OutOfMemory, "hipErrorOutOfMemory")
    NAME(NotInitialized, "hipErrorNotInitialized")
    NAME(Deinitialized, "hipErrorDeinitialized")
    NAME(InvalidConfiguration, "hipErrorInvalidConfiguration")
    NAME(InvalidDeviceFunction, "hipErrorInvalidDeviceFunction")
    NAME(NoDevice, "hipErrorNoDevice")
    NAME(InvalidDevice, "hipErrorInvalidDevice")
    NAME(InvalidImage, "hipErrorInvalidImage")
    NAME(InvalidContext, "hipErrorInvalidContext")
    NAME(NoBinaryForGpu, "hipErrorNoBinaryForGpu")
    NAME(InvalidKernelFile, "hipErrorInvalidKernelFile")
    NAME(InvalidHandle, "hipErrorInvalidHandle")
    NAME(NotFound, "hipErrorNotFound")
    NAME(IllegalAddress, "hipErrorIllegalAddress")
    NAME(LaunchOutOfResources, "hipErrorLaunchOutOfResources")
    NAME(LaunchFailed, "hipErrorLaunchFailure")
    NAME(NotSupported, "hipErrorNotSupported")
    NAME(StreamCaptureUnsupported, "hipErrorStreamCaptureUnsupported")
    NAME(StreamCaptureInvalidated, "hipErrorStreamCaptureInvalidated")
    NAME(StreamCaptureUnmatched, "hipErrorStreamCaptureUnmatched")
    NAME(StreamCaptureImplicit, "hipErrorStreamCaptureImplicit")
#undef NAME
  }
  *name = "hipErrorUnknown"; // as the runtime for a code it does not know
  return InvalidValue;
}

Result wf::driver::getErrorString(Result code, const char **text) {
  const char *name = nullptr;
  *text = "unknown error";
  if (getErrorName(code, &name) != Success)
    return InvalidValue;
  *text = "as the stub says";
  return Success;
}

Result wf::driver::deviceGetCount(int *count) {
  ENTER(deviceGetCount, Started)
  *count = deviceCount();
  return *count > 0 ? Success : NoDevice;
}

Result wf::driver::deviceGetName(char *name, int bytes, DeviceOrdinal device) {
  ENTER(deviceGetName, Started)
  if (!isThere(device) || bytes <= 0)
    return InvalidDevice;
  std::strncpy(name, "Stub GPU", size_t(bytes));
  name[bytes - 1] = 0;
  return Success;
}

Result wf::driver::deviceTotalMem(size_t *bytes, DeviceOrdinal device) {
  ENTER(deviceTotalMem, Started)
  *bytes = memoryBytes;
  return isThere(device) ? Success : InvalidDevice;
}

Result wf::driver::deviceGetAttribute(int *value, DeviceAttribute attribute,
                                      DeviceOrdinal device) {
  ENTER(deviceGetAttribute, Started)
  if (!isThere(device))
    return InvalidDevice;
  const bool gfx9 = isGfx9(device);
  // Told by the numbers of hip_runtime_api.h, not by our names for them.
  switch (int(attribute)) {
#define IS(code, number)                                                       \
  case code:                                                                   \
    *value = number;                                                           \
    return Success;
    IS(5, 2100000)                // ClockRate
    IS(19, 4 << 20)               // L2CacheSize
    IS(57, 2048)                  // MaxThreadsPerMultiProcessor
    IS(59, 8192)                  // MemoryBusWidth
    IS(60, 1300000)               // MemoryClockRate
    IS(63, gfx9 ? 304 : 32)       // MultiprocessorCount
    IS(72, gfx9 ? 131072 : 98304) // MaxRegistersPerMultiprocessor
    IS(74, 64 << 10)              // MaxSharedMemoryPerBlock
    IS(87, numberFrom("WARPFOLD_STUB_HIP_WAVE", gfx9 ? 64 : 32)) // WarpSize
    IS(10002, 64 << 10)        // MaxSharedMemoryPerMultiprocessor
    IS(10015, gfx9 ? 304 : 64) // PhysicalMultiProcessorCount
#undef IS
  }
  return InvalidValue;
}

Result wf::driver::getDeviceProperties(Properties *properties,
                                       DeviceOrdinal device) {
  ENTER(getDeviceProperties, Started)
  if (!isThere(device))
    return InvalidDevice;
  // The struct's size and the place of its gcnArchName in ROCm 6 and 7.
  auto *bytes = reinterpret_cast<char *>(properties);
  std::memset(bytes, 0x5a, 1472);
  std::string name =
      targetOf(device) + (isGfx9(device) ? ":sramecc+:xnack-" : "");
  std::memset(bytes + 1160, 0, 256);
  std::memcpy(bytes + 1160, name.data(), name.size());
  return Success;
}

Result wf::driver::getDevice(DeviceOrdinal *device) {
  ENTER(getDevice, Started)
  *device = currentDevice();
  return Success;
}

Result wf::driver::setDevice(DeviceOrdinal device) {
  ENTER(setDevice, Started)
  if (!isThere(device))
    return InvalidDevice;
  currentDevice() = device;
  return Success;
}
