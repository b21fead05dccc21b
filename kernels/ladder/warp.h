//===- warp.h - One lane layer for warps of 32 and waves of 64 --*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The only file here that knows whose compiler reads it. NVIDIA names the lanes
// of a shuffle by 32 bits, AMD by 64; warpSize is 32, or on gfx9 64.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LADDER_WARP_H
#define WARPFOLD_LADDER_WARP_H

#if defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)
#include <hip/hip_runtime.h>
using LaneMask = unsigned long long;
#else
#include <cuda_runtime.h>
using LaneMask = unsigned int;
#endif

constexpr LaneMask kAllLanes = ~LaneMask(0);

/// The sum over the warp, the same bits in every lane: lane pairs meet first,
/// then pairs of pairs. All lanes of the warp must be here.
__device__ inline float warpSum(float value) {
  for (int distance = 1; distance < warpSize; distance *= 2)
    value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

/// Slots for the largest block, 1024 threads in warps of 32.
constexpr int kMostWarps = 32;

/// The sum over the block, in the lanes of its first warp. blockDim.x is a
/// multiple of the warp. `slots` has one a warp; a block that calls this again
/// with the same slots needs a barrier between.
__device__ inline float blockSum(float value, float *slots) {
  int lane = threadIdx.x % warpSize;
  int warp = threadIdx.x / warpSize;
  value = warpSum(value);
  if (lane == 0)
    slots[warp] = value;
  __syncthreads();
  if (warp != 0)
    return value;
  int warps = blockDim.x / warpSize;
  return warpSum(lane < warps ? slots[lane] : 0.0f);
}

#endif // WARPFOLD_LADDER_WARP_H
