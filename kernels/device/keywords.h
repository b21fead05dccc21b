//===- keywords.h - The words of CUDA and HIP -------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// __noinline__ and __restrict__ are clang's own keywords.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DEVICE_KEYWORDS_H
#define WARPFOLD_DEVICE_KEYWORDS_H
// Standard headers may declare a host function of the same name (sqrtf): clang
// lets the two stand side by side only where ours is in a system header.
#pragma clang system_header

#if !defined(__CUDA__) && !defined(__HIP__)
#error "device.h is for clang's CUDA and HIP modes (-x cuda, -x hip)"
#endif

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];

/// Of this header's functions. Without lines of their own, so that what goes
/// wrong in one is said of the line that calls it.
#define WF_DEVICE                                                              \
  static __inline__ __attribute__((device, always_inline, nodebug))
#define WF_BOTH                                                                \
  static __inline__ __attribute__((host, device, always_inline, nodebug))

#endif // WARPFOLD_DEVICE_KEYWORDS_H
