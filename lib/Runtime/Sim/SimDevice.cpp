//===- SimDevice.cpp - A simulated GPU ------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/Sim/SimDevice.h"

#include "Error/Error.h"
#include "Plan/Hardware.h"

#include <chrono>
#include <cstdlib>

using namespace wf;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {

/// A kernel's handle.
struct Function {
  sim::Program *program;
  std::string name;
};

class SimModule final : public DeviceModule {
public:
  explicit SimModule(std::unique_ptr<sim::Program> program)
      : program(std::move(program)) {}
  Expected<void *> function(StringRef name) override {
    auto known = program->kernel(name);
    if (!known)
      return known.takeError();
    for (auto &f : functions)
      if (f->name == name)
        return static_cast<void *>(f.get());
    functions.push_back(
        std::make_unique<Function>(Function{program.get(), name.str()}));
    return static_cast<void *>(functions.back().get());
  }

private:
  std::unique_ptr<sim::Program> program;
  std::vector<std::unique_ptr<Function>> functions;
};

class SimEvent final : public DeviceEvent {
public:
  Error record(DeviceStream) override {
    at = std::chrono::steady_clock::now();
    return Error::success();
  }
  Error wait() override { return Error::success(); }
  std::chrono::steady_clock::time_point at;
};

class SimGraph final : public DeviceGraph {
public:
  std::vector<std::function<Error()>> steps;
  Error replay(DeviceStream) override {
    for (auto &step : steps)
      if (Error e = step())
        return e;
    return Error::success();
  }
};

} // namespace

Expected<std::unique_ptr<SimDevice>> SimDevice::open(StringRef target) {
  if (target.empty())
    return userError("the device sim wants a target",
                     "such as sim:sm_90, sim:gfx1201, sim:gfx1201:wave64 or "
                     "sim:null");
  auto machine = sim::machineNamed(target);
  if (!machine)
    return machine.takeError();
  std::unique_ptr<SimDevice> device(new SimDevice(std::move(*machine)));
  DeviceProperties &about = device->about;
  about.name = "simulated " + target.str();
  about.target = target.str();
  about.code = GpuCodeForm::Bitcode;
  about.warpSize = device->gpu.lanes;
  about.sharedBytesOptIn = device->gpu.maxShared;
  about.sharedBytesPerBlock =
      std::min<int64_t>(device->gpu.maxShared, 48 << 10);
  about.multiprocessors = 16;
  if (const Hardware *row = findHardware(device->gpu.chip)) {
    about.multiprocessors = int(row->multiprocessors.value);
    about.l2Bytes = int64_t(row->l2.value);
    about.sharedBytesPerMultiprocessor = int64_t(row->shared.value);
  }
  if (const char *seed = std::getenv("WARPFOLD_SIM_SEED"))
    if (StringRef(seed).getAsInteger(0, device->options.seed))
      return userError("WARPFOLD_SIM_SEED wants a number, not '" +
                       StringRef(seed) + "'");
  if (const char *schedule = std::getenv("WARPFOLD_SIM_SCHEDULE")) {
    bool inStep = StringRef(schedule) == "in-step";
    if (!inStep && StringRef(schedule) != "random")
      return userError("no schedule is called '" + StringRef(schedule) + "'",
                       "WARPFOLD_SIM_SCHEDULE is random or in-step");
    if (inStep)
      device->options.schedule = sim::Schedule::InStep;
  }
  return device;
}

Expected<DeviceBuffer> SimDevice::allocate(int64_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  auto address = memory.allocate(bytes);
  if (!address)
    return address.takeError();
  return DeviceBuffer(this, *address, bytes);
}

void SimDevice::release(DeviceAddress address) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  memory.release(address);
}

Error SimDevice::copyIn(DeviceAddress to, const void *from, int64_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  return bytes ? memory.write(to, from, bytes) : Error::success();
}

Error SimDevice::copyOut(void *to, DeviceAddress from, int64_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  return bytes ? memory.read(to, from, bytes) : Error::success();
}

Error SimDevice::fill(DeviceAddress at, uint8_t value, int64_t bytes,
                      DeviceStream) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (captured) {
    captured->push_back([=, this] { return memory.fill(at, value, bytes); });
    return Error::success();
  }
  return bytes ? memory.fill(at, value, bytes) : Error::success();
}

Expected<std::shared_ptr<DeviceModule>> SimDevice::load(ArrayRef<char> code,
                                                        StringRef) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (options.count)
    loaded.emplace_back(code.data(), code.size());
  auto program =
      sim::Program::make(gpu, StringRef(code.data(), code.size()), memory);
  if (!program)
    return program.takeError();
  return std::make_shared<SimModule>(std::move(*program));
}

Expected<FunctionFacts> SimDevice::facts(void *function, int) {
  auto *f = static_cast<Function *>(function);
  auto kernel = f->program->kernel(f->name);
  if (!kernel)
    return kernel.takeError();
  FunctionFacts facts;
  facts.sharedBytes = (*kernel)->sharedBytes;
  facts.localBytes = (*kernel)->privateBytes;
  facts.maxThreadsPerBlock = int(gpu.maxThreads);
  return facts;
}

/// All that went wrong, and how to see it again.
static Error hazards(const sim::Outcome &outcome, uint64_t seed) {
  std::string text;
  for (const sim::Hazard &h : outcome.hazards)
    text += (text.empty() ? "" : "\n") + h.text();
  return deviceError("the simulated kernel does wrong:\n" + llvm::Twine(text),
                     "it happens again with WARPFOLD_SIM_SEED=" +
                         llvm::Twine(seed));
}

Error SimDevice::runNow(void *function, const LaunchShape &shape,
                        ArrayRef<char> arguments) {
  auto *f = static_cast<Function *>(function);
  sim::LaunchRequest request;
  request.kernel = f->name;
  request.grid[0] = shape.blocks;
  request.block[0] = shape.threads;
  request.sharedBytes = shape.dynamicSharedBytes;
  request.arguments = arguments;
  auto began = std::chrono::steady_clock::now();
  auto outcome = sim::launch(*f->program, memory, request, options);
  if (!outcome)
    return outcome.takeError();
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  if (options.count)
    launches.push_back({f->name, shape, *outcome, took.count()});
  if (!outcome->hazards.empty())
    return hazards(*outcome, options.seed);
  return Error::success();
}

Error SimDevice::launch(void *function, const LaunchShape &shape,
                        ArrayRef<char> arguments, DeviceStream) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  if (!captured)
    return runNow(function, shape, arguments);
  captured->push_back(
      [=, this, copy = std::vector<char>(arguments.begin(), arguments.end())] {
        std::lock_guard<std::recursive_mutex> inner(mutex);
        return runNow(function, shape, copy);
      });
  return Error::success();
}

Expected<DeviceStream> SimDevice::makeStream() {
  return static_cast<DeviceStream>(new char);
}
void SimDevice::destroyStream(DeviceStream stream) {
  delete static_cast<char *>(stream);
}
Error SimDevice::synchronise(DeviceStream) { return Error::success(); }

Expected<std::unique_ptr<DeviceEvent>> SimDevice::makeEvent() {
  return std::make_unique<SimEvent>();
}

Expected<double> SimDevice::elapsed(DeviceEvent &from, DeviceEvent &to) {
  std::chrono::duration<double, std::micro> took =
      static_cast<SimEvent &>(to).at - static_cast<SimEvent &>(from).at;
  return took.count();
}

Expected<std::unique_ptr<DeviceGraph>>
SimDevice::capture(llvm::function_ref<Error(DeviceStream)> body) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  auto graph = std::make_unique<SimGraph>();
  captured = &graph->steps;
  Error e = body(nullptr);
  captured = nullptr;
  if (e)
    return std::move(e);
  return std::unique_ptr<DeviceGraph>(std::move(graph));
}
