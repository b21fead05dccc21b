//===- Shape.cpp - Shapes as text, and how large they may be -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A recursive-descent evaluator of integer expressions in 128 bits, with
// Python's precedence: ** binds tighter than a sign on its left and is
// right-associative, then *, then + and -.
//===----------------------------------------------------------------------===//
#include "IO/Shape.h"

#include "Error/Error.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace wf;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::StringRef;

namespace {

// Values stay within ±2^125, so that the sum of two can not leave 128 bits.
constexpr Int128 largest = Int128(1) << 125;

class Evaluator {
public:
  explicit Evaluator(StringRef text) : whole(text), rest(text) {}

  /// One expression from the front of the text.
  Expected<Int128> expression() {
    Expected<Int128> value = sum();
    if (!value)
      return value.takeError();
    return *value;
  }
  bool consume(StringRef token) {
    rest = rest.ltrim();
    return rest.consume_front(token);
  }
  bool atEnd() {
    rest = rest.ltrim();
    return rest.empty();
  }
  llvm::Error unexpected() const {
    return userError("cannot read '" + whole + "': " +
                         (rest.empty() ? llvm::Twine("it ends too early")
                                       : "a number was expected at '" +
                                             rest.take_front(20) + "'"),
                     "sizes are integers or expressions with + - * ** and "
                     "parentheses, joined by x, such as 2**31+5 or 1024x4096");
  }

private:
  // Deep nesting would exhaust the stack; no size needs it.
  static constexpr int maxDepth = 100;

  llvm::Error outOfRange() const {
    return userError("the value of '" + whole + "' does not fit in 64 bits",
                     "give a smaller number");
  }

  Expected<Int128> sum() {
    Expected<Int128> left = product();
    while (left) {
      bool plus = consume("+");
      if (!plus && !consume("-"))
        return left;
      Expected<Int128> right = product();
      if (!right)
        return right.takeError();
      Int128 value = plus ? *left + *right : *left - *right;
      if (value > largest || value < -largest)
        return outOfRange();
      left = value;
    }
    return left;
  }

  Expected<Int128> product() {
    Expected<Int128> left = signedPower();
    while (left) {
      rest = rest.ltrim();
      if (rest.starts_with("**") || !consume("*"))
        return left;
      Expected<Int128> right = signedPower();
      if (!right)
        return right.takeError();
      Int128 value;
      if (!multiply(*left, *right, value))
        return outOfRange();
      left = value;
    }
    return left;
  }

  Expected<Int128> signedPower() {
    bool negative = false;
    for (;;) {
      if (consume("-"))
        negative = !negative;
      else if (!consume("+"))
        break;
    }
    Expected<Int128> value = power();
    if (!value || !negative)
      return value;
    return -*value;
  }

  Expected<Int128> power() {
    Expected<Int128> base = atom();
    if (!base || !consume("**"))
      return base;
    if (++depth > maxDepth)
      return unexpected();
    Expected<Int128> exponent = signedPower();
    --depth;
    if (!exponent)
      return exponent.takeError();
    return raise(*base, *exponent);
  }

  Expected<Int128> raise(Int128 base, Int128 exponent) {
    if (exponent < 0)
      return userError("'" + whole + "' has a negative power",
                       "powers of sizes are 0 or larger");
    if (base == 0 || base == 1 || base == -1)
      return exponent == 0 ? 1 : (exponent % 2 ? base : base * base);
    Int128 result = 1;
    // The base is at least 2 in size: 127 rounds are out of range already.
    for (Int128 i = 0; i < exponent; ++i)
      if (!multiply(result, base, result))
        return outOfRange();
    return result;
  }

  Expected<Int128> atom() {
    rest = rest.ltrim();
    if (rest.empty())
      return unexpected();
    if (consume("(")) {
      if (++depth > maxDepth)
        return unexpected();
      Expected<Int128> value = sum();
      --depth;
      if (value && !consume(")"))
        return userError("cannot read '" + whole + "': a ')' is missing",
                         "close every parenthesis");
      return value;
    }
    StringRef digits = rest.take_while(llvm::isDigit);
    if (digits.empty())
      return unexpected();
    rest = rest.drop_front(digits.size());
    Int128 value = 0;
    for (char c : digits) {
      value = value * 10 + (c - '0');
      if (value > largest / 16)
        return outOfRange();
    }
    return value;
  }

  static bool multiply(Int128 a, Int128 b, Int128 &result) {
    return !__builtin_mul_overflow(a, b, &result) && result <= largest &&
           result >= -largest;
  }

  StringRef whole, rest;
  int depth = 0;
};

} // namespace

Expected<Int128> wf::parseInteger(StringRef text) {
  Evaluator evaluator(text);
  Expected<Int128> value = evaluator.expression();
  if (value && !evaluator.atEnd())
    return evaluator.unexpected();
  return value;
}

Expected<std::vector<int64_t>> wf::parseShape(StringRef text) {
  std::vector<int64_t> shape;
  if (text.trim().empty() || text.trim() == "()")
    return shape;
  Evaluator evaluator(text);
  do {
    Expected<Int128> size = evaluator.expression();
    if (!size)
      return size.takeError();
    if (*size < 0 || *size > INT64_MAX)
      return userError("shape '" + text + "' has a size that is " +
                           (*size < 0 ? "negative" : "larger than 2**63 - 1"),
                       "sizes go from 0 to 2**63 - 1");
    shape.push_back(int64_t(*size));
  } while (evaluator.consume("x"));
  if (!evaluator.atEnd())
    return evaluator.unexpected();
  if (int64_t(shape.size()) > maxRank)
    return userError("shape '" + text + "' has " + llvm::Twine(shape.size()) +
                         " axes",
                     "at most " + llvm::Twine(maxRank) + " are supported");
  return shape;
}

std::optional<int64_t> wf::checkedBytes(ArrayRef<int64_t> shape,
                                        int64_t bytesPerElement) {
  if (int64_t(shape.size()) > maxRank)
    return std::nullopt;
  int64_t bytes = bytesPerElement;
  bool empty = false;
  for (int64_t size : shape) {
    empty |= size == 0;
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(size, 1), &bytes))
      return std::nullopt;
  }
  return empty ? 0 : bytes;
}

llvm::Error wf::tooLarge(const llvm::Twine &what, ArrayRef<int64_t> shape,
                         StringRef type) {
  if (int64_t(shape.size()) > maxRank)
    return userError(what + " has " + llvm::Twine(shape.size()) + " axes",
                     "at most " + llvm::Twine(maxRank) + " are supported");
  return userError(what + " of shape " + formatShape(shape) + " and type " +
                       type + " has more than 2**63 - 1 bytes",
                   "sizes of 0 count as 1 here; give a smaller shape");
}

std::string wf::formatShape(ArrayRef<int64_t> shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string wf::supportedTypes() {
  std::string text;
#define X(E, N, ...) text += std::string(text.empty() ? "" : ", ") + N;
  WF_SCALAR_TYPES(X)
#undef X
  return text;
}
