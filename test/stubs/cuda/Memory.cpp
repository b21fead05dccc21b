//===- Memory.cpp - Devices, contexts and memory of the stub driver -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "State.h"

#include <cstring>

using namespace wf::cuda;

static constexpr size_t memoryBytes = 256 << 20;

static int deviceCount() { return numberFrom("WARPFOLD_STUB_DEVICES", 1); }

Result wf::cuda::cuInit(unsigned flags) {
  ENTER(Nothing)
  if (flags != 0)
    return InvalidValue;
  if (mode("nodevice"))
    return NoDevice;
  state().started = true;
  return Success;
}

Result wf::cuda::cuDriverGetVersion(int *version) {
  ENTER(Nothing)
  *version = mode("old") ? 11000 : 13000;
  return Success;
}

Result wf::cuda::cuGetErrorName(Result code, const char **name) {
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

Result wf::cuda::cuGetErrorString(Result code, const char **text) {
  const char *name = nullptr;
  *text = nullptr;
  if (cuGetErrorName(code, &name) != Success)
    return InvalidValue;
  *text = "as the stub says";
  return Success;
}

Result wf::cuda::cuDeviceGetCount(int *count) {
  ENTER(Started)
  *count = deviceCount();
  return Success;
}

Result wf::cuda::cuDeviceGet(DeviceOrdinal *device, int index) {
  ENTER(Started)
  if (index < 0 || index >= deviceCount())
    return InvalidDevice;
  *device = index;
  return Success;
}

Result wf::cuda::cuDeviceGetName(char *name, int bytes, DeviceOrdinal device) {
  ENTER(Started)
  if (device < 0 || device >= deviceCount() || bytes <= 0)
    return InvalidDevice;
  std::strncpy(name, "Stub GPU", size_t(bytes));
  name[bytes - 1] = 0;
  return Success;
}

Result wf::cuda::cuDeviceTotalMem(size_t *bytes, DeviceOrdinal device) {
  ENTER(Started)
  *bytes = memoryBytes;
  return device >= 0 && device < deviceCount() ? Success : InvalidDevice;
}

Result wf::cuda::cuDeviceGetAttribute(int *value, DeviceAttribute attribute,
                                      DeviceOrdinal device) {
  ENTER(Started)
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

Result wf::cuda::cuDevicePrimaryCtxRetain(Context *context,
                                          DeviceOrdinal device) {
  ENTER(Started)
  if (device < 0 || device >= deviceCount() || device >= 16)
    return InvalidDevice;
  *context = &state().contexts[device];
  return Success;
}

Result wf::cuda::cuCtxGetCurrent(Context *context) {
  ENTER(Started)
  *context = contextStack().empty() ? nullptr : contextStack().back();
  return Success;
}

Result wf::cuda::cuCtxPushCurrent(Context context) {
  ENTER(Started)
  if (!context)
    return InvalidContext;
  contextStack().push_back(context);
  return Success;
}

Result wf::cuda::cuCtxPopCurrent(Context *context) {
  ENTER(Started)
  if (contextStack().empty()) {
    state().fault(__func__, "no context to pop");
    return InvalidContext;
  }
  *context = contextStack().back();
  contextStack().pop_back();
  return Success;
}

Result wf::cuda::cuMemGetInfo(size_t *free, size_t *total) {
  ENTER(Current)
  *total = memoryBytes;
  *free = memoryBytes - state().used;
  return Success;
}

Result wf::cuda::cuMemAlloc(Address *address, size_t bytes) {
  ENTER(Uncaptured)
  if (bytes == 0)
    return InvalidValue;
  if (mode("oom") || bytes > memoryBytes - state().used)
    return OutOfMemory;
  // Not value-initialised, as on a device; aligned as the driver aligns.
  Allocation allocation{bytes, std::unique_ptr<char[]>(new char[bytes + 256])};
  *address = (Address(allocation.data.get()) + 255) / 256 * 256;
  state().freed.erase(*address);
  state().used += bytes;
  state().memory.emplace(*address, std::move(allocation));
  return Success;
}

Result wf::cuda::cuMemFree(Address address) {
  ENTER(Uncaptured)
  auto at = state().memory.find(address);
  if (at == state().memory.end()) {
    state().fault(__func__, state().freed.count(address)
                                ? "freed twice"
                                : "no address of an allocation");
    return InvalidValue;
  }
  state().used -= at->second.bytes;
  state().freed.insert(address);
  state().memory.erase(at);
  return Success;
}

/// Whether [at, at + bytes) lies in one allocation; a fault if not.
static bool inMemory(const char *function, Address at, size_t bytes) {
  auto next = state().memory.upper_bound(at);
  if (next != state().memory.begin()) {
    auto &[start, allocation] = *std::prev(next);
    if (at - start <= allocation.bytes &&
        bytes <= allocation.bytes - (at - start))
      return true;
  }
  state().fault(function, std::to_string(bytes) + " bytes outside memory");
  return false;
}

Result wf::cuda::cuMemcpyHtoD(Address to, const void *from, size_t bytes) {
  ENTER(Uncaptured)
  if (!from || !inMemory(__func__, to, bytes))
    return InvalidValue;
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return Success;
}

Result wf::cuda::cuMemcpyDtoH(void *to, Address from, size_t bytes) {
  ENTER(Uncaptured)
  if (!to || !inMemory(__func__, from, bytes))
    return InvalidValue;
  std::memcpy(to, reinterpret_cast<const void *>(from), bytes);
  return Success;
}

Result wf::cuda::cuMemsetD8Async(Address at, unsigned char value, size_t bytes,
                                 Stream stream) {
  ENTER(Current)
  if (!inMemory(__func__, at, bytes))
    return InvalidValue;
  return enqueue(__func__, stream, entry.context, [=] {
    if (inMemory("cuGraphLaunch", at, bytes)) // freed since the capture?
      std::memset(reinterpret_cast<void *>(at), value, bytes);
  });
}
