//===- second_stage_partial.cu - A second stage that stops at blockDim ----===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Stage 2 of two launches, one thread a partial and no loop: with 1024 partials
// and 256 threads three quarters of them are never read. As a course on HIP has
// it (v4); the first stage is not needed to see it.
//
// SIM: --kernel faulty --grid 1 --block 256 --shared 1024 --arg 'gen:random(1024, f32)' --arg out:f32:1 --arg i32:1024 --expect sum WRONG
// SIM: --kernel faulty --grid 1 --block 256 --shared 1024 --arg 'gen:random(200, f32)' --arg out:f32:1 --arg i32:200 --expect sum CLEAN
// SIM: --kernel repaired --grid 1 --block 256 --shared 1024 --arg 'gen:random(1024, f32)' --arg out:f32:1 --arg i32:1024 --expect sum CLEAN
//===----------------------------------------------------------------------===//
static __device__ void tree(float *s, float *out) {
  int tid = threadIdx.x;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride)
      s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid == 0)
    out[0] = s[0];
}

__global__ void faulty(const float *partials, float *out, int count) {
  extern __shared__ float s[];
  int tid = threadIdx.x;
  s[tid] = tid < count ? partials[tid] : 0.0f;
  tree(s, out);
}

__global__ void repaired(const float *partials, float *out, int count) {
  extern __shared__ float s[];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    sum += partials[i];
  s[threadIdx.x] = sum;
  tree(s, out);
}
