//===- Functions.h - What we call of AMD's HIP runtime -----------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// One list of the functions of libamdhip64.so with their types, and the few
// constants: a user has the runtime but no HIP headers. They are those of ROCm
// 6 and 7; the numbers of device attributes were others before ROCm 5, and the
// struct of properties before ROCm 6. Needs no LLVM: the stub runtime of the
// tests is checked against the same list.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_HIP_FUNCTIONS_H
#define WARPFOLD_RUNTIME_HIP_FUNCTIONS_H

#include "Runtime/DriverTypes.h"

namespace wf::hip {

using namespace driver;

using Address = void *;

/// A hipError_t. Named are those that the runtime treats in a way of their own
/// or that the stub runtime gives.
enum Result : int {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NotInitialized = 3,
  Deinitialized = 4,
  InvalidConfiguration = 9,
  InvalidDeviceFunction = 98,
  NoDevice = 100,
  InvalidDevice = 101,
  InvalidImage = 200,
  InvalidContext = 201,
  NoBinaryForGpu = 209,
  InvalidKernelFile = 218,
  InvalidHandle = 400,
  NotFound = 500,
  IllegalAddress = 700,
  LaunchOutOfResources = 701,
  LaunchFailed = 719,
  NotSupported = 801,
  StreamCaptureUnsupported = 900,
  StreamCaptureInvalidated = 901,
  StreamCaptureUnmatched = 903,
  StreamCaptureImplicit = 906,
};

/// Counted by the header from 0, and AMD's own from 10000.
enum DeviceAttribute : int {
  ClockKilohertz = 5,
  L2Bytes = 19,
  ThreadsPerMultiprocessor = 57,
  MemoryBusBits = 59,
  MemoryClockKilohertz = 60,
  Multiprocessors = 63,
  RegistersPerMultiprocessor = 72,
  SharedBytesPerBlock = 74,
  WarpSize = 87,
  SharedBytesPerMultiprocessor = 10002,
  ComputeUnits = 10015,
};

/// What hipGetDevicePropertiesR0600 fills: hipDeviceProp_tR0600. The library
/// keeps that symbol for this layout (the plain name belongs to ROCm 5's, which
/// is another), and new fields take from the reserved words before gcnArchName,
/// so that it stays where it is. Nothing else gives the architecture; all other
/// properties are asked for one by one. The tail is more than the 1472 bytes of
/// the struct today, in case it grows at its end.
struct Properties {
  alignas(8) char before[1160];
  char gcnArchName[256]; ///< "gfx942:sramecc+:xnack-"
  char after[4096 - 1160 - 256];
};

/// Ends the `extra` list of a launch. HIP compares the keys where CUDA's list
/// has them, so the order is pointer, size, end.
constexpr uintptr_t LaunchEnd = 3;

/// Work items of a launch at most: a dispatch packet has 32 bits for them.
constexpr uint64_t mostThreads = UINT32_MAX;

/// ROCm 6.0, the first with R0600, as hipRuntimeGetVersion numbers it.
constexpr int oldestRuntime = 60000000;

} // namespace wf::hip

/// X(member, name, exported symbol, argument types). Each returns a Result; the
/// members are named as in Cuda/Functions.h. hipInit, hipRuntimeGetVersion and
/// the two of errors come first: they say what is wrong with an old runtime.
#define WARPFOLD_HIP_FUNCTIONS(X)                                              \
  X(init, hipInit, "hipInit", (unsigned flags))                                \
  X(runtimeGetVersion, hipRuntimeGetVersion, "hipRuntimeGetVersion",           \
    (int *version))                                                            \
  X(getErrorName, hipDrvGetErrorName, "hipDrvGetErrorName",                    \
    (Result code, const char **name))                                          \
  X(getErrorString, hipDrvGetErrorString, "hipDrvGetErrorString",              \
    (Result code, const char **text))                                          \
  X(deviceGetCount, hipGetDeviceCount, "hipGetDeviceCount", (int *count))      \
  X(deviceGetName, hipDeviceGetName, "hipDeviceGetName",                       \
    (char *name, int bytes, DeviceOrdinal device))                             \
  X(deviceTotalMem, hipDeviceTotalMem, "hipDeviceTotalMem",                    \
    (size_t *bytes, DeviceOrdinal device))                                     \
  X(deviceGetAttribute, hipDeviceGetAttribute, "hipDeviceGetAttribute",        \
    (int *value, DeviceAttribute attribute, DeviceOrdinal device))             \
  X(getDeviceProperties, hipGetDeviceProperties,                               \
    "hipGetDevicePropertiesR0600",                                             \
    (Properties * properties, DeviceOrdinal device))                           \
  X(getDevice, hipGetDevice, "hipGetDevice", (DeviceOrdinal * device))         \
  X(setDevice, hipSetDevice, "hipSetDevice", (DeviceOrdinal device))           \
  X(memGetInfo, hipMemGetInfo, "hipMemGetInfo", (size_t *free, size_t *total)) \
  X(memAlloc, hipMalloc, "hipMalloc", (Address * address, size_t bytes))       \
  X(memFree, hipFree, "hipFree", (Address address))                            \
  X(memcpyHtoD, hipMemcpyHtoD, "hipMemcpyHtoD",                                \
    (Address to, const void *from, size_t bytes))                              \
  X(memcpyDtoH, hipMemcpyDtoH, "hipMemcpyDtoH",                                \
    (void *to, Address from, size_t bytes))                                    \
  X(memsetD8Async, hipMemsetD8Async, "hipMemsetD8Async",                       \
    (Address at, unsigned char value, size_t bytes, Stream stream))            \
  X(moduleLoadData, hipModuleLoadData, "hipModuleLoadData",                    \
    (Module * module, const void *image))                                      \
  X(moduleUnload, hipModuleUnload, "hipModuleUnload", (Module module))         \
  X(moduleGetFunction, hipModuleGetFunction, "hipModuleGetFunction",           \
    (Function * function, Module module, const char *name))                    \
  X(funcGetAttribute, hipFuncGetAttribute, "hipFuncGetAttribute",              \
    (int *value, FunctionAttribute attribute, Function function))              \
  X(occupancyMaxActiveBlocksPerMultiprocessor,                                 \
    hipModuleOccupancyMaxActiveBlocksPerMultiprocessor,                        \
    "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor",                      \
    (int *blocks, Function function, int threads, size_t dynamicSharedBytes))  \
  X(launchKernel, hipModuleLaunchKernel, "hipModuleLaunchKernel",              \
    (Function function, unsigned gridX, unsigned gridY, unsigned gridZ,        \
     unsigned blockX, unsigned blockY, unsigned blockZ,                        \
     unsigned dynamicSharedBytes, Stream stream, void **params, void **extra)) \
  X(streamCreate, hipStreamCreateWithFlags, "hipStreamCreateWithFlags",        \
    (Stream * stream, unsigned flags))                                         \
  X(streamDestroy, hipStreamDestroy, "hipStreamDestroy", (Stream stream))      \
  X(streamSynchronize, hipStreamSynchronize, "hipStreamSynchronize",           \
    (Stream stream))                                                           \
  X(streamBeginCapture, hipStreamBeginCapture, "hipStreamBeginCapture",        \
    (Stream stream, CaptureMode mode))                                         \
  X(streamEndCapture, hipStreamEndCapture, "hipStreamEndCapture",              \
    (Stream stream, Graph * graph))                                            \
  X(eventCreate, hipEventCreateWithFlags, "hipEventCreateWithFlags",           \
    (Event * event, unsigned flags))                                           \
  X(eventDestroy, hipEventDestroy, "hipEventDestroy", (Event event))           \
  X(eventRecord, hipEventRecord, "hipEventRecord",                             \
    (Event event, Stream stream))                                              \
  X(eventSynchronize, hipEventSynchronize, "hipEventSynchronize",              \
    (Event event))                                                             \
  X(eventElapsedTime, hipEventElapsedTime, "hipEventElapsedTime",              \
    (float *milliseconds, Event from, Event to))                               \
  X(graphInstantiate, hipGraphInstantiateWithFlags,                            \
    "hipGraphInstantiateWithFlags",                                            \
    (GraphExec * exec, Graph graph, unsigned long long flags))                 \
  X(graphLaunch, hipGraphLaunch, "hipGraphLaunch",                             \
    (GraphExec exec, Stream stream))                                           \
  X(graphDestroy, hipGraphDestroy, "hipGraphDestroy", (Graph graph))           \
  X(graphExecDestroy, hipGraphExecDestroy, "hipGraphExecDestroy",              \
    (GraphExec exec))

#endif // WARPFOLD_RUNTIME_HIP_FUNCTIONS_H
