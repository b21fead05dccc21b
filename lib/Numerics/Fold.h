//===- Fold.h - The reference fold ------------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The meaning of a reduction: a Program and elements come in, the bits that
// every device has to give go out. Plain, not fast: the orders are walked as
// DESIGN states them, one element at a time, in O(log K) memory.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_NUMERICS_FOLD_H
#define WARPFOLD_NUMERICS_FOLD_H

#include "IO/Array.h"
#include "Language/Program.h"
#include "Numerics/Order.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace wf {

/// The payload of input `input` at position k (bool: 0 or 1).
using ElementAccess = llvm::function_ref<uint64_t(unsigned input, int64_t k)>;

/// Folds the elements 0 … count-1 into the payloads of Program::results, NaNs
/// made the one quiet NaN. No elements: what `empty` says, else the user's
/// error "empty reduction …". Params without a value are the user's error.
/// An Ordered or Canonical fold of any combine is computed as asked: whether
/// an order suits the combine is the caller's to decide.
llvm::Expected<std::vector<uint64_t>> foldOne(const Program &program,
                                              Order order, int64_t count,
                                              ElementAccess element);

/// Folds arrays of one shape (already broadcast, one for each of
/// Program::inputs, of its type) over `axes` (normalised, increasing; none
/// means every element is folded alone). One row-major owned array a result.
/// Errors as foldOne(); empty reductions name the first output.
llvm::Expected<std::vector<Array>>
foldArrays(const Program &program, Order order, llvm::ArrayRef<Array> inputs,
           llvm::ArrayRef<int64_t> axes, bool keepDims);

} // namespace wf

#endif // WARPFOLD_NUMERICS_FOLD_H
