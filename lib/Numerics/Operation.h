//===- Operation.h - One total operation on scalars -------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The meaning of each NodeOp on payloads, by the rules of the table in
// Language/Program.h. Every operation is defined on every operand:
//
//   apply(Div, I32, I32, {7, 0})  ->  0
//
// Floating results are rounded once in their own type; NaN results may have
// any payload here, since only stores make them canonical.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_NUMERICS_OPERATION_H
#define WARPFOLD_NUMERICS_OPERATION_H

#include "Language/Program.h"
#include "llvm/ADT/ArrayRef.h"

namespace wf {

/// The name of an operation as in Program.h: "add".
std::string_view operationName(NodeOp op);

/// The number of operands an operation takes.
unsigned operandCount(NodeOp op);

/// True if `op` with a result of type `result` is defined on operands of these
/// types. Constant and Argument take none and have any type.
bool isDefined(NodeOp op, ScalarType result,
               llvm::ArrayRef<ScalarType> operands);

/// The payload of `op` on `operands`. `operandType` is the type of the first
/// operand (Select: of the bool). Only for what isDefined() allows, and
/// neither Constant nor Argument.
uint64_t apply(NodeOp op, ScalarType result, ScalarType operandType,
               llvm::ArrayRef<uint64_t> operands);

} // namespace wf

#endif // WARPFOLD_NUMERICS_OPERATION_H
