//===- v2.cu - Shuffles inside the warp, one barrier a block ----*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Lanes of a warp hand each other registers, which needs no shared memory and
// no barrier; each warp then leaves one value, and the first warp adds those.
// One barrier in place of log2(blockDim), at any warp size (warp.h, blockSum).
//
// Launch: ceil(n / block) blocks of whole warps, out[0] = 0 before.
//
// SIM: --kernel v2_shuffle --grid 40 --block 256 --arg 'gen:random(10007, f32)' --arg zero:f32:1 --arg i64:10007 --expect sum CLEAN
// SIM: --kernel v2_shuffle --grid 53 --block 192 --arg 'gen:random(10007, f32)' --arg zero:f32:1 --arg i64:10007 --expect sum CLEAN
//===----------------------------------------------------------------------===//
#include "warp.h"

__global__ void v2_shuffle(const float *__restrict__ x, float *out,
                           long long n) {
  __shared__ float slots[kMostWarps];
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  // A thread past the end stays and gives 0: a shuffle needs all its lanes.
  float sum = blockSum(i < n ? x[i] : 0.0f, slots);
  if (threadIdx.x == 0)
    atomicAdd(out, sum);
}
