//===- device.h - CUDA and HIP device code without an SDK -------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What a hand-written kernel needs so that clang alone compiles its device side
// to LLVM IR, for the simulator:
//
//   clang -x cuda --cuda-device-only -nocudainc -nocudalib
//         --cuda-gpu-arch=sm_90 --cuda-feature=+ptx80
//   clang -x hip --offload-device-only -nogpuinc -nogpulib
//         --offload-arch=gfx1201
//   both: -include device.h -isystem include -O2 -gline-tables-only
//
// A file that includes <cuda_runtime.h> or <hip/hip_runtime.h> gets this one
// (folder include/), so it compiles unchanged for either vendor's own compiler.
// Host code beside the kernels is read and dropped.
//
// What is here keeps the vendors' rules where they differ: no unsuffixed
// shuffles for NVIDIA, 64-bit lane masks for AMD.
//
// Not here: half and bfloat16, cooperative groups, textures, device malloc.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_DEVICE_H
#define WARPFOLD_DEVICE_H

#include "device/keywords.h"

#include "device/vectors.h"

#include "device/index.h"

#include "device/sync.h"

#include "device/lanes.h"

#include "device/atomics.h"

#include "device/math.h"

#include "device/host.h"

#endif // WARPFOLD_DEVICE_H
