//===- Exact.h - Exact sums and the error bound of a tree -------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What a sum is without rounding, and how far a tree of roundings may be from
// it. Each addition of a tree is off by at most u times its result, so a tree
// of depth d over x gives
//
//   |sum - exact| <= gamma(d) * sum |x|,   gamma(d) = d u / (1 - d u)
//
// with u = 2^-24 (f32) or 2^-53 (f64). Additions have no error on underflow;
// where they may overflow there is no bound. All bounds here are rounded up.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_NUMERICS_EXACT_H
#define WARPFOLD_NUMERICS_EXACT_H

#include "Numerics/Order.h"
#include "warpfold/Type.h"

#include <array>

namespace wf {

/// Half the distance from 1 to the next float of the type.
double unitRoundoff(ScalarType type);

/// d u / (1 - d u), rounded up; infinite once d u reaches 1. It also bounds the
/// relative error of a product of d + 1 floats, by any tree, as long as no
/// partial product overflows or is denormal.
double gamma(ScalarType type, int64_t depth);

/// The sum of up to 2^63 floats, exactly: a fixed-point number wide enough for
/// every f64, two's complement, lowest bit 2^-1074; infinities and NaNs are
/// counted beside it.
class ExactSum {
public:
  void add(double x);
  /// Adds the value that `payload` has in a float type.
  void add(ScalarType type, uint64_t payload);

  /// The sum rounded once to nearest even in a float type, by IEEE's rules:
  /// NaN for a NaN or for both infinities, infinite past the range, -0 only
  /// where all that was added is -0.
  double rounded(ScalarType type) const;

  /// |sum|, rounded up to f64.
  double magnitude() const;

  /// |sum − result|, rounded up. Without rounding, two NaNs or the same
  /// infinity differ by 0, an infinity from all else by an infinity, and a NaN
  /// from all else by NaN.
  double error(double result) const;

private:
  // 2098 bits for the range of f64, 63 for the number of terms, and a sign.
  static constexpr int words = 34;
  using Words = std::array<uint64_t, words>;
  enum class Rounding { NearestEven, Up };

  Words magnitudeWords() const;
  bool isNegative() const { return sum[words - 1] >> 63; }
  static double roundWords(const Words &magnitude, int precision, int lowest,
                           Rounding rounding);

  Words sum{};
  bool hasNan = false, hasPlusInf = false, hasMinusInf = false;
  bool onlyMinusZeros = true, isEmpty = true;
};

/// A sum of integers of any type: exact in 128 bits (fewer than 2^63 terms),
/// then wrapped to a result type.
class ExactIntegerSum {
public:
  void add(ScalarType type, uint64_t payload);
  /// The payload of the sum in an integer type.
  uint64_t wrapped(ScalarType type) const;
  /// True if the type holds the sum without wrapping.
  bool fits(ScalarType type) const;

private:
  __int128 sum = 0;
};

/// A float sum without rounding, and what bounds its tree.
struct SumReference {
  ExactSum sum;       ///< of x
  ExactSum magnitude; ///< of |x|, finite ones only
  int64_t count = 0;

  void add(ScalarType type, uint64_t payload);
  /// The largest |result − exact| that a tree of the order may have, in
  /// arithmetic of `type`; infinite where a partial sum may overflow; 0 where
  /// x holds an infinity or NaN, which has to come out.
  double bound(ScalarType type, Order order, OrderShape shape) const;
};

} // namespace wf

#endif // WARPFOLD_NUMERICS_EXACT_H
