//===- Levels.h - Which levels of the tree a tier takes ----------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Slots are counted through all chunks; level l of their tree joins runs of
// 2^l. A chunk has a power of two of slots, so chunks go on where a chunk's
// levels end, and every tier of a form takes a range of levels: a form is five
// numbers.
//
//   warp, A = 4, run = 4, warps = 16:  lane 2, shuffle 7, shared 7,
//                                      registers 9, block 13, the rest: grid
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PLAN_LEVELS_H
#define WARPFOLD_PLAN_LEVELS_H

#include "Plan/Plan.h"

namespace wf {

struct Levels {
  int64_t lane = 0;      ///< below: slots of one lane
  int64_t shuffle = 0;   ///< below: lanes of a warp
  int64_t shared = 0;    ///< below: through shared memory, within a chunk
  int64_t registers = 0; ///< below: a binary counter
  int64_t block = 0;     ///< below: warps of a block; from here: the grid
};

/// For canonical and ordered; not for form=ladder, whose trees Named.h defines.
Levels levelsOf(const Plan &plan);

/// Slots that have an element, of a fold of K: they are the first ones.
int64_t slotsPresent(const Plan &plan, int64_t elements);

} // namespace wf

#endif // WARPFOLD_PLAN_LEVELS_H
