//===- lanes_amd.h - Shuffles and votes of a wave of 32 or 64 ---*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// ds_bpermute gives a lane the word of the lane it names, times 4; one that is
// inactive gives nothing to rely on. A lane whose source lies outside its
// segment of `width` lanes keeps its own word.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DEVICE_LANES_AMD_H
#define WARPFOLD_DEVICE_LANES_AMD_H
#pragma clang system_header

WF_DEVICE unsigned int __lane_id() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
}

/// The four, HIP's plain form and the form with a mask. SOURCE is the lane that
/// `lane` reads; `first` is where its segment begins.
#define WF_SHUFFLE(NAME, ARGUMENT, SOURCE)                                     \
  template <class T>                                                           \
  WF_DEVICE auto NAME(T var, ARGUMENT, int width = warpSize) ->                \
      typename __wf_wide<T>::type {                                            \
    int lane = __lane_id();                                                    \
    int first = lane & ~(width - 1);                                           \
    int source = SOURCE;                                                       \
    if (source < first || source >= first + width)                             \
      source = lane;                                                           \
    WF_SHUFFLE_VALUE(var, __builtin_amdgcn_ds_bpermute(source << 2, word))     \
  }                                                                            \
  template <class M, class T>                                                  \
  WF_DEVICE auto NAME##_sync(M mask, T var, ARGUMENT, int width = warpSize) -> \
      typename __wf_wide<T>::type {                                            \
    static_assert(sizeof(M) == 8, "HIP's lane masks have 64 bits");            \
    (void)mask;                                                                \
    return NAME(var, by, width);                                               \
  }
WF_SHUFFLE(__shfl, int by, first + (by & (width - 1)))
WF_SHUFFLE(__shfl_up, unsigned int by, lane - int(by))
WF_SHUFFLE(__shfl_down, unsigned int by, lane + int(by))
WF_SHUFFLE(__shfl_xor, int by, lane ^ by)
#undef WF_SHUFFLE

WF_DEVICE unsigned long long __ballot(int predicate) {
  return __builtin_amdgcn_ballot_w64(predicate != 0);
}
WF_DEVICE unsigned long long __activemask() { return __ballot(1); }
WF_DEVICE int __any(int predicate) { return __ballot(predicate) != 0; }
WF_DEVICE int __all(int predicate) { return __ballot(!predicate) == 0; }
WF_DEVICE unsigned long long __ballot_sync(unsigned long long mask,
                                           int predicate) {
  return __ballot(predicate) & mask;
}
WF_DEVICE int __any_sync(unsigned long long mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
WF_DEVICE int __all_sync(unsigned long long mask, int predicate) {
  return __ballot_sync(mask, !predicate) == 0;
}

#endif // WARPFOLD_DEVICE_LANES_AMD_H
