//===- Hardware.h - What a GPU has, and who says so --------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// One row a target, one named card a row, and a source with every figure: a
// vendor's document, or a measurement. `warpfold devices --table sm_90` prints
// it. Plans and predictions are made from these figures and no others.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PLAN_HARDWARE_H
#define WARPFOLD_PLAN_HARDWARE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace wf {

/// A figure and where it is from. 0 where nobody says.
struct Figure {
  double value = 0;
  const char *source = "";
};

// X(field, label, unit). "multiprocessor" is AMD's compute unit, "warp" its
// wave, "shared memory" its LDS.
#define WF_HARDWARE_FIGURES(X)                                                 \
  X(multiprocessors, "multiprocessors", "")                                    \
  X(warpSize, "lanes a warp", "")                                              \
  X(warps, "warps a multiprocessor", "")                                       \
  X(blocks, "blocks a multiprocessor", "")                                     \
  X(registers, "registers a multiprocessor", "of 32 bits")                     \
  X(shared, "shared memory a multiprocessor", "bytes")                         \
  X(sharedBlock, "shared memory a block", "bytes")                             \
  X(sharedOptIn, "shared memory a block, on request", "bytes")                 \
  X(l2, "L2 cache", "bytes")                                                   \
  X(bandwidth, "memory bandwidth", "GB/s")                                     \
  X(readRate, "read rate", "GB/s")                                             \
  X(clock, "clock", "MHz")                                                     \
  X(issue, "32-bit operations a clock and multiprocessor", "")                 \
  X(launch, "first launch", "us")                                              \
  X(laterLaunch, "each later launch", "us")                                    \
  X(atomic, "atomic on one address", "ns")                                     \
  X(ticket, "last-block ticket", "us")                                         \
  X(partial, "partial state", "ns")                                            \
  X(granule, "smallest memory access", "bytes")                                \
  X(ptx, "PTX version needed", "")

struct Hardware {
  const char *target; ///< "sm_90", "gfx1201"
  const char *card;   ///< the card whose figures these are
#define X(F, ...) Figure F;
  WF_HARDWARE_FIGURES(X)
#undef X

  /// GB/s that a kernel can read at best: measured, or the datasheet's.
  double readable() const {
    return readRate.value > 0 ? readRate.value : bandwidth.value;
  }
};

/// All rows, NVIDIA's first, by target.
llvm::ArrayRef<Hardware> hardwareTable();

/// The row of a target, or null.
const Hardware *findHardware(llvm::StringRef target);

/// The row of a target; for an unknown one an error that names the nearest.
llvm::Expected<const Hardware *> lookupHardware(llvm::StringRef target);

/// The known target nearest to `target`: "sm_91" gives "sm_90".
llvm::StringRef nearestTarget(llvm::StringRef target);

/// A line a target: card, multiprocessors, memory.
std::string hardwareSummary();
/// Every figure of a row with its unit and source.
std::string hardwareText(const Hardware &row);

} // namespace wf

#endif // WARPFOLD_PLAN_HARDWARE_H
