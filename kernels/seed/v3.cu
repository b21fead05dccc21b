//===- v3.cu - A course's v3: a grid-stride loop, then the tree -*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What the course describes, called unrolled there: each thread adds elements a
// grid apart in a register, then v1's tree. The course's text speaks of float4
// loads as well; its kernel has none.
//
// SIM: --kernel reduce_v3_unrolled --grid 2 --block 256 --shared 1024 --arg 'gen:random(3000, f32)' --arg zero:f32:1 --arg i32:3000 --expect sum CLEAN
//===----------------------------------------------------------------------===//
#include "../ladder/warp.h"

__global__ void reduce_v3_unrolled(const float *__restrict__ input,
                                   float *output, int n) {
  extern __shared__ float sdata[];
  int tid = threadIdx.x;
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  int stride_g = gridDim.x * blockDim.x;
  float local_sum = 0.0f;
  for (int i = gid; i < n; i += stride_g)
    local_sum += input[i];
  sdata[tid] = local_sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s)
      sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0)
    atomicAdd(output, sdata[0]);
}
