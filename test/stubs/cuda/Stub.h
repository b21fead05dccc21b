//===- Stub.h - What a test asks of the stub driver --------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// libcuda.so.1 of the tests: one or more devices "Stub GPU" (sm_90, 256 MiB)
// whose memory is host memory, so that copies and fills are real. Kernels are
// not run; their launches are checked and noted. Every call is checked: a
// context is current, handles are alive and of that context, ranges lie inside
// live allocations, the argument buffer is as long as the kernel's parameters.
// What a real driver would let pass, or crash on, is noted as a fault.
//
// Environment, read at every call:
//   WARPFOLD_STUB_CUDA     lost      every call after the first launch fails
//                          oom       no memory
//                          old       a driver for CUDA 11.0
//                          nodevice  cuInit finds none
//                          badimage  no module loads
//   WARPFOLD_STUB_DEVICES  how many (1)
//   WARPFOLD_STUB_TARGET   what they are (sm_90)
//
// The functions below are exported beside the driver's; find them by dlsym.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_STUBS_CUDA_STUB_H
#define WARPFOLD_STUBS_CUDA_STUB_H

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
/// A context that is no device's primary one, as a host program may have.
void *wfStubForeignContext();
}

#endif // WARPFOLD_STUBS_CUDA_STUB_H
