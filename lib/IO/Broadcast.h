//===- Broadcast.h - One shape for several arrays ---------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// NumPy's rule: shapes are aligned at their last axis; sizes must be equal or
// 1, and an axis of size 1, or one that is missing, repeats with stride 0.
//
//   (64, 1, 128) with (32, 1)  ->  (64, 32, 128)
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_IO_BROADCAST_H
#define WARPFOLD_IO_BROADCAST_H

#include "IO/Array.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace wf {

/// Views of the arrays that all have the common shape, in the same order.
/// Errors name two shapes that do not go together and the axis.
llvm::Expected<std::vector<Array>> broadcast(llvm::ArrayRef<Array> arrays);

} // namespace wf

#endif // WARPFOLD_IO_BROADCAST_H
