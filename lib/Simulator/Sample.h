//===- Sample.h - A large grid by a few of its blocks ------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SIMULATOR_SAMPLE_H
#define WARPFOLD_SIMULATOR_SAMPLE_H

#include "Simulator/Block.h"

namespace wf::sim {

/// Counts the blocks of a regular grid by three windows of neighbours: its
/// start, its middle, its end. What a block adds to the counters after its
/// predecessor has to be the same for all blocks inside, or for every second,
/// fourth, eighth or sixteenth; then the rest of the grid adds that too, which
/// is exact: what neighbours or all blocks share was counted once. False: the
/// grid is small, its blocks wait for each other, or they differ; the blocks
/// that `ran` are counted and the others are to be run.
bool countBySample(Running &launch, std::vector<bool> &ran);

/// Runs one block to its end.
void runBlock(Running &launch, Block &block, uint32_t number);

} // namespace wf::sim

#endif // WARPFOLD_SIMULATOR_SAMPLE_H
