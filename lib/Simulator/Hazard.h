//===- Hazard.h - What a kernel does wrong -----------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SIMULATOR_HAZARD_H
#define WARPFOLD_SIMULATOR_HAZARD_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wf::sim {

// X(name, text): the text is what a user reads and a test asks for.
#define WF_HAZARDS(X)                                                          \
  X(OutOfBounds, "access out of bounds")                                       \
  X(Misaligned, "misaligned access")                                           \
  X(NeverWritten, "read of memory nobody wrote")                               \
  X(SharedRace, "race in shared memory")                                       \
  X(GlobalRace, "race in global memory")                                       \
  X(MissingRelease, "missing release between blocks")                          \
  X(MissingAcquire, "missing acquire between blocks")                          \
  X(DivergentBarrier, "barrier in divergent flow")                             \
  X(InactiveLane, "exchange with an inactive lane")                            \
  X(WrongWave, "exchange for another wave size")                               \
  X(NotOnTarget, "operation the target does not have")                         \
  X(SharedTooSmall, "dynamic shared memory too small")                         \
  X(NeverEnds, "kernel does not end")

enum class HazardKind : uint8_t {
#define X(NAME, TEXT) NAME,
  WF_HAZARDS(X)
#undef X
};

const char *hazardName(HazardKind kind);

struct Hazard {
  HazardKind kind;
  std::string detail;      ///< what, where in memory, against whom
  std::string instruction; ///< the IR that did it
  std::string source;      ///< "tree.cu:17", or ""
  std::string kernel;
  uint32_t block = 0, thread = 0; ///< linear
  int64_t times = 1;              ///< how often it happened at this instruction

  std::string text() const;
};

} // namespace wf::sim

#endif // WARPFOLD_SIMULATOR_HAZARD_H
