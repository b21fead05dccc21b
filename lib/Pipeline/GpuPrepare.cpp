//===- GpuPrepare.cpp - A reduction made ready on a GPU -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Pipeline/GpuPrepare.h"

#include "Error/Error.h"
#include "Pipeline/PhaseTimer.h"

#include <map>
#include <mutex>

using namespace wf;

llvm::Expected<std::shared_ptr<const GpuKernel>>
wf::getGpuKernel(Device &device, const KernelSpec &spec, PhaseTimes &times) {
  static std::mutex mutex;
  // Never destroyed: modules must not outlive the driver, which goes first.
  using Cache = std::map<std::pair<Device *, std::string>,
                         std::shared_ptr<const GpuKernel>>;
  static Cache &cache = *new Cache;
  auto key = std::make_pair(&device, kernelKey(spec));
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto it = cache.find(key); it != cache.end())
      return it->second;
  }
  auto kernel = std::make_shared<GpuKernel>();
  static_cast<KernelSignature &>(*kernel) = signatureOf(spec);
  kernel->key = key.second;
  StageTexts texts;
  auto code = compileGpuKernel(spec, device.properties().code, {}, texts, times,
                               /*stopEarly=*/false);
  if (!code)
    return code.takeError();
  PhaseTimer timer(times, "load");
  auto module = device.load(*code, kernel->key);
  if (!module)
    return module.takeError();
  kernel->module = std::move(*module);
  auto function = kernel->module->function("fold");
  if (!function)
    return function.takeError();
  kernel->function = *function;
  bool ladder = spec.plan.form == Form::Ladder;
  auto second = [&](const char *name, void *&into) -> llvm::Error {
    auto found = kernel->module->function(name);
    if (!found)
      return found.takeError();
    into = *found;
    return llvm::Error::success();
  };
  if (ladder && spec.plan.grid == Grid::Atomic)
    if (llvm::Error e = second("fold_init", kernel->init))
      return std::move(e);
  if (ladder && spec.plan.grid == Grid::Launch)
    if (llvm::Error e = second("fold_join", kernel->join))
      return std::move(e);
  std::lock_guard<std::mutex> lock(mutex);
  return cache.emplace(key, kernel).first->second;
}

llvm::Expected<std::unique_ptr<GpuLaunch>>
GpuPreparation::launchFor(const Plan &plan, PhaseTimes &times) {
  KernelSpec spec{&program, problem, plan};
  auto kernel = getGpuKernel(gpu, spec, times);
  if (!kernel)
    return kernel.takeError();
  return GpuLaunch::make(gpu, *kernel, problem);
}

llvm::Expected<std::unique_ptr<GpuPreparation>>
GpuPreparation::make(Device &device, const Program &program, Problem problem,
                     Plan plan, PlanFacts facts, bool asked,
                     PhaseTimes &times) {
  std::unique_ptr<GpuPreparation> made(
      new GpuPreparation(device, program, std::move(problem), std::move(facts)));
  made->asked = asked;
  auto launch = made->launchFor(plan, times);
  if (!launch)
    return launch.takeError();
  made->planned = std::move(*launch);
  return made;
}

/// Do the arrays that are read by vectors begin where the plan needs them to?
bool GpuPreparation::aligned(const DeviceAddress *inputs) const {
  const Plan &plan = planned->plan();
  if (plan.load != Load::Vector)
    return true;
  int64_t lanes = plan.form == Form::Column ? plan.outputs : plan.vector;
  for (size_t i = 0; i < program.inputs.size(); ++i)
    if (inputs[i] % uint64_t(lanes * byteSize(program.inputs[i])) != 0)
      return false;
  return true;
}

/// Device pointers as a device can load and store them.
llvm::Error GpuPreparation::checkPointers(const DeviceAddress *inputs,
                                          const DeviceAddress *results) const {
  auto check = [](DeviceAddress at, ScalarType type, llvm::StringRef what,
                  size_t n) -> llvm::Error {
    if (at % uint64_t(byteSize(type)) == 0)
      return llvm::Error::success();
    return userError(what + " " + llvm::Twine(n) + " is at " +
                         llvm::Twine::utohexstr(at) +
                         ", which is no multiple of the " +
                         llvm::Twine(byteSize(type)) + " bytes of a " +
                         name(type),
                     "copy it to a multiple of its element's size first");
  };
  for (size_t i = 0; i < program.inputs.size(); ++i)
    if (llvm::Error e = check(inputs[i], program.inputs[i], "input", i))
      return e;
  for (size_t r = 0; r < program.results.size(); ++r)
    if (llvm::Error e = check(results[r], program.results[r].type, "result", r))
      return e;
  return llvm::Error::success();
}

llvm::Error GpuPreparation::run(const DeviceAddress *inputs,
                                const DeviceAddress *results,
                                const uint64_t *params, DeviceStream stream) {
  if (llvm::Error e = checkPointers(inputs, results))
    return e;
  if (aligned(inputs))
    return planned->run(inputs, results, params, stream);
  if (asked)
    return userError("the plan loads " + llvm::Twine(planned->plan().vector) +
                         " elements at once, and an input does not begin at a "
                         "multiple of their size",
                     "leave --plan out, or name one without vec");
  if (!unaligned) {
    PhaseTimes times;
    PlanFacts anywhere = facts;
    anywhere.aligned = false;
    auto launch = launchFor(choosePlan(anywhere), times);
    if (!launch)
      return launch.takeError();
    unaligned = std::move(*launch);
  }
  return unaligned->run(inputs, results, params, stream);
}

llvm::Expected<DeviceArray> wf::copyToDevice(Device &device,
                                             const Array &array) {
  int64_t low = 0, high = 0, bytes = byteSize(array.type);
  for (size_t d = 0; d < array.shape.size(); ++d) {
    int64_t reach = (array.shape[d] - 1) * array.strides[d];
    (reach < 0 ? low : high) += reach;
  }
  const char *first = static_cast<const char *>(array.data);
  const char *from = first + low * bytes;
  int64_t size = (high - low + 1) * bytes;
  // A device loads an element only from a multiple of its size.
  int64_t shift = int64_t(reinterpret_cast<uintptr_t>(from) % 256);
  shift -= shift % bytes;
  auto memory = device.allocate(size + shift);
  if (!memory)
    return memory.takeError();
  DeviceArray result;
  result.memory = std::move(*memory);
  DeviceAddress at = result.memory.address() + uint64_t(shift);
  result.first = at + uint64_t(-low * bytes);
  if (llvm::Error e = device.copyIn(at, from, size))
    return std::move(e);
  return result;
}

llvm::Expected<DeviceArray> wf::gatherToDevice(Device &device,
                                               const GatherInput &input,
                                               int64_t elements) {
  auto memory = device.allocate(elements * input.elementBytes);
  if (!memory)
    return memory.takeError();
  DeviceArray result;
  result.memory = std::move(*memory);
  result.first = result.memory.address();
  int64_t piece = (int64_t(4) << 20) / input.elementBytes;
  std::vector<char> buffer(
      size_t(std::min(piece, elements) * input.elementBytes + 64));
  std::vector<GatherInput> inputs{input};
  PackSource source = makePackSource(inputs, {buffer.data()});
  for (int64_t first = 0; first < elements; first += piece) {
    int64_t count = std::min(piece, elements - first);
    source.pack(&source, 0, first, count);
    if (llvm::Error e = device.copyIn(
            result.first + uint64_t(first * input.elementBytes), buffer.data(),
            count * input.elementBytes))
      return std::move(e);
  }
  return result;
}
