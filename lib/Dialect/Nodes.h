//===- Nodes.h - One node of the language as arith operations ----*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DIALECT_NODES_H
#define WARPFOLD_DIALECT_NODES_H

#include "Dialect/Mlir.h"
#include "Language/Program.h"

namespace wf {

/// Builds `node` (not an Argument) on scalars. `types` are the operands' types
/// in the language: signedness lives there, MLIR's integers have none. The
/// operations used are elementwise, so that the function can be cloned onto
/// vectors type by type, and total: no input makes them undefined or trap.
mlir::Value buildNode(mlir::OpBuilder &b, mlir::Location loc, const Node &node,
                      llvm::ArrayRef<ScalarType> types,
                      mlir::ValueRange operands);

} // namespace wf

#endif // WARPFOLD_DIALECT_NODES_H
