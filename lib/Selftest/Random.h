//===- Random.h - Chance that is the same everywhere ------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// SplitMix64 and a few ways to draw from it. The standard library's
// distributions differ between implementations; a seed in a failure line has to
// mean the same elements on every machine.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SELFTEST_RANDOM_H
#define WARPFOLD_SELFTEST_RANDOM_H

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace wf::selftest {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  /// A stream that belongs to `name` under `seed`: what a case draws does not
  /// depend on which other cases there are.
  Random(uint64_t seed, std::string_view name) : state(seed) {
    uint64_t hash = 0xcbf29ce484222325; // FNV-1a
    for (char c : name)
      hash = (hash ^ uint8_t(c)) * 0x100000001b3;
    state = bits() ^ hash;
  }

  uint64_t bits() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// In [low, high]. The bias of the remainder is far below what a test sees.
  int64_t in(int64_t low, int64_t high) {
    return low + int64_t(bits() % uint64_t(high - low + 1));
  }
  /// True once in `n` times.
  bool onceIn(int64_t n) { return in(1, n) == 1; }
  template <typename T> T of(std::initializer_list<T> choices) {
    return choices.begin()[in(0, int64_t(choices.size()) - 1)];
  }

private:
  uint64_t state;
};

} // namespace wf::selftest

#endif // WARPFOLD_SELFTEST_RANDOM_H
