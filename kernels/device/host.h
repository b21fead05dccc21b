//===- host.h - Enough of the host API to read past it ----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// clang reads the host code of a file although only its kernels are compiled.
// These declarations let it; nothing is ever called. One list for both vendors,
// cuda… and hip….
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DEVICE_HOST_H
#define WARPFOLD_DEVICE_HOST_H
#pragma clang system_header

using size_t = decltype(sizeof(0));

#define WF_HOST_TYPES(P)                                                       \
  enum P##Error_t{P##Success, P##ErrorInvalidValue, P##ErrorMemoryAllocation,  \
                  P##ErrorNotReady, P##ErrorInvalidConfiguration};             \
  enum P##MemcpyKind{P##MemcpyHostToHost, P##MemcpyHostToDevice,               \
                     P##MemcpyDeviceToHost, P##MemcpyDeviceToDevice,           \
                     P##MemcpyDefault};                                        \
  typedef struct __wf_stream *P##Stream_t;                                     \
  typedef struct __wf_event *P##Event_t;                                       \
  struct P##DeviceProp {                                                       \
    char name[256];                                                            \
    char gcnArchName[256];                                                     \
    size_t totalGlobalMem, sharedMemPerBlock, totalConstMem;                   \
    int warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];        \
    int multiProcessorCount, regsPerBlock, clockRate, memoryClockRate;         \
    int memoryBusWidth, l2CacheSize, major, minor;                             \
    int maxThreadsPerMultiProcessor, concurrentKernels;                        \
  };                                                                           \
  enum P##FuncAttribute{P##FuncAttributeMaxDynamicSharedMemorySize};           \
  enum P##DeviceAttr_t{P##DevAttrWarpSize, P##DevAttrMultiProcessorCount,      \
                       P##DeviceAttributeWarpSize,                             \
                       P##DeviceAttributeMultiprocessorCount};

#define WF_HOST_FUNCTIONS(P)                                                   \
  P##Error_t P##Malloc(void **, size_t);                                       \
  template <class T> P##Error_t P##Malloc(T **, size_t);                       \
  template <class T> P##Error_t P##MallocManaged(T **, size_t, unsigned = 1);  \
  template <class T> P##Error_t P##MallocHost(T **, size_t);                   \
  template <class T> P##Error_t P##HostMalloc(T **, size_t, unsigned = 0);     \
  template <class T> P##Error_t P##MallocAsync(T **, size_t, P##Stream_t);     \
  P##Error_t P##Free(void *);                                                  \
  P##Error_t P##FreeHost(void *);                                              \
  P##Error_t P##HostFree(void *);                                              \
  P##Error_t P##FreeAsync(void *, P##Stream_t);                                \
  P##Error_t P##Memcpy(void *, const void *, size_t, P##MemcpyKind);           \
  P##Error_t P##MemcpyAsync(void *, const void *, size_t, P##MemcpyKind,       \
                            P##Stream_t = nullptr);                            \
  template <class T>                                                           \
  P##Error_t P##MemcpyToSymbol(const T &, const void *, size_t);               \
  P##Error_t P##Memset(void *, int, size_t);                                   \
  P##Error_t P##MemsetAsync(void *, int, size_t, P##Stream_t = nullptr);       \
  P##Error_t P##MemGetInfo(size_t *, size_t *);                                \
  P##Error_t P##DeviceSynchronize();                                           \
  P##Error_t P##DeviceReset();                                                 \
  P##Error_t P##GetLastError();                                                \
  P##Error_t P##PeekAtLastError();                                             \
  const char *P##GetErrorString(P##Error_t);                                   \
  const char *P##GetErrorName(P##Error_t);                                     \
  P##Error_t P##GetDevice(int *);                                              \
  P##Error_t P##SetDevice(int);                                                \
  P##Error_t P##GetDeviceCount(int *);                                         \
  P##Error_t P##GetDeviceProperties(P##DeviceProp *, int);                     \
  P##Error_t P##DeviceGetAttribute(int *, P##DeviceAttr_t, int);               \
  P##Error_t P##StreamCreate(P##Stream_t *);                                   \
  P##Error_t P##StreamDestroy(P##Stream_t);                                    \
  P##Error_t P##StreamSynchronize(P##Stream_t);                                \
  P##Error_t P##EventCreate(P##Event_t *);                                     \
  P##Error_t P##EventDestroy(P##Event_t);                                      \
  P##Error_t P##EventRecord(P##Event_t, P##Stream_t = nullptr);                \
  P##Error_t P##EventSynchronize(P##Event_t);                                  \
  P##Error_t P##EventElapsedTime(float *, P##Event_t, P##Event_t);             \
  template <class T> P##Error_t P##FuncSetAttribute(T, P##FuncAttribute, int); \
  template <class T>                                                           \
  P##Error_t P##OccupancyMaxActiveBlocksPerMultiprocessor(int *, T, int,       \
                                                          size_t);             \
  template <class T>                                                           \
  P##Error_t P##OccupancyMaxPotentialBlockSize(int *, int *, T, size_t = 0,    \
                                               int = 0);                       \
  template <class T>                                                           \
  P##Error_t P##LaunchKernel(T, dim3, dim3, void **, size_t = 0,               \
                             P##Stream_t = nullptr);                           \
  template <class T>                                                           \
  P##Error_t P##LaunchCooperativeKernel(T, dim3, dim3, void **, size_t = 0,    \
                                        P##Stream_t = nullptr);                \
  /* What clang takes kernel<<<grid, block, shared, stream>>> apart into. */   \
  P##Error_t P##ConfigureCall(dim3, dim3, size_t = 0, P##Stream_t = nullptr);  \
  extern "C" unsigned __##P##PushCallConfiguration(dim3, dim3, size_t = 0,     \
                                                   P##Stream_t = nullptr);

WF_HOST_TYPES(cuda)
WF_HOST_FUNCTIONS(cuda)
WF_HOST_TYPES(hip)
WF_HOST_FUNCTIONS(hip)
#undef WF_HOST_FUNCTIONS
#undef WF_HOST_TYPES

typedef cudaError_t cudaError;
typedef hipDeviceProp hipDeviceProp_t;
typedef hipDeviceAttr_t hipDeviceAttribute_t;

#define hipLaunchKernelGGL(KERNEL, GRID, BLOCK, SHARED, STREAM, ...)           \
  (KERNEL)<<<GRID, BLOCK, SHARED, STREAM>>>(__VA_ARGS__)
#define HIP_KERNEL_NAME(...) __VA_ARGS__

// Device code that prints or asserts; the simulator sees the call.
extern "C" __device__ int printf(const char *, ...);
extern "C" __device__ __attribute__((noreturn)) void
__assert_fail(const char *, const char *, unsigned, const char *);

#endif // WARPFOLD_DEVICE_HOST_H
