//===- GeneratorSources.cpp - arange and random, element by element ------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Loops without state between elements, so that compilers vectorise them and
// threads fill pieces on their own. Stores go through memcpy: `out` need not
// be aligned.
//===----------------------------------------------------------------------===//
#include "IO/Generators.h"

#include <cstring>

using namespace wf;

namespace {

template <ScalarType type, class T> T fromPosition(uint64_t position) {
  if constexpr (type == ScalarType::Bool)
    return position != 0;
  else
    return T(int64_t(position));
}

template <ScalarType type, class T> T fromBits(uint64_t z) {
  if constexpr (type == ScalarType::F32)
    return float(int32_t(z >> 40)) * 0x1p-24f;
  else if constexpr (type == ScalarType::F64)
    return double(int64_t(z >> 11)) * 0x1p-53;
  else if constexpr (type == ScalarType::Bool)
    return T(z >> 63);
  else
    return T(z >> (64 - 8 * sizeof(T)));
}

uint64_t mix(uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

template <ScalarType type, class T> class Arange final : public ElementSource {
  void fill(void *out, int64_t first, int64_t step,
            int64_t count) const override {
    char *to = static_cast<char *>(out);
    for (int64_t i = 0; i < count; ++i) {
      T value =
          fromPosition<type, T>(uint64_t(first) + uint64_t(i) * uint64_t(step));
      std::memcpy(to + i * int64_t(sizeof(T)), &value, sizeof(T));
    }
  }
};

template <ScalarType type, class T> class Random final : public ElementSource {
public:
  explicit Random(uint64_t seed) : seed(seed) {}
  void fill(void *out, int64_t first, int64_t step,
            int64_t count) const override {
    constexpr uint64_t golden = 0x9e3779b97f4a7c15;
    uint64_t start = seed + (uint64_t(first) + 1) * golden;
    uint64_t advance = uint64_t(step) * golden;
    char *to = static_cast<char *>(out);
    for (int64_t i = 0; i < count; ++i) {
      T value = fromBits<type, T>(mix(start));
      std::memcpy(to + i * int64_t(sizeof(T)), &value, sizeof(T));
      start += advance;
    }
  }

private:
  uint64_t seed;
};

} // namespace

std::shared_ptr<const ElementSource> wf::arangeSource(ScalarType type) {
  switch (type) {
#define X(E, N, B, D, S, T)                                                    \
  case ScalarType::E:                                                          \
    return std::make_shared<Arange<ScalarType::E, T>>();
    WF_SCALAR_TYPES(X)
#undef X
  }
  return nullptr;
}

std::shared_ptr<const ElementSource> wf::randomSource(ScalarType type,
                                                      uint64_t seed) {
  switch (type) {
#define X(E, N, B, D, S, T)                                                    \
  case ScalarType::E:                                                          \
    return std::make_shared<Random<ScalarType::E, T>>(seed);
    WF_SCALAR_TYPES(X)
#undef X
  }
  return nullptr;
}
