//===- TileFrame.h - Tiles of neighbouring outputs ---------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What column and panel tiers share: a work item is (outer kept index, tile of
// outputs along the last kept axis, run of chunks); a tile of states and a
// counter of tiles live in the thread's scratch; a finished tile is finished
// and stored, or kept as the run's partial states.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LOWERING_TILEFRAME_H
#define WARPFOLD_LOWERING_TILEFRAME_H

#include "Lowering/KernelFrame.h"

namespace wf {

struct TileFrame {
  KernelFrame &f;
  Emitter &e = f.e;
  int64_t capacity; ///< states a tile holds
  llvm::SmallVector<mlir::Value> tile;    ///< memref<?xT> a member
  llvm::SmallVector<mlir::Value> counter; ///< likewise, `capacity` a level
  mlir::Value counts;  ///< memref<64xi64>: elements of the counter's levels
  mlir::Value columns; ///< length of the last kept axis

  // Of the item at hand:
  llvm::SmallVector<mlir::Value> outer; ///< kept indices but the last
  mlir::Value column;                   ///< first output of the tile
  mlir::Value width;                    ///< outputs in it

  explicit TileFrame(KernelFrame &f);

  /// Loops over the kernel's items. `foldRun` folds the chunks of [first,
  /// first + count) into `tile`.
  void emit(llvm::function_ref<void(mlir::Value first, mlir::Value count)>
                foldRun);
  /// Joins slot `slot` of the tile, leaf `leaf` with `elements`, into the
  /// counter; and at the end the counter's `leaves` into the tile.
  void push(mlir::Value slot, mlir::Value leaf, mlir::Value elements);
  void collapse(mlir::Value leaves);

private:
  mlir::Value runElements(mlir::Value run);
  void storeTile(mlir::Value run, mlir::Value output);
  void storeLanes(int64_t lanes, mlir::Value c, mlir::Value run,
                  mlir::Value output);
  void scatter(mlir::ValueRange results, int64_t lanes, mlir::Value c);
};

} // namespace wf

#endif // WARPFOLD_LOWERING_TILEFRAME_H
