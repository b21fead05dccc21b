//===- Block.h - Threads that share memory and barriers ----------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SIMULATOR_BLOCK_H
#define WARPFOLD_SIMULATOR_BLOCK_H

#include "Simulator/Order.h"
#include "Simulator/Simulator.h"
#include "Simulator/Warp.h"

#include <random>
#include <unordered_map>

namespace wf::sim {

/// A launch that is going on.
class Running {
public:
  Running(Program &program, Memory &memory, const Kernel &kernel,
          const LaunchRequest &request, const Options &options);

  const Machine &machine;
  Memory &memory;
  const Kernel &kernel;
  const LaunchRequest &request;
  const Options &options;
  Outcome outcome;
  Order order;
  std::mt19937_64 chance;
  std::vector<char> shared; ///< slots of constants and arguments
  uint32_t firstBlock = 1;  ///< serial number of the launch's first block
  unsigned cellShift = 2;   ///< a cell watches 1 << cellShift bytes
  std::vector<BlockCount> blockCounts;
  std::unordered_map<Address, uint64_t> atomicCounts;
  bool stopped = false;

  uint32_t blocks() const {
    return request.grid[0] * request.grid[1] * request.grid[2];
  }
  uint32_t threads() const {
    return request.block[0] * request.block[1] * request.block[2];
  }
  unsigned dice(unsigned sides) { return unsigned(chance() % sides); }
  bool random() const { return options.schedule == Schedule::Random; }
  /// Notes what a lane did wrong; once for each kind and instruction.
  void hazard(HazardKind kind, const Warp &warp, int lane, const Inst &inst,
              const std::string &detail);
  Counters &counters() { return outcome.counters; }

private:
  std::unordered_map<uint64_t, size_t> known;
};

class Block {
public:
  explicit Block(Running &launch) : launch(launch) {}
  void start(uint32_t linear);
  /// Runs a slice of every warp that can go on. False: the block is done.
  bool step();

  Running &launch;
  uint32_t linear = 0, index[3] = {};
  std::vector<Warp> warps;
  std::vector<char> shared;
  std::vector<Cell> cells;
  uint32_t serial = 0, barriers = 0, time = 0;
  SeenList acquired; ///< by its threads, before the last barrier
  ThreadOrder &order(uint32_t thread) { return threads[thread]; }

private:
  bool passBarrier();
  void reportStuck();
  std::vector<ThreadOrder> threads;
};

} // namespace wf::sim

#endif // WARPFOLD_SIMULATOR_BLOCK_H
