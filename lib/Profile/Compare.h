//===- Compare.h - Measured counters beside simulated ones -------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What stands beside a line of a profile where a GPU was measured. Every way to
// print it asks here, so all of them give the same numbers.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PROFILE_COMPARE_H
#define WARPFOLD_PROFILE_COMPARE_H

#include "Profile/Ncu.h"
#include "Profile/Profile.h"

namespace wf {

/// How far a measured counter may be from the simulated one, as a fraction of
/// the larger, and why; negative: the two are not the same thing.
struct Agreement {
  const char *name;
  double bound;
  const char *why;
};
/// The profilers of the two vendors count different things.
llvm::ArrayRef<Agreement> agreements(bool nvidia);

/// What a profiler found, in the line's unit.
struct Compared {
  double measured = 0;
  std::string verdict; ///< "" where nothing is promised
};

/// None where the profiler has no such counter, or did not count the warps that
/// a figure per warp is of.
std::optional<Compared> compare(const MeasuredCounters &measured, bool nvidia,
                                const ProfileLine &line);

} // namespace wf

#endif // WARPFOLD_PROFILE_COMPARE_H
