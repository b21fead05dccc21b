//===- Values.cpp - Elements that show mistakes ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Chosen so that another order, a lost element or one that counts twice changes
// the bits of the result.
//===----------------------------------------------------------------------===//
#include "Numerics/Value.h"
#include "Selftest/Views.h"

#include <limits>
#include <type_traits>

using namespace wf;
using namespace wf::selftest;

/// Any NaN: quiet or signalling, either sign.
template <typename T> static T anyNan(uint64_t bits) {
  if constexpr (sizeof(T) == 4)
    return valueOf<T>((bits & 0xffffffff) | 0x7f800001);
  else
    return valueOf<T>(bits | 0x7ff0000000000001);
}

template <typename T> static T specialFloat(Random &random, int64_t rarity) {
  using Limits = std::numeric_limits<T>;
  // Both infinities in one fold give NaN, so they are rare.
  if (random.onceIn(std::max<int64_t>(2, rarity)))
    return random.onceIn(3) ? -Limits::infinity() : Limits::infinity();
  if (random.onceIn(4))
    return random.of<T>({T(0), -T(0), Limits::denorm_min(),
                         -Limits::denorm_min(), Limits::min(), -Limits::min(),
                         Limits::max() / 4, Limits::lowest() / 4});
  T plain = T(random.in(-(1 << 24), 1 << 24)) / T(1 << 24);
  return random.onceIn(2) ? plain * Limits::min() : plain;
}

template <typename T>
static T floatElement(Random &random, Values values, int64_t rarity) {
  const uint64_t bits = random.bits();
  // 24 or 53 random bits in [-1, 1).
  const T plain = sizeof(T) == 4 ? T(int64_t(bits) >> 39) * T(0x1p-24)
                                 : T(int64_t(bits) >> 10) * T(0x1p-53);
  switch (values) {
  case Values::Mixed:
    // The low bits are not in an f32, and hardly in an f64.
    return std::ldexp(plain, int(bits & 15) - 7);
  case Values::Plain:
    return plain;
  case Values::NearOne:
    return (bits & 1 ? T(1) : T(-1)) + plain * T(0x1p-7);
  case Values::Ties:
    return T(int64_t(bits >> 8 & 7) - 3) / 2;
  case Values::Zeros:
    return random.onceIn(rarity) ? plain : T(0);
  case Values::Ones:
    return random.onceIn(rarity) ? T(0) : T(1);
  case Values::Special:
    return specialFloat<T>(random, rarity);
  case Values::WithNans:
    return random.onceIn(std::max<int64_t>(3, rarity / 2))
               ? anyNan<T>(random.bits())
               : std::ldexp(plain, int(bits & 15) - 7);
  case Values::Nans:
    return random.onceIn(4) ? plain : anyNan<T>(bits);
  case Values::One:
    return T(1);
  }
  return plain;
}

template <typename T>
static T integerElement(Random &random, Values values, int64_t rarity) {
  using Limits = std::numeric_limits<T>;
  const uint64_t bits = random.bits();
  const T oneBit = T(T(1) << (bits >> 8) % (8 * sizeof(T)));
  switch (values) {
  case Values::NearOne:
    return T(bits | 1);
  case Values::Ties:
    return T(bits >> 8 & 3);
  case Values::Zeros:
    return random.onceIn(rarity) ? oneBit : T(0);
  case Values::Ones:
    return random.onceIn(rarity) ? T(~oneBit) : T(-1);
  case Values::Special:
    return random.of<T>({T(0), T(1), T(-1), T(2), Limits::min(), Limits::max(),
                         T(Limits::max() / 2 + 1)});
  case Values::One:
    return T(1);
  default:
    return T(bits >> 8);
  }
}

static uint8_t boolElement(Random &random, Values values, int64_t rarity) {
  switch (values) {
  case Values::Zeros:
    return random.onceIn(rarity);
  case Values::Ones:
    return !random.onceIn(rarity);
  case Values::Special: // any byte but 0 is true
    return random.of<uint8_t>({0, 0, 1, 2, 128, 255});
  case Values::One:
    return 1;
  default:
    return random.onceIn(2);
  }
}

void selftest::fillElements(Random &random, ScalarType type, Values values,
                            int64_t rarity, char *to, int64_t count) {
  rarity = std::max<int64_t>(1, rarity);
  auto each = [&](auto one) {
    for (int64_t i = 0; i < count; ++i) {
      auto value = one();
      std::memcpy(to + i * int64_t(sizeof value), &value, sizeof value);
    }
  };
  switch (type) {
#define X(E, N, B, D, S, T)                                                    \
  case ScalarType::E:                                                          \
    return each([&]() -> T {                                                   \
      if constexpr (ScalarType::E == ScalarType::Bool)                         \
        return boolElement(random, values, rarity);                            \
      else if constexpr (std::is_floating_point_v<T>)                          \
        return floatElement<T>(random, values, rarity);                        \
      else                                                                     \
        return integerElement<T>(random, values, rarity);                      \
    });
    WF_SCALAR_TYPES(X)
#undef X
  }
}
