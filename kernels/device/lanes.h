//===- lanes.h - Shuffles and votes -----------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A shuffle of 8 bytes is two of 4; a narrower integer is widened, as C++ does.
// NVIDIA's take a mask of 32 lanes, and there are no others since sm_70; AMD's
// take one of 64, and the unsuffixed ones of HIP are there too.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DEVICE_LANES_H
#define WARPFOLD_DEVICE_LANES_H
#pragma clang system_header

struct __wf_words {
  unsigned int low, high;
};
template <class T> struct __wf_wide {
  using type = T;
};
template <> struct __wf_wide<bool> {
  using type = int;
};
template <> struct __wf_wide<char> {
  using type = int;
};
template <> struct __wf_wide<short> {
  using type = int;
};

/// A shuffle of a value from one of its words; WORD is that one, of `word`.
#define WF_SHUFFLE_VALUE(VALUE, WORD)                                          \
  using W = typename __wf_wide<T>::type;                                       \
  W value = VALUE;                                                             \
  static_assert(sizeof(W) == 4 || sizeof(W) == 8,                              \
                "a shuffle takes values of 4 or 8 bytes");                     \
  if constexpr (sizeof(W) == 4) {                                              \
    unsigned int word = __builtin_bit_cast(unsigned int, value);               \
    return __builtin_bit_cast(W, static_cast<unsigned int>(WORD));             \
  } else {                                                                     \
    __wf_words from = __builtin_bit_cast(__wf_words, value), to;               \
    {                                                                          \
      unsigned int word = from.low;                                            \
      to.low = WORD;                                                           \
    }                                                                          \
    {                                                                          \
      unsigned int word = from.high;                                           \
      to.high = WORD;                                                          \
    }                                                                          \
    return __builtin_bit_cast(W, to);                                          \
  }

#if defined(__AMDGCN__)
#include "lanes_amd.h"
#else
#include "lanes_nvidia.h"
#endif
#undef WF_SHUFFLE_VALUE

#endif // WARPFOLD_DEVICE_LANES_H
