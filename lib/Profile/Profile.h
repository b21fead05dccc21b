//===- Profile.h - The counters of a reduction -------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Runs a reduction on a simulated device and says what its kernels did, in the
// counters of the vendors' profilers. What each line means and how it is got is
// in docs/profile.md.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PROFILE_PROFILE_H
#define WARPFOLD_PROFILE_PROFILE_H

#include "Pipeline/Reduce.h"

namespace wf {

struct ProfileRequest {
  ReduceRequest reduce; ///< its device is sim:…
  bool exact = false;   ///< every block, not a sample of a regular grid
};

/// One counter. Without a value, `note` says why.
struct ProfileLine {
  std::string name, unit;
  std::optional<double> value;
  std::string note;
};

struct ProfileReport {
  std::string device, plan, order;
  std::vector<std::string> notes;
  /// "fold: 262144 blocks of 256 threads", a kernel a line; and, where all ran
  /// though a sample was asked for, why.
  std::vector<std::string> kernels;
  std::vector<ProfileLine> lines;
  bool sampled = false; ///< counters are scaled from a sample of blocks
  uint64_t blocks = 0, simulatedBlocks = 0;
  double seconds = 0; ///< that the simulation took
  uint64_t laneInstructions = 0;

  const ProfileLine *find(llvm::StringRef name) const;
};

llvm::Expected<ProfileReport> profile(const ProfileRequest &request);

} // namespace wf

#endif // WARPFOLD_PROFILE_PROFILE_H
