//===- Fold.h - The fold dialect ---------------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DIALECT_FOLD_H
#define WARPFOLD_DIALECT_FOLD_H

#include "Dialect/Mlir.h"

#include "Dialect/FoldDialect.h.inc"
#include "Dialect/FoldEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "Dialect/FoldAttributes.h.inc"
#define GET_OP_CLASSES
#include "Dialect/FoldOps.h.inc"

#endif // WARPFOLD_DIALECT_FOLD_H
