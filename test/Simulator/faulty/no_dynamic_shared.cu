//===- no_dynamic_shared.cu - A launch without its dynamic shared memory --===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The third launch parameter was forgotten, so s[] has 0 bytes. The kernel is
// right where the launch says 4 bytes a thread; the repaired one sizes its own.
//
// SIM: --kernel faulty --grid 4 --block 256 --arg 'gen:random(1000, f32)' --arg zero:f32:1 --arg i32:1000 HAZARD: dynamic shared memory too small
// SIM: --kernel faulty --grid 4 --block 256 --shared 512 --arg 'gen:random(1000, f32)' --arg zero:f32:1 --arg i32:1000 HAZARD: dynamic shared memory too small
// SIM: --kernel faulty --grid 4 --block 256 --shared 1024 --arg 'gen:random(1000, f32)' --arg zero:f32:1 --arg i32:1000 --expect sum CLEAN
// SIM: --kernel repaired --grid 4 --block 256 --arg 'gen:random(1000, f32)' --arg zero:f32:1 --arg i32:1000 --expect sum CLEAN
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
    __syncthreads();
  }
  if (tid == 0)
    atomicAdd(out, s[0]);
}

__global__ void repaired(const float *x, float *out, int n) {
  __shared__ float s[256];
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
