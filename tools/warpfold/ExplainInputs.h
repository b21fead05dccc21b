//===- ExplainInputs.h - The listings that a user names ---------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TOOLS_EXPLAININPUTS_H
#define WARPFOLD_TOOLS_EXPLAININPUTS_H

#include "Arguments.h"
#include "Explain/Inspect/Inspect.h"
#include "Explain/Patterns/Pattern.h"

#include "llvm/Support/Error.h"

namespace wf::cli {

/// Every file read: kernels in machine code, and dumps of a compiler's IR.
struct ExplainInputs {
  struct Named {
    std::string file;
    explain::Kernel kernel;
  };
  std::vector<Named> kernels;
  std::vector<explain::NamedText> dumps;
  std::vector<explain::NamedText> code; ///< PTX, which both can read
  std::vector<std::string> remarks;     ///< "file:line: …", for standard error
};

/// Reads files, folders of dumps, and standard input ("-"). Images are taken
/// apart by LLVM (AMD) or the vendor's tools (NVIDIA).
llvm::Expected<ExplainInputs>
readExplainInputs(const std::vector<std::string> &files);

/// The kernels called `name`: whole, demangled, or a part that names one.
/// An error lists those that are there.
llvm::Error keepKernels(ExplainInputs &inputs, const std::string &name);

/// Our own kernel for a reduction, and the plan's explanation.
struct OwnKernel {
  std::string text, stage; ///< "sass", "amdgcn" or "ptx"
  std::string explanation;
  std::vector<std::string> notes;
};
llvm::Expected<OwnKernel> compileOwn(const ExplainArguments &args);

/// What the plan promised and the code does not keep; a line each, those kept
/// among them.
struct PromiseLine {
  std::string text;
  bool kept = true;
};
std::vector<PromiseLine> checkPromise(const std::string &explanation,
                                      const explain::Report &report);

/// Writes `text` to the file `output`, or to standard output without one.
llvm::Error deliver(const Text &output, const std::string &text);

/// A Fault as the tool's error.
llvm::Error faultError(const explain::Fault &fault, const std::string &file);

} // namespace wf::cli

#endif // WARPFOLD_TOOLS_EXPLAININPUTS_H
