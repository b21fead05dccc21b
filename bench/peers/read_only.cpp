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
// Two loads a cache line. Loads of 64 bytes read up to 10 % slower on a Zen 4.
using Wide = uint64_t __attribute__((vector_size(32)));
constexpr size_t line = 64 / sizeof(Wide);
} // namespace

static uint64_t joined(Wide w) { return (w[0] ^ w[1]) ^ (w[2] ^ w[3]); }

/// Keeps a vector in its register: the compiler would otherwise regroup the
/// exclusive ors, and with them the loads.
static void pin(Wide &w) { asm volatile("" : "+x"(w)); }

/// Reads `streams` parts of `each` bytes side by side, two lines of each in
/// turn. A multiple of 128 bytes.
template <int streams> static Wide sideBySide(const char *data, size_t each) {
  constexpr int perTurn = 2 * line;
  const size_t n = each / sizeof(Wide);
  auto *p = reinterpret_cast<const Wide *>(data);
  Wide a[streams * perTurn] = {};
#pragma clang loop unroll(disable)
  for (size_t i = 0; i < n; i += perTurn)
#pragma clang loop unroll(full)
    for (int s = 0; s < streams; ++s)
#pragma clang loop unroll(full)
      for (int j = 0; j < perTurn; ++j) {
        a[s * perTurn + j] ^= p[size_t(s) * n + i + size_t(j)];
        pin(a[s * perTurn + j]);
      }
  Wide all = {};
  for (Wide w : a)
    all ^= w;
  return all;
}

/// Tiles of `streams` parts, as far apart as they are long; then the rest.
template <int streams, size_t each>
static Wide tiled(const char *data, size_t bytes) {
  Wide all = {};
  size_t done = 0;
  for (; done + streams * each <= bytes; done += streams * each)
    all ^= sideBySide<streams>(data + done, each);
  size_t turns = (bytes - done) / 128 * 128;
  if (turns)
    all ^= sideBySide<1>(data + done, turns);
  if (bytes - done > turns) // one more line
    for (size_t j = 0; j < line; ++j)
      all ^= reinterpret_cast<const Wide *>(data + done + turns)[j];
  return all;
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
  return onTeam<tiled<1, 8 << 10>>(team, data, bytes);
}

uint64_t bench::readNearStreams(ThreadTeam &team, const void *data,
                                size_t bytes) {
  return onTeam<tiled<4, 8 << 10>>(team, data, bytes);
}

uint64_t bench::readFarStreams(ThreadTeam &team, const void *data,
                               size_t bytes) {
  return onTeam<tiled<4, pieceBytes / 4>>(team, data, bytes);
}
