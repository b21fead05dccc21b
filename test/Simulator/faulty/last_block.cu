//===- last_block.cu - Last block done, without its fences ------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Every block leaves a partial and takes a ticket; who draws the last one adds
// the partials. The ticket says "all are here" only where the partial is
// released before it and acquired after it: an atomicAdd orders nothing but
// itself.
//
// SIM: --kernel without_release --grid 8 --block 128 --shared 512 --arg 'gen:random(8000, f32)' --arg out:f32:1 --arg out:f32:8 --arg zero:u32:1 --arg i32:8000 HAZARD: missing release between blocks
// SIM: --kernel without_acquire --grid 8 --block 128 --shared 512 --arg 'gen:random(8000, f32)' --arg out:f32:1 --arg out:f32:8 --arg zero:u32:1 --arg i32:8000 HAZARD: missing acquire between blocks
// SIM: --kernel repaired --grid 8 --block 128 --shared 512 --arg 'gen:random(8000, f32)' --arg out:f32:1 --arg out:f32:8 --arg zero:u32:1 --arg i32:8000 --expect sum CLEAN
//===----------------------------------------------------------------------===//
/// The sum of the threads' values, for thread 0.
static __device__ float blockSum(float *s, float value) {
  int tid = threadIdx.x;
  __syncthreads();
  s[tid] = value;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride)
      s[tid] += s[tid + stride];
    __syncthreads();
  }
  return s[0];
}

template <bool release, bool acquire>
static __device__ void sum(const float *x, float *out, float *partials,
                           unsigned int *ticket, int n) {
  extern __shared__ float s[];
  __shared__ bool last;
  float value = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    value += x[i];
  value = blockSum(s, value);
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = value;
    if (release)
      __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    if (acquire)
      __threadfence();
  }
  __syncthreads();
  if (!last)
    return;
  value = 0.0f;
  for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
    value += partials[i];
  value = blockSum(s, value);
  if (threadIdx.x == 0)
    out[0] = value;
}

__global__ void without_release(const float *x, float *out, float *partials,
                                unsigned int *ticket, int n) {
  sum<false, true>(x, out, partials, ticket, n);
}

__global__ void without_acquire(const float *x, float *out, float *partials,
                                unsigned int *ticket, int n) {
  sum<true, false>(x, out, partials, ticket, n);
}

__global__ void repaired(const float *x, float *out, float *partials,
                         unsigned int *ticket, int n) {
  sum<true, true>(x, out, partials, ticket, n);
}
