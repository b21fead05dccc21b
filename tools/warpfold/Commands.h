//===- Commands.h - The commands of the command line ------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Each takes what the user typed, writes its result to standard output and
// everything else to standard error, and returns the error to print.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TOOLS_COMMANDS_H
#define WARPFOLD_TOOLS_COMMANDS_H

#include "Arguments.h"

#include "llvm/Support/Error.h"

namespace wf::cli {

llvm::Error runReduce(const ReduceArguments &args);
llvm::Error runCompile(const CompileArguments &args);
llvm::Error runTree(const TreeArguments &args);
llvm::Error runOps(const OpsArguments &args);
llvm::Error runDevices(const DevicesArguments &args);
/// The process exit code: 1 where the kernel's result is not to be trusted.
llvm::Error runProfile(const ProfileArguments &args);
llvm::Expected<int> runSim(const SimArguments &args);
/// The process exit code: 0 only if every case that ran is right.
llvm::Expected<int> runSelftest(const SelftestArguments &args);

} // namespace wf::cli

#endif // WARPFOLD_TOOLS_COMMANDS_H
