//===- v1.cu - A course's v1: a tree in LDS ---------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What the course describes: the block's elements in shared memory, a tree that
// halves, one atomic a block. A block that is no power of two loses slots.
//
// SIM: --kernel reduce_v1_lds --grid 4 --block 256 --shared 1024 --arg 'gen:random(1000, f32)' --arg zero:f32:1 --arg i32:1000 --expect sum CLEAN
// SIM: --kernel reduce_v1_lds --grid 1 --block 192 --shared 768 --arg 'gen:random(192, f32)' --arg zero:f32:1 --arg i32:192 --expect sum WRONG
//===----------------------------------------------------------------------===//
#include "../ladder/warp.h"

__global__ void reduce_v1_lds(const float *__restrict__ input, float *output,
                              int n) {
  extern __shared__ float sdata[];
  int tid = threadIdx.x;
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = idx < n ? input[idx] : 0.0f;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride)
      sdata[tid] += sdata[tid + stride];
    __syncthreads();
  }
  if (tid == 0)
    atomicAdd(output, sdata[0]);
}
