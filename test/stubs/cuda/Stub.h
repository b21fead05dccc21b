//===- Stub.h - What a test asks of the stub of CUDA -------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// libcuda.so.1 of the tests. Kernels are not run; their launches are checked
// against the PTX, and noted.
//
// Environment, read at every call:
//   WARPFOLD_STUB_CUDA     lost      every call after the first launch fails
//                          oom       no memory
//                          old       a driver for CUDA 11.0
//                          nodevice  cuInit finds none
//                          badimage  no module loads
//   WARPFOLD_STUB_DEVICES  how many (1)
//   WARPFOLD_STUB_TARGET   what they are (sm_90)
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_STUBS_CUDA_STUB_H
#define WARPFOLD_STUBS_CUDA_STUB_H

#include "driver/Stub.h"

/// A context that is no device's primary one, as a host program may have.
extern "C" void *wfStubForeignContext();

#endif // WARPFOLD_STUBS_CUDA_STUB_H
