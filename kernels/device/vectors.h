//===- vectors.h - float2, float4, int4, … and dim3 -------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Sizes and alignments are the vendors': a type of 2 or 4 members is aligned to
// its size, up to 16 bytes, which is what makes it one load; of 3, to a member.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DEVICE_VECTORS_H
#define WARPFOLD_DEVICE_VECTORS_H
#pragma clang system_header

#define WF_VECTORS(T, NAME, ALIGN2, ALIGN4)                                    \
  struct NAME##1 { T x; };                                                     \
  struct __attribute__((aligned(ALIGN2))) NAME##2 { T x, y; };                 \
  struct NAME##3 { T x, y, z; };                                               \
  struct __attribute__((aligned(ALIGN4))) NAME##4 { T x, y, z, w; };           \
  WF_BOTH NAME##1 make_##NAME##1(T x) { return {x}; }                          \
  WF_BOTH NAME##2 make_##NAME##2(T x, T y) { return {x, y}; }                  \
  WF_BOTH NAME##3 make_##NAME##3(T x, T y, T z) { return {x, y, z}; }          \
  WF_BOTH NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }

WF_VECTORS(signed char, char, 2, 4)
WF_VECTORS(unsigned char, uchar, 2, 4)
WF_VECTORS(short, short, 4, 8)
WF_VECTORS(unsigned short, ushort, 4, 8)
WF_VECTORS(int, int, 8, 16)
WF_VECTORS(unsigned int, uint, 8, 16)
WF_VECTORS(long, long, 16, 16)
WF_VECTORS(unsigned long, ulong, 16, 16)
WF_VECTORS(long long, longlong, 16, 16)
WF_VECTORS(unsigned long long, ulonglong, 16, 16)
WF_VECTORS(float, float, 8, 16)
WF_VECTORS(double, double, 16, 16)
#undef WF_VECTORS

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1,
                                     unsigned int z = 1)
      : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};

#endif // WARPFOLD_DEVICE_VECTORS_H
