//===- v0.cu - An atomic addition for every element -------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The shortest kernel that is right: every thread adds its element to the
// output. All additions meet at one address, one after the other.
//
// Launch: ceil(n / block) blocks, out[0] = 0 before.
//
// SIM: --kernel v0_atomic --grid 40 --block 256 --arg 'gen:random(10007, f32)' --arg zero:f32:1 --arg i64:10007 --expect sum CLEAN
//===----------------------------------------------------------------------===//
#include "warp.h"

__global__ void v0_atomic(const float *__restrict__ x, float *out,
                          long long n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(out, x[i]);
}
