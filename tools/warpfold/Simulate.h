//===- Simulate.h - A launch on the simulated GPU ---------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TOOLS_SIMULATE_H
#define WARPFOLD_TOOLS_SIMULATE_H

#include "ClangChild.h"
#include "SimArguments.h"
#include "Simulator/Hazard.h"

#include "llvm/Support/Error.h"

#include <vector>

namespace wf::cli {

/// Runs the kernel; its outputs are in the launch's arguments afterwards. What
/// it did wrong is the result; errors are the user's: no such kernel, arguments
/// that are not its own, a launch that the target does not allow.
llvm::Expected<std::vector<sim::Hazard>> simulate(const DeviceCode &code,
                                                  SimLaunch &launch);

} // namespace wf::cli

#endif // WARPFOLD_TOOLS_SIMULATE_H
