//===- Scalar.cpp - One number from and to text --------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// APFloat reads decimals (it does not depend on the locale and rounds right to
// f32 too), std::to_chars writes them.
//===----------------------------------------------------------------------===//
#include "IO/Scalar.h"

#include "Error/Error.h"
#include "IO/Shape.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

using namespace wf;
using llvm::APFloat;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// [+-] digits [. digits] [e [+-] digits], with a digit before or after the
/// point. Python's inf and nan are not in it.
static bool isDecimal(StringRef text) {
  if (text.starts_with("+") || text.starts_with("-"))
    text = text.drop_front();
  StringRef whole = text.take_while(llvm::isDigit);
  text = text.drop_front(whole.size());
  StringRef fraction;
  if (text.consume_front(".")) {
    fraction = text.take_while(llvm::isDigit);
    text = text.drop_front(fraction.size());
  }
  if (whole.empty() && fraction.empty())
    return false;
  if (!text.consume_front("e") && !text.consume_front("E"))
    return text.empty();
  if (text.starts_with("+") || text.starts_with("-"))
    text = text.drop_front();
  return !text.empty() && llvm::all_of(text, llvm::isDigit);
}

static Error doesNotFit(StringRef text, ScalarType type) {
  return userError("the value '" + text + "' does not fit " +
                       StringRef(name(type)),
                   isFloat(type) ? "write inf or -inf, or take a wider type"
                                 : "take a wider type or another value");
}

static const llvm::fltSemantics &semanticsOf(ScalarType type) {
  return type == ScalarType::F32 ? APFloat::IEEEsingle()
                                 : APFloat::IEEEdouble();
}

/// The decimal `text` in the float type `type`.
static Expected<APFloat> decimal(StringRef text, ScalarType type) {
  APFloat value(semanticsOf(type));
  Expected<APFloat::opStatus> status =
      value.convertFromString(text, APFloat::rmNearestTiesToEven);
  if (!status) {
    llvm::consumeError(status.takeError());
    return userError("cannot read the number '" + text + "'",
                     "write it as 1, 1.5 or 1e-3");
  }
  if (*status & APFloat::opOverflow)
    return doesNotFit(text, type);
  return value;
}

/// The integer that `text` stands for: an expression, or a whole decimal.
static Expected<Int128> wholeNumber(StringRef text, ScalarType type) {
  if (!isDecimal(text) || text.find_first_of(".eE") == StringRef::npos)
    return parseInteger(text);
  Expected<APFloat> value = decimal(text, ScalarType::F64);
  if (!value)
    return value.takeError();
  double number = value->convertToDouble();
  // Above 2^53 a decimal may have lost its last digits.
  if (std::abs(number) > 0x1p53 || number != std::floor(number))
    return doesNotFit(text, type);
  return Int128(number);
}

template <class T>
static Error storeInteger(StringRef text, ScalarType type, void *out) {
  Expected<Int128> value = wholeNumber(text, type);
  if (!value)
    return value.takeError();
  Int128 low = std::numeric_limits<T>::lowest();
  Int128 high = std::numeric_limits<T>::max();
  if (type == ScalarType::Bool)
    high = 1;
  if (*value < low || *value > high)
    return doesNotFit(text, type);
  T stored = T(*value);
  std::memcpy(out, &stored, sizeof(T));
  return Error::success();
}

template <class T>
static Error storeFloat(StringRef text, ScalarType type, void *out) {
  StringRef magnitude = text;
  bool negative = magnitude.consume_front("-");
  if (!negative)
    magnitude.consume_front("+");
  T stored;
  if (magnitude == "inf" || magnitude == "nan") {
    stored = magnitude == "inf" ? std::numeric_limits<T>::infinity()
                                : std::numeric_limits<T>::quiet_NaN();
    // A NaN has no sign in Warpfold.
    if (negative && magnitude == "inf")
      stored = -stored;
  } else if (isDecimal(text)) {
    Expected<APFloat> value = decimal(text, type);
    if (!value)
      return value.takeError();
    if constexpr (sizeof(T) == 4)
      stored = value->convertToFloat();
    else
      stored = value->convertToDouble();
  } else {
    Expected<Int128> value = parseInteger(text);
    if (!value)
      return value.takeError();
    stored = T(*value); // below 2^126, so it fits f32 too
  }
  std::memcpy(out, &stored, sizeof(T));
  return Error::success();
}

template <class T>
static Error store(StringRef text, ScalarType type, void *out) {
  if constexpr (std::is_floating_point_v<T>)
    return storeFloat<T>(text, type, out);
  else
    return storeInteger<T>(text, type, out);
}

Error wf::parseScalar(StringRef text, ScalarType type, void *out) {
  text = text.trim();
  if (type == ScalarType::Bool && (text == "true" || text == "false" ||
                                   text == "True" || text == "False")) {
    *static_cast<uint8_t *>(out) = text.ends_with_insensitive("true");
    return Error::success();
  }
  bool special =
      text == "true" || text == "false" ||
      (!isFloat(type) && (text.ends_with("nan") || text.ends_with("inf")));
  if (special)
    return doesNotFit(text, type);
  switch (type) {
#define X(E, N, B, D, S, T)                                                    \
  case ScalarType::E:                                                          \
    return store<T>(text, type, out);
    WF_SCALAR_TYPES(X)
#undef X
  }
  return Error::success();
}

/// Python's layout of the digits d.ddde±xx that to_chars gives.
template <class T> static std::string reprOf(T value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value,
                           std::chars_format::scientific)
                 .ptr;
  StringRef text(buffer, size_t(end - buffer));
  std::string sign = text.consume_front("-") ? "-" : "";
  auto [mantissa, exponentText] = text.split('e');
  int exponent = std::atoi(exponentText.str().c_str());
  std::string digits = mantissa.take_front(1).str();
  digits += mantissa.drop_front(mantissa.size() > 1 ? 2 : 1).str();
  int count = int(digits.size());
  // Fixed from 1e-4 up to, but not with, 1e16.
  if (exponent < -4 || exponent >= 16)
    return sign + mantissa.str() + (exponent < 0 ? "e-" : "e+") +
           (std::abs(exponent) < 10 ? "0" : "") +
           std::to_string(std::abs(exponent));
  if (exponent < 0)
    return sign + "0." + std::string(size_t(-exponent - 1), '0') + digits;
  if (count <= exponent + 1)
    return sign + digits + std::string(size_t(exponent + 1 - count), '0') +
           ".0";
  return sign + digits.substr(0, size_t(exponent) + 1) + "." +
         digits.substr(size_t(exponent) + 1);
}

std::string wf::formatFloat(double value) { return reprOf(value); }
std::string wf::formatFloat(float value) {
  // A whole number is written with all its digits: 2^31 is 2147483648.0 and not
  // 2147483600.0, which is the same f32 but another integer.
  if (std::fabs(value) < 1e16f && std::trunc(value) == value)
    return reprOf(double(value));
  return reprOf(value);
}

template <class T>
static std::string formatAs(ScalarType type, const void *element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  if constexpr (std::is_floating_point_v<T>)
    return formatFloat(value);
  if (type == ScalarType::Bool)
    return value ? "true" : "false";
  return std::to_string(value);
}

std::string wf::formatScalar(ScalarType type, const void *element) {
  switch (type) {
#define X(E, N, B, D, S, T)                                                    \
  case ScalarType::E:                                                          \
    return formatAs<T>(type, element);
    WF_SCALAR_TYPES(X)
#undef X
  }
  return "";
}
