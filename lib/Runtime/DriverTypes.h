//===- DriverTypes.h - What CUDA's and HIP's functions share -----*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// HIP was made after CUDA: the handles are opaque pointers on both sides, and
// the constants below have the same numbers. What differs (result codes,
// attributes of a device, the end of a launch's list) stands in
// Cuda/Functions.h and Hip/Functions.h. Needs no LLVM: the stub drivers of the
// tests are checked against the same lists.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_DRIVERTYPES_H
#define WARPFOLD_RUNTIME_DRIVERTYPES_H

#include <cstddef>
#include <cstdint>

namespace wf::driver {

// Handles are pointers to what only the driver knows.
using Context = struct ContextObject *;
using Module = struct ModuleObject *;
using Function = struct FunctionObject *;
using Stream = struct StreamObject *;
using Event = struct EventObject *;
using Graph = struct GraphObject *;
using GraphExec = struct GraphExecObject *;
using DeviceOrdinal = int;

enum FunctionAttribute : int {
  MaxThreadsPerBlock = 0,
  StaticSharedBytes = 1,
  LocalBytes = 3,
  Registers = 4,
  MaxDynamicSharedBytes = 8,
};

enum StreamFlags : unsigned { StreamDefault = 0, StreamNonBlocking = 1 };
enum CaptureMode : int { CaptureThreadLocal = 1 };

/// Keys of the `extra` list of a launch; each driver's LaunchEnd ends it.
enum LaunchExtra : uintptr_t {
  LaunchBufferPointer = 1,
  LaunchBufferSize = 2,
};

} // namespace wf::driver

#endif // WARPFOLD_RUNTIME_DRIVERTYPES_H
