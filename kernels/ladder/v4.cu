//===- v4.cu - Two launches and no atomics ----------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Atomic additions come in any order, so the last bits of v0 to v3 vary from
// run to run. Here each block stores its sum, and a second launch of one block
// adds them in a fixed order. Nothing needs to be zero before; that all stores
// are there is what the end of a launch says. The second loops, since there may
// be more partials than threads.
//
// Launch: v4_partials with blocks that fill the GPU, then v4_finish with one;
// both of whole warps.
//
// SIM: --kernel v4_partials --grid 6 --block 256 --arg 'gen:random(10007, f32)' --arg out:f32:6 --arg i64:10007 CLEAN
// SIM: --kernel v4_finish --grid 1 --block 256 --arg 'gen:random(1000, f32)' --arg out:f32:1 --arg i32:1000 --expect sum CLEAN
//===----------------------------------------------------------------------===//
#include "thread_sum.h"

__global__ void v4_partials(const float *__restrict__ x, float *partials,
                            long long n) {
  __shared__ float slots[kMostWarps];
  float sum = blockSum(threadSum(x, n), slots);
  if (threadIdx.x == 0)
    partials[blockIdx.x] = sum;
}

__global__ void v4_finish(const float *__restrict__ partials, float *out,
                          int count) {
  __shared__ float slots[kMostWarps];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    sum += partials[i];
  sum = blockSum(sum, slots);
  if (threadIdx.x == 0)
    out[0] = sum;
}
