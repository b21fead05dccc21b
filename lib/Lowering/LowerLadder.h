//===- LowerLadder.h - The parts of fold-lower-ladder ------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LOWERING_LOWERLADDER_H
#define WARPFOLD_LOWERING_LOWERLADDER_H

#include "Lowering/TargetInfo.h"

namespace wf {

/// fold.lane_stride to loads that roll and calls (LowerStride.cpp).
void lowerStride(Emitter &e, fold::LaneStrideOp op);

/// fold.grid_atomic to a machine atomic or compare-and-swap (LowerAtomic.cpp).
void lowerAtomic(Emitter &e, fold::GridAtomicOp op, const TargetInfo &target);

} // namespace wf

#endif // WARPFOLD_LOWERING_LOWERLADDER_H
