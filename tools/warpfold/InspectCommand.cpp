//===- InspectCommand.cpp - The checkpoints of a compiler's dumps --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Error/Error.h"
#include "ExplainInputs.h"

#include "llvm/Support/raw_ostream.h"

using namespace wf;
using namespace wf::cli;

llvm::Expected<int> wf::cli::runInspection(ExplainInputs inputs,
                                           const ExplainArguments &args) {
  std::vector<explain::NamedText> texts = std::move(inputs.dumps);
  for (explain::NamedText &code : inputs.code)
    texts.push_back(std::move(code));
  auto inspection = explain::inspect(std::move(texts));
  if (!inspection)
    return faultError(inspection.fault(), "");
  bool json = args.json || (args.format && *args.format == "json");
  std::string text = json ? explain::inspectionJson(*inspection)
                          : explain::inspectionText(*inspection);
  if (llvm::Error error = deliver(args.output, text))
    return std::move(error);
  return 0;
}

llvm::Expected<int> wf::cli::runInspect(const ExplainArguments &args) {
  if (args.files.empty())
    return userError("inspect wants a dump",
                     "a .ttir, .ttgir, .llir or .ptx file, or a folder of "
                     "them; Triton writes one where TRITON_KERNEL_DUMP=1");
  auto inputs = readExplainInputs(args.files);
  if (!inputs)
    return inputs.takeError();
  for (const std::string &remark : inputs->remarks)
    llvm::errs() << remark << '\n';
  if (inputs->dumps.empty() && inputs->code.empty())
    return userError("there is no dump of a compiler among these files",
                     "machine code is what `warpfold explain` reads");
  return runInspection(std::move(*inputs), args);
}
