//===- Launch.cpp - Runs the blocks of a launch ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Error/Error.h"
#include "Simulator/Sample.h"
#include "llvm/IR/DebugInfoMetadata.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace wf;
using namespace wf::sim;
using llvm::Error;
using llvm::Expected;

/// Serial numbers of blocks, so that what an earlier launch left in the shadow
/// of memory is told from this one's.
static uint32_t nextBlock = 1;

static Error checkLaunch(const Kernel &kernel, const Machine &m,
                         const LaunchRequest &r) {
  uint64_t threads = 1, blocks = 1;
  for (int d = 0; d < 3; ++d) {
    threads *= r.block[d];
    blocks *= r.grid[d];
  }
  std::string on = "a block on " + m.target;
  if (threads == 0 || blocks == 0)
    return userError("a launch of nothing: " + llvm::Twine(blocks) +
                         " blocks of " + llvm::Twine(threads) + " threads",
                     "a launch has at least one of both");
  if (threads > uint64_t(m.maxThreads))
    return userError(on + " has at most " + llvm::Twine(m.maxThreads) +
                         " threads, and the launch wants " +
                         llvm::Twine(threads),
                     "use more blocks of fewer threads");
  if (blocks > uint64_t(m.maxBlocks))
    return userError("a launch on " + m.target + " has at most " +
                         llvm::Twine(m.maxBlocks) + " blocks, not " +
                         llvm::Twine(blocks),
                     "give each block more to do");
  int64_t bytes =
      (kernel.dynamicShared ? kernel.dynamicStart : kernel.sharedBytes) +
      r.sharedBytes;
  if (bytes > m.maxShared)
    return userError(on + " has at most " + llvm::Twine(m.maxShared) +
                         " bytes of shared memory, and the launch wants " +
                         llvm::Twine(bytes),
                     "share less");
  if (r.arguments.size() != kernel.argumentBytes)
    return userError("kernel " + sourceName(kernel.name) + " takes " +
                         llvm::Twine(kernel.argumentBytes) +
                         " bytes of arguments, and there are " +
                         llvm::Twine(r.arguments.size()),
                     "it has " + llvm::Twine(kernel.arguments.size()) +
                         " arguments");
  return Error::success();
}

Running::Running(Program &program, Memory &memory, const Kernel &kernel,
                 const LaunchRequest &request, const Options &options)
    : machine(program.machine()), memory(memory), kernel(kernel),
      request(request), options(options), chance(options.seed) {
  shared = kernel.sharedSlots;
  for (const Argument &a : kernel.arguments) {
    uint64_t value = 0;
    std::memcpy(&value, request.arguments.data() + a.offset, a.bytes);
    size_t lane = a.bytes == 8 ? 8 : 4;
    size_t at = size_t(a.slot & (sharedOperand - 1));
    for (int l = 0; l < machine.lanes; ++l)
      std::memcpy(&shared[at + size_t(l) * lane], &value, lane);
    if (a.pointer)
      if (Allocation *x = memory.find(value)) {
        x->watched |= a.written;
        if (x->name.empty())
          x->name = a.name;
      }
  }
  cellShift = unsigned(std::countr_zero(std::max(kernel.smallestAccess, 1u)));
  cellShift = std::min(cellShift, 3u);
  for (auto &a : memory.allocations()) {
    if (!a)
      continue;
    a->watched |= kernel.storesAnywhere;
    a->watched &= options.hazards;
    if (a->watched)
      a->cells.assign((size_t(a->bytes) >> cellShift) + 1, GlobalCell());
  }
  blockCounts.resize(kernel.blocks.size());
  firstBlock = nextBlock;
  nextBlock += blocks();
  if (nextBlock < firstBlock) // after four billion blocks
    firstBlock = 1, nextBlock = 1 + blocks();
}

void Running::hazard(HazardKind kind, const Warp &warp, int lane,
                     const Inst &inst, const std::string &detail) {
  uint64_t key = uint64_t(inst.source) << 8 | uint64_t(kind);
  auto [it, fresh] = known.try_emplace(key, outcome.hazards.size());
  if (!fresh) {
    ++outcome.hazards[it->second].times;
    return;
  }
  Hazard h;
  h.kind = kind;
  h.detail = detail;
  h.kernel = sourceName(kernel.name);
  h.block = warp.block->linear;
  h.thread = warp.thread(lane);
  if (inst.source < kernel.sources.size()) {
    const llvm::Instruction &i = *kernel.sources[inst.source];
    llvm::raw_string_ostream os(h.instruction);
    os << i;
    h.instruction = llvm::StringRef(h.instruction).trim().str();
    if (const llvm::DILocation *at = i.getDebugLoc().get())
      h.source = at->getFilename().str() + ":" + std::to_string(at->getLine());
  }
  outcome.hazards.push_back(std::move(h));
  if (outcome.hazards.size() >= options.mostHazards)
    stopped = true;
}

/// All blocks, a few at once, in some order.
static void runAll(Running &launch) {
  uint32_t blocks = launch.blocks();
  if (!launch.random()) {
    std::vector<bool> ran(blocks, false);
    if (launch.options.sample && countBySample(launch, ran))
      return;
    Block block(launch);
    for (uint32_t b = 0; b < blocks && !launch.stopped; ++b)
      if (!ran[b])
        runBlock(launch, block, b);
    return;
  }
  std::vector<uint32_t> order(blocks);
  for (uint32_t b = 0; b < blocks; ++b)
    order[b] = b;
  std::shuffle(order.begin(), order.end(), launch.chance);
  size_t together = launch.options.resident;
  std::vector<std::unique_ptr<Block>> resident, idle;
  uint32_t next = 0;
  auto fill = [&] {
    while (resident.size() < together && next < blocks) {
      if (idle.empty())
        idle.push_back(std::make_unique<Block>(launch));
      resident.push_back(std::move(idle.back()));
      idle.pop_back();
      resident.back()->start(order[next]);
      ++next;
    }
  };
  for (fill(); !resident.empty() && !launch.stopped; fill()) {
    size_t at =
        resident.size() > 1 ? launch.dice(unsigned(resident.size())) : 0;
    if (resident[at]->step())
      continue;
    idle.push_back(std::move(resident[at]));
    resident.erase(resident.begin() + long(at));
  }
  launch.outcome.simulatedBlocks = next;
}

/// Counts that follow from how often each basic block ran.
static void finishCounters(Running &launch) {
  Counters &c = launch.counters();
  auto &blocks = c.byBlock[launch.kernel.name];
  for (size_t b = 0; b < launch.blockCounts.size(); ++b) {
    const BlockInfo &info = launch.kernel.blocks[b];
    const BlockCount &n = launch.blockCounts[b];
    c.instructions += n.warps * info.instructions;
    c.laneInstructions += n.lanes * info.instructions;
    for (int k = 0; k < instKinds; ++k)
      c.kinds[k] += n.warps * info.kinds[k];
    blocks.emplace_back(info.name, n);
  }
  for (auto [address, times] : launch.atomicCounts)
    if (times > c.hottest) {
      c.hottest = times;
      c.hottestName = launch.memory.describe(address, 1);
    }
}

static void finish(Running &launch) {
  if (launch.options.count)
    finishCounters(launch);
  for (auto &a : launch.memory.allocations()) {
    if (!a)
      continue;
    a->watched = false;
    a->cells = {};
    a->readGranules = {};
    a->writtenGranules = {};
  }
  launch.outcome.stopped = launch.stopped;
}

Expected<Outcome> sim::launch(Program &program, Memory &memory,
                              const LaunchRequest &request,
                              const Options &options) {
  auto kernel = program.kernel(request.kernel);
  if (!kernel)
    return kernel.takeError();
  if (Error e = checkLaunch(**kernel, program.machine(), request))
    return std::move(e);
  Running running(program, memory, **kernel, request, options);
  runAll(running);
  finish(running);
  return std::move(running.outcome);
}
