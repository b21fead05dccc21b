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
/// The process exit code: 1 where an assertion or a promise does not hold.
llvm::Expected<int> runExplain(const ExplainArguments &args);
llvm::Expected<int> runInspect(const ExplainArguments &args);
/// What runExplain does with dumps of a compiler's IR.
struct ExplainInputs;
llvm::Expected<int> runInspection(ExplainInputs inputs,
                                  const ExplainArguments &args);
llvm::Error runProfile(const ProfileArguments &args);
llvm::Expected<int> runSim(const SimArguments &args);
/// The process exit code: 0 only if every case that ran is right.
llvm::Expected<int> runSelftest(const SelftestArguments &args);

} // namespace wf::cli

#endif // WARPFOLD_TOOLS_COMMANDS_H
