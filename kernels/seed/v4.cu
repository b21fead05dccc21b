//===- v4.cu - A course's v4: two launches, the fault included --*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What the course describes: partial sums of the blocks, then one block that
// adds them. The second has no loop, so that it takes a partial sum for each of
// its threads and no more: with 1024 of them and 256 threads it adds a quarter.
//
// SIM: --kernel reduce_v4_phase1 --grid 1 --block 256 --shared 1024 --arg 'gen:random(3000, f32)' --arg out:f32:1 --arg i32:3000 --expect sum CLEAN
// SIM: --kernel reduce_v4_phase2 --grid 1 --block 256 --shared 1024 --arg 'gen:random(200, f32)' --arg out:f32:1 --arg i32:200 --expect sum CLEAN
// SIM: --kernel reduce_v4_phase2 --grid 1 --block 256 --shared 1024 --arg 'gen:random(256, f32)' --arg out:f32:1 --arg i32:256 --expect sum CLEAN
// SIM: --kernel reduce_v4_phase2 --grid 1 --block 256 --shared 1024 --arg 'gen:random(1024, f32)' --arg out:f32:1 --arg i32:1024 --expect sum WRONG
//===----------------------------------------------------------------------===//
#include "../ladder/warp.h"

__global__ void reduce_v4_phase1(const float *__restrict__ input,
                                 float *partial_sums, int n) {
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
    partial_sums[blockIdx.x] = sdata[0];
}

__global__ void reduce_v4_phase2(const float *__restrict__ partial_sums,
                                 float *output, int num_partials) {
  extern __shared__ float sdata[];
  int tid = threadIdx.x;
  sdata[tid] = tid < num_partials ? partial_sums[tid] : 0.0f;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s)
      sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0)
    output[0] = sdata[0];
}
