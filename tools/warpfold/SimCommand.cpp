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
#include "Simulate.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace wf;
using namespace wf::cli;

static void printOutputs(const SimLaunch &launch) {
  for (const KernelArgument &argument : launch.arguments)
    if (argument.isResult()) {
      printArray(llvm::outs(), argument.array, /*full=*/false);
      llvm::outs() << '\n';
    }
}

static void writeHazard(llvm::json::OStream &json, const sim::Hazard &hazard) {
  json.attribute("name", sim::hazardName(hazard.kind));
  json.attribute("detail", hazard.detail);
  json.attribute("source", hazard.source);
  json.attribute("instruction", hazard.instruction);
  json.attribute("block", hazard.block);
  json.attribute("thread", hazard.thread);
  json.attribute("times", hazard.times);
}

static void printJson(const SimLaunch &launch,
                      const std::vector<sim::Hazard> &hazards,
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
      for (const sim::Hazard &hazard : hazards)
        json.object([&] { writeHazard(json, hazard); });
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

  auto hazards = simulate(*code, *launch);
  if (!hazards)
    return hazards.takeError();
  std::optional<std::string> wrong;
  if (want)
    wrong = wrongResult(*want, *launch);
  if (args.json)
    printJson(*launch, *hazards, args, wrong);
  else
    printOutputs(*launch);
  for (const sim::Hazard &hazard : *hazards)
    llvm::errs() << "hazard: " << hazard.text() << '\n';
  if (!hazards->empty())
    llvm::errs() << "again: --seed " << launch->seed << '\n';
  if (wrong)
    llvm::errs() << "wrong result: " << *wrong << '\n';
  return hazards->empty() && !wrong ? 0 : 1;
}
