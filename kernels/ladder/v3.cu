//===- v3.cu - Many elements a thread, wide loads in flight -----*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A fixed grid walks the array: as many blocks as the GPU holds, each thread
// with its share in registers (thread_sum.h). The work of v2 is done once a
// thread, not once an element, and memory is kept busy by loads that do not
// wait for each other.
//
// Launch: blocks that fill the GPU, of whole warps, out[0] = 0 before.
//
// SIM: --kernel v3_vector --grid 2 --block 256 --arg 'gen:random(10007, f32)' --arg zero:f32:1 --arg i64:10007 --expect sum CLEAN
// SIM: --kernel v3_vector --grid 2 --block 256 --arg 'gen:random(3, f32)' --arg zero:f32:1 --arg i64:3 --expect sum CLEAN
//===----------------------------------------------------------------------===//
#include "thread_sum.h"

__global__ void v3_vector(const float *__restrict__ x, float *out,
                          long long n) {
  __shared__ float slots[kMostWarps];
  float sum = blockSum(threadSum(x, n), slots);
  if (threadIdx.x == 0)
    atomicAdd(out, sum);
}
