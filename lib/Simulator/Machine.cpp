//===- Machine.cpp - The GPU that is simulated ----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/Machine.h"

#include "Error/Error.h"
#include "Plan/Hardware.h"

using namespace wf;
using namespace wf::sim;

llvm::Expected<Machine> sim::machineNamed(llvm::StringRef target) {
  Machine m;
  m.target = target.str();
  auto [chip, suffix] = target.split(':');
  m.chip = chip.str();
  if (target == "null") {
    m.maxShared = 64 << 10;
    return m;
  }
  auto row = lookupHardware(chip);
  if (!row)
    return row.takeError();
  const Hardware &h = **row;
  bool amd = chip.starts_with("gfx");
  m.vendor = amd ? Vendor::Amd : Vendor::Nvidia;
  m.lanes = int(h.warpSize.value);
  m.maxShared = int64_t(h.sharedOptIn.value);
  m.granule = int64_t(h.granule.value);
  if (amd)
    // "gfx90a": all but the last two characters are the generation.
    (void)chip.drop_front(3).drop_back(2).getAsInteger(10, m.generation);
  else
    (void)chip.drop_front(3).getAsInteger(10, m.generation);
  if (!target.contains(':'))
    return m;
  if (suffix == "wave64" && amd)
    m.lanes = 64;
  else if (suffix == "wave32" && amd && m.generation >= 10)
    m.lanes = 32;
  else
    return userError("no target is called '" + target + "'",
                     amd && m.generation >= 10
                         ? "say " + chip + ", " + chip + ":wave32 or " + chip +
                               ":wave64"
                         : "say " + chip);
  return m;
}
