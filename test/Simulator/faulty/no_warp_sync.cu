//===- no_warp_sync.cu - Last rounds that trust in lockstep -----*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// "Within a wavefront operations are in step, so the last rounds need no
// barrier": lanes of a warp may run apart (NVIDIA since sm_70), and the
// compiler may keep or move what they load and store (AMD too). `volatile`
// holds the compiler, not the lanes. A warp needs a sync of its own where its
// lanes meet in shared memory.
//
// SIM: --kernel faulty --grid 4 --block 256 --shared 1024 --arg 'gen:random(1000, f32)' --arg zero:f32:1 --arg i32:1000 --expect sum HAZARD: race in shared memory
// SIM: --kernel faulty_volatile --grid 4 --block 256 --shared 1024 --arg 'gen:random(1000, f32)' --arg zero:f32:1 --arg i32:1000 --expect sum HAZARD: race in shared memory
// SIM: --kernel repaired --grid 4 --block 256 --shared 1024 --arg 'gen:random(1000, f32)' --arg zero:f32:1 --arg i32:1000 --expect sum CLEAN
//===----------------------------------------------------------------------===//
/// Rounds with a barrier, down to where one warp is left: its next stride.
static __device__ int blockRounds(float *s, const float *x, int n) {
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[tid] = i < n ? x[i] : 0.0f;
  __syncthreads();
  int stride = blockDim.x / 2;
  for (; stride > warpSize / 2; stride >>= 1) {
    if (tid < stride)
      s[tid] += s[tid + stride];
    __syncthreads();
  }
  return stride;
}

__global__ void faulty(const float *x, float *out, int n) {
  extern __shared__ float s[];
  int tid = threadIdx.x;
  for (int stride = blockRounds(s, x, n); stride > 0; stride >>= 1)
    if (tid < stride)
      s[tid] += s[tid + stride];
  if (tid == 0)
    atomicAdd(out, s[0]);
}

__global__ void faulty_volatile(const float *x, float *out, int n) {
  extern __shared__ float s[];
  int tid = threadIdx.x;
  int stride = blockRounds(s, x, n);
  volatile float *v = s;
  for (; stride > 0; stride >>= 1)
    if (tid < stride)
      v[tid] = v[tid] + v[tid + stride];
  if (tid == 0)
    atomicAdd(out, v[0]);
}

__global__ void repaired(const float *x, float *out, int n) {
  extern __shared__ float s[];
  int tid = threadIdx.x;
  int stride = blockRounds(s, x, n);
  if (tid >= warpSize)
    return;
  for (; stride > 0; stride >>= 1) {
    if (tid < stride)
      s[tid] += s[tid + stride];
    __syncwarp();
  }
  if (tid == 0)
    atomicAdd(out, s[0]);
}
