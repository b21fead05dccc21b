//===- ReduceCommand.cpp - Reduce arrays ---------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Arguments → requests (one per tensor that matches) → results. Nothing is
// printed and no file is written before every reduction has succeeded.
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Error/Error.h"
#include "IO/Npy.h"
#include "Inputs.h"
#include "ProgressBar.h"
#include "Report.h"
#include "Requests.h"

#include "llvm/Support/raw_ostream.h"

using namespace wf;
using namespace wf::cli;

/// One array is a .npy file, several are a .npz archive by their names.
static llvm::Error writeResults(const std::string &path,
                                llvm::ArrayRef<Outcome> outcomes) {
  std::vector<std::pair<std::string, Array>> arrays;
  for (const Outcome &outcome : outcomes)
    for (const NamedResult &result : outcome.result.results)
      arrays.emplace_back(resultName(outcome, result), result.array);
  if (arrays.size() == 1)
    return writeNpy(path, arrays.front().second);
  return writeNpz(path, arrays);
}

static llvm::Expected<std::vector<Outcome>>
runJobs(ReduceRequest &request, std::vector<Job> &jobs, const Text &device) {
  if (device)
    request.device = *device;
  std::vector<Outcome> outcomes;
  ProgressBar bar;
  for (Job &job : jobs) {
    request.inputs = std::move(job.inputs);
    auto result = reduce(request);
    if (!result && job.name.empty())
      return result.takeError();
    if (!result) {
      // Which of the tensors it was.
      llvm::errs() << "in the tensor " << job.name << ":\n";
      return result.takeError();
    }
    outcomes.push_back({job.name, std::move(*result)});
  }
  return outcomes;
}

llvm::Error wf::cli::runReduce(const ReduceArguments &args) {
  ReduceRequest request;
  if (llvm::Error error = fillCommon(args, request))
    return error;
  auto threads = readThreads(args.threads);
  if (!threads)
    return threads.takeError();
  request.threads = *threads;
  request.together = args.together;

  auto jobs = openJobs(args);
  if (!jobs)
    return jobs.takeError();
  auto outcomes = runJobs(request, *jobs, args.device);
  if (!outcomes)
    return outcomes.takeError();

  if (args.output)
    if (llvm::Error error = writeResults(*args.output, *outcomes))
      return error;
  for (const Outcome &outcome : *outcomes) {
    printSummary(outcome, args.time);
    if (args.explainPlan && !args.time)
      printPlan(outcome);
    if (args.time)
      printPhases(outcome.result.phases);
  }
  if (args.json)
    printJson(*outcomes);
  else if (!args.output)
    printText(*outcomes, args.full);
  return llvm::Error::success();
}
