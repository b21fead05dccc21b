//===- AmdgcnArguments.h - Loads of a kernel's arguments --------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_MACHINE_AMDGCNARGUMENTS_H
#define WARPFOLD_EXPLAIN_MACHINE_AMDGCNARGUMENTS_H

#include "Explain/Machine/Effect.h"

namespace wf::explain::amdgcn {

/// Follows the arguments' address through scalar registers: loads from it
/// become loads of constants, and what is taken of hidden arguments and of
/// packed thread indices becomes the special value that it is.
void followArguments(Program &program);

} // namespace wf::explain::amdgcn

#endif // WARPFOLD_EXPLAIN_MACHINE_AMDGCNARGUMENTS_H
