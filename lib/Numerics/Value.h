//===- Value.h - A scalar as a 64-bit payload -------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The oracle's scalars are the stored bits of a value, zero-extended to 64
// bits, the form that Node::payload has: i8 -1 is 0xff, f32 1.0 is 0x3f800000,
// bool is 0 or 1. The type travels beside the payload.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_NUMERICS_VALUE_H
#define WARPFOLD_NUMERICS_VALUE_H

#include "warpfold/Type.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <string>

namespace wf {

// Arrays are little-endian, so the first byteSize(t) bytes of a payload are
// the stored element.
static_assert(std::endian::native == std::endian::little);

/// The payload of a C++ value.
template <typename T> uint64_t payloadOf(T value) {
  static_assert(sizeof(T) <= 8);
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

/// The C++ value of a payload.
template <typename T> T valueOf(uint64_t payload) {
  T value;
  std::memcpy(&value, &payload, sizeof(T));
  return value;
}

/// The payload of the type's one quiet NaN; floats only.
constexpr uint64_t quietNan(ScalarType t) {
  return t == ScalarType::F32 ? 0x7fc00000u : 0x7ff8000000000000u;
}

/// True for a NaN of any sign and payload; false for types without NaN.
inline bool isNan(ScalarType t, uint64_t payload) {
  if (t == ScalarType::F32)
    return std::isnan(valueOf<float>(payload));
  return t == ScalarType::F64 && std::isnan(valueOf<double>(payload));
}

/// What is stored for a result: NaNs become the one quiet NaN.
inline uint64_t asStored(ScalarType t, uint64_t payload) {
  return isNan(t, payload) ? quietNan(t) : payload;
}

/// The value in words and bits, for messages: "1.5 (0x3fc00000)".
std::string describe(ScalarType t, uint64_t payload);

} // namespace wf

#endif // WARPFOLD_NUMERICS_VALUE_H
