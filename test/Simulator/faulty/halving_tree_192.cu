//===- halving_tree_192.cu - A halving tree over 192 threads ----*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// 192, 96, 48, 24, 12, 6, 3, 1: halving an odd count drops one slot, so slot 2
// and all that was added to it is lost: 64 of 192 elements. Nothing is out of
// bounds.
//
// SIM: --kernel faulty --grid 1 --block 192 --shared 768 --arg 'gen:random(192, f32)' --arg zero:f32:1 --arg i32:192 --expect sum WRONG
// SIM: --kernel faulty --grid 1 --block 256 --shared 1024 --arg 'gen:random(192, f32)' --arg zero:f32:1 --arg i32:192 --expect sum CLEAN
// SIM: --kernel repaired --grid 1 --block 192 --shared 768 --arg 'gen:random(192, f32)' --arg zero:f32:1 --arg i32:192 --expect sum CLEAN
//===----------------------------------------------------------------------===//
static __device__ float load(const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  return i < n ? x[i] : 0.0f;
}

__global__ void faulty(const float *x, float *out, int n) {
  extern __shared__ float s[];
  int tid = threadIdx.x;
  s[tid] = load(x, n);
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride)
      s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid == 0)
    atomicAdd(out, s[0]);
}

__global__ void repaired(const float *x, float *out, int n) {
  extern __shared__ float s[];
  int tid = threadIdx.x;
  s[tid] = load(x, n);
  __syncthreads();
  // Round up: of an odd count the middle slot waits for the next round.
  for (int count = blockDim.x; count > 1; count = (count + 1) / 2) {
    int half = (count + 1) / 2;
    if (tid + half < count)
      s[tid] += s[tid + half];
    __syncthreads();
  }
  if (tid == 0)
    atomicAdd(out, s[0]);
}
