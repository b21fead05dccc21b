//===- SimCommand.cpp - Run a GPU kernel without a GPU -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Source → device code → launch → what the kernel left, and whether it may be
// trusted. Standard output gets the outputs, standard error what went wrong;
// the exit code is 1 where anything did.
//===----------------------------------------------------------------------===//
#include "ClangChild.h"
#include "Commands.h"
#include "Error/Error.h"
#include "IO/Format.h"
#include "SimArguments.h"
#include "SimExpect.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace wf;
using namespace wf::cli;

/// Runs the kernel; its outputs are in the launch's arguments afterwards.
/// `hazards` has a line for each thing it did that a GPU does not define.
static llvm::Error simulate(const DeviceCode &code, SimLaunch &launch,
                            std::vector<std::string> &hazards) {
  (void)code, (void)launch, (void)hazards;
  return userError("the simulator is not there yet");
}

static void printOutputs(const SimLaunch &launch) {
  for (const KernelArgument &argument : launch.arguments)
    if (argument.isResult()) {
      printArray(llvm::outs(), argument.array, /*full=*/false);
      llvm::outs() << '\n';
    }
}

static void printJson(const SimLaunch &launch,
                      const std::vector<std::string> &hazards,
                      const SimArguments &args,
                      const std::optional<std::string> &wrong) {
  llvm::json::OStream json(llvm::outs());
  json.object([&] {
    json.attributeArray("outputs", [&] {
      for (const KernelArgument &argument : launch.arguments)
        if (argument.isResult())
          json.object([&] {
            json.attribute("argument", argument.text);
            json.attributeBegin("values");
            writeJsonValues(json, argument.array);
            json.attributeEnd();
          });
    });
    json.attributeArray("hazards", [&] {
      for (const std::string &hazard : hazards)
        json.value(hazard);
    });
    if (args.expect) {
      json.attribute("expect", *args.expect);
      json.attribute("right", !wrong);
    }
    if (wrong)
      json.attribute("wrong", *wrong);
  });
  llvm::outs() << '\n';
}

llvm::Expected<int> wf::cli::runSim(const SimArguments &args) {
  if (!args.file)
    return userError("sim wants a kernel",
                     "a .cu, .hip, .ll or .bc file; see `warpfold sim --help`");
  auto launch = readLaunch(args);
  if (!launch)
    return launch.takeError();
  std::optional<Expectation> want;
  if (args.expect)
    if (llvm::Error error = expectationOf(*args.expect, *launch).moveInto(want))
      return std::move(error);
  auto code = deviceCodeOf(*args.file, args.target.value_or(""));
  if (!code)
    return code.takeError();
  llvm::errs() << code->warnings;

  std::vector<std::string> hazards;
  if (llvm::Error error = simulate(*code, *launch, hazards))
    return std::move(error);
  std::optional<std::string> wrong;
  if (want)
    wrong = wrongResult(*want, *launch);
  if (args.json)
    printJson(*launch, hazards, args, wrong);
  else
    printOutputs(*launch);
  for (const std::string &hazard : hazards)
    llvm::errs() << "hazard: " << hazard << '\n';
  if (wrong)
    llvm::errs() << "wrong result: " << *wrong << '\n';
  return hazards.empty() && !wrong ? 0 : 1;
}
