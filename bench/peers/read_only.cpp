//===- read_only.cpp - The read-only denominator --------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Loads and exclusive ors, nothing else. The result can be checked, so the
// compiler cannot drop a load, and a loop that misses a tail is found out.
//===----------------------------------------------------------------------===//
#include "peers/peers.h"

#include <atomic>

using namespace bench;

namespace {
using Wide = uint64_t __attribute__((vector_size(64)));
constexpr size_t streamBytes = 8 << 10; // of each of the four streams in turn
} // namespace

static uint64_t joined(Wide w) {
  uint64_t x = 0;
  for (int i = 0; i < 8; ++i)
    x ^= w[i];
  return x;
}

static Wide oneStream(const char *data, size_t bytes) {
  auto *p = reinterpret_cast<const Wide *>(data);
  size_t n = bytes / sizeof(Wide), i = 0;
  Wide a[8] = {};
  for (; i + 8 <= n; i += 8)
    for (int j = 0; j < 8; ++j)
      a[j] ^= p[i + j];
  for (; i < n; ++i)
    a[0] ^= p[i];
  return ((a[0] ^ a[1]) ^ (a[2] ^ a[3])) ^ ((a[4] ^ a[5]) ^ (a[6] ^ a[7]));
}

static Wide fourStreams(const char *data, size_t bytes) {
  constexpr size_t n = streamBytes / sizeof(Wide);
  Wide a[8] = {};
  size_t done = 0;
  for (; done + 4 * streamBytes <= bytes; done += 4 * streamBytes) {
    auto *p = reinterpret_cast<const Wide *>(data + done);
    for (size_t i = 0; i < n; i += 2)
      for (int s = 0; s < 4; ++s) {
        a[2 * s] ^= p[s * n + i];
        a[2 * s + 1] ^= p[s * n + i + 1];
      }
  }
  Wide rest = oneStream(data + done, bytes - done);
  return rest ^ ((a[0] ^ a[1]) ^ (a[2] ^ a[3])) ^
         ((a[4] ^ a[5]) ^ (a[6] ^ a[7]));
}

template <Wide (*Read)(const char *, size_t)>
static uint64_t onTeam(ThreadTeam &team, const void *data, size_t bytes) {
  auto *p = static_cast<const char *>(data);
  if (bytes <= pieceBytes)
    return joined(Read(p, bytes));
  std::atomic<uint64_t> all{0};
  team.run((bytes + pieceBytes - 1) / pieceBytes, [&](int, size_t piece) {
    size_t begin = piece * pieceBytes;
    size_t here = bytes - begin < pieceBytes ? bytes - begin : pieceBytes;
    all.fetch_xor(joined(Read(p + begin, here)), std::memory_order_relaxed);
  });
  return all.load();
}

uint64_t bench::readOneStream(ThreadTeam &team, const void *data,
                              size_t bytes) {
  return onTeam<oneStream>(team, data, bytes);
}

uint64_t bench::readFourStreams(ThreadTeam &team, const void *data,
                                size_t bytes) {
  return onTeam<fourStreams>(team, data, bytes);
}
