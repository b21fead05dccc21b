//===- float4_misaligned.cu - A float4 load from base + 4 bytes -*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A float4 is one load of 16 bytes and must lie on 16. The array does, its
// element 1 does not; a view that starts there, or a row of odd length, is
// enough.
//
// SIM: --kernel faulty --grid 1 --block 128 --arg 'gen:random(401, f32)' --arg zero:f32:1 --arg i32:400 HAZARD: misaligned access
// SIM: --kernel repaired --grid 1 --block 128 --arg 'gen:arange(401, f32)' --arg zero:f32:1 --arg i32:400 --expect sum CLEAN
//===----------------------------------------------------------------------===//
// Both add the n elements that follow x[0].

__global__ void faulty(const float *x, float *out, int n) {
  const float4 *x4 = reinterpret_cast<const float4 *>(x + 1);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) {
    float4 v = x4[i];
    atomicAdd(out, (v.x + v.y) + (v.z + v.w));
  }
}

/// Elements up to the first aligned address, float4 from there, the rest.
__global__ void repaired(const float *x, float *out, int n) {
  const float *begin = x + 1;
  int past = reinterpret_cast<unsigned long long>(begin) / 4 % 4;
  int head = min((4 - past) % 4, n);
  int body = (n - head) / 4;
  int tail = n - head - 4 * body;
  const float4 *x4 = reinterpret_cast<const float4 *>(begin + head);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < head)
    atomicAdd(out, begin[i]);
  if (i < body) {
    float4 v = x4[i];
    atomicAdd(out, (v.x + v.y) + (v.z + v.w));
  }
  if (i < tail)
    atomicAdd(out, begin[head + 4 * body + i]);
}
