//===- CompileCommand.cpp - Compile and print any stage ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// `warpfold compile --op sum --shape ?x4096 --dtype f32 --axis 1 --emit plan`
// prints one stage as its bare text; several stages stand under headings
// ("; ---- plan ----"). With -o, one stage goes to a file and several go to a
// folder, one file each.
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Error/Error.h"
#include "IO/OutputFile.h"
#include "Report.h"
#include "Requests.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace wf;
using llvm::StringRef;

namespace {

struct Stage {
  const char *name, *suffix;
};
const Stage stages[] = {
    {"ast", ".fold"},    {"fold", ".mlir"},  {"plan", ".txt"},
    {"tiers", ".mlir"},  {"loops", ".mlir"}, {"llvm", ".ll"},
    {"asm", ".s"},       {"obj", ".o"},      {"ptx", ".ptx"},
    {"cubin", ".cubin"}, {"sass", ".sass"},  {"amdgcn", ".amdgcn"},
    {"hsaco", ".hsaco"}};

/// Stages that are bytes, not text.
bool isBinary(StringRef stage) {
  return stage == "obj" || stage == "cubin" || stage == "hsaco";
}

std::string stageNames() {
  std::string text;
  for (const Stage &stage : stages)
    text += (text.empty() ? "" : ", ") + std::string(stage.name);
  return text;
}

/// {"ast,plan", "asm"} is {ast, plan, asm}; `target`'s own names are checked.
llvm::Expected<std::vector<std::string>>
readStages(const std::vector<std::string> &texts) {
  std::vector<std::string> names;
  for (const std::string &text : texts)
    for (StringRef name : llvm::split(StringRef(text), ',')) {
      name = name.trim();
      if (llvm::none_of(stages, [&](const Stage &s) { return name == s.name; }))
        return userError("no stage is called '" + name + "'",
                         "there are " + stageNames());
      if (!llvm::is_contained(names, name.str()))
        names.push_back(name.str());
    }
  return names;
}

llvm::Expected<CompileRequest> makeRequest(const cli::CompileArguments &args) {
  CompileRequest request;
  auto names = readStages(args.stages);
  if (!names)
    return names.takeError();
  if (names->empty() && !args.explainPlan)
    return userError("compile wants --emit", "a list of " + stageNames());
  if (args.shapes.empty() || args.dtypes.empty())
    return userError("compile wants --shape and --dtype",
                     "as in --shape ?x4096 --dtype f32");
  if (args.shapes.size() > 1)
    return userError("--shape is given twice",
                     "the inputs of one reduction have one shape");
  auto shape = cli::readShape(args.shapes.front());
  if (!shape)
    return shape.takeError();
  for (const std::string &text : args.dtypes)
    for (StringRef name : llvm::split(StringRef(text), ',')) {
      auto type = cli::readType(name.trim(), "--dtype");
      if (!type)
        return type.takeError();
      request.inputTypes.push_back(*type);
    }
  if (llvm::Error error = cli::fillCommon(args, request))
    return std::move(error);
  request.shape = std::move(*shape);
  request.stages = std::move(*names);
  request.locations = args.locations;
  if (args.target)
    request.target = *args.target;
  for (const std::string &text : args.printAfter)
    for (StringRef pass : llvm::split(StringRef(text), ','))
      request.printAfter.push_back(pass.trim().str());
  return request;
}

StringRef suffixOf(StringRef stage) {
  for (const Stage &s : stages)
    if (stage == s.name)
      return s.suffix;
  return ".txt";
}

llvm::Error writeToFolder(const CompileResult &result, StringRef folder) {
  if (std::error_code ec = llvm::sys::fs::create_directories(folder))
    return userError("cannot make the folder '" + folder +
                     "': " + ec.message());
  for (const auto &[name, text] : result.stages) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, llvm::Twine(name) + suffixOf(name));
    if (llvm::Error error = writeFile(path, text))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error printStages(const CompileResult &result) {
  for (const auto &[name, text] : result.stages) {
    if (isBinary(name) && isatty(STDOUT_FILENO))
      return userError("the stage " + name +
                           " is binary and does not go to a "
                           "terminal",
                       "write it with -o FILE");
    if (result.stages.size() > 1)
      llvm::outs() << "; ---- " << name << " ----\n";
    llvm::outs() << text;
    if (!isBinary(name) && !StringRef(text).ends_with("\n"))
      llvm::outs() << '\n';
  }
  return llvm::Error::success();
}

} // namespace

llvm::Error cli::runCompile(const CompileArguments &args) {
  auto request = makeRequest(args);
  if (!request)
    return request.takeError();
  auto result = compile(*request);
  if (!result)
    return result.takeError();
  printNotes(result->notes);
  llvm::errs() << result->explanation;
  if (args.time)
    printPhases(result->phases);
  if (!args.output || result->stages.empty())
    return printStages(*result);
  if (result->stages.size() > 1 || llvm::sys::fs::is_directory(*args.output))
    return writeToFolder(*result, *args.output);
  return writeFile(*args.output, result->stages.front().second);
}
