//===- Lines.cpp - Counters as lines of a table ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Profile/Lines.h"

#include "Plan/Hardware.h"
#include "Profile/MachineFlow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace wf;

namespace {

constexpr double kilobyte = 1024;

/// Turns counters into lines.
struct Writer {
  const LineSource &source;
  const sim::Counters &c;
  std::vector<ProfileLine> lines;

  void line(std::string name, const char *unit, double value,
            std::string note = "") {
    lines.push_back({std::move(name), unit, value, std::move(note)});
  }
  void bytes(std::string name, uint64_t value, std::string note = "") {
    line(std::move(name), "KB", double(value) / kilobyte, std::move(note));
  }
  void count(std::string name, uint64_t value, std::string note = "") {
    line(std::move(name), "", double(value), std::move(note));
  }
  double warps() const { return double(std::max<uint64_t>(c.warps, 1)); }
  const char *perWarp() const {
    return source.machine.isAmd() ? "per wave" : "per warp";
  }
  void memory();
  void machine();
  void ir(const uint64_t (&kinds)[sim::instKinds]);
  void rest();
};

BlockExecutions
executionsOf(const std::vector<std::pair<std::string, sim::BlockCount>> &ran) {
  BlockExecutions executions;
  for (const auto &[name, count] : ran)
    executions[name] = count.warps;
  return executions;
}

} // namespace

void Writer::memory() {
  std::string granule =
      llvm::formatv("granules of {0} bytes", source.machine.granule).str();
  if (const Hardware *row = findHardware(source.machine.chip))
    granule += std::string(" (") + row->granule.source + ")";
  bytes("FETCH_SIZE", c.fetched, "each touched once a launch, " + granule);
  bytes("WRITE_SIZE", c.written, "the same of stores and atomics");
  bytes("requested by loads", c.requestedRead);
  bytes("requested by stores", c.requestedWritten);
  bytes("moved by loads", c.movedRead, "granules once a request of a warp");
  bytes("moved by stores", c.movedWritten);
  bytes("moved by atomics", c.movedAtomics);
}

void Writer::machine() {
  MachineCounts sums{};
  for (const auto &[kernel, ran] : c.byBlock) {
    if (!source.fitting.count(kernel))
      continue;
    const std::vector<MachineBlock> &blocks = source.code.at(kernel);
    auto executions = machineExecutions(blocks, executionsOf(ran));
    for (size_t b = 0; b < blocks.size(); ++b)
      for (size_t k = 0; k < machineKinds; ++k)
        sums[k] += executions[b].value_or(0) * blocks[b].counts[k];
  }
  for (size_t k = 0; k < machineKinds; ++k)
    line(std::string(machineKindName(MachineKind(k))) + " instructions",
         perWarp(), double(sums[k]) / warps(),
         k == 0 ? "machine code by block × simulated executions" : "");
}

void Writer::ir(const uint64_t (&kinds)[sim::instKinds]) {
  for (int k = 0; k < sim::instKinds; ++k)
    line(std::string("IR ") + sim::instKindName(sim::InstKind(k)), perWarp(),
         double(kinds[k]) / warps(),
         k == 0 ? "IR count: instructions of the IR, not of the machine" : "");
}

void Writer::rest() {
  count("warps", c.warps,
        source.machine.isAmd() ? "waves of all launches" : "of all launches");
  count("LDS bank conflicts", c.bankConflicts,
        llvm::formatv("{0} banks of 4 bytes", source.machine.banks).str());
  count("load instructions", c.globalLoads, "of warps, on global memory");
  count("store instructions", c.globalStores);
  count("atomics", c.atomics, "of lanes, on global memory");
  count("atomic instructions", c.atomicInstructions);
  line("hottest address", "atomics", double(c.hottest), c.hottestName);
  count("barriers", c.barriers, "once a block each");
  line("exchanges", perWarp(), double(c.exchanges) / warps());
  line("lane utilisation", "%", 100 * c.utilisation(source.machine.lanes));
  lines.push_back({"L2CacheHit", "%", std::nullopt, "not simulated"});
  lines.push_back({"bandwidth", "GB/s", std::nullopt, "not simulated"});
}

bool wf::fits(const MachineKernels &code, const sim::Counters &counters,
              const std::string &kernel) {
  auto blocks = code.find(kernel);
  auto ran = counters.byBlock.find(kernel);
  return blocks != code.end() && ran != counters.byBlock.end() &&
         !blocks->second.empty() && !ran->second.empty() &&
         blocks->second.front().irBlock == ran->second.front().first;
}

std::vector<std::string> wf::machineNotes(const LineSource &source,
                                          const sim::Counters &counters) {
  std::vector<std::string> notes;
  for (const auto &[kernel, ran] : counters.byBlock) {
    if (!source.fitting.count(kernel)) {
      if (source.machine.isAmd())
        notes.push_back(kernel + ": its machine code does not begin with the "
                                 "block that the IR begins with; its "
                                 "instructions are those of the IR");
      continue;
    }
    const std::vector<MachineBlock> &blocks = source.code.at(kernel);
    auto executions = machineExecutions(blocks, executionsOf(ran));
    MachineCounts own{};
    unsigned unknown = 0;
    for (size_t b = 0; b < blocks.size(); ++b) {
      unknown += !executions[b];
      for (size_t k = 0; k < machineKinds; ++k)
        own[k] += executions[b] ? 0 : blocks[b].counts[k];
    }
    if (unknown) {
      std::string list;
      for (size_t k = 0; k < machineKinds; ++k)
        if (own[k])
          list += llvm::formatv("{0}{1} {2}", list.empty() ? "" : ", ", own[k],
                                machineKindName(MachineKind(k)))
                      .str();
      notes.push_back(llvm::formatv("{0}: {1} blocks of the code generator's "
                                    "own are not counted: {2}",
                                    kernel, unknown, list)
                          .str());
    }
    std::string merged;
    for (const auto &[name, count] : ran)
      if (count.warps && llvm::none_of(blocks, [&](const MachineBlock &b) {
            return b.irBlock == name;
          }))
        merged += (merged.empty() ? "" : ", ") + name;
    if (!merged.empty())
      notes.push_back(kernel +
                      ": IR blocks without a machine block, counted "
                      "in those they became part of: " +
                      merged);
  }
  return notes;
}

std::vector<ProfileLine> wf::linesOf(const LineSource &source,
                                     const sim::Counters &counters,
                                     const uint64_t (&ir)[sim::instKinds]) {
  Writer writer{source, counters, {}};
  writer.memory();
  if (!source.fitting.empty())
    writer.machine();
  if (source.fitting.empty() || llvm::any_of(ir, [](auto n) { return n > 0; }))
    writer.ir(ir);
  writer.rest();
  return std::move(writer.lines);
}
