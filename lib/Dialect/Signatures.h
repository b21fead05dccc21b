//===- Signatures.h - What a reduction's functions take and give -*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// One place that knows the argument lists of map, combine, update and finish
// as MLIR types; the verifiers of fold.reduce and of the tier ops share it.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DIALECT_SIGNATURES_H
#define WARPFOLD_DIALECT_SIGNATURES_H

#include "Dialect/Mlir.h"

namespace wf::fold {

/// The function called `symbol` that `op` names, or an error at `op`.
mlir::FailureOr<mlir::func::FuncOp>
lookupFunction(mlir::Operation *op, mlir::SymbolTableCollection &symbols,
               mlir::FlatSymbolRefAttr symbol, llvm::StringRef role);

/// Checks that @map fits elements of `inputs` and `params`, and gives the
/// state's types.
mlir::FailureOr<llvm::SmallVector<mlir::Type>>
checkMap(mlir::Operation *op, mlir::func::FuncOp map,
         mlir::TypeRange inputMemrefs, mlir::TypeRange params);

/// Looks up map and, unless it is null, update; checks both and gives the
/// state's types.
mlir::FailureOr<llvm::SmallVector<mlir::Type>>
checkElementFunctions(mlir::Operation *op,
                      mlir::SymbolTableCollection &symbols,
                      mlir::FlatSymbolRefAttr map,
                      mlir::FlatSymbolRefAttr update,
                      mlir::TypeRange inputMemrefs, mlir::TypeRange params);

mlir::LogicalResult checkCombine(mlir::Operation *op, mlir::func::FuncOp f,
                                 llvm::ArrayRef<mlir::Type> state,
                                 mlir::TypeRange params);
mlir::LogicalResult checkUpdate(mlir::Operation *op, mlir::func::FuncOp f,
                                llvm::ArrayRef<mlir::Type> state,
                                mlir::TypeRange inputMemrefs,
                                mlir::TypeRange params);

mlir::LogicalResult checkFinish(mlir::Operation *op, mlir::func::FuncOp f,
                                llvm::ArrayRef<mlir::Type> state,
                                mlir::TypeRange params);

/// vector and accumulators of a tier op: powers of two, A <= V <= 16.
mlir::LogicalResult verifyOrderConstants(mlir::Operation *op, int64_t vector,
                                         int64_t accumulators);

/// A bool is i1 in functions and i8 in memory; every other type is itself.
mlir::Type storageType(mlir::Type functionType);

} // namespace wf::fold

#endif // WARPFOLD_DIALECT_SIGNATURES_H
