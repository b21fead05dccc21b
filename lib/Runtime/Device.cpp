//===- Device.cpp - A GPU behind one interface ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/Device.h"

#include "Error/Error.h"
#include "Runtime/Cuda/CudaDevice.h"

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

static Expected<int> cudaCount() {
  Expected<const cuda::Driver *> driver = cuda::Driver::get();
  if (!driver)
    return driver.takeError();
  int count = 0;
  if (Error error = (*driver)->cuDeviceGetCount(&count))
    return std::move(error);
  return count;
}

/// "cuda:0, cuda:1".
static std::string names(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += (i ? ", cuda:" : "cuda:") + std::to_string(i);
  return text;
}

static Expected<Device *> openCuda(int index) {
  Expected<int> count = cudaCount();
  if (!count)
    return count.takeError();
  if (*count == 0)
    return deviceError("cuda: the driver finds no device");
  if (index >= *count)
    return deviceError("there is no cuda:" + llvm::Twine(index),
                       *count == 1 ? "there is cuda:0 only"
                                   : "there are " + names(*count));
  // Never destroyed: what was made on a device may outlive main.
  static std::mutex &mutex = *new std::mutex;
  static auto &opened = *new std::map<int, std::unique_ptr<Device>>;
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<Device> &device = opened[index];
  if (!device) {
    auto fresh = cuda::CudaDevice::open(**cuda::Driver::get(), index);
    if (!fresh)
      return fresh.takeError();
    device = std::move(*fresh);
  }
  return device.get();
}

Expected<Device *> wf::openDevice(StringRef name) {
  auto [driver, number] = name.split(':');
  if (driver == "hip" || driver == "sim")
    return userError("the device '" + name + "' is not there yet",
                     "there are cpu and cuda");
  int index = 0;
  bool numbered = name.contains(':');
  if (driver != "cuda" ||
      (numbered && (number.getAsInteger(10, index) || index < 0)))
    return userError("'" + name + "' names no device",
                     "say cpu, cuda or cuda:0; `warpfold devices` lists what "
                     "is there");
  return openCuda(index);
}

Expected<int> wf::deviceCount(StringRef driver) {
  if (driver == "cuda")
    return cudaCount();
  return userError("no driver is called '" + driver + "'", "there is cuda");
}
