//===- Exact.cpp - Exact sums and the error bound of a tree ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Numerics/Exact.h"
#include "Numerics/Operation.h"
#include "Numerics/Value.h"

#include <limits>

using namespace wf;

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double nan64 = std::numeric_limits<double>::quiet_NaN();

/// The exponent of the fixed-point number's lowest bit.
static constexpr int lowestExponent = -1074;

/// The next double: what a product or quotient rounded to nearest may miss.
static double up(double x) { return std::nextafter(x, infinity); }

static double floatValue(ScalarType type, uint64_t payload) {
  return type == ScalarType::F32 ? double(valueOf<float>(payload))
                                 : valueOf<double>(payload);
}

double wf::unitRoundoff(ScalarType type) {
  return std::ldexp(1.0, type == ScalarType::F32 ? -24 : -53);
}

double wf::gamma(ScalarType type, int64_t depth) {
  if (depth >= int64_t(1) << 53)
    return infinity; // d·u is no smaller than 1 in either type
  const double du = double(depth) * unitRoundoff(type); // exact
  if (du >= 1)
    return infinity;
  // 1 − du is exact in f64 for f32's u; for f64's it is a multiple of 2^-53
  // not above 1, hence exact too. Only the quotient is rounded.
  return depth == 0 ? 0 : up(du / (1 - du));
}

//===----------------------------------------------------------------------===//
// ExactSum
//===----------------------------------------------------------------------===//

void ExactSum::add(ScalarType type, uint64_t payload) {
  add(floatValue(type, payload));
}

void ExactSum::add(double x) {
  isEmpty = false;
  onlyMinusZeros &= x == 0 && std::signbit(x);
  hasNan |= std::isnan(x);
  hasPlusInf |= x == infinity;
  hasMinusInf |= x == -infinity;
  if (!std::isfinite(x) || x == 0)
    return;

  // x = ± mantissa · 2^(position + lowestExponent), 53 bits of mantissa.
  const uint64_t bits = payloadOf(x);
  const int biased = int(bits >> 52 & 0x7ff);
  uint64_t mantissa = bits & ((uint64_t(1) << 52) - 1);
  if (biased != 0)
    mantissa |= uint64_t(1) << 52;
  const int position = biased == 0 ? 0 : biased - 1;

  // Two words hold the shifted mantissa; a negative x is added as ~y + 1.
  const auto shifted = static_cast<unsigned __int128>(mantissa)
                       << (position % 64);
  const uint64_t flip = std::signbit(x) ? ~uint64_t(0) : 0;
  unsigned __int128 carry = flip & 1;
  for (int i = 0; i < words; ++i) {
    uint64_t addend = 0;
    if (i == position / 64)
      addend = uint64_t(shifted);
    else if (i == position / 64 + 1)
      addend = uint64_t(shifted >> 64);
    carry += static_cast<unsigned __int128>(sum[i]) + (addend ^ flip);
    sum[i] = uint64_t(carry);
    carry >>= 64;
  }
}

ExactSum::Words ExactSum::magnitudeWords() const {
  if (!isNegative())
    return sum;
  Words result;
  unsigned __int128 carry = 1;
  for (int i = 0; i < words; ++i) {
    carry += ~sum[i];
    result[i] = uint64_t(carry);
    carry >>= 64;
  }
  return result;
}

/// Rounds to `precision` significant bits, none below bit `lowest` of the
/// words. What is past the range of f64 is infinite.
double ExactSum::roundWords(const Words &magnitude, int precision, int lowest,
                            Rounding rounding) {
  auto bit = [&](int i) { return magnitude[i / 64] >> (i % 64) & 1; };
  int top = 64 * words - 1;
  while (top >= 0 && !bit(top))
    --top;
  const int last = std::max(top - precision + 1, lowest);
  uint64_t kept = 0;
  for (int i = top; i >= last; --i)
    kept = 2 * kept + bit(i);
  // What is cut off: its first bit is worth half of the last kept one.
  const bool half = last > 0 && bit(last - 1);
  bool rest = false;
  for (int i = std::min(last - 2, top); i >= 0; --i)
    rest |= bit(i) != 0;
  if (rounding == Rounding::Up ? half || rest : half && (rest || kept & 1))
    ++kept;
  return std::ldexp(double(kept), last + lowestExponent);
}

double ExactSum::rounded(ScalarType type) const {
  if (hasNan || (hasPlusInf && hasMinusInf))
    return nan64;
  if (hasPlusInf || hasMinusInf)
    return hasPlusInf ? infinity : -infinity;
  if (onlyMinusZeros && !isEmpty)
    return -0.0;
  const bool f32 = type == ScalarType::F32;
  // f32's lowest bit is 2^-149.
  double value =
      roundWords(magnitudeWords(), f32 ? 24 : 53,
                 f32 ? -149 - lowestExponent : 0, Rounding::NearestEven);
  if (f32 && value > double(std::numeric_limits<float>::max()))
    value = infinity;
  return isNegative() ? -value : value;
}

double ExactSum::magnitude() const {
  if (hasNan || (hasPlusInf && hasMinusInf))
    return nan64;
  if (hasPlusInf || hasMinusInf)
    return infinity;
  return roundWords(magnitudeWords(), 53, 0, Rounding::Up);
}

double ExactSum::error(double result) const {
  const double exact = rounded(ScalarType::F64);
  if (std::isnan(result) || std::isnan(exact))
    return std::isnan(result) && std::isnan(exact) ? 0 : nan64;
  if (std::isinf(result) || std::isinf(exact))
    return result == exact ? 0 : infinity;
  ExactSum difference = *this;
  difference.add(-result);
  return difference.magnitude();
}

//===----------------------------------------------------------------------===//
// ExactIntegerSum, SumReference
//===----------------------------------------------------------------------===//

static __int128 integerValue(ScalarType type, uint64_t payload) {
  if (!isSigned(type))
    return payload;
  return int64_t(apply(NodeOp::Cast, ScalarType::I64, type, payload));
}

void ExactIntegerSum::add(ScalarType type, uint64_t payload) {
  sum += integerValue(type, payload);
}

uint64_t ExactIntegerSum::wrapped(ScalarType type) const {
  return apply(NodeOp::Cast, type, ScalarType::U64, uint64_t(sum));
}

bool ExactIntegerSum::fits(ScalarType type) const {
  return integerValue(type, wrapped(type)) == sum;
}

void SumReference::add(ScalarType type, uint64_t payload) {
  const double x = floatValue(type, payload);
  sum.add(x);
  if (std::isfinite(x))
    magnitude.add(std::fabs(x));
  ++count;
}

double SumReference::bound(ScalarType type, Order order,
                           OrderShape shape) const {
  const double factor = gamma(type, treeDepth(order, shape, count));
  // No partial sum exceeds (1 + gamma) · sum |x|.
  const double total = magnitude.magnitude();
  const double most = type == ScalarType::F32
                          ? double(std::numeric_limits<float>::max())
                          : std::numeric_limits<double>::max();
  if (!(up(total * up(1 + factor)) <= most))
    return infinity;
  if (factor == 0 || !std::isfinite(sum.rounded(ScalarType::F64)))
    return 0; // nothing is rounded; an infinity or NaN comes out as it is
  return up(factor * total);
}
