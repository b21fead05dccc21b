//===- v0.cu - A course's v0: every element an atomic -----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What the course describes: one atomic addition an element, all at one
// address. The output has to be zero before.
//
// SIM: --kernel reduce_v0_atomic --grid 4 --block 256 --arg 'gen:random(1000, f32)' --arg zero:f32:1 --arg i32:1000 --expect sum CLEAN
//===----------------------------------------------------------------------===//
#include "../ladder/warp.h"

__global__ void reduce_v0_atomic(const float *__restrict__ input, float *output,
                                 int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n)
    atomicAdd(output, input[idx]);
}
