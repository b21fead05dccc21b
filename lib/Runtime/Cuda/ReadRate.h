//===- ReadRate.h - How fast a GPU reads its memory --------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_CUDA_READRATE_H
#define WARPFOLD_RUNTIME_CUDA_READRATE_H

#include "Runtime/Device.h"

namespace wf::cuda {

/// Gigabytes (1e9) a second of a kernel that only reads: the median of five
/// passes over 1 GiB, or the largest half, quarter, … of it that is free and
/// four times the L2 cache. Timed by events on the default stream.
llvm::Expected<double> measureReadRate(Device &device);

} // namespace wf::cuda

#endif // WARPFOLD_RUNTIME_CUDA_READRATE_H
