//===- math.h - min, max, sqrtf, __popc and friends -------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Each is a builtin of clang's, so IR names the operation and the simulator
// computes it. Names without the f take float too, as <cmath> has it.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DEVICE_MATH_H
#define WARPFOLD_DEVICE_MATH_H
#pragma clang system_header

#define WF_MATH_1(NAME)                                                        \
  WF_DEVICE float NAME##f(float x) { return __builtin_##NAME##f(x); }          \
  WF_DEVICE float NAME(float x) { return __builtin_##NAME##f(x); }             \
  WF_DEVICE double NAME(double x) { return __builtin_##NAME(x); }
#define WF_MATH_2(NAME)                                                        \
  WF_DEVICE float NAME##f(float x, float y) {                                  \
    return __builtin_##NAME##f(x, y);                                          \
  }                                                                            \
  WF_DEVICE float NAME(float x, float y) { return __builtin_##NAME##f(x, y); } \
  WF_DEVICE double NAME(double x, double y) { return __builtin_##NAME(x, y); }
WF_MATH_1(sqrt)
WF_MATH_1(fabs)
WF_MATH_1(exp)
WF_MATH_1(exp2)
WF_MATH_1(log)
WF_MATH_1(log2)
WF_MATH_1(log10)
WF_MATH_1(sin)
WF_MATH_1(cos)
WF_MATH_1(tanh)
WF_MATH_1(floor)
WF_MATH_1(ceil)
WF_MATH_1(round)
WF_MATH_1(trunc)
WF_MATH_1(rint)
WF_MATH_2(fmin)
WF_MATH_2(fmax)
WF_MATH_2(fmod)
WF_MATH_2(pow)
WF_MATH_2(copysign)
#undef WF_MATH_2
#undef WF_MATH_1

WF_DEVICE float fmaf(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
WF_DEVICE float fma(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
WF_DEVICE double fma(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}
WF_DEVICE float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
WF_DEVICE double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
WF_DEVICE float __expf(float x) { return __builtin_expf(x); }
WF_DEVICE float __logf(float x) { return __builtin_logf(x); }
WF_DEVICE float __fdividef(float x, float y) { return x / y; }
WF_DEVICE float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
WF_DEVICE float __fmaf_rn(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}

// Templates, so that <math.h> may bring functions of the same names.
#define WF_CLASSIFY(NAME)                                                      \
  template <class T, class = __wf_float<T>> WF_BOTH bool NAME(T x) {           \
    return __builtin_##NAME(x);                                                \
  }
template <class T> struct __wf_if_float;
template <> struct __wf_if_float<float> {
  using type = float;
};
template <> struct __wf_if_float<double> {
  using type = double;
};
template <class T> using __wf_float = typename __wf_if_float<T>::type;
WF_CLASSIFY(isnan)
WF_CLASSIFY(isinf)
WF_CLASSIFY(isfinite)
#undef WF_CLASSIFY

WF_DEVICE int abs(int x) { return x < 0 ? -x : x; }
WF_DEVICE long abs(long x) { return x < 0 ? -x : x; }
WF_DEVICE long long abs(long long x) { return x < 0 ? -x : x; }
WF_DEVICE float abs(float x) { return __builtin_fabsf(x); }
WF_DEVICE double abs(double x) { return __builtin_fabs(x); }

// Of unlike types: the one that the usual conversions give.
#define WF_MIN_MAX(T, A, B)                                                    \
  WF_BOTH T min(A a, B b) {                                                    \
    T x = a, y = b;                                                            \
    return y < x ? y : x;                                                      \
  }                                                                            \
  WF_BOTH T max(A a, B b) {                                                    \
    T x = a, y = b;                                                            \
    return x < y ? y : x;                                                      \
  }
WF_MIN_MAX(int, int, int)
WF_MIN_MAX(unsigned int, unsigned int, unsigned int)
WF_MIN_MAX(unsigned int, int, unsigned int)
WF_MIN_MAX(unsigned int, unsigned int, int)
WF_MIN_MAX(long, long, long)
WF_MIN_MAX(unsigned long, unsigned long, unsigned long)
WF_MIN_MAX(unsigned long, long, unsigned long)
WF_MIN_MAX(unsigned long, unsigned long, long)
WF_MIN_MAX(long long, long long, long long)
WF_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
WF_MIN_MAX(unsigned long long, long long, unsigned long long)
WF_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef WF_MIN_MAX
// Of floats a NaN gives way to the number, as fmin and fmax have it.
#define WF_MIN_MAX(T, A, B, SUFFIX)                                            \
  WF_BOTH T min(A a, B b) { return __builtin_fmin##SUFFIX(a, b); }             \
  WF_BOTH T max(A a, B b) { return __builtin_fmax##SUFFIX(a, b); }
WF_MIN_MAX(float, float, float, f)
WF_MIN_MAX(double, double, double, )
WF_MIN_MAX(double, float, double, )
WF_MIN_MAX(double, double, float, )
#undef WF_MIN_MAX

#define WF_BITS(TO, NAME, FROM)                                                \
  WF_DEVICE TO NAME(FROM x) { return __builtin_bit_cast(TO, x); }
WF_BITS(unsigned int, __float_as_uint, float)
WF_BITS(int, __float_as_int, float)
WF_BITS(float, __uint_as_float, unsigned int)
WF_BITS(float, __int_as_float, int)
WF_BITS(long long, __double_as_longlong, double)
WF_BITS(double, __longlong_as_double, long long)
#undef WF_BITS

WF_DEVICE int __popc(unsigned int x) { return __builtin_popcount(x); }
WF_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
WF_DEVICE int __clz(int x) { return x ? __builtin_clz(x) : 32; }
WF_DEVICE int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
WF_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
WF_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
WF_DEVICE unsigned int __brev(unsigned int x) {
  return __builtin_bitreverse32(x);
}

/// A load through the read-only cache; nothing may write there meanwhile.
template <class T> WF_DEVICE T __ldg(const T *address) { return *address; }

// Host code expects the vendors' headers to bring these.
#if __has_include(<math.h>) && __has_include(<stdlib.h>)
#include <math.h>
#include <stdlib.h>
#endif

#endif // WARPFOLD_DEVICE_MATH_H
