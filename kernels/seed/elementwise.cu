//===- elementwise.cu - A note's elementwise kernels ------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What the note sets its reduction against: LDG, a primitive, STG. Their values
// are checked by test/Explain/seed.py.
//
// SIM: --kernel copy_global --grid 4 --block 256 --arg 'gen:random(1000, f32)' --arg out:f32:1000 --arg i32:1000 CLEAN
// SIM: --kernel add_f32 --grid 4 --block 256 --arg 'gen:random(1000, f32)' --arg 'gen:random(1000, f32)' --arg out:f32:1000 --arg i32:1000 CLEAN
// SIM: --kernel relu_f32 --grid 4 --block 256 --arg 'gen:random(1000, f32)' --arg out:f32:1000 --arg i32:1000 CLEAN
// SIM: --kernel clamp_f32 --grid 4 --block 256 --arg 'gen:random(1000, f32)' --arg out:f32:1000 --arg f32:-0.5 --arg f32:0.5 --arg i32:1000 CLEAN
//===----------------------------------------------------------------------===//
#include "../ladder/warp.h"

__global__ void copy_global(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i];
}

__global__ void add_f32(const float *__restrict__ a,
                        const float *__restrict__ b, float *__restrict__ y,
                        int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a[i] + b[i];
}

__global__ void relu_f32(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = fmaxf(x[i], 0.0f);
}

__global__ void clamp_f32(const float *__restrict__ x, float *__restrict__ y,
                          float lo, float hi, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i];
    v = v < lo ? lo : v;
    v = v > hi ? hi : v;
    y[i] = v;
  }
}
