//===- lanes_nvidia.h - Shuffles and votes of a warp of 32 ------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The last operand of PTX's shfl.sync (ISA 9.7.9.6) packs the bound that a lane
// is compared with and, from bit 8, the mask of the bits that name a segment.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DEVICE_LANES_NVIDIA_H
#define WARPFOLD_DEVICE_LANES_NVIDIA_H
#pragma clang system_header

#define WF_SHUFFLE(NAME, ARGUMENT, BUILTIN, BOUND)                             \
  template <class T>                                                           \
  WF_DEVICE auto NAME(unsigned int mask, T var, ARGUMENT, int width = 32) ->   \
      typename __wf_wide<T>::type {                                            \
    WF_SHUFFLE_VALUE(var, BUILTIN(mask, word, by, (32 - width) << 8 | BOUND))  \
  }
WF_SHUFFLE(__shfl_sync, int by, __nvvm_shfl_sync_idx_i32, 31)
WF_SHUFFLE(__shfl_up_sync, unsigned int by, __nvvm_shfl_sync_up_i32, 0)
WF_SHUFFLE(__shfl_down_sync, unsigned int by, __nvvm_shfl_sync_down_i32, 31)
WF_SHUFFLE(__shfl_xor_sync, int by, __nvvm_shfl_sync_bfly_i32, 31)
#undef WF_SHUFFLE

WF_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate != 0);
}
WF_DEVICE int __any_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_any_sync(mask, predicate != 0);
}
WF_DEVICE int __all_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_all_sync(mask, predicate != 0);
}
WF_DEVICE unsigned int __activemask() { return __nvvm_activemask(); }

// One instruction for the lanes of the mask, integers only (sm_80).
WF_DEVICE int __reduce_add_sync(unsigned int mask, int value) {
  return __nvvm_redux_sync_add(mask, value);
}
WF_DEVICE unsigned int __reduce_add_sync(unsigned int mask,
                                         unsigned int value) {
  return __nvvm_redux_sync_add(mask, value);
}
WF_DEVICE int __reduce_min_sync(unsigned int mask, int value) {
  return __nvvm_redux_sync_min(mask, value);
}
WF_DEVICE unsigned int __reduce_min_sync(unsigned int mask,
                                         unsigned int value) {
  return __nvvm_redux_sync_umin(mask, value);
}
WF_DEVICE int __reduce_max_sync(unsigned int mask, int value) {
  return __nvvm_redux_sync_max(mask, value);
}
WF_DEVICE unsigned int __reduce_max_sync(unsigned int mask,
                                         unsigned int value) {
  return __nvvm_redux_sync_umax(mask, value);
}
WF_DEVICE unsigned int __reduce_and_sync(unsigned int mask,
                                         unsigned int value) {
  return __nvvm_redux_sync_and(mask, value);
}
WF_DEVICE unsigned int __reduce_or_sync(unsigned int mask, unsigned int value) {
  return __nvvm_redux_sync_or(mask, value);
}
WF_DEVICE unsigned int __reduce_xor_sync(unsigned int mask,
                                         unsigned int value) {
  return __nvvm_redux_sync_xor(mask, value);
}

#endif // WARPFOLD_DEVICE_LANES_NVIDIA_H
