//===- GpuPrepare.h - A reduction made ready on a GPU ------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PIPELINE_GPUPREPARE_H
#define WARPFOLD_PIPELINE_GPUPREPARE_H

#include "IO/Array.h"
#include "Pipeline/Compiler.h"
#include "Runtime/Gather.h"
#include "Runtime/GpuLaunch.h"

namespace wf {

/// A planned problem on a device. The kernel for aligned arrays is made at
/// once; one that takes any address, when a call first needs it.
class GpuPreparation {
public:
  static llvm::Expected<std::unique_ptr<GpuPreparation>>
  make(Device &device, const Program &program, Problem problem, Plan plan,
       PlanFacts facts, bool asked, PhaseTimes &times);

  /// Device pointers at index 0, …, 0. Does not wait for the result.
  llvm::Error run(const DeviceAddress *inputs, const DeviceAddress *results,
                  const uint64_t *params, DeviceStream stream);

  Device &device() const { return gpu; }
  const Plan &plan() const { return planned->plan(); }
  int64_t workspaceBytes() const { return planned->workspaceBytes(); }
  llvm::Error useWorkspace(DeviceAddress memory, DeviceStream stream) {
    return planned->useWorkspace(memory, stream);
  }

private:
  GpuPreparation(Device &device, const Program &program, Problem problem,
                 PlanFacts facts)
      : gpu(device), program(program), problem(std::move(problem)),
        facts(std::move(facts)) {}
  bool aligned(const DeviceAddress *inputs) const;
  llvm::Error checkPointers(const DeviceAddress *inputs,
                            const DeviceAddress *results) const;
  llvm::Expected<std::unique_ptr<GpuLaunch>> launchFor(const Plan &plan,
                                                       PhaseTimes &times);

  Device &gpu;
  Program program;
  Problem problem;
  PlanFacts facts;
  bool asked = false; ///< the plan was: arrays that it cannot read are refused
  std::unique_ptr<GpuLaunch> planned, unaligned;
};

/// An array on the device, and where its element 0, …, 0 is.
struct DeviceArray {
  DeviceBuffer memory;
  DeviceAddress first = 0;
};

/// Copies what the array's strides reach, at the same offset from a multiple of
/// 256 bytes as on the host.
llvm::Expected<DeviceArray> copyToDevice(Device &device, const Array &array);

/// Fills a row-major device array with `elements` elements that a gather gives.
llvm::Expected<DeviceArray> gatherToDevice(Device &device,
                                           const GatherInput &input,
                                           int64_t elements);

/// The kernel for a spec on a device, from memory, disk or compiled now.
llvm::Expected<std::shared_ptr<const GpuKernel>>
getGpuKernel(Device &device, const KernelSpec &spec, PhaseTimes &times);

} // namespace wf

#endif // WARPFOLD_PIPELINE_GPUPREPARE_H
