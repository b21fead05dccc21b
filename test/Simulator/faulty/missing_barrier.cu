//===- missing_barrier.cu - A tree without its barrier ----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Rounds of the tree follow each other without __syncthreads(): a thread may
// read a slot before the round that fills it, in another warp or in its own.
//
// SIM: --kernel faulty --grid 4 --block 256 --shared 1024 --arg 'gen:random(1000, f32)' --arg zero:f32:1 --arg i32:1000 --expect sum HAZARD: race in shared memory
// SIM: --kernel repaired --grid 4 --block 256 --shared 1024 --arg 'gen:random(1000, f32)' --arg zero:f32:1 --arg i32:1000 --expect sum CLEAN
//===----------------------------------------------------------------------===//
__global__ void faulty(const float *x, float *out, int n) {
  extern __shared__ float s[];
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[tid] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride)
      s[tid] += s[tid + stride];
  }
  if (tid == 0)
    atomicAdd(out, s[0]);
}

__global__ void repaired(const float *x, float *out, int n) {
  extern __shared__ float s[];
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[tid] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride)
      s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid == 0)
    atomicAdd(out, s[0]);
}
