//===- GpuLaunch.h - A compiled GPU kernel on a problem ----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The GPU's counterpart of Launch.h: everything is decided and allocated when a
// launch is made, so that running it only patches pointers into an argument
// buffer and enqueues one kernel, or two. That may be captured into a graph.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_GPULAUNCH_H
#define WARPFOLD_RUNTIME_GPULAUNCH_H

#include "Plan/GpuPlan.h"
#include "Runtime/Device.h"
#include "Runtime/KernelSignature.h"

#include <mutex>

namespace wf {

/// A GPU kernel as the compiler hands it over.
struct GpuKernel : KernelSignature {
  std::string key;                  ///< names the code (for the disk)
  std::string ptx;                  ///< empty once loaded from a cache
  std::shared_ptr<DeviceModule> module;
  void *function = nullptr;
  // form=ladder has a second function, with the same arguments:
  void *init = nullptr; ///< grid=atomic: before, a thread an output
  void *join = nullptr; ///< grid=launch: after, a block an output
};

class GpuLaunch {
public:
  /// Allocates scratch on the device, and zeroes the tickets.
  static llvm::Expected<std::unique_ptr<GpuLaunch>>
  make(Device &device, std::shared_ptr<const GpuKernel> kernel,
       const Problem &problem);

  /// Enqueues the reduction. Pointers to device memory, at index 0, …, 0;
  /// params as stored bits. Launches of one object on different streams share
  /// its scratch and must not overlap.
  llvm::Error run(const DeviceAddress *inputs, const DeviceAddress *outputs,
                  const uint64_t *params, DeviceStream stream);

  /// Scratch a launch needs: partial states and tickets.
  int64_t workspaceBytes() const { return needed; }
  /// Takes the caller's memory (256-byte aligned, workspaceBytes() of it) in the
  /// place of its own; the tickets are zeroed on `stream`.
  llvm::Error useWorkspace(DeviceAddress memory, DeviceStream stream);
  const GpuDivision &division() const { return parts; }
  const Plan &plan() const { return kernel->plan; }

private:
  GpuLaunch(Device &device, std::shared_ptr<const GpuKernel> kernel)
      : device(device), kernel(std::move(kernel)) {}
  void pack(const Problem &problem);
  void placeWorkspace(DeviceAddress memory);

  Device &device;
  std::shared_ptr<const GpuKernel> kernel;
  GpuDivision parts;
  int64_t outputCount = 0;
  int64_t needed = 0; ///< bytes of scratch
  DeviceBuffer scratch;
  /// Where an address of scratch stands in `arguments`, and its offset.
  std::vector<std::pair<size_t, int64_t>> scratchAt;
  std::vector<char> arguments;
  std::vector<size_t> inputAt, outputAt, paramAt; ///< offsets into arguments
};

} // namespace wf

#endif // WARPFOLD_RUNTIME_GPULAUNCH_H
