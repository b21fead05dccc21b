//===- Profile.cpp - The counters of a reduction --------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Profile/Profile.h"

#include "Error/Error.h"
#include "Plan/Hardware.h"
#include "Profile/MachineBlocks.h"
#include "Runtime/Sim/SimDevice.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>

using namespace wf;

const ProfileLine *ProfileReport::find(llvm::StringRef name) const {
  for (const ProfileLine &line : lines)
    if (line.name == name)
      return &line;
  return nullptr;
}

namespace {
/// Turns what the launches did into lines.
struct Reporter {
  SimDevice &device;
  ProfileReport &report;
  sim::Counters total;

  void line(std::string name, const char *unit, double value,
            std::string note = "") {
    report.lines.push_back({std::move(name), unit, value, std::move(note)});
  }
  void memory();
  llvm::Error instructions();
  void machine(const MachineKernels &kernels);
  void rest();
};
} // namespace

void Reporter::memory() {
  auto kilobytes = [](uint64_t bytes) { return double(bytes) / 1024; };
  std::string granule =
      llvm::formatv("granules of {0} bytes", device.machine().granule).str();
  if (const Hardware *row = findHardware(device.machine().chip))
    granule += std::string(" (") + row->granule.source + ")";
  line("FETCH_SIZE", "KB", kilobytes(total.fetched),
       "each touched once a launch, " + granule);
  line("WRITE_SIZE", "KB", kilobytes(total.written),
       "the same of stores and atomics");
  line("requested by loads", "KB", kilobytes(total.requestedRead));
  line("requested by stores", "KB", kilobytes(total.requestedWritten));
  line("moved by loads", "KB", kilobytes(total.movedRead),
       "granules once a request of a warp");
  line("moved by stores", "KB", kilobytes(total.movedWritten));
  line("moved by atomics", "KB", kilobytes(total.movedAtomics));
}

void Reporter::machine(const MachineKernels &kernels) {
  MachineCounts sums{};
  uint64_t own = 0, gone = 0;
  for (const auto &[kernel, blocks] : total.byBlock) {
    auto code = kernels.find(kernel);
    if (code == kernels.end())
      continue;
    std::map<std::string, uint64_t> executions;
    for (const auto &[name, count] : blocks)
      executions[name] = count.warps;
    for (const MachineBlock &block : code->second) {
      auto ran = executions.find(block.irBlock);
      for (size_t k = 0; k < machineKinds; ++k)
        if (ran != executions.end())
          sums[k] += ran->second * block.counts[k];
        else
          own += block.counts[k];
    }
    for (const auto &[name, count] : blocks)
      gone += count.warps && llvm::none_of(code->second, [&](const auto &b) {
                return b.irBlock == name;
              });
  }
  double waves = double(std::max<uint64_t>(total.warps, 1));
  for (size_t k = 0; k < machineKinds; ++k)
    line(std::string(machineKindName(MachineKind(k))) + " instructions",
         "per wave", double(sums[k]) / waves,
         k == 0 ? "machine code by block × simulated executions" : "");
  if (own)
    report.notes.push_back(llvm::formatv("{0} machine instructions stand in "
                                         "blocks of the code generator's own, "
                                         "whose executions nobody counted",
                                         own)
                               .str());
  if (gone)
    report.notes.push_back(llvm::formatv("{0} IR blocks that ran have become "
                                         "part of other machine blocks",
                                         gone)
                               .str());
}

llvm::Error Reporter::instructions() {
  if (device.machine().isAmd()) {
    MachineKernels kernels;
    for (const std::string &code : device.loaded) {
      auto blocks = machineBlocksOf(code, device.machine().target);
      if (!blocks)
        return blocks.takeError();
      kernels.insert(blocks->begin(), blocks->end());
    }
    machine(kernels);
    return llvm::Error::success();
  }
  double warps = double(std::max<uint64_t>(total.warps, 1));
  for (int k = 0; k < sim::instKinds; ++k)
    line(std::string("IR ") + sim::instKindName(sim::InstKind(k)), "per warp",
         double(total.kinds[k]) / warps,
         k == 0 ? "IR count: instructions of the IR, not of the machine" : "");
  return llvm::Error::success();
}

void Reporter::rest() {
  line("LDS bank conflicts", "", double(total.bankConflicts),
       llvm::formatv("{0} banks of 4 bytes", device.machine().banks).str());
  line("atomics", "", double(total.atomics), "of lanes, on global memory");
  line("atomic instructions", "", double(total.atomicInstructions));
  line("hottest address", "atomics", double(total.hottest), total.hottestName);
  line("barriers", "", double(total.barriers), "once a block each");
  line("exchanges", "per wave",
       double(total.exchanges) / double(std::max<uint64_t>(total.warps, 1)));
  line("lane utilisation", "%",
       100 * total.utilisation(device.machine().lanes));
  report.lines.push_back({"L2CacheHit", "%", std::nullopt, "not simulated"});
  report.lines.push_back({"bandwidth", "GB/s", std::nullopt, "not simulated"});
}

llvm::Expected<ProfileReport> wf::profile(const ProfileRequest &request) {
  if (!llvm::StringRef(request.reduce.device).starts_with("sim:"))
    return userError("profile wants a simulated device, not " +
                         request.reduce.device,
                     "such as --device sim:gfx1201 or sim:sm_90");
  auto opened = openDevice(request.reduce.device);
  if (!opened)
    return opened.takeError();
  auto &device = static_cast<SimDevice &>(**opened);
  sim::Options before = device.options;
  device.options.schedule = sim::Schedule::InStep;
  device.options.count = true;
  device.options.hazards = false;
  device.options.sample = !request.exact;
  device.launches.clear();
  device.loaded.clear();
  auto result = reduce(request.reduce);
  device.options = before;
  if (!result)
    return result.takeError();
  ProfileReport report;
  report.device = request.reduce.device;
  report.plan = result->plan;
  report.order = result->order;
  report.notes = result->notes;
  Reporter reporter{device, report, {}};
  for (const SimLaunchRecord &launch : device.launches) {
    reporter.total.add(launch.outcome.counters);
    report.sampled |= launch.outcome.sampled;
    report.simulatedBlocks += launch.outcome.simulatedBlocks;
    report.blocks += launch.shape.blocks;
    report.seconds += launch.seconds;
    std::string kernel =
        llvm::formatv("{0}: {1} blocks of {2} threads", launch.kernel,
                      launch.shape.blocks, launch.shape.threads)
            .str();
    if (llvm::StringRef why = launch.outcome.whyAll; !why.empty())
      kernel += (", all simulated: " + why).str();
    report.kernels.push_back(std::move(kernel));
  }
  report.laneInstructions = reporter.total.laneInstructions;
  if (device.launches.empty())
    return userError("there is nothing to profile: the reduction launches no "
                     "kernel",
                     "give it at least one element");
  reporter.memory();
  if (llvm::Error e = reporter.instructions())
    return std::move(e);
  reporter.rest();
  return report;
}
