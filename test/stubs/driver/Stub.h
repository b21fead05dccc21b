//===- Stub.h - What a test asks of a stub driver ----------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The tests' libraries in the place of a vendor's: one or more devices "Stub
// GPU" of 256 MiB whose memory is host memory, so that copies and fills are
// real. Every call is checked: the device is current, handles are alive and of
// that device, ranges lie inside live allocations of it, the argument buffer is
// as long as the kernel's parameters. What a real driver would let pass, or
// crash on, is noted as a fault. cuda/Stub.h and hip/Stub.h say what is each
// one's own.
//
// The functions below are exported beside the driver's; find them by dlsym.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_STUBS_DRIVER_STUB_H
#define WARPFOLD_STUBS_DRIVER_STUB_H

#include <cstddef>

/// A launch that was carried out (a captured one when its graph is).
struct WfStubLaunch {
  const char *kernel;
  unsigned blocks, threads, dynamicSharedBytes;
  const void *arguments; ///< good until the next launch of any kernel
  size_t argumentBytes;
  void *stream;
  bool replayed;
};

extern "C" {
/// The faults so far and the objects that are alive, a line each; "" is good.
const char *wfStubReport();
/// Frees and forgets all but the contexts.
void wfStubReset();
/// Lets the `skip`-th next call (0: the next) of `function` fail once.
void wfStubFail(const char *function, int result, int skip);
/// How often a function of the list was called since the reset.
int wfStubCalls(const char *function);
/// Launches since the reset, and the one `back` before the last.
int wfStubLaunchCount();
bool wfStubLaunchAt(int back, WfStubLaunch *launch);
}

#endif // WARPFOLD_STUBS_DRIVER_STUB_H
