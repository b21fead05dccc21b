//===- Shape.h - Shapes as text, and how large they may be ------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Shapes are written AxBxC on the command line, every size an expression of
// integers with + - * ** and parentheses, and are printed as Python's tuples:
//
//   parseShape("2**31+5")  ->  [2147483653]      formatShape -> "(2147483653,)"
//   parseShape("1024x4096") -> [1024, 4096]      formatShape -> "(1024, 4096)"
//   parseShape("")          -> []                formatShape -> "()"
//
// Every shape that enters Warpfold passes checkedBytes(), so that products of
// sizes, strides and byte counts never overflow 64 bits later.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_IO_SHAPE_H
#define WARPFOLD_IO_SHAPE_H

#include "warpfold/Type.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace wf {

/// Wide enough for every i64 and every u64.
using Int128 = __int128;

/// The most axes an array may have (NumPy's own limit).
constexpr int64_t maxRank = 64;

/// The value of an integer expression such as "2**31+5" or "-3". The whole of
/// `text` must be the expression; values outside ±2^125 are an error.
llvm::Expected<Int128> parseInteger(llvm::StringRef text);

/// Sizes of "AxBxC"; "" and "()" give no axes. Sizes are not negative and fit
/// 64 bits; the product is not checked here, see checkedBytes.
llvm::Expected<std::vector<int64_t>> parseShape(llvm::StringRef text);

/// Bytes of an array of this shape, or nothing if they do not fit in 63 bits
/// even when sizes of 0 are counted as 1 (then row-major strides would not fit
/// either), or if there are more than maxRank axes.
std::optional<int64_t> checkedBytes(llvm::ArrayRef<int64_t> shape,
                                    int64_t bytesPerElement);

/// An error that says that `what` of this shape and type is too large.
llvm::Error tooLarge(const llvm::Twine &what, llvm::ArrayRef<int64_t> shape,
                     llvm::StringRef type);

/// "(64, 128)", "(5,)", "()".
std::string formatShape(llvm::ArrayRef<int64_t> shape);

/// "bool, i8, i16, …, f64": the types arrays may have.
std::string supportedTypes();

} // namespace wf

#endif // WARPFOLD_IO_SHAPE_H
