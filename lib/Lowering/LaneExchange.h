//===- LaneExchange.h - Values between lanes and through memory --*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LOWERING_LANEEXCHANGE_H
#define WARPFOLD_LOWERING_LANEEXCHANGE_H

#include "Lowering/TargetInfo.h"

namespace wf {

/// The target of the module's plan; ReduceToTiers names it.
const TargetInfo &targetOf(mlir::ModuleOp module);
inline constexpr const char *kTargetAttribute = "fold.target";

/// lower(emitter, op, target) for every Op of the module that is there now.
template <typename Op, typename F>
void lowerEach(mlir::ModuleOp module, F &&lower) {
  llvm::SmallVector<Op> ops;
  module.walk([&](Op op) { ops.push_back(op); });
  for (Op op : ops) {
    mlir::OpBuilder b(op);
    Emitter e(b, op.getLoc(), module);
    lower(e, op, targetOf(module));
  }
}

/// `value` of any scalar type from the lane whose number differs in `mask`, as
/// one or two 32-bit words.
mlir::Value exchange(Emitter &e, const TargetInfo &target, mlir::Value value,
                     int32_t mask);

/// `value` of the lane `delta` further on; its own past the last lane.
mlir::Value exchangeDown(Emitter &e, const TargetInfo &target,
                         mlir::Value value, int32_t delta);

/// Shared memory: one array of `count` elements a type, as pointers. With
/// `reuse` an earlier one of that name that is large enough is taken again:
/// there must be a barrier between their uses.
llvm::SmallVector<mlir::Value>
sharedArrays(Emitter &e, const TargetInfo &target, mlir::TypeRange types,
             int64_t count, llvm::StringRef name, bool reuse = false);

/// The arrays of a state from element `at` on: constant indices into these are
/// offsets of one address.
llvm::SmallVector<mlir::Value> arraysFrom(Emitter &e, mlir::ValueRange arrays,
                                          mlir::Value at,
                                          mlir::TypeRange types);
/// Bytes of a value in memory, which are its alignment too. Said with every
/// load and store: else i64 counts as aligned to 4, and comes in two halves.
unsigned storedBytes(mlir::Type stored);

/// Stores or loads a state (functions' types) at element `at` of its arrays.
void storeState(Emitter &e, mlir::ValueRange arrays, mlir::Value at,
                mlir::ValueRange state);
llvm::SmallVector<mlir::Value> loadState(Emitter &e, mlir::ValueRange arrays,
                                         mlir::Value at, mlir::TypeRange types);

/// combine(left, right) with counts last where `counted`.
llvm::SmallVector<mlir::Value> joinStates(Emitter &e, llvm::StringRef combine,
                                          bool counted, mlir::ValueRange left,
                                          mlir::ValueRange right,
                                          mlir::ValueRange params);

/// The balanced tree over states[0 … n), the lower on the left. With `present`,
/// state i stands for slots from firstSlot + i * span on, and is there if the
/// first of them is below it.
llvm::SmallVector<mlir::Value>
joinTree(Emitter &e, llvm::StringRef combine, bool counted,
         std::vector<llvm::SmallVector<mlir::Value>> states,
         mlir::Value present, mlir::Value firstSlot, int64_t span,
         mlir::ValueRange params);

/// Is this the last of `runs` blocks to draw from the ticket at that index of
/// `tickets`? The same in all threads of the block, all of which take part; the
/// ticket is zero again afterwards.
mlir::Value isLastBlock(Emitter &e, const TargetInfo &target,
                        mlir::Value tickets, mlir::Value ticket,
                        mlir::Value runs, mlir::Value thread);

/// `body` by those for whom `condition` holds.
void onlyIf(Emitter &e, mlir::Value condition, llvm::function_ref<void()> body);
/// if (condition) then body() else zeros.
llvm::SmallVector<mlir::Value>
valuesIf(Emitter &e, mlir::Value condition, mlir::TypeRange types,
         llvm::function_ref<llvm::SmallVector<mlir::Value>()> body);

/// Zeros of these types: what stands for a state that nobody reads.
llvm::SmallVector<mlir::Value> zeros(Emitter &e, mlir::TypeRange types);

} // namespace wf

#endif // WARPFOLD_LOWERING_LANEEXCHANGE_H
