//===- Machine.h - The GPU that is simulated ---------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SIMULATOR_MACHINE_H
#define WARPFOLD_SIMULATOR_MACHINE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace wf::sim {

enum class Vendor { Null, Nvidia, Amd };

/// What of a GPU the execution and the counters depend on. The figures are
/// those of the hardware table (Plan/Hardware.h), which names their sources.
struct Machine {
  std::string target; ///< "sm_90", "gfx1201:wave64", "null"
  std::string chip;   ///< "gfx1201"
  Vendor vendor = Vendor::Null;
  int lanes = 32;            ///< of a warp
  int64_t maxThreads = 1024; ///< of a block
  int64_t maxBlocks = 0x7fffffff;
  int64_t maxShared = 0; ///< bytes a block, static and dynamic
  int64_t granule = 32;  ///< bytes of the smallest memory access
  int64_t banks = 32;    ///< of shared memory, four bytes wide each
  int generation = 0;    ///< gfx942 is 9, gfx1201 12; sm_90 is 90

  bool isAmd() const { return vendor == Vendor::Amd; }
  bool isNvidia() const { return vendor == Vendor::Nvidia; }
};

/// The machine of a target; a user error that names those there are.
llvm::Expected<Machine> machineNamed(llvm::StringRef target);

} // namespace wf::sim

#endif // WARPFOLD_SIMULATOR_MACHINE_H
