//===- GpuFrame.h - The kernel around a planned reduction on a GPU -*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What every lane form (warps, lanes, columns, threads) needs: the kernel's
// arguments by name (Launch.h), who this thread is, where an output's elements
// lie, the finish and the stores.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LOWERING_GPUFRAME_H
#define WARPFOLD_LOWERING_GPUFRAME_H

#include "Lowering/KernelFrame.h"
#include "Lowering/TargetInfo.h"

namespace wf {

struct GpuFrame {
  KernelFrame &f;
  Emitter &e = f.e;
  const TargetInfo &target;

  using Values = llvm::SmallVector<mlir::Value>;
  Values inputs, outputs, partials; ///< pointers
  mlir::Value tickets, runs, outputCount;
  Values keptSizes, reducedSizes;
  std::vector<Values> inKept, inReduced, outKept; ///< strides, an array each
  llvm::SmallVector<int64_t> inner; ///< of the inputs' innermost dimension
  mlir::Value thread, lane, warp, block;

  GpuFrame(KernelFrame &f, const TargetInfo &target) : f(f), target(target) {}

  /// Makes a kernel with the arguments of Launch.h, next to the last one, and
  /// moves the builder into it. The first stands for the fold.reduce.
  void makeKernel(llvm::StringRef name = "fold");

  /// Indices along the kept axes of output `linear`.
  Values digits(mlir::Value linear);
  /// An input's element k = 0 of that output, one an input.
  Values inputOffsets(mlir::ValueRange digits);
  /// All reduced strides, input by input.
  Values reducedStrides();
  /// Where in result o's array the output with these digits is.
  mlir::Value outputOffset(size_t o, mlir::ValueRange digits);
  /// Finishes a state and stores the results at that output.
  void store(mlir::ValueRange state, mlir::ValueRange digits);
  /// fold.grid over the runs of what `ticket` counts, in groups first where the
  /// plan says so, then `store` by the threads of the last block below `width`.
  struct Place {
    mlir::Value ticket, tickets; ///< this one's number, and how many there are
    mlir::Value run;             ///< this block's
    mlir::Value first, pitch;    ///< element of run 0's state; to the next run's
    mlir::Value end;             ///< elements of all runs' states
    mlir::Value width;
    int64_t columns;
    bool pitchIsOne = false; ///< an output's states lie side by side
  };
  void joinGrid(mlir::ValueRange state, const Place &place,
                llvm::function_ref<void(mlir::ValueRange)> store);
  /// `body` by those for whom `condition` holds.
  void onlyIf(mlir::Value condition, llvm::function_ref<void()> body);
  Values valuesIf(mlir::Value condition, mlir::TypeRange types,
                  llvm::function_ref<Values()> body);
  mlir::Value ceilDiv(mlir::Value a, mlir::Value b);

private:
  mlir::Value argument(mlir::Type type);
  Values indexArguments(size_t n);
};

/// The forms, one a file; each emits the body of the kernel.
void emitWarpTiers(GpuFrame &g);
void emitLanesTiers(GpuFrame &g);
void emitColumnLaneTiers(GpuFrame &g);
void emitThreadTiers(GpuFrame &g);
void emitLadderTiers(GpuFrame &g);

} // namespace wf

#endif // WARPFOLD_LOWERING_GPUFRAME_H
