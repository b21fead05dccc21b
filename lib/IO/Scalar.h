//===- Scalar.h - One number from and to text -------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Text to the stored bytes of one element, rounded once to nearest even, and
// back: the shortest digits that give the same value again, laid out as
// Python's repr does (10.0, 1e+16, 1e-05, nan, inf, -0.0).
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_IO_SCALAR_H
#define WARPFOLD_IO_SCALAR_H

#include "warpfold/Type.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace wf {

/// Writes the value of `text` (a decimal number, an integer expression, nan,
/// inf, -inf, true or false) to `out`, byteSize(type) bytes. A value that does
/// not fit the type is an error; fractions of floats round.
llvm::Error parseScalar(llvm::StringRef text, ScalarType type, void *out);

/// repr of a double, and of a float with the digits a float needs.
std::string formatFloat(double value);
std::string formatFloat(float value);

/// repr of the element whose stored bytes are at `element` (any alignment).
std::string formatScalar(ScalarType type, const void *element);

} // namespace wf

#endif // WARPFOLD_IO_SCALAR_H
