//===- main.cpp - The command line ---------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// warpfold COMMAND …: reads the arguments, runs the command, prints an error
// with its prefix and leaves with its code: 0, 1 (the user's), 2 (the
// machine's), 70 (ours). Standard output holds results only.
//===----------------------------------------------------------------------===//
#include "Arguments.h"
#include "Commands.h"
#include "Error/Error.h"

#include "llvm/Support/raw_ostream.h"

using namespace wf;

/// Prints every error and gives the exit code of the gravest.
static int report(llvm::Error error) {
  int code = 0;
  llvm::handleAllErrors(
      std::move(error),
      [&](const WarpfoldError &e) {
        e.log(llvm::errs());
        llvm::errs() << '\n';
        code = std::max(code, exitCode(e.kind));
      },
      [&](const llvm::ErrorInfoBase &e) {
        llvm::errs() << "internal error: " << e.message() << '\n';
        code = exitCode(ErrorKind::Internal);
      });
  return code;
}

static llvm::Error run(const cli::Arguments &args, int &code) {
  switch (args.command) {
  case cli::Command::Help:
    llvm::outs() << args.help;
    return llvm::Error::success();
  case cli::Command::Reduce:
    return cli::runReduce(args.reduce);
  case cli::Command::Compile:
    return cli::runCompile(args.compile);
  case cli::Command::Tree:
    return cli::runTree(args.tree);
  case cli::Command::Profile:
    return cli::runProfile(args.profile);
  case cli::Command::Ops:
    return cli::runOps(args.ops);
  case cli::Command::Devices:
    return cli::runDevices(args.devices);
  case cli::Command::Sim:
    return cli::runSim(args.sim).moveInto(code);
  case cli::Command::Explain:
    return cli::runExplain(args.explain).moveInto(code);
  case cli::Command::Inspect:
    return cli::runInspect(args.explain).moveInto(code);
  case cli::Command::Selftest:
    return cli::runSelftest(args.selftest).moveInto(code);
  }
  return internalError("a command without an implementation");
}

int main(int argc, char **argv) {
  std::optional<cli::BadCommandLine> bad;
  cli::Arguments args = cli::readArguments(argc, argv, bad);
  if (bad)
    return report(userError(bad->message, bad->hint));
  int code = 0;
  if (llvm::Error error = run(args, code))
    return report(std::move(error));
  // A result that did not arrive is a failure: a full disk behind `> file`.
  llvm::outs().flush();
  if (std::error_code ec = llvm::outs().error()) {
    llvm::outs().clear_error();
    return report(userError("cannot write standard output: " + ec.message()));
  }
  return code;
}
