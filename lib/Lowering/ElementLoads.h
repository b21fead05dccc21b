//===- ElementLoads.h - Elements as lanes of vectors -------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What fold.rows, fold.lift and fold.chain have in common: `indices` select an
// output's part of every input, k runs over the dimensions that are left, and
// map and update take the elements, their k and the params.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LOWERING_ELEMENTLOADS_H
#define WARPFOLD_LOWERING_ELEMENTLOADS_H

#include "Lowering/KernelFrame.h"

namespace wf {

struct ElementLoads {
  Emitter &e;
  mlir::ValueRange inputs, indices, params;
  mlir::Value first, position; ///< element `first` has k = `position`
  mlir::func::FuncOp map;
  int64_t width; ///< lanes of a slot vector; 0: scalars

  /// offsets < limit, lane by lane.
  mlir::Value mask(mlir::Value limit, llvm::ArrayRef<int64_t> offsets);
  /// All indices of element `at`, of which the last may be added to as long as
  /// the row is not left.
  llvm::SmallVector<mlir::Value> rowIndices(mlir::Value memref, mlir::Value at);
  /// `lanes` consecutive elements from `start` + `at` on. With a limit only the
  /// first `limit` elements after `start` may be touched; other lanes are zero.
  mlir::Value load(mlir::Value memref, mlir::Value start, int64_t at,
                   int64_t lanes, mlir::Value limit);
  /// k of the elements at start + offsets.
  mlir::Value positions(mlir::Value start, llvm::ArrayRef<int64_t> offsets);
  /// Calls map(elements…) or, with a state, update(state…, count, elements…).
  llvm::SmallVector<mlir::Value>
  apply(llvm::StringRef function, mlir::ValueRange state, mlir::Value count,
        mlir::ValueRange elements, mlir::Value k);
  /// A loaded value of input n as the functions take it.
  mlir::Value asArgument(mlir::Value stored, size_t n) {
    return fromStorage(e, stored, map.getArgumentTypes()[n]);
  }
};

} // namespace wf

#endif // WARPFOLD_LOWERING_ELEMENTLOADS_H
