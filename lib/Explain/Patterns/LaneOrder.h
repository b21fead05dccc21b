//===- LaneOrder.h - In which order lanes meet ------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_PATTERNS_LANEORDER_H
#define WARPFOLD_EXPLAIN_PATTERNS_LANEORDER_H

#include "Explain/Verdict/Report.h"

namespace wf::explain {

/// How far apart the two lanes of an exchange are; 0 where it is no number.
int laneDistance(const Effect &effect);

/// Fills Accumulator::ascending.
void markLaneOrder(Report &report);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_PATTERNS_LANEORDER_H
