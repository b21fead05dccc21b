//===- Lines.h - Counters as lines of a table --------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What the launches of a device did, as the lines of a profile: where there is
// machine code, in its instructions, else in those of the IR.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PROFILE_LINES_H
#define WARPFOLD_PROFILE_LINES_H

#include "Profile/MachineBlocks.h"
#include "Profile/Profile.h"
#include "Simulator/Counters.h"
#include "Simulator/Machine.h"

#include <set>

namespace wf {

/// What launches of a device became.
struct LineSource {
  const sim::Machine &machine;
  /// Of AMD's kernels; empty for targets without machine code.
  MachineKernels code;
  /// Kernels that the code fits: their instructions are the machine's, those
  /// of others the IR's.
  std::set<std::string> fitting;
};

/// Does the machine code of a kernel begin where the simulated one does?
bool fits(const MachineKernels &code, const sim::Counters &counters,
          const std::string &kernel);

/// Instructions in blocks whose executions are not known, and IR blocks that
/// have no machine block: as sentences.
std::vector<std::string> machineNotes(const LineSource &source,
                                      const sim::Counters &counters);

/// `ir`: instructions of the IR of those launches that no code fits.
std::vector<ProfileLine> linesOf(const LineSource &source,
                                 const sim::Counters &counters,
                                 const uint64_t (&ir)[sim::instKinds]);

} // namespace wf

#endif // WARPFOLD_PROFILE_LINES_H
