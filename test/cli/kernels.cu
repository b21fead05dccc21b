//===- kernels.cu - What sim.md runs ----------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
__global__ void total(const int *x, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(out, x[i]);
}

// The first block's part only.
__global__ void part(const float *x, float *out) {
  extern __shared__ float s[];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 1; i < blockDim.x; ++i)
      s[0] += s[i];
  __syncthreads();
  if (threadIdx.x == 0)
    out[0] = s[0];
}
