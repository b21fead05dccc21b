//===- row_bcast_rdna.hip - gfx9 lane moves on RDNA -------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// row_bcast carries the last lane of a row of 16 into the next rows. gfx9 has
// it; gfx10 and later do not (row_xmask and permlanex16 took its place), and
// the control code means nothing there. `repaired` serves gfx10 and later.
//
// SIM: --kernel faulty --target gfx942 --grid 1 --block 64 --arg 'gen:random(64, f32)' --arg out:f32:1 --expect sum CLEAN
// SIM: --kernel faulty --target gfx1201 --grid 1 --block 32 --arg 'gen:random(32, f32)' --arg out:f32:1 HAZARD: operation the target does not have
// SIM: --kernel repaired --target gfx1201 --grid 1 --block 32 --arg 'gen:random(32, f32)' --arg out:f32:1 --expect sum CLEAN
//===----------------------------------------------------------------------===//
/// DPP control codes.
enum Move {
  ROW_SHR = 0x110, // + n: from the lane n before, within a row
  ROW_BCAST_15 = 0x142,
  ROW_BCAST_31 = 0x143,
  ROW_XMASK = 0x160, // + n: from lane xor n, within a row
};

/// The word of another lane; 0 where there is none.
template <int control, int rows = 15> static __device__ float moved(float x) {
  int word = __builtin_bit_cast(int, x);
  return __builtin_bit_cast(
      float, __builtin_amdgcn_update_dpp(0, word, control, rows, 15, false));
}

__global__ void faulty(const float *x, float *out) {
  float value = x[threadIdx.x];
  value += moved<ROW_SHR + 1>(value);
  value += moved<ROW_SHR + 2>(value);
  value += moved<ROW_SHR + 4>(value);
  value += moved<ROW_SHR + 8>(value);
  value += moved<ROW_BCAST_15, 10>(value); // rows 1 and 3
  value += moved<ROW_BCAST_31, 12>(value); // rows 2 and 3
  if (threadIdx.x == blockDim.x - 1)
    out[0] = value;
}

#if !defined(__GFX9__)
__global__ void repaired(const float *x, float *out) {
  float value = x[threadIdx.x];
  value += moved<ROW_XMASK + 1>(value);
  value += moved<ROW_XMASK + 2>(value);
  value += moved<ROW_XMASK + 4>(value);
  value += moved<ROW_XMASK + 8>(value);
  // Lane i of the other row for lane i: one selector of 4 bits a lane.
  int word = __builtin_bit_cast(int, value);
  value += __builtin_bit_cast(
      float, __builtin_amdgcn_permlanex16(word, word, 0x76543210, 0xfedcba98,
                                          false, false));
  if (threadIdx.x == 0)
    out[0] = value;
}
#endif
