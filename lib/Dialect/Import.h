//===- Import.h - From a checked program to fold.reduce ----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DIALECT_IMPORT_H
#define WARPFOLD_DIALECT_IMPORT_H

#include "Dialect/Fold.h"
#include "Language/Program.h"
#include "Plan/Plan.h"

namespace wf {

/// Loads every dialect the pipeline makes use of into `context`.
void loadDialects(mlir::MLIRContext &context);

/// The MLIR type of a value in functions (bool is i1, integers signless).
mlir::Type functionType(mlir::MLIRContext *context, ScalarType type);

/// Adds `f` to `module` as a private function called f.name.
mlir::func::FuncOp importFunction(mlir::ModuleOp module, const Function &f);

/// What of a problem's layout is compiled in: ranks, unit strides. Sizes and
/// other strides are run-time arguments.
struct ReduceLayout {
  ProblemKind kind;
  int64_t keptRank = 0, reducedRank = 1;
  /// Per input and kept + reduced axis in memory order (see memoryOrder):
  /// 0, 1, or -1 for a run-time stride. Only the innermost is ever known.
  std::vector<int64_t> innerStride;
  bool unitOutput = false; ///< outputs have unit stride along the last kept axis
  int64_t staticElements = 0;

  bool operator==(const ReduceLayout &) const = default;
  std::string text() const;
};

/// The layout of a problem as canonicalised.
ReduceLayout layoutOf(const Problem &problem);

/// What `plan.nearIndex` adds to the module, next to map, combine, update.
inline constexpr const char *kNearMap = "map.near";
inline constexpr const char *kNearCombine = "combine.near";
inline constexpr const char *kNearUpdate = "update.near";

/// What grid=atomic adds to the module: params -> state.
inline constexpr const char *kNeutralFunction = "neutral";

/// A module with the program's functions and
///   func @fold(inputs, outputs, params) { fold.reduce … }
mlir::OwningOpRef<mlir::ModuleOp> importProgram(mlir::MLIRContext *context,
                                                const Program &program,
                                                const ReduceLayout &layout,
                                                PlanOrder order);

} // namespace wf

#endif // WARPFOLD_DIALECT_IMPORT_H
