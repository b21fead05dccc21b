//===- Functions.h - What we call of NVIDIA's driver -------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// One list of the functions of libcuda.so.1 with their types, and the few
// constants: a user has the driver but no CUDA headers. Where the driver holds
// several versions of a function the symbol names the one whose arguments are
// declared here; these symbols stay in later drivers. Needs no LLVM: the stub
// driver of the tests is checked against the same list.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_CUDA_FUNCTIONS_H
#define WARPFOLD_RUNTIME_CUDA_FUNCTIONS_H

#include "Runtime/DriverTypes.h"

namespace wf::cuda {

using namespace driver;

using LinkState = struct LinkStateObject *;
using Address = unsigned long long;

/// A CUresult. Named are those that the runtime treats in a way of their own
/// or that the stub driver gives.
enum Result : int {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NotInitialized = 3,
  Deinitialized = 4,
  NoDevice = 100,
  InvalidDevice = 101,
  InvalidImage = 200,
  InvalidContext = 201,
  NoBinaryForGpu = 209,
  InvalidPtx = 218,
  JitCompilerNotFound = 221,
  UnsupportedPtxVersion = 222,
  InvalidHandle = 400,
  NotFound = 500,
  IllegalAddress = 700,
  LaunchOutOfResources = 701,
  LaunchTimeout = 702,
  HardwareStackError = 714,
  LaunchFailed = 719,
  SystemNotReady = 802,
  SystemDriverMismatch = 803,
  StreamCaptureUnsupported = 900,
  StreamCaptureInvalidated = 901,
  StreamCaptureUnmatched = 903,
  StreamCaptureImplicit = 906,
};

enum DeviceAttribute : int {
  SharedBytesPerBlock = 8,
  WarpSize = 10,
  ClockKilohertz = 13,
  Multiprocessors = 16,
  MemoryClockKilohertz = 36,
  MemoryBusBits = 37,
  L2Bytes = 38,
  ThreadsPerMultiprocessor = 39,
  CapabilityMajor = 75,
  CapabilityMinor = 76,
  SharedBytesPerMultiprocessor = 81,
  RegistersPerMultiprocessor = 82,
  SharedBytesOptIn = 97,
};

enum JitOption : int {
  ErrorLog = 5,
  ErrorLogBytes = 6,
};

enum JitInput : int { InputPtx = 1 };

/// Ends the `extra` list of a launch.
constexpr uintptr_t LaunchEnd = 0;

/// The oldest driver that has every function of the list (11.4: the first with
/// cuGraphInstantiateWithFlags), as cuDriverGetVersion numbers it.
constexpr int oldestDriver = 11040;

} // namespace wf::cuda

/// X(member, name, exported symbol, argument types). Each returns a Result. The
/// member is what our code calls: CUDA's name without its prefix, also for HIP.
/// cuInit, cuDriverGetVersion and the two of errors come first: they are there
/// in every driver, and say what is wrong with one that is too old.
#define WARPFOLD_CUDA_FUNCTIONS(X)                                             \
  X(init, cuInit, "cuInit", (unsigned flags))                                  \
  X(driverGetVersion, cuDriverGetVersion, "cuDriverGetVersion",                \
    (int *version))                                                            \
  X(getErrorName, cuGetErrorName, "cuGetErrorName",                            \
    (Result code, const char **name))                                          \
  X(getErrorString, cuGetErrorString, "cuGetErrorString",                      \
    (Result code, const char **text))                                          \
  X(deviceGetCount, cuDeviceGetCount, "cuDeviceGetCount", (int *count))        \
  X(deviceGet, cuDeviceGet, "cuDeviceGet",                                     \
    (DeviceOrdinal * device, int index))                                       \
  X(deviceGetName, cuDeviceGetName, "cuDeviceGetName",                         \
    (char *name, int bytes, DeviceOrdinal device))                             \
  X(deviceTotalMem, cuDeviceTotalMem, "cuDeviceTotalMem_v2",                   \
    (size_t *bytes, DeviceOrdinal device))                                     \
  X(deviceGetAttribute, cuDeviceGetAttribute, "cuDeviceGetAttribute",          \
    (int *value, DeviceAttribute attribute, DeviceOrdinal device))             \
  X(devicePrimaryCtxRetain, cuDevicePrimaryCtxRetain,                          \
    "cuDevicePrimaryCtxRetain", (Context * context, DeviceOrdinal device))     \
  X(ctxGetCurrent, cuCtxGetCurrent, "cuCtxGetCurrent", (Context * context))    \
  X(ctxPushCurrent, cuCtxPushCurrent, "cuCtxPushCurrent_v2",                   \
    (Context context))                                                         \
  X(ctxPopCurrent, cuCtxPopCurrent, "cuCtxPopCurrent_v2", (Context * context)) \
  X(memGetInfo, cuMemGetInfo, "cuMemGetInfo_v2",                               \
    (size_t *free, size_t *total))                                             \
  X(memAlloc, cuMemAlloc, "cuMemAlloc_v2", (Address * address, size_t bytes))  \
  X(memFree, cuMemFree, "cuMemFree_v2", (Address address))                     \
  X(memcpyHtoD, cuMemcpyHtoD, "cuMemcpyHtoD_v2",                               \
    (Address to, const void *from, size_t bytes))                              \
  X(memcpyDtoH, cuMemcpyDtoH, "cuMemcpyDtoH_v2",                               \
    (void *to, Address from, size_t bytes))                                    \
  X(memsetD8Async, cuMemsetD8Async, "cuMemsetD8Async",                         \
    (Address at, unsigned char value, size_t bytes, Stream stream))            \
  X(moduleLoadDataEx, cuModuleLoadDataEx, "cuModuleLoadDataEx",                \
    (Module * module, const void *image, unsigned options, JitOption *keys,    \
     void **values))                                                           \
  X(moduleUnload, cuModuleUnload, "cuModuleUnload", (Module module))           \
  X(moduleGetFunction, cuModuleGetFunction, "cuModuleGetFunction",             \
    (Function * function, Module module, const char *name))                    \
  X(linkCreate, cuLinkCreate, "cuLinkCreate_v2",                               \
    (unsigned options, JitOption *keys, void **values, LinkState *state))      \
  X(linkAddData, cuLinkAddData, "cuLinkAddData_v2",                            \
    (LinkState state, JitInput kind, void *data, size_t bytes,                 \
     const char *name, unsigned options, JitOption *keys, void **values))      \
  X(linkComplete, cuLinkComplete, "cuLinkComplete",                            \
    (LinkState state, void **cubin, size_t *bytes))                            \
  X(linkDestroy, cuLinkDestroy, "cuLinkDestroy", (LinkState state))            \
  X(funcGetAttribute, cuFuncGetAttribute, "cuFuncGetAttribute",                \
    (int *value, FunctionAttribute attribute, Function function))              \
  X(funcSetAttribute, cuFuncSetAttribute, "cuFuncSetAttribute",                \
    (Function function, FunctionAttribute attribute, int value))               \
  X(occupancyMaxActiveBlocksPerMultiprocessor,                                 \
    cuOccupancyMaxActiveBlocksPerMultiprocessor,                               \
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",                             \
    (int *blocks, Function function, int threads, size_t dynamicSharedBytes))  \
  X(launchKernel, cuLaunchKernel, "cuLaunchKernel",                            \
    (Function function, unsigned gridX, unsigned gridY, unsigned gridZ,        \
     unsigned blockX, unsigned blockY, unsigned blockZ,                        \
     unsigned dynamicSharedBytes, Stream stream, void **params, void **extra)) \
  X(streamCreate, cuStreamCreate, "cuStreamCreate",                            \
    (Stream * stream, unsigned flags))                                         \
  X(streamDestroy, cuStreamDestroy, "cuStreamDestroy_v2", (Stream stream))     \
  X(streamSynchronize, cuStreamSynchronize, "cuStreamSynchronize",             \
    (Stream stream))                                                           \
  X(streamBeginCapture, cuStreamBeginCapture, "cuStreamBeginCapture_v2",       \
    (Stream stream, CaptureMode mode))                                         \
  X(streamEndCapture, cuStreamEndCapture, "cuStreamEndCapture",                \
    (Stream stream, Graph * graph))                                            \
  X(eventCreate, cuEventCreate, "cuEventCreate",                               \
    (Event * event, unsigned flags))                                           \
  X(eventDestroy, cuEventDestroy, "cuEventDestroy_v2", (Event event))          \
  X(eventRecord, cuEventRecord, "cuEventRecord", (Event event, Stream stream)) \
  X(eventSynchronize, cuEventSynchronize, "cuEventSynchronize", (Event event)) \
  X(eventElapsedTime, cuEventElapsedTime, "cuEventElapsedTime",                \
    (float *milliseconds, Event from, Event to))                               \
  X(graphInstantiate, cuGraphInstantiate, "cuGraphInstantiateWithFlags",       \
    (GraphExec * exec, Graph graph, unsigned long long flags))                 \
  X(graphLaunch, cuGraphLaunch, "cuGraphLaunch",                               \
    (GraphExec exec, Stream stream))                                           \
  X(graphDestroy, cuGraphDestroy, "cuGraphDestroy", (Graph graph))             \
  X(graphExecDestroy, cuGraphExecDestroy, "cuGraphExecDestroy",                \
    (GraphExec exec))

#endif // WARPFOLD_RUNTIME_CUDA_FUNCTIONS_H
