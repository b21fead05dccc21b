//===- Format.h - Arrays as text and as JSON --------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
//   [[1.0, 2.0], [3.0, nan]]      [0, 1, 2, ..., 1999997, 1999998, 1999999]
//
// Numbers are written as Python's repr (see Scalar.h; f32 with the digits an
// f32 needs, as NumPy does, whole numbers with all of theirs), bool as true and false. An array of more than 1000
// elements is shortened to three at each end of every axis, unless `full`.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_IO_FORMAT_H
#define WARPFOLD_IO_FORMAT_H

#include "IO/Array.h"
#include "IO/Scalar.h"
#include "IO/Shape.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace wf {

/// Writes the array on one line, without a newline at the end.
void printArray(llvm::raw_ostream &os, const Array &array, bool full);
std::string formatArray(const Array &array, bool full);

/// The most values that --json gives of one array.
constexpr int64_t jsonLimit = 1000;

/// The first jsonLimit elements in row-major order as a flat list. nan, inf
/// and -inf are strings; integers are exact, u64 too; f32 is widened exactly.
llvm::json::Value jsonValues(const Array &array);

/// The same list written to a stream, floats as repr: 10.0 and -0.0 stay
/// floats for a reader that tells -0 from -0.0, which json::Value can not.
void writeJsonValues(llvm::json::OStream &json, const Array &array);

} // namespace wf

#endif // WARPFOLD_IO_FORMAT_H
