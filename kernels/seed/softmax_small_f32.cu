//===- softmax_small_f32.cu - The softmax a note foresees -------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The note expects two of its reductions here, of max and of sum, one after the
// other. A block takes one row of at most blockDim.x elements. The exponential
// is the one that fast math makes of expf: 2 to the power of x·log2(e). Its values are checked by test/Explain/seed.py.
//
// SIM: --kernel softmax_small_f32 --grid 1 --block 256 --shared 1024 --arg 'gen:random(200, f32)' --arg out:f32:200 --arg i32:200 CLEAN
//===----------------------------------------------------------------------===//
#include "../ladder/warp.h"

__global__ void softmax_small_f32(const float *__restrict__ x,
                                  float *__restrict__ y, int n) {
  extern __shared__ float sdata[];
  int tid = threadIdx.x;
  float v = -3.402823466e38f;
  if (tid < n)
    v = x[tid];
  sdata[tid] = v;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride)
      sdata[tid] = fmaxf(sdata[tid], sdata[tid + stride]);
    __syncthreads();
  }
  float most = sdata[0];
  __syncthreads(); // all have read it before it is written again
  float e = 0.0f;
  if (tid < n)
    e = exp2f((v - most) * 1.44269504f);
  sdata[tid] = e;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride)
      sdata[tid] += sdata[tid + stride];
    __syncthreads();
  }
  if (tid < n)
    y[tid] = e / sdata[0];
}
