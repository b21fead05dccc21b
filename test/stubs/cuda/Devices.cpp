//===- Devices.cpp - Devices and contexts of the stub of CUDA -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "driver/State.h"

#include <cstring>

using namespace wf::driver;

#define EXPORT extern "C" __attribute__((visibility("default")))

/// The calling thread's contexts, the current one last.
static std::vector<Context> &contextStack() {
  thread_local std::vector<Context> stack;
  return stack;
}

Context wf::driver::currentContext() {
  return contextStack().empty() ? nullptr : contextStack().back();
}

EXPORT void *wfStubForeignContext() { return &state().foreign; }

static int deviceCount() { return numberFrom("WARPFOLD_STUB_DEVICES", 1); }

Result wf::driver::init(unsigned flags) {
  ENTER(init, Nothing)
  if (flags != 0)
    return InvalidValue;
  if (mode("nodevice"))
    return NoDevice;
  state().started = true;
  return Success;
}

Result wf::driver::driverGetVersion(int *version) {
  ENTER(driverGetVersion, Nothing)
  *version = mode("old") ? 11000 : 13000;
  return Success;
}

Result wf::driver::getErrorName(Result code, const char **name) {
  switch (code) {
#define NAME(value, text)                                                      \
  case value:                                                                  \
    *name = text;                                                              \
    return Success;
    NAME(Success, "CUDA_SUCCESS")
    NAME(InvalidValue, "CUDA_ERROR_INVALID_VALUE")
    NAME(OutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY")
    NAME(NotInitialized, "CUDA_ERROR_NOT_INITIALIZED")
    NAME(Deinitialized, "CUDA_ERROR_DEINITIALIZED")
    NAME(NoDevice, "CUDA_ERROR_NO_DEVICE")
    NAME(InvalidDevice, "CUDA_ERROR_INVALID_DEVICE")
    NAME(InvalidImage, "CUDA_ERROR_INVALID_IMAGE")
    NAME(InvalidContext, "CUDA_ERROR_INVALID_CONTEXT")
    NAME(InvalidPtx, "CUDA_ERROR_INVALID_PTX")
    NAME(InvalidHandle, "CUDA_ERROR_INVALID_HANDLE")
    NAME(NotFound, "CUDA_ERROR_NOT_FOUND")
    NAME(IllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS")
    NAME(LaunchOutOfResources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES")
    NAME(StreamCaptureUnsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED")
    NAME(StreamCaptureInvalidated, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED")
    NAME(StreamCaptureUnmatched, "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED")
    NAME(StreamCaptureImplicit, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT")
#undef NAME
  default: // as the driver for a code it does not know
    *name = nullptr;
    return InvalidValue;
  }
}

Result wf::driver::getErrorString(Result code, const char **text) {
  const char *name = nullptr;
  *text = nullptr;
  if (getErrorName(code, &name) != Success)
    return InvalidValue;
  *text = "as the stub says";
  return Success;
}

Result wf::driver::deviceGetCount(int *count) {
  ENTER(deviceGetCount, Started)
  *count = deviceCount();
  return Success;
}

Result wf::driver::deviceGet(DeviceOrdinal *device, int index) {
  ENTER(deviceGet, Started)
  if (index < 0 || index >= deviceCount())
    return InvalidDevice;
  *device = index;
  return Success;
}

Result wf::driver::deviceGetName(char *name, int bytes, DeviceOrdinal device) {
  ENTER(deviceGetName, Started)
  if (device < 0 || device >= deviceCount() || bytes <= 0)
    return InvalidDevice;
  std::strncpy(name, "Stub GPU", size_t(bytes));
  name[bytes - 1] = 0;
  return Success;
}

Result wf::driver::deviceTotalMem(size_t *bytes, DeviceOrdinal device) {
  ENTER(deviceTotalMem, Started)
  *bytes = memoryBytes;
  return device >= 0 && device < deviceCount() ? Success : InvalidDevice;
}

Result wf::driver::deviceGetAttribute(int *value, DeviceAttribute attribute,
                                      DeviceOrdinal device) {
  ENTER(deviceGetAttribute, Started)
  if (device < 0 || device >= deviceCount())
    return InvalidDevice;
  const int target = numberFrom("WARPFOLD_STUB_TARGET", 90);
  switch (attribute) {
#define IS(name, number)                                                       \
  case name:                                                                   \
    *value = number;                                                           \
    return Success;
    IS(SharedBytesPerBlock, 48 << 10)
    IS(WarpSize, 32)
    IS(ClockKilohertz, 1980000)
    IS(Multiprocessors, 132)
    IS(MemoryClockKilohertz, 3201000)
    IS(MemoryBusBits, 6144)
    IS(L2Bytes, 4 << 20)
    IS(ThreadsPerMultiprocessor, 2048)
    IS(CapabilityMajor, target / 10)
    IS(CapabilityMinor, target % 10)
    IS(SharedBytesPerMultiprocessor, 228 << 10)
    IS(RegistersPerMultiprocessor, 65536)
    IS(SharedBytesOptIn, 227 << 10)
#undef IS
  }
  return InvalidValue;
}

Result wf::driver::devicePrimaryCtxRetain(Context *context,
                                          DeviceOrdinal device) {
  ENTER(devicePrimaryCtxRetain, Started)
  if (device < 0 || device >= deviceCount() || device >= 16)
    return InvalidDevice;
  *context = &state().contexts[device];
  return Success;
}

Result wf::driver::ctxGetCurrent(Context *context) {
  ENTER(ctxGetCurrent, Started)
  *context = contextStack().empty() ? nullptr : contextStack().back();
  return Success;
}

Result wf::driver::ctxPushCurrent(Context context) {
  ENTER(ctxPushCurrent, Started)
  if (!context)
    return InvalidContext;
  contextStack().push_back(context);
  return Success;
}

Result wf::driver::ctxPopCurrent(Context *context) {
  ENTER(ctxPopCurrent, Started)
  if (contextStack().empty()) {
    state().fault(here, "no context to pop");
    return InvalidContext;
  }
  *context = contextStack().back();
  contextStack().pop_back();
  return Success;
}
