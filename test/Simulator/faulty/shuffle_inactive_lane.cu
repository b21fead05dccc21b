//===- shuffle_inactive_lane.cu - A shuffle from an idle lane ---*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Only 20 lanes come into the `if`, and the first round reads from lanes beyond
// them: what an inactive lane gives is undefined (AMD: often 0, so the sum may
// be right by luck; NVIDIA: the mask names lanes that never come).
//
// SIM: --kernel faulty --grid 1 --block 64 --arg 'gen:random(20, f32)' --arg zero:f32:1 --arg i32:20 HAZARD: exchange with an inactive lane
// SIM: --kernel repaired --grid 1 --block 64 --arg 'gen:random(20, f32)' --arg zero:f32:1 --arg i32:20 --expect sum CLEAN
//===----------------------------------------------------------------------===//
#if defined(__HIP__)
#define ALL_LANES (~0ull)
#else
#define ALL_LANES (~0u)
#endif

__global__ void faulty(const float *x, float *out, int n) {
  int tid = threadIdx.x;
  if (tid < n) {
    float value = x[tid];
    for (int offset = warpSize / 2; offset > 0; offset >>= 1)
      value += __shfl_down_sync(ALL_LANES, value, offset);
    if (tid % warpSize == 0)
      atomicAdd(out, value);
  }
}

__global__ void repaired(const float *x, float *out, int n) {
  int tid = threadIdx.x;
  float value = tid < n ? x[tid] : 0.0f;
  for (int offset = warpSize / 2; offset > 0; offset >>= 1)
    value += __shfl_down_sync(ALL_LANES, value, offset);
  if (tid % warpSize == 0)
    atomicAdd(out, value);
}
