//===- divergent_barrier.cu - A barrier that some threads never reach -----===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// faulty has it inside the `if`; in early_return the threads past the end leave
// before it, and the sum is right where nothing waits for them. A barrier
// counts all threads of the block: AMD may hang, NVIDIA may not notice.
//
// SIM: --kernel faulty --grid 4 --block 256 --shared 1024 --arg 'gen:random(1000, f32)' --arg zero:f32:1 --arg i32:1000 --expect sum HAZARD: barrier in divergent flow
// SIM: --kernel early_return --grid 4 --block 256 --shared 1024 --arg 'gen:random(1000, f32)' --arg zero:f32:1 --arg i32:1000 --expect sum HAZARD: barrier in divergent flow
// SIM: --kernel repaired --grid 4 --block 256 --shared 1024 --arg 'gen:random(1000, f32)' --arg zero:f32:1 --arg i32:1000 --expect sum CLEAN
//===----------------------------------------------------------------------===//
__global__ void faulty(const float *x, float *out, int n) {
  extern __shared__ float s[];
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[tid] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride) {
      s[tid] += s[tid + stride];
      __syncthreads();
    }
  }
  if (tid == 0)
    atomicAdd(out, s[0]);
}

__global__ void early_return(const float *x, float *out, int n) {
  extern __shared__ float s[];
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[tid] = 0.0f;
  if (i >= n)
    return;
  s[tid] = x[i];
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
