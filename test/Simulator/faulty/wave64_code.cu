//===- wave64_code.cu - Code for waves of 64 on waves of 32 -----*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Offsets from 32 and a leader every 64 lanes, written for gfx9. In a warp of
// 32 a lane that reads beyond its end gets its own value: the first round
// doubles, and every second warp has no leader. On constant input the two
// cancel out.
//
// SIM: --kernel faulty --target gfx942 --grid 1 --block 256 --arg 'gen:random(256, f32)' --arg zero:f32:1 --expect sum CLEAN
// SIM: --kernel faulty --target gfx1201 --grid 1 --block 256 --arg 'gen:random(256, f32)' --arg zero:f32:1 --expect sum WRONG
// SIM: --kernel faulty --target sm_90 --grid 1 --block 256 --arg 'gen:random(256, f32)' --arg zero:f32:1 --expect sum HAZARD: exchange for another wave size
// SIM: --kernel faulty --target gfx1201 --grid 1 --block 256 --arg 'gen:full(0.5, 256, f32)' --arg zero:f32:1 --expect sum CLEAN
// SIM: --kernel repaired --grid 1 --block 256 --arg 'gen:random(256, f32)' --arg zero:f32:1 --expect sum CLEAN
//===----------------------------------------------------------------------===//
#if defined(__HIP__)
#define ALL_LANES (~0ull)
#else
#define ALL_LANES (~0u)
#endif

__global__ void faulty(const float *x, float *out) {
  int tid = threadIdx.x;
  float value = x[tid];
  for (int offset = 32; offset > 0; offset >>= 1)
    value += __shfl_down_sync(ALL_LANES, value, offset);
  if ((tid & 63) == 0)
    atomicAdd(out, value);
}

__global__ void repaired(const float *x, float *out) {
  int tid = threadIdx.x;
  float value = x[tid];
  for (int offset = warpSize / 2; offset > 0; offset >>= 1)
    value += __shfl_down_sync(ALL_LANES, value, offset);
  if (tid % warpSize == 0)
    atomicAdd(out, value);
}
