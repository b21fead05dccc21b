//===- Run.h - Running a kernel on the stub of HIP ---------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_STUBS_HIP_RUN_H
#define WARPFOLD_STUBS_HIP_RUN_H

#include "driver/State.h"

namespace wf::driver {

/// Runs `kernel` of a linked code object on a grid of one dimension. The launch
/// was checked: shape, size of the arguments. Addresses in `kernargs` are
/// addresses of this process; state().memory has the bounds they must keep to.
/// The object's section .note.warpfold.bitcode holds the kernel as LLVM bitcode
/// if the compiler was asked for it.
Result runKernel(const std::string &codeObject, const std::string &kernel,
                 unsigned grid, unsigned block, const std::string &kernargs);

} // namespace wf::driver

#endif // WARPFOLD_STUBS_HIP_RUN_H
