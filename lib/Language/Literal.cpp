//===- Literal.cpp - A literal's bits in a type ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Floats go through APFloat, which rounds decimals of any length correctly;
// integers are read digit by digit, so that no value passes through a double.
//===----------------------------------------------------------------------===//
#include "Language/Literal.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

using namespace wf;

static unsigned bitWidth(ScalarType type) {
  return unsigned(byteSize(type)) * 8;
}

static const llvm::fltSemantics &semantics(ScalarType type) {
  return type == ScalarType::F32 ? llvm::APFloat::IEEEsingle()
                                 : llvm::APFloat::IEEEdouble();
}

/// The exact value of a whole decimal or hexadecimal number, if it is whole
/// and below 2^64.
static LiteralFit wholeValue(llvm::StringRef text, uint64_t &value) {
  if (text.starts_with("0x") || text.starts_with("0X"))
    return text.drop_front(2).getAsInteger(16, value) ? LiteralFit::OutOfRange
                                                      : LiteralFit::Fits;
  size_t e = text.find_first_of("eE");
  llvm::StringRef mantissa = text.take_front(e);
  long exponent = 0;
  if (e != llvm::StringRef::npos) {
    llvm::StringRef power = text.drop_front(e + 1);
    bool negative = power.consume_front("-");
    power.consume_front("+");
    power = power.ltrim('0');
    // Past 999 the value is 0, not whole or too large whatever the mantissa,
    // which has at most 128 digits.
    if (power.size() > 3)
      exponent = 999;
    else if (!power.empty())
      power.getAsInteger(10, exponent);
    if (negative)
      exponent = -exponent;
  }
  auto [whole, fraction] = mantissa.split('.');
  std::string digits = (whole + fraction).str();
  exponent -= long(fraction.size());
  while (!digits.empty() && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  digits = llvm::StringRef(digits).ltrim('0').str();
  value = 0;
  if (digits.empty())
    return LiteralFit::Fits;
  if (exponent < 0)
    return LiteralFit::NotWhole;
  if (exponent > 20)
    return LiteralFit::OutOfRange;
  digits.append(size_t(exponent), '0');
  return llvm::StringRef(digits).getAsInteger(10, value)
             ? LiteralFit::OutOfRange
             : LiteralFit::Fits;
}

static LiteralFit integerBits(llvm::StringRef text, bool negative,
                              ScalarType type, uint64_t &bits) {
  if (text == "inf" || text == "nan")
    return LiteralFit::NotWhole;
  uint64_t magnitude = 0;
  LiteralFit fit = wholeValue(text, magnitude);
  if (fit != LiteralFit::Fits)
    return fit;
  unsigned width = bitWidth(type);
  uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  uint64_t half = uint64_t(1) << (width - 1);
  uint64_t limit =
      isUnsigned(type) ? (negative ? 0 : mask) : (negative ? half : half - 1);
  if (magnitude > limit)
    return LiteralFit::OutOfRange;
  bits = (negative ? 0 - magnitude : magnitude) & mask;
  return LiteralFit::Fits;
}

static LiteralFit floatBits(llvm::StringRef text, bool negative,
                            ScalarType type, uint64_t &bits) {
  llvm::APFloat value(semantics(type));
  if (text == "inf") {
    value = llvm::APFloat::getInf(semantics(type));
  } else if (text == "nan") {
    value = llvm::APFloat::getQNaN(semantics(type));
  } else if (text.starts_with("0x") || text.starts_with("0X")) {
    uint64_t whole = 0;
    if (text.drop_front(2).getAsInteger(16, whole))
      return LiteralFit::OutOfRange;
    value.convertFromAPInt(llvm::APInt(64, whole), /*IsSigned=*/false,
                           llvm::APFloat::rmNearestTiesToEven);
  } else {
    auto status =
        value.convertFromString(text, llvm::APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return LiteralFit::OutOfRange;
    }
    bool lostToZero = value.isZero() && (*status & llvm::APFloat::opUnderflow);
    if (value.isInfinity() || lostToZero)
      return LiteralFit::OutOfRange;
  }
  if (negative)
    value.changeSign();
  bits = value.bitcastToAPInt().getZExtValue();
  return LiteralFit::Fits;
}

LiteralFit wf::literalBits(llvm::StringRef text, bool negative, ScalarType type,
                           uint64_t &bits) {
  if (type == ScalarType::Bool)
    return LiteralFit::NotABool;
  return isFloat(type) ? floatBits(text, negative, type, bits)
                       : integerBits(text, negative, type, bits);
}

LiteralFit wf::literalBits(const Expr &literal, ScalarType type,
                           uint64_t &bits) {
  if (literal.kind == ExprKind::Bool) {
    if (type != ScalarType::Bool)
      return LiteralFit::NotWhole;
    bits = literal.text == "true";
    return LiteralFit::Fits;
  }
  bool negative = literal.kind == ExprKind::Unary;
  const Expr &number = negative ? *literal.operands[0] : literal;
  return literalBits(number.text, negative, type, bits);
}

uint64_t wf::lowestBits(ScalarType type) {
  if (isFloat(type))
    return llvm::APFloat::getInf(semantics(type), /*Negative=*/true)
        .bitcastToAPInt()
        .getZExtValue();
  return isSigned(type) ? uint64_t(1) << (bitWidth(type) - 1) : 0;
}

uint64_t wf::highestBits(ScalarType type) {
  if (isFloat(type))
    return llvm::APFloat::getInf(semantics(type))
        .bitcastToAPInt()
        .getZExtValue();
  if (type == ScalarType::Bool)
    return 1;
  unsigned unused = 64 - bitWidth(type) + (isSigned(type) ? 1 : 0);
  return ~uint64_t(0) >> unused;
}
