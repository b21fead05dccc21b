//===- Cover.h - Few cases that meet every pair of traits --------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Most faults need two things to come together: a type and a length, a plan and
// an alignment. Of a large matrix this chooses cases so that every pair of
// traits that occurs in it occurs in one of them.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SELFTEST_COVER_H
#define WARPFOLD_SELFTEST_COVER_H

#include "Selftest/Case.h"

namespace wf::selftest {

/// What tells a case from others, each as "what=value": reduction, type,
/// length, shape and axes, strides, alignment, values, order, plan, block, …
std::vector<std::string> traitsOf(const Case &c);

/// Cases of `all` that have every pair of traits; small ones where there is a
/// choice. Those of more than `most` elements are left out. In the order of
/// `all`.
std::vector<Case> pairwiseCover(const std::vector<Case> &all, int64_t most);

} // namespace wf::selftest

#endif // WARPFOLD_SELFTEST_COVER_H
