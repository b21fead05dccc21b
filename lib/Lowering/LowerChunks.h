//===- LowerChunks.h - The two forms of a counter of chunks ------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LOWERING_LOWERCHUNKS_H
#define WARPFOLD_LOWERING_LOWERCHUNKS_H

#include "Dialect/Fold.h"

namespace wf {

/// For fold.chunks with `levels`: the counter's levels are values of a loop.
void lowerChunksInValues(fold::ChunksOp op, mlir::ModuleOp module);

} // namespace wf

#endif // WARPFOLD_LOWERING_LOWERCHUNKS_H
