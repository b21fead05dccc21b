//===- KernelFrame.h - The function around a planned reduction ---*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What every tier shape (rows, columns, chains) needs of the function that
// holds a fold.reduce: its arguments by name, the finish, the stores.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LOWERING_KERNELFRAME_H
#define WARPFOLD_LOWERING_KERNELFRAME_H

#include "Lowering/Calls.h"
#include "Plan/Plan.h"

namespace wf {

struct KernelFrame {
  Emitter &e;
  fold::ReduceOp reduce;
  Plan plan;
  mlir::func::FuncOp function, combineFunction;
  bool counted = false; ///< combine reads element counts

  llvm::SmallVector<mlir::Type> state; ///< member types, as in functions
  /// What the rows and slots of a chunk are folded with: the user's functions,
  /// or with plan.nearIndex those whose positions count within the chunk.
  std::string rowMap, rowUpdate, rowCombine;
  llvm::SmallVector<mlir::Type> rowState;
  llvm::SmallVector<mlir::Value> inputs, outputs, partials, params;
  mlir::Value source; ///< load=pack
  mlir::Value begin, end, runs, runChunks, runElements, elements;
  mlir::Value scratch, levels; ///< column plans

  KernelFrame(Emitter &e, fold::ReduceOp reduce, Plan plan);

  /// Turns the function around `reduce` into the kernel `fold` (Launch.h).
  void makeFold();
  /// Makes the function `fold_join` and moves the builder into it.
  void makeJoin();

  /// How many outputs there are.
  mlir::Value outputCount();
  /// The kept indices of output `linear`, slowest first, by the outputs' sizes.
  llvm::SmallVector<mlir::Value> outputIndices(mlir::Value linear);
  /// finish(state, count) of one output (lanes 0) or of `lanes` of them, with
  /// NaNs made the type's one quiet NaN, in storage types.
  llvm::SmallVector<mlir::Value> finish(mlir::ValueRange states, int64_t lanes);
  void storeOutputs(mlir::ValueRange results, mlir::ValueRange indices);
  /// Where the partial state of a run of an output is kept: all outputs of run
  /// 0, then those of run 1, …
  mlir::Value partialIndex(mlir::Value output, mlir::Value run);
  /// Partial states (and count) at a flat index.
  void storePartials(mlir::ValueRange states, mlir::Value at);
  llvm::SmallVector<mlir::Value> loadPartials(mlir::Value at);
  /// State member types, then i64 if counted.
  llvm::SmallVector<mlir::Type> stateAndCount();
  llvm::SmallVector<mlir::Type> rowStateAndCount();
  /// A chunk's state (scalars, or vectors) as the user's, given k of the
  /// chunk's first element.
  llvm::SmallVector<mlir::Value> fromRowState(mlir::ValueRange states,
                                              mlir::Value firstOfChunk);

private:
  mlir::Value appendArgument(mlir::Type type);
};

/// Functions that sum a narrow integer in narrow partials (plan.narrow): within
/// the 32 rows of a chunk no partial can overflow, and integer sums are exact,
/// so the result has the bits of the plain sum.
struct NarrowSum {
  mlir::Type rows;  ///< partials while a chunk's rows are read
  mlir::Type slots; ///< i32: while its slots are joined
  bool isSigned = true;
  std::string map, update, combineSlots;

  /// Adds the functions to the module.
  NarrowSum(KernelFrame &frame, ScalarType partial);
  mlir::Value widen(Emitter &e, mlir::Value v, mlir::Type element) const;
};

/// `v` with every NaN made its type's one quiet NaN: sign and payload of NaNs
/// are outside the order contract, so they are fixed where results leave. On
/// scalars and vectors; integers are themselves.
mlir::Value canonicalNan(Emitter &e, mlir::Value v);

/// A bool as i8, others as they are; on scalars and vectors.
mlir::Value toStorage(Emitter &e, mlir::Value v);

/// The tier shapes, one a file. Each emits the body of the kernel.
void emitRowTiers(KernelFrame &frame);
void emitShortRowTiers(KernelFrame &frame);
void emitChain(KernelFrame &frame);
void emitColumnTiers(KernelFrame &frame);
void emitPanelTiers(KernelFrame &frame);
/// The body of fold_join, for all of them.
void emitJoin(KernelFrame &frame);

} // namespace wf

#endif // WARPFOLD_LOWERING_KERNELFRAME_H
