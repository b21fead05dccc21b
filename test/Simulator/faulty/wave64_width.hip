//===- wave64_width.hip - A shuffle of width 64 on waves of 32 --*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// As wave64_code, but the width is said: lane 0 asks for lane 32, which a wave
// of 32 does not have. The hardware counts lanes modulo the wave.
//
// SIM: --kernel faulty --target gfx942 --grid 1 --block 256 --arg 'gen:random(256, f32)' --arg zero:f32:1 --expect sum CLEAN
// SIM: --kernel faulty --target gfx1201 --grid 1 --block 256 --arg 'gen:random(256, f32)' --arg zero:f32:1 --expect sum HAZARD: exchange for another wave size
// SIM: --kernel repaired --target gfx942 --grid 1 --block 256 --arg 'gen:random(256, f32)' --arg zero:f32:1 --expect sum CLEAN
// SIM: --kernel repaired --target gfx1201 --grid 1 --block 256 --arg 'gen:random(256, f32)' --arg zero:f32:1 --expect sum CLEAN
//===----------------------------------------------------------------------===//
__global__ void faulty(const float *x, float *out) {
  int tid = threadIdx.x;
  float value = x[tid];
  for (int offset = 32; offset > 0; offset >>= 1)
    value += __shfl_down(value, offset, 64);
  if ((tid & 63) == 0)
    atomicAdd(out, value);
}

__global__ void repaired(const float *x, float *out) {
  int tid = threadIdx.x;
  float value = x[tid];
  for (int offset = 16; offset > 0; offset >>= 1)
    value += __shfl_down(value, offset, 32);
  if ((tid & 31) == 0)
    atomicAdd(out, value);
}
