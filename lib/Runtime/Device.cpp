//===- Device.cpp - A GPU behind one interface ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/Device.h"

#include "Error/Error.h"
#include "Runtime/Cuda/CudaDevice.h"
#include "Runtime/Hip/HipDevice.h"
#include "Runtime/Sim/SimDevice.h"

#include <map>
#include <mutex>
#include <utility>

using namespace wf;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

Device::~Device() = default;
DeviceModule::~DeviceModule() = default;
DeviceGraph::~DeviceGraph() = default;
DeviceEvent::~DeviceEvent() = default;

DeviceBuffer &DeviceBuffer::operator=(DeviceBuffer &&other) noexcept {
  if (this != &other) {
    reset();
    device = std::exchange(other.device, nullptr);
    start = std::exchange(other.start, 0);
    size = std::exchange(other.size, 0);
  }
  return *this;
}

void DeviceBuffer::reset() {
  if (device)
    device->release(start);
  device = nullptr;
  start = 0;
  size = 0;
}

/// How many devices a vendor's driver finds.
template <typename Driver> static Expected<int> count() {
  Expected<const Driver *> driver = Driver::get();
  if (!driver)
    return driver.takeError();
  int count = 0;
  if (Error error = (*driver)->deviceGetCount(&count))
    return std::move(error);
  return count;
}

/// "cuda:0, cuda:1".
static std::string names(StringRef driver, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += ((i ? ", " : "") + driver + ":" + llvm::Twine(i)).str();
  return text;
}

template <typename VendorDevice>
static Expected<Device *> open(StringRef driver, int index) {
  using Driver = typename VendorDevice::Driver;
  Expected<int> found = count<Driver>();
  if (!found)
    return found.takeError();
  if (*found == 0)
    return deviceError(driver + ": the driver finds no device");
  if (index >= *found)
    return deviceError("there is no " + driver + ":" + llvm::Twine(index),
                       *found == 1 ? "there is " + driver + ":0 only"
                                   : "there are " + names(driver, *found));
  // Never destroyed: what was made on a device may outlive main.
  static std::mutex &mutex = *new std::mutex;
  static auto &opened = *new std::map<int, std::unique_ptr<Device>>;
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<Device> &device = opened[index];
  if (!device) {
    auto fresh = VendorDevice::open(**Driver::get(), index);
    if (!fresh)
      return fresh.takeError();
    device = std::move(*fresh);
  }
  return device.get();
}

static Expected<Device *> openSimulated(StringRef target) {
  static std::mutex &mutex = *new std::mutex;
  static auto &opened = *new std::map<std::string, std::unique_ptr<Device>>;
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<Device> &device = opened[target.str()];
  if (!device) {
    auto fresh = SimDevice::open(target);
    if (!fresh)
      return fresh.takeError();
    device = std::move(*fresh);
  }
  return device.get();
}

Expected<Device *> wf::openDevice(StringRef name) {
  auto [driver, number] = name.split(':');
  if (driver == "sim")
    return openSimulated(number);
  int index = 0;
  bool numbered = name.contains(':');
  if ((driver != "cuda" && driver != "hip") ||
      (numbered && (number.getAsInteger(10, index) || index < 0)))
    return userError("'" + name + "' names no device",
                     "say cpu, cuda, cuda:0, hip or sim:gfx1201; `warpfold "
                     "devices` lists what is there");
  if (driver == "hip")
    return open<hip::HipDevice>(driver, index);
  return open<cuda::CudaDevice>(driver, index);
}

Expected<int> wf::deviceCount(StringRef driver) {
  if (driver == "cuda")
    return count<cuda::Driver>();
  if (driver == "hip")
    return count<hip::Driver>();
  return userError("no driver is called '" + driver + "'",
                   "there are cuda and hip");
}
