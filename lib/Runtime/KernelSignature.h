//===- KernelSignature.h - What a kernel takes and gives ---------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_KERNELSIGNATURE_H
#define WARPFOLD_RUNTIME_KERNELSIGNATURE_H

#include "Plan/Plan.h"

#include <vector>

namespace wf {

/// What a GPU's kernel is handed over as: PTX text, which NVIDIA's driver
/// assembles; AMD's linked code object; the optimised LLVM module as bitcode, of
/// any GPU target and of null, for the simulator.
enum class GpuCodeForm { Ptx, CodeObject, Bitcode };

/// What a launch has to know of a kernel, on any device. The argument lists are
/// those of Lowering/Launch.h.
struct KernelSignature {
  Plan plan;
  std::vector<ScalarType> inputs, outputs, params;
  std::vector<ScalarType> partials; ///< state members, then i64 if counted
};

} // namespace wf

#endif // WARPFOLD_RUNTIME_KERNELSIGNATURE_H
