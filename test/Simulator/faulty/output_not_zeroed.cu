//===- output_not_zeroed.cu - atomicAdd into an output nobody set ---------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Every block adds to out[0], and nobody wrote there before: the sum of
// whatever was there. The kernel is right where the launch zeroes the output;
// the repaired one needs no zero, for it overwrites.
//
// SIM: --kernel faulty --grid 4 --block 256 --arg 'gen:random(1000, f32)' --arg out:f32:1 --arg i32:1000 --expect sum HAZARD: read of memory nobody wrote
// SIM: --kernel faulty --grid 4 --block 256 --arg 'gen:random(1000, f32)' --arg zero:f32:1 --arg i32:1000 --expect sum CLEAN
// SIM: --kernel repaired --grid 1 --block 256 --arg 'gen:random(1000, f32)' --arg out:f32:1 --arg i32:1000 --expect sum CLEAN
//===----------------------------------------------------------------------===//
__global__ void faulty(const float *x, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(out, x[i]);
}

__global__ void repaired(const float *x, float *out, int n) {
  __shared__ float sum;
  if (threadIdx.x == 0)
    sum = 0.0f;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(&sum, x[i]);
  __syncthreads();
  if (threadIdx.x == 0)
    out[0] = sum;
}
