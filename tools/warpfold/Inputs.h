//===- Inputs.h - The arrays of each reduction to run -----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
//   x.npy y.npy                          one job of two inputs (broadcast)
//   w.safetensors --tensor 'blk.*'       a job for every tensor that matches
//   w.safetensors --tensor '*' --together   one job of all of them
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TOOLS_INPUTS_H
#define WARPFOLD_TOOLS_INPUTS_H

#include "Arguments.h"
#include "IO/Array.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace wf::cli {

struct Job {
  std::string name; ///< the tensor's, where there are several jobs
  std::vector<Array> inputs;
};

/// Opens the INPUTs. At least one job, each with at least one input.
llvm::Expected<std::vector<Job>> openJobs(const ReduceArguments &args);

} // namespace wf::cli

#endif // WARPFOLD_TOOLS_INPUTS_H
