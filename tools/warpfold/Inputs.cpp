//===- Inputs.cpp - The arrays of each reduction to run ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Inputs.h"
#include "Error/Error.h"
#include "IO/Input.h"

#include "llvm/ADT/STLExtras.h"

using namespace wf;
using namespace wf::cli;

static llvm::Error checkCombination(const ReduceArguments &args) {
  if (args.inputs.empty())
    return userError("reduce wants an input",
                     "a .npy or .safetensors file, - for standard input, or "
                     "a generator such as 'gen:arange(12, f32)'");
  if (llvm::count(args.inputs, "-") > 1)
    return userError("standard input can be one input only",
                     "write the other one to a file");
  if (args.together && !args.tensor)
    return userError("--together goes with --tensor",
                     "as in --tensor '*' --together");
  if (args.together && args.inputs.size() > 1)
    return userError("--together takes one input");
  return llvm::Error::success();
}

llvm::Expected<std::vector<Job>>
wf::cli::openJobs(const ReduceArguments &args) {
  if (llvm::Error error = checkCombination(args))
    return std::move(error);
  InputOptions options{args.raw, args.tensor, args.slice, args.together};
  std::vector<Job> jobs(1);
  for (const std::string &text : args.inputs) {
    auto arrays = openInput(text, options);
    if (!arrays)
      return arrays.takeError();
    if (arrays->size() == 1 || args.together) {
      for (NamedArray &named : *arrays)
        jobs.front().inputs.push_back(std::move(named.array));
      continue;
    }
    if (args.inputs.size() > 1)
      return userError("'" + text + "' holds " + llvm::Twine(arrays->size()) +
                           " tensors that match '" + *args.tensor + "'",
                       "with several inputs each must match one");
    jobs.clear();
    for (NamedArray &named : *arrays)
      jobs.push_back({std::move(named.name), {std::move(named.array)}});
  }
  return jobs;
}
