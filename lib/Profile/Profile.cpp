//===- Profile.cpp - The counters of a reduction --------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Profile/Profile.h"

#include "Error/Error.h"
#include "Profile/Lines.h"
#include "Runtime/Sim/SimDevice.h"
#include "llvm/Support/FormatVariadic.h"

using namespace wf;

const ProfileLine *ProfileReport::find(llvm::StringRef name) const {
  for (const ProfileLine &line : lines)
    if (line.name == name)
      return &line;
  return nullptr;
}

/// Machine code of what was loaded, and the kernels it fits.
static llvm::Error readCode(SimDevice &device, LineSource &source) {
  if (!device.machine().isAmd())
    return llvm::Error::success();
  for (const std::string &bitcode : device.loaded) {
    auto blocks = machineBlocksOf(bitcode, device.machine().target);
    if (!blocks)
      return blocks.takeError();
    source.code.insert(blocks->begin(), blocks->end());
  }
  for (const SimLaunchRecord &launch : device.launches)
    if (fits(source.code, launch.outcome.counters, launch.kernel))
      source.fitting.insert(launch.kernel);
  return llvm::Error::success();
}

/// Lines of all launches together.
static void addLines(const SimDevice &device, const LineSource &source,
                     ProfileReport &report) {
  sim::Counters total;
  uint64_t ir[sim::instKinds] = {};
  for (const SimLaunchRecord &launch : device.launches) {
    const sim::Counters &counters = launch.outcome.counters;
    total.add(counters);
    for (int k = 0; k < sim::instKinds; ++k)
      ir[k] += source.fitting.count(launch.kernel) ? 0 : counters.kinds[k];
  }
  report.laneInstructions = total.laneInstructions;
  report.lines = linesOf(source, total, ir);
  for (std::string &note : machineNotes(source, total))
    report.notes.push_back(std::move(note));
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
  for (const SimLaunchRecord &launch : device.launches) {
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
  if (device.launches.empty())
    return userError("there is nothing to profile: the reduction launches no "
                     "kernel",
                     "give it at least one element");
  LineSource source{device.machine(), {}, {}};
  if (llvm::Error e = readCode(device, source))
    return std::move(e);
  addLines(device, source, report);
  return report;
}
