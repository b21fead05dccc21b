//===- float4_past_end.cu - A float4 load past the end ----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// 1021 elements are 255 float4 and one element; the 256th float4 reads three
// elements that are not there.
//
// SIM: --kernel faulty --grid 1 --block 256 --arg 'gen:random(1021, f32)' --arg zero:f32:1 --arg i32:1021 HAZARD: access out of bounds
// SIM: --kernel faulty --grid 1 --block 256 --arg 'gen:random(1024, f32)' --arg zero:f32:1 --arg i32:1024 --expect sum CLEAN
// SIM: --kernel repaired --grid 1 --block 256 --arg 'gen:random(1021, f32)' --arg zero:f32:1 --arg i32:1021 --expect sum CLEAN
//===----------------------------------------------------------------------===//
__global__ void faulty(const float *x, float *out, int n) {
  const float4 *x4 = reinterpret_cast<const float4 *>(x);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (n + 3) / 4) {
    float4 v = x4[i];
    atomicAdd(out, (v.x + v.y) + (v.z + v.w));
  }
}

__global__ void repaired(const float *x, float *out, int n) {
  const float4 *x4 = reinterpret_cast<const float4 *>(x);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) {
    float4 v = x4[i];
    atomicAdd(out, (v.x + v.y) + (v.z + v.w));
  }
  if (i < n % 4)
    atomicAdd(out, x[n / 4 * 4 + i]);
}
