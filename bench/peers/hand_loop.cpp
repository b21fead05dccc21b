//===- hand_loop.cpp - Sixteen SIMD accumulators, by hand -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The sum a careful programmer writes who is free to add in any order: sixteen
// independent vectors of the machine's width, one ascending stream.
//===----------------------------------------------------------------------===//
#include "peers/peers.h"

#include <vector>

using namespace bench;

#ifdef __AVX512F__
static constexpr size_t vectorBytes = 64;
#else
static constexpr size_t vectorBytes = 32;
#endif

template <typename T> static T sumOf(const T *data, size_t count) {
  typedef T Vector __attribute__((vector_size(vectorBytes)));
  constexpr size_t lanes = vectorBytes / sizeof(T);
  auto *p = reinterpret_cast<const Vector *>(data);
  size_t n = count / lanes, i = 0;
  Vector a[16] = {};
  for (; i + 16 <= n; i += 16) {
    // Written to be unrolled whole: all sixteen stay in registers.
#pragma clang loop unroll(full)
    for (int j = 0; j < 16; ++j)
      a[j] += p[i + j];
  }
  for (int step = 8; step > 0; step /= 2)
    for (int j = 0; j < step; ++j)
      a[j] += a[j + step];
  T sum = 0;
  for (size_t l = 0; l < lanes; ++l)
    sum += a[0][l];
  for (i *= lanes; i < count; ++i)
    sum += data[i];
  return sum;
}

template <typename T>
static T onTeam(ThreadTeam &team, const T *data, size_t count) {
  constexpr size_t piece = pieceBytes / sizeof(T);
  if (count <= piece)
    return sumOf(data, count);
  struct alignas(64) Partial {
    T sum = 0;
  };
  std::vector<Partial> partials(size_t(team.size()));
  team.run((count + piece - 1) / piece, [&](int thread, size_t p) {
    size_t begin = p * piece;
    size_t here = count - begin < piece ? count - begin : piece;
    partials[size_t(thread)].sum += sumOf(data + begin, here);
  });
  T sum = 0;
  for (const Partial &p : partials)
    sum += p.sum;
  return sum;
}

float bench::handSum(ThreadTeam &team, const float *data, size_t count) {
  return onTeam(team, data, count);
}

double bench::handSum(ThreadTeam &team, const double *data, size_t count) {
  return onTeam(team, data, count);
}
