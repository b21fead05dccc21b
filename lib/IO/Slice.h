//===- Slice.h - NumPy's basic slicing --------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// `--slice 'a:b:c, …'` makes another view of the same elements:
//
//   shape (4, 6, 8)   "1:3, ::-1"   -> (2, 6, 8)
//                     "0, ..., 5"   -> (6,)
//                     "..., None"   -> (4, 6, 8, 1)
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_IO_SLICE_H
#define WARPFOLD_IO_SLICE_H

#include "IO/Array.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace wf {

/// The view that NumPy's array[spec] gives: a:b:c with negative bounds and
/// steps, integers (which drop their axis and must be in range), `...`,
/// `newaxis` or `None`. Generated arrays stay generated. Brackets around the
/// whole are allowed.
llvm::Expected<Array> slice(const Array &array, llvm::StringRef spec);

} // namespace wf

#endif // WARPFOLD_IO_SLICE_H
