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
  llvm::StringRef chip = target.split(':').first;
  m.chip = chip.str();
  if (target == "null") {
    m.maxShared = 64 << 10;
    return m;
  }
  if (chip == "null")
    return userError("no target is called '" + target + "'", "say null");
  // By its whole name: what no kernel is compiled for has no machine either.
  auto row = lookupHardware(target);
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
  if (target.ends_with(":wave64"))
    m.lanes = 64;
  return m;
}
