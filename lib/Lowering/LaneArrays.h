//===- LaneArrays.h - A lane's elements of arrays behind pointers -*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What fold.lane_rows, fold.lane_lift and fold.lane_column have in common: the
// address of element k of a fold, and loads that never branch. A load that must
// not happen reads the fold's element 0 instead, which is always there.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LOWERING_LANEARRAYS_H
#define WARPFOLD_LOWERING_LANEARRAYS_H

#include "Lowering/Calls.h"

namespace wf {

/// A pointer `elements` further on.
mlir::Value advance(Emitter &e, mlir::Value pointer, mlir::Type element,
                    mlir::Value elements);
mlir::Value advance(Emitter &e, mlir::Value pointer, mlir::Type element,
                    int64_t elements);

struct LaneArrays {
  Emitter &e;
  mlir::ValueRange inputs, offsets, sizes, strides;
  llvm::ArrayRef<int64_t> inner;
  mlir::ValueRange params;
  mlir::func::FuncOp map;
  /// Loads keep their order among themselves and across orderLoads: a code
  /// generator sorts those of memory that nobody writes as it likes.
  bool keepsOrder = false;

  size_t count() const { return inputs.size(); }
  size_t rank() const { return sizes.size(); }
  /// The element type of input i, as it lies in memory.
  mlir::Type stored(size_t i);
  int64_t bytes(size_t i);
  /// Stride of input i along reduced axis `axis`; known ones are constants.
  mlir::Value stride(size_t i, size_t axis);
  /// The fold's element 0.
  mlir::Value start(size_t i);
  /// The indices along the reduced axes of element k.
  llvm::SmallVector<mlir::Value> digits(mlir::Value k);
  /// Element k of input i.
  mlir::Value pointer(size_t i, mlir::Value k);
  mlir::Value pointer(size_t i, llvm::ArrayRef<mlir::Value> digits);

  mlir::Value loadOne(mlir::Type type, mlir::Value pointer);
  /// `lanes` elements that lie side by side, aligned to their size together.
  llvm::SmallVector<mlir::Value> loadSide(size_t i, mlir::Value pointer,
                                          int64_t lanes);
  /// A loaded value of input i as map and update take it.
  mlir::Value asArgument(mlir::Value stored, size_t i) {
    return fromStorage(e, stored, map.getArgumentTypes()[i]);
  }
  /// k as map and update take it: i64, or i32 where it counts in a chunk.
  mlir::Value position(mlir::Value k);
};

/// pred ? a : b, value by value.
llvm::SmallVector<mlir::Value> selectAll(Emitter &e, mlir::Value predicate,
                                         mlir::ValueRange a,
                                         mlir::ValueRange b);

} // namespace wf

#endif // WARPFOLD_LOWERING_LANEARRAYS_H
