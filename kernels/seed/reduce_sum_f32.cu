//===- reduce_sum_f32.cu - The reduction of a note on SASS ------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The kernel that a note reads in its machine code, instruction by instruction:
// a guarded load, a tree in shared memory, one result a block.
//
// SIM: --kernel reduce_sum_f32_kernel --grid 1 --block 256 --shared 1024 --arg 'gen:random(200, f32)' --arg out:f32:1 --arg i32:200 --expect sum CLEAN
// SIM: --kernel reduce_sum_f32_kernel --grid 4 --block 256 --shared 1024 --arg 'gen:random(1000, f32)' --arg out:f32:4 --arg i32:1000 CLEAN
//===----------------------------------------------------------------------===//
#include "../ladder/warp.h"

__global__ void reduce_sum_f32_kernel(const float *__restrict__ x,
                                      float *__restrict__ y, int n) {
  extern __shared__ float sdata[];
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0.0f;
  if (i < n)
    v = x[i];
  sdata[tid] = v;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride)
      sdata[tid] += sdata[tid + stride];
    __syncthreads();
  }
  if (tid == 0)
    y[blockIdx.x] = sdata[0];
}
