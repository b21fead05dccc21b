//===- Elements.h - Reading the elements of any array -----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// One way to get at elements whatever the strides, aligned or not, stored or
// generated. Positions are row-major in the logical axis order:
//
//   array (2, 3):  position 4  is  element (1, 1)
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_IO_ELEMENTS_H
#define WARPFOLD_IO_ELEMENTS_H

#include "IO/Array.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace wf {

/// Copies the element at `index` (one per axis, in range) to `out`.
void copyElement(const Array &array, llvm::ArrayRef<int64_t> index, void *out);

/// Copies the elements at positions first … first + count - 1 to `out`,
/// contiguously, in the stored type. The range must lie inside the array.
void copyElements(const Array &array, int64_t first, int64_t count, void *out);

/// Hands the elements, in order of position and in stored form, to `consume`
/// in pieces of at most about 1 MiB; stops at the first error.
llvm::Error
forEachPiece(const Array &array,
             llvm::function_ref<llvm::Error(llvm::StringRef)> consume);

/// New row-major memory for an array, aligned to 64 bytes and not initialised;
/// `memory` is where to write. Errors: too large, out of memory.
llvm::Expected<Array>
allocateArray(ScalarType type, llvm::ArrayRef<int64_t> shape, void *&memory);

/// A row-major copy that owns its memory, of generated arrays too. Errors: out
/// of memory.
llvm::Expected<Array> materialize(const Array &array);

} // namespace wf

#endif // WARPFOLD_IO_ELEMENTS_H
