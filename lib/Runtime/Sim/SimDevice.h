//===- SimDevice.h - A simulated GPU -----------------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Device on the simulator: "sim:sm_90", "sim:gfx1201", "sim:gfx1201:wave64",
// "sim:null". Everything happens when it is called; streams are names only. A
// kernel that does something wrong is a device error that says what, and with
// which seed it happens again.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_SIM_SIMDEVICE_H
#define WARPFOLD_RUNTIME_SIM_SIMDEVICE_H

#include "Runtime/Device.h"
#include "Simulator/Simulator.h"

#include <functional>
#include <mutex>

namespace wf {

/// One launch, and what it did.
struct SimLaunchRecord {
  std::string kernel;
  LaunchShape shape;
  sim::Outcome outcome;
  double seconds = 0;
};

class SimDevice final : public Device {
public:
  /// A device of its own; a user error for a target that nobody knows.
  static llvm::Expected<std::unique_ptr<SimDevice>>
  open(llvm::StringRef target);

  const DeviceProperties &properties() const override { return about; }
  const sim::Machine &machine() const { return gpu; }

  llvm::Expected<DeviceBuffer> allocate(int64_t bytes) override;
  void release(DeviceAddress address) override;
  llvm::Error copyIn(DeviceAddress to, const void *from,
                     int64_t bytes) override;
  llvm::Error copyOut(void *to, DeviceAddress from, int64_t bytes) override;
  llvm::Error fill(DeviceAddress at, uint8_t value, int64_t bytes,
                   DeviceStream stream) override;
  llvm::Expected<std::shared_ptr<DeviceModule>>
  load(llvm::ArrayRef<char> code, llvm::StringRef key) override;
  llvm::Expected<FunctionFacts> facts(void *function,
                                      int threadsPerBlock) override;
  llvm::Error launch(void *function, const LaunchShape &shape,
                     llvm::ArrayRef<char> arguments,
                     DeviceStream stream) override;
  llvm::Expected<DeviceStream> makeStream() override;
  void destroyStream(DeviceStream stream) override;
  llvm::Error synchronise(DeviceStream stream) override;
  llvm::Expected<std::unique_ptr<DeviceEvent>> makeEvent() override;
  llvm::Expected<double> elapsed(DeviceEvent &from, DeviceEvent &to) override;
  llvm::Expected<std::unique_ptr<DeviceGraph>>
  capture(llvm::function_ref<llvm::Error(DeviceStream)> body) override;

  /// How launches run from now on. At first: a random schedule with the seed
  /// WARPFOLD_SIM_SEED (1 if it is not set).
  sim::Options options;
  /// What was launched and loaded since they were last cleared; kept only
  /// while options.count is set.
  std::vector<SimLaunchRecord> launches;
  std::vector<std::string> loaded; ///< bitcode
  sim::Memory memory;

private:
  explicit SimDevice(sim::Machine machine) : gpu(std::move(machine)) {}
  llvm::Error runNow(void *function, const LaunchShape &shape,
                     llvm::ArrayRef<char> arguments);

  sim::Machine gpu;
  DeviceProperties about;
  std::recursive_mutex mutex; ///< one call at a time
  /// While capturing: what to do on replay.
  std::vector<std::function<llvm::Error()>> *captured = nullptr;
};

} // namespace wf

#endif // WARPFOLD_RUNTIME_SIM_SIMDEVICE_H
