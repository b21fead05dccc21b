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

#include <cstddef>
#include <cstdint>

namespace wf::cuda {

// Handles are pointers to what only the driver knows.
using Context = struct ContextObject *;
using Module = struct ModuleObject *;
using Function = struct FunctionObject *;
using Stream = struct StreamObject *;
using Event = struct EventObject *;
using Graph = struct GraphObject *;
using GraphExec = struct GraphExecObject *;
using LinkState = struct LinkStateObject *;
using DeviceOrdinal = int;
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

enum FunctionAttribute : int {
  MaxThreadsPerBlock = 0,
  StaticSharedBytes = 1,
  LocalBytes = 3,
  Registers = 4,
  MaxDynamicSharedBytes = 8,
};

enum JitOption : int {
  ErrorLog = 5,
  ErrorLogBytes = 6,
};

enum JitInput : int { InputPtx = 1 };
enum StreamFlags : unsigned { StreamDefault = 0, StreamNonBlocking = 1 };
enum CaptureMode : int { CaptureThreadLocal = 1 };

/// Keys of the `extra` list of a launch; LaunchEnd ends it.
enum LaunchExtra : uintptr_t {
  LaunchEnd = 0,
  LaunchBufferPointer = 1,
  LaunchBufferSize = 2,
};

/// The oldest driver that has every function of the list (11.4: the first with
/// cuGraphInstantiateWithFlags), as cuDriverGetVersion numbers it.
constexpr int oldestDriver = 11040;

} // namespace wf::cuda

/// X(name, exported symbol, argument types). Each returns a Result.
/// cuInit, cuDriverGetVersion and the two of errors come first: they are there
/// in every driver, and say what is wrong with one that is too old.
#define WARPFOLD_CUDA_FUNCTIONS(X)                                             \
  X(cuInit, "cuInit", (unsigned flags))                                        \
  X(cuDriverGetVersion, "cuDriverGetVersion", (int *version))                  \
  X(cuGetErrorName, "cuGetErrorName", (Result code, const char **name))        \
  X(cuGetErrorString, "cuGetErrorString", (Result code, const char **text))    \
  X(cuDeviceGetCount, "cuDeviceGetCount", (int *count))                        \
  X(cuDeviceGet, "cuDeviceGet", (DeviceOrdinal * device, int index))           \
  X(cuDeviceGetName, "cuDeviceGetName",                                        \
    (char *name, int bytes, DeviceOrdinal device))                             \
  X(cuDeviceTotalMem, "cuDeviceTotalMem_v2",                                   \
    (size_t *bytes, DeviceOrdinal device))                                     \
  X(cuDeviceGetAttribute, "cuDeviceGetAttribute",                              \
    (int *value, DeviceAttribute attribute, DeviceOrdinal device))             \
  X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain",                      \
    (Context * context, DeviceOrdinal device))                                 \
  X(cuCtxGetCurrent, "cuCtxGetCurrent", (Context * context))                   \
  X(cuCtxPushCurrent, "cuCtxPushCurrent_v2", (Context context))                \
  X(cuCtxPopCurrent, "cuCtxPopCurrent_v2", (Context * context))                \
  X(cuMemGetInfo, "cuMemGetInfo_v2", (size_t *free, size_t *total))            \
  X(cuMemAlloc, "cuMemAlloc_v2", (Address * address, size_t bytes))            \
  X(cuMemFree, "cuMemFree_v2", (Address address))                              \
  X(cuMemcpyHtoD, "cuMemcpyHtoD_v2",                                           \
    (Address to, const void *from, size_t bytes))                              \
  X(cuMemcpyDtoH, "cuMemcpyDtoH_v2", (void *to, Address from, size_t bytes))   \
  X(cuMemsetD8Async, "cuMemsetD8Async",                                        \
    (Address at, unsigned char value, size_t bytes, Stream stream))            \
  X(cuModuleLoadDataEx, "cuModuleLoadDataEx",                                  \
    (Module * module, const void *image, unsigned options, JitOption *keys,    \
     void **values))                                                           \
  X(cuModuleUnload, "cuModuleUnload", (Module module))                         \
  X(cuModuleGetFunction, "cuModuleGetFunction",                                \
    (Function * function, Module module, const char *name))                    \
  X(cuLinkCreate, "cuLinkCreate_v2",                                           \
    (unsigned options, JitOption *keys, void **values, LinkState *state))      \
  X(cuLinkAddData, "cuLinkAddData_v2",                                         \
    (LinkState state, JitInput kind, void *data, size_t bytes,                 \
     const char *name, unsigned options, JitOption *keys, void **values))      \
  X(cuLinkComplete, "cuLinkComplete",                                          \
    (LinkState state, void **cubin, size_t *bytes))                            \
  X(cuLinkDestroy, "cuLinkDestroy", (LinkState state))                         \
  X(cuFuncGetAttribute, "cuFuncGetAttribute",                                  \
    (int *value, FunctionAttribute attribute, Function function))              \
  X(cuFuncSetAttribute, "cuFuncSetAttribute",                                  \
    (Function function, FunctionAttribute attribute, int value))               \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor,                               \
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",                             \
    (int *blocks, Function function, int threads, size_t dynamicSharedBytes))  \
  X(cuLaunchKernel, "cuLaunchKernel",                                          \
    (Function function, unsigned gridX, unsigned gridY, unsigned gridZ,        \
     unsigned blockX, unsigned blockY, unsigned blockZ,                        \
     unsigned dynamicSharedBytes, Stream stream, void **params, void **extra)) \
  X(cuStreamCreate, "cuStreamCreate", (Stream * stream, unsigned flags))       \
  X(cuStreamDestroy, "cuStreamDestroy_v2", (Stream stream))                    \
  X(cuStreamSynchronize, "cuStreamSynchronize", (Stream stream))               \
  X(cuStreamBeginCapture, "cuStreamBeginCapture_v2",                           \
    (Stream stream, CaptureMode mode))                                         \
  X(cuStreamEndCapture, "cuStreamEndCapture", (Stream stream, Graph * graph))  \
  X(cuEventCreate, "cuEventCreate", (Event * event, unsigned flags))           \
  X(cuEventDestroy, "cuEventDestroy_v2", (Event event))                        \
  X(cuEventRecord, "cuEventRecord", (Event event, Stream stream))              \
  X(cuEventSynchronize, "cuEventSynchronize", (Event event))                   \
  X(cuEventElapsedTime, "cuEventElapsedTime",                                  \
    (float *milliseconds, Event from, Event to))                               \
  X(cuGraphInstantiate, "cuGraphInstantiateWithFlags",                         \
    (GraphExec * exec, Graph graph, unsigned long long flags))                 \
  X(cuGraphLaunch, "cuGraphLaunch", (GraphExec exec, Stream stream))           \
  X(cuGraphDestroy, "cuGraphDestroy", (Graph graph))                           \
  X(cuGraphExecDestroy, "cuGraphExecDestroy", (GraphExec exec))

#endif // WARPFOLD_RUNTIME_CUDA_FUNCTIONS_H
