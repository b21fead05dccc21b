//===- HipDevice.cpp - An AMD GPU -----------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/Hip/HipDevice.h"

#include "Plan/Hardware.h"
#include "Runtime/DriverMemory.h"
#include "Runtime/DriverStreams.h"

using namespace wf;
using namespace wf::hip;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

template class wf::DriverDevice<hip::Api>;

Expected<std::unique_ptr<HipDevice>> HipDevice::open(const Driver &driver,
                                                     int index) {
  std::unique_ptr<HipDevice> device(new HipDevice(driver, index));
  if (Error error = device->readProperties())
    return std::move(error);
  if (Error error = device->checkArchitecture())
    return std::move(error);
  return device;
}

Error HipDevice::readProperties() {
  Result worst = Success;
  auto read = [&](DeviceAttribute attribute, bool needed = true) {
    int value = 0;
    Result result = calls.deviceGetAttribute.raw(&value, attribute, index);
    if (result != Success && needed)
      worst = result;
    return result == Success ? value : 0;
  };
  char name[256] = "";
  size_t bytes = 0;
  if (Error error = calls.deviceGetName(name, sizeof name, index))
    return error;
  if (Error error = calls.deviceTotalMem(&bytes, index))
    return error;
  auto properties = std::make_unique<Properties>();
  if (Error error = calls.getDeviceProperties(properties.get(), index))
    return error;
  StringRef architecture(
      properties->gcnArchName,
      strnlen(properties->gcnArchName, sizeof properties->gcnArchName));
  about.name = name;
  about.code = GpuCodeForm::CodeObject;
  // What follows are modes of the card, sramecc and xnack. Code that names
  // neither runs in all of them.
  about.target = architecture.split(':').first.str();
  // Where work groups run on pairs of compute units (RDNA) the runtime counts
  // the pairs; the hardware table, and so every plan, counts compute units.
  about.multiprocessors = read(ComputeUnits, false);
  if (about.multiprocessors == 0)
    about.multiprocessors = read(Multiprocessors);
  about.warpSize = read(WarpSize);
  about.maxThreadsPerMultiprocessor = read(ThreadsPerMultiprocessor);
  about.memoryBytes = int64_t(bytes);
  about.l2Bytes = read(L2Bytes);
  // LDS has no "on request": a launch may take all there is.
  about.sharedBytesPerBlock = read(SharedBytesPerBlock);
  about.sharedBytesOptIn = about.sharedBytesPerBlock;
  about.sharedBytesPerMultiprocessor = read(SharedBytesPerMultiprocessor);
  about.registersPerMultiprocessor = read(RegistersPerMultiprocessor);
  // Only told to people.
  about.clockKilohertz = read(ClockKilohertz, false);
  about.memoryClockKilohertz = read(MemoryClockKilohertz, false);
  about.memoryBusBits = read(MemoryBusBits, false);
  about.driverVersion = calls.version();
  return worst == Success ? Error::success()
                          : calls.deviceGetAttribute.failed(worst);
}

Error HipDevice::checkArchitecture() const {
  const Hardware *row = StringRef(about.target).starts_with("gfx")
                            ? findHardware(about.target)
                            : nullptr;
  if (!row) {
    // Machine code of one architecture does not run on its neighbours.
    std::string known;
    for (const Hardware &h : hardwareTable())
      if (StringRef(h.target).starts_with("gfx"))
        known += (known.empty() ? "" : ", ") + std::string(h.target);
    return deviceError(
        title() + ", " + about.name + ", is a " +
            (about.target.empty() ? "chip without a name" : about.target) +
            ", and Warpfold has code for " + known,
        "use another device; `warpfold devices` lists them");
  }
  if (about.warpSize != int(row->warpSize.value))
    return deviceError(title() + ", " + about.name + ", has waves of " +
                           llvm::Twine(about.warpSize) +
                           " lanes, and code for " + about.target +
                           " is made for " +
                           llvm::Twine(int(row->warpSize.value)),
                       "use another device; `warpfold devices` lists them");
  return Error::success();
}

Error HipDevice::inContext(llvm::function_ref<Error()> work) const {
  DeviceOrdinal current = 0;
  if (Error error = calls.getDevice(&current))
    return error;
  if (current == index)
    return work();
  if (Error error = calls.setDevice(index))
    return error;
  Error error = work();
  if (calls.setDevice.raw(current) != Success && !error)
    return deviceError("hip: hipSetDevice: the calling thread's device could "
                       "not be put back");
  return error;
}

Expected<std::shared_ptr<DeviceModule>>
HipDevice::load(llvm::ArrayRef<char> code, StringRef key) {
  // The runtime takes no size: what is no whole ELF file it would read past.
  if (!StringRef(code.data(), code.size())
           .starts_with("\x7f"
                        "ELF") ||
      code.size() < 64)
    return internalError("hip: " + llvm::Twine(code.size()) +
                         " bytes that are no code object");
  // It keeps the pointer and reads from it until the module goes.
  std::vector<char> image(code.begin(), code.end());
  Module module = nullptr;
  if (Error error = inContext(
          [&] { return calls.moduleLoadData(&module, image.data()); }))
    return std::move(error);
  return own(module, std::move(image));
}

Error HipDevice::launch(void *function, const LaunchShape &shape,
                        llvm::ArrayRef<char> arguments, DeviceStream stream) {
  if (uint64_t(shape.blocks) * shape.threads > mostThreads)
    return deviceError(title() + ": " + llvm::Twine(shape.blocks) +
                           " blocks of " + llvm::Twine(shape.threads) +
                           " threads are more than the " +
                           llvm::Twine(mostThreads) + " threads of a launch",
                       "leave --plan out, or reduce a part at a time");
  return DriverDevice::launch(function, shape, arguments, stream);
}
