//===- Calls.h - Calls of the user's functions, also on vectors --*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The user's functions are elementwise by construction (Dialect/Nodes.cpp), so
// a function on scalars becomes one on vectors by changing the types of its
// values: @combine(f32, f32, …) and @combine.v16(vector<16xf32>, …). Clones are
// made once, when the first call asks for them.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LOWERING_CALLS_H
#define WARPFOLD_LOWERING_CALLS_H

#include "Dialect/Fold.h"

namespace wf {

/// A builder with the few shapes of operation that lowerings are made of.
struct Emitter {
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::SymbolTable symbols;

  Emitter(mlir::OpBuilder &b, mlir::Location loc, mlir::ModuleOp module)
      : b(b), loc(loc), symbols(module) {}

  mlir::Value index(int64_t v);
  mlir::Value i64(int64_t v);
  mlir::Value i32(int32_t v);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value sub(mlir::Value x, mlir::Value y);
  mlir::Value mul(mlir::Value x, mlir::Value y);
  mlir::Value div(mlir::Value x, mlir::Value y); ///< unsigned
  mlir::Value rem(mlir::Value x, mlir::Value y); ///< unsigned
  mlir::Value less(mlir::Value x, mlir::Value y); ///< unsigned
  mlir::Value equal(mlir::Value x, mlir::Value y);
  mlir::Value minimum(mlir::Value x, mlir::Value y); ///< unsigned
  mlir::Value toI64(mlir::Value index);

  /// `scalar` in every lane; itself for one lane.
  mlir::Value splat(mlir::Value scalar, int64_t lanes);
  /// vector<lanes x i64> of `values`.
  mlir::Value constantLanes(llvm::ArrayRef<int64_t> values);

  /// Calls `symbol`, on vectors of `lanes` unless that is 0 (scalars).
  llvm::SmallVector<mlir::Value> call(llvm::StringRef symbol, int64_t lanes,
                                      mlir::ValueRange arguments);

  /// combine(a, b): states, then counts (i64; null where nobody reads them).
  llvm::SmallVector<mlir::Value>
  combine(llvm::StringRef symbol, int64_t lanes, mlir::ValueRange a,
          mlir::ValueRange b, mlir::Value countA, mlir::Value countB,
          mlir::ValueRange params);

private:
  mlir::func::FuncOp vectorClone(mlir::func::FuncOp f, int64_t lanes);
};

/// A memory value as functions take it: i8 != 0 where they take a bool.
mlir::Value fromStorage(Emitter &e, mlir::Value stored, mlir::Type functionType);

/// Does a function read its arguments [first, first + n)?
bool readsArguments(mlir::func::FuncOp f, unsigned first, unsigned n);

} // namespace wf

#endif // WARPFOLD_LOWERING_CALLS_H
