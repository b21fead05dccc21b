//===- thread_sum.h - A thread's share, four float4 at a time ---*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Loads are 16 bytes wide from the first address that allows it; the up to
// three elements before it, and after the last whole float4, go to the first
// threads. Four loads are under way before the first addition waits for one,
// and their sums are apart, so that no addition waits for another either.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LADDER_THREAD_SUM_H
#define WARPFOLD_LADDER_THREAD_SUM_H

#include "warp.h"

constexpr int kLoads = 4;

__device__ inline float sum4(float4 v) { return (v.x + v.y) + (v.z + v.w); }

/// The grid-stride loop. Indices are 64 bits: n may pass 2^31.
__device__ inline float threadSum(const float *__restrict__ x, long long n) {
  long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  long long threads = (long long)gridDim.x * blockDim.x;
  long long past = reinterpret_cast<unsigned long long>(x) / 4 % 4;
  long long head = (4 - past) % 4 < n ? (4 - past) % 4 : n;
  long long body = (n - head) / 4;
  const float4 *x4 = reinterpret_cast<const float4 *>(x + head);

  float sum[kLoads] = {};
  long long i = thread;
  for (; i + (kLoads - 1) * threads < body; i += kLoads * threads) {
    float4 v[kLoads];
#pragma unroll
    for (int k = 0; k < kLoads; ++k)
      v[k] = x4[i + k * threads];
#pragma unroll
    for (int k = 0; k < kLoads; ++k)
      sum[k] += sum4(v[k]);
  }
  for (; i < body; i += threads)
    sum[0] += sum4(x4[i]);

  long long tail = head + 4 * body;
  if (thread < head)
    sum[1] += x[thread];
  if (thread < n - tail)
    sum[2] += x[tail + thread];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

#endif // WARPFOLD_LADDER_THREAD_SUM_H
