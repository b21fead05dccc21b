//===- Random.h - Chance that is the same everywhere ------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// SplitMix64 and a few ways to draw from it. The standard library's
// distributions differ between implementations; a seed in a failure message
// has to mean the same case on every machine.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_UNITTESTS_PLAN_RANDOM_H
#define WARPFOLD_UNITTESTS_PLAN_RANDOM_H

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <utility>
#include <vector>

namespace wf::test {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t bits() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// In [low, high]. The bias of the remainder is far below what tests see.
  int64_t in(int64_t low, int64_t high) {
    return low + int64_t(bits() % uint64_t(high - low + 1));
  }
  /// True once in `n` times.
  bool onceIn(int64_t n) { return in(1, n) == 1; }
  template <typename T> const T &of(const std::vector<T> &choices) {
    return choices[size_t(in(0, int64_t(choices.size()) - 1))];
  }
  template <typename T> T of(std::initializer_list<T> choices) {
    return choices.begin()[in(0, int64_t(choices.size()) - 1)];
  }
  template <typename T> void shuffle(std::vector<T> &items) {
    for (int64_t i = int64_t(items.size()); i > 1; --i)
      std::swap(items[size_t(i - 1)], items[size_t(in(0, i - 1))]);
  }

private:
  uint64_t state;
};

/// WARPFOLD_SEED, or the seed that tests run with when nobody says otherwise.
inline uint64_t testSeed() {
  const char *text = std::getenv("WARPFOLD_SEED");
  return text ? std::strtoull(text, nullptr, 0) : 20240607;
}

/// A stream of its own for case `number` of the test called `stream`.
inline Random randomFor(uint64_t stream, int64_t number) {
  Random mixed(testSeed() ^ (stream << 40));
  return Random(mixed.bits() + uint64_t(number) * 0xd1342543de82ef95);
}

} // namespace wf::test

#endif // WARPFOLD_UNITTESTS_PLAN_RANDOM_H
