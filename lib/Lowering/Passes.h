//===- Passes.h - From fold.reduce to loops ----------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LOWERING_PASSES_H
#define WARPFOLD_LOWERING_PASSES_H

#include "Dialect/Fold.h"

namespace wf {
#define GEN_PASS_DECL
#include "Lowering/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "Lowering/Passes.h.inc"
} // namespace wf

#endif // WARPFOLD_LOWERING_PASSES_H
