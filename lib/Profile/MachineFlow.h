//===- MachineFlow.h - How often machine blocks ran --------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The simulator counts executions of IR blocks, and not every machine block
// bears the name of one: structurising a divergent branch makes blocks
// ("Flow"), into which IR blocks are merged. As many waves leave a block as
// enter it, so executions of named blocks give those of the others.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PROFILE_MACHINEFLOW_H
#define WARPFOLD_PROFILE_MACHINEFLOW_H

#include "Profile/MachineBlocks.h"

#include <optional>

namespace wf {

/// Executions by IR block, of one kernel.
using BlockExecutions = std::map<std::string, uint64_t>;

/// A count for each of `blocks`; none for one that does not follow.
std::vector<std::optional<uint64_t>>
machineExecutions(const std::vector<MachineBlock> &blocks,
                  const BlockExecutions &ran);

} // namespace wf

#endif // WARPFOLD_PROFILE_MACHINEFLOW_H
