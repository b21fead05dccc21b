//===- scratch_reused.cu - Two reductions in one scratch --------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Thread 0 stores its value for the second reduction into the slot where slower
// threads have yet to read the sum that the first one left.
//
// SIM: --kernel faulty --grid 1 --block 256 --shared 1024 --arg 'gen:random(256, f32)' --arg out:f32:1 HAZARD: race in shared memory
// SIM: --kernel repaired --grid 1 --block 256 --shared 1024 --arg 'gen:random(256, f32)' --arg out:f32:1 CLEAN
//===----------------------------------------------------------------------===//
template <class Combine>
static __device__ float reduce(float *s, float value, Combine combine) {
  int tid = threadIdx.x;
  s[tid] = value;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride)
      s[tid] = combine(s[tid], s[tid + stride]);
    __syncthreads();
  }
  return s[0];
}

/// The greatest deviation from the mean, without and with the barrier.
template <bool barrier>
static __device__ void deviation(const float *x, float *out) {
  extern __shared__ float s[];
  float value = x[threadIdx.x];
  float sum = reduce(s, value, [](float a, float b) { return a + b; });
  if (barrier)
    __syncthreads();
  float most = reduce(s, fabsf(value - sum / blockDim.x),
                      [](float a, float b) { return fmaxf(a, b); });
  if (threadIdx.x == 0)
    out[0] = most;
}

__global__ void faulty(const float *x, float *out) { deviation<false>(x, out); }

__global__ void repaired(const float *x, float *out) {
  deviation<true>(x, out);
}
