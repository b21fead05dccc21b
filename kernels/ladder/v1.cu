//===- v1.cu - A tree in shared memory, an atomic a block -------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The block adds its elements pairwise in shared memory, half as many threads
// at work each round, and gives the output one atomic addition, not blockDim.
//
//            s[0] s[1] s[2] s[3] s[4] s[5] s[6] s[7]
//   stride 4   + <----------------- '                  s[t] += s[t + 4], t < 4
//   stride 2   + <------- '                            s[t] += s[t + 2], t < 2
//   stride 1   + <-- '                                 s[t] += s[t + 1], t < 1
//
// Launch: ceil(n / block) blocks, a power of two of threads (halving any other
// count loses slots), 4 bytes of shared memory a thread, out[0] = 0 before.
//
// SIM: --kernel v1_shared --grid 40 --block 256 --shared 1024 --arg 'gen:random(10007, f32)' --arg zero:f32:1 --arg i64:10007 --expect sum CLEAN
//===----------------------------------------------------------------------===//
#include "warp.h"

__global__ void v1_shared(const float *__restrict__ x, float *out,
                          long long n) {
  extern __shared__ float s[];
  unsigned int t = threadIdx.x;
  long long i = (long long)blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride)
      s[t] += s[t + stride];
    __syncthreads(); // of all threads, so outside the if
  }
  if (t == 0)
    atomicAdd(out, s[0]);
}
