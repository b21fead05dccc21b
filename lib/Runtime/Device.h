//===- Device.h - A GPU behind one interface ---------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What a launch needs of a GPU: memory, modules, streams, graphs. One object a
// physical device and process, opened by name ("cuda", "hip:1"); its functions
// may be called from any thread. Pointers to device memory are plain addresses
// as the driver gives them. A call that fails is a device error that names the
// driver's function and code.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_DEVICE_H
#define WARPFOLD_RUNTIME_DEVICE_H

#include "Runtime/KernelSignature.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wf {

using DeviceAddress = uint64_t;

/// What the driver says of a device.
struct DeviceProperties {
  std::string name;                    ///< "NVIDIA H200"
  std::string target;                  ///< "sm_90", "gfx942"
  GpuCodeForm code = GpuCodeForm::Ptx; ///< what load() takes
  int multiprocessors = 1;
  int warpSize = 32;
  int maxThreadsPerMultiprocessor = 2048;
  int64_t memoryBytes = 0, l2Bytes = 0;
  int64_t sharedBytesPerBlock = 48 << 10; ///< without opting in
  int64_t sharedBytesOptIn = 48 << 10;    ///< at most, static and dynamic
  int64_t sharedBytesPerMultiprocessor = 0;
  int64_t registersPerMultiprocessor = 65536;
  int clockKilohertz = 0, memoryClockKilohertz = 0, memoryBusBits = 0;
  /// As the driver numbers it: CUDA's 13000 is 13.0, HIP's 60140093 is 6.1.
  int driverVersion = 0;
};

/// A stream as the driver's handle; 0 is the default stream. Streams of the
/// host program (torch, CuPy, …) are passed in as they are.
using DeviceStream = void *;

class Device;

/// Device memory, freed when it goes.
class DeviceBuffer {
public:
  DeviceBuffer() = default;
  DeviceBuffer(Device *device, DeviceAddress address, int64_t bytes)
      : device(device), start(address), size(bytes) {}
  DeviceBuffer(DeviceBuffer &&other) noexcept { *this = std::move(other); }
  DeviceBuffer &operator=(DeviceBuffer &&other) noexcept;
  ~DeviceBuffer() { reset(); }
  void reset();

  DeviceAddress address() const { return start; }
  int64_t bytes() const { return size; }

private:
  Device *device = nullptr;
  DeviceAddress start = 0;
  int64_t size = 0;
};

/// Loaded code. Functions belong to it; it lives as long as somebody holds it.
class DeviceModule {
public:
  virtual ~DeviceModule();
  /// A kernel's handle, or a device error if the module has none by that name.
  virtual llvm::Expected<void *> function(llvm::StringRef name) = 0;
};

/// What the driver says of a loaded kernel.
struct FunctionFacts {
  int registers = 0;
  int64_t sharedBytes = 0, localBytes = 0;
  int maxThreadsPerBlock = 0;
  int blocksPerMultiprocessor = 0; ///< at the asked block size
};

/// Grid and block of a launch, in blocks and threads; one dimension each, since
/// kernels take their work item from a linear block number.
struct LaunchShape {
  uint32_t blocks = 1, threads = 1;
  uint32_t dynamicSharedBytes = 0;
};

/// A captured sequence of launches.
class DeviceGraph {
public:
  virtual ~DeviceGraph();
  virtual llvm::Error replay(DeviceStream stream) = 0;
};

/// A point in a stream.
class DeviceEvent {
public:
  virtual ~DeviceEvent();
  virtual llvm::Error record(DeviceStream stream) = 0;
  virtual llvm::Error wait() = 0; ///< the host waits for it
};

class Device {
public:
  virtual ~Device();
  virtual const DeviceProperties &properties() const = 0;

  /// At least 256-byte aligned. Zero bytes are a valid request.
  virtual llvm::Expected<DeviceBuffer> allocate(int64_t bytes) = 0;
  virtual void release(DeviceAddress address) = 0;

  /// Copies wait until they are done.
  virtual llvm::Error copyIn(DeviceAddress to, const void *from,
                             int64_t bytes) = 0;
  virtual llvm::Error copyOut(void *to, DeviceAddress from, int64_t bytes) = 0;
  /// Sets bytes on a stream, without waiting.
  virtual llvm::Error fill(DeviceAddress at, uint8_t value, int64_t bytes,
                           DeviceStream stream) = 0;

  /// Code as properties().code says (and a cubin is good where PTX is). With a
  /// `key` (anything that names the content; the
  /// driver's version is added) machine code is kept on disk between runs.
  virtual llvm::Expected<std::shared_ptr<DeviceModule>>
  load(llvm::ArrayRef<char> code, llvm::StringRef key) = 0;
  virtual llvm::Expected<FunctionFacts> facts(void *function,
                                              int threadsPerBlock) = 0;

  /// `arguments` is the packed argument buffer, each at its natural alignment.
  /// Does not wait, allocates nothing; may be captured into a graph.
  virtual llvm::Error launch(void *function, const LaunchShape &shape,
                             llvm::ArrayRef<char> arguments,
                             DeviceStream stream) = 0;

  virtual llvm::Expected<DeviceStream> makeStream() = 0;
  virtual void destroyStream(DeviceStream stream) = 0;
  virtual llvm::Error synchronise(DeviceStream stream) = 0;
  virtual llvm::Expected<std::unique_ptr<DeviceEvent>> makeEvent() = 0;
  /// Microseconds between two recorded events that have happened.
  virtual llvm::Expected<double> elapsed(DeviceEvent &from,
                                         DeviceEvent &to) = 0;
  /// Captures what `body` enqueues on the stream it is given.
  virtual llvm::Expected<std::unique_ptr<DeviceGraph>>
  capture(llvm::function_ref<llvm::Error(DeviceStream)> body) = 0;
};

/// Opens "cuda", "cuda:0", "hip", … (later "sim"). The object lives until the
/// process ends. A device error with the reason where there is no driver, the
/// driver is too old or the index is not there (those that are, are named).
llvm::Expected<Device *> openDevice(llvm::StringRef name);

/// How many devices a driver offers ("cuda", "hip"), or why none.
llvm::Expected<int> deviceCount(llvm::StringRef driver);

} // namespace wf

#endif // WARPFOLD_RUNTIME_DEVICE_H
