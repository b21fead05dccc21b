//===- TreePicture.h - A plan's tree as a picture ----------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A self-contained SVG. One panel a tier: a column a state, a row a round, an
// arrow where two states join; who has nothing to do in a round is grey. The
// first panel is a block's threads (or a chunk's slots), the next its chunks or
// the partial states of its blocks.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PLAN_TREEPICTURE_H
#define WARPFOLD_PLAN_TREEPICTURE_H

#include "Plan/Plan.h"

#include <string>

namespace wf {

/// The most states a panel shows; of longer tiers it shows the first and says
/// so.
constexpr int64_t mostPictureStates = 256;

/// The tree of one output of `elements` (at least 1) as an SVG document.
std::string treePicture(const Plan &plan, int64_t elements);

} // namespace wf

#endif // WARPFOLD_PLAN_TREEPICTURE_H
