//===- v2.cu - A course's v2: the last rounds by shuffles -------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What the course describes: the tree down to a warp's worth of partial sums,
// then shuffles in the first warp. The course's __shfl_down has no mask; NVIDIA
// has only forms with one, all lanes here.
//
// The course says that the first round it saves is the one at warpSize / 2. Its
// loop has a round at warpSize too, which leaves warpSize values, so that all
// is added. A block of one warp has no round, and is right as well.
//
// SIM: --kernel reduce_v2_wavefront --grid 4 --block 256 --shared 1024 --arg 'gen:random(1000, f32)' --arg zero:f32:1 --arg i32:1000 --expect sum CLEAN
// SIM: --kernel reduce_v2_wavefront --grid 16 --block 64 --shared 256 --arg 'gen:random(1000, f32)' --arg zero:f32:1 --arg i32:1000 --expect sum CLEAN
//===----------------------------------------------------------------------===//
#include "../ladder/warp.h"

__device__ inline float warp_reduce_sum(float val) {
  for (int offset = warpSize / 2; offset > 0; offset >>= 1)
    val += __shfl_down_sync(kAllLanes, val, offset);
  return val;
}

__global__ void reduce_v2_wavefront(const float *__restrict__ input,
                                    float *output, int n) {
  extern __shared__ float sdata[];
  int tid = threadIdx.x;
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  float val = idx < n ? input[idx] : 0.0f;
  sdata[tid] = val;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride >= warpSize; stride >>= 1) {
    if (tid < stride)
      sdata[tid] += sdata[tid + stride];
    __syncthreads();
  }
  if (tid < warpSize) {
    float warp_val = sdata[tid];
    warp_val = warp_reduce_sum(warp_val);
    if (tid == 0)
      atomicAdd(output, warp_val);
  }
}
