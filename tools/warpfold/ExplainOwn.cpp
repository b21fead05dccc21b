//===- ExplainOwn.cpp - Our own kernel, and what its plan promised -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Error/Error.h"
#include "ExplainInputs.h"
#include "Pipeline/Reduce.h"
#include "Requests.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Program.h"

using namespace wf;
using namespace wf::cli;
using namespace wf::explain;
using llvm::StringRef;

/// The nearest to machine code that can be made here for `target`.
static std::string stageFor(StringRef target) {
  if (target.starts_with("gfx"))
    return "amdgcn";
  bool assembles = bool(llvm::sys::findProgramByName("ptxas"));
  bool prints = bool(llvm::sys::findProgramByName("nvdisasm")) ||
                bool(llvm::sys::findProgramByName("cuobjdump"));
  return assembles && prints ? "sass" : "ptx";
}

llvm::Expected<OwnKernel> wf::cli::compileOwn(const ExplainArguments &args) {
  CompileRequest request;
  CommonArguments common = args;
  if (!common.reduction.op && !common.reduction.file &&
      !common.reduction.combine)
    common.reduction.op = "sum";
  if (llvm::Error error = fillCommon(common, request))
    return std::move(error);
  auto shape = readShape(args.shape.value_or("1048576"));
  if (!shape)
    return shape.takeError();
  auto type = readType(args.dtype.value_or("f32"), "--dtype");
  if (!type)
    return type.takeError();
  request.shape = std::move(*shape);
  request.inputTypes = {*type};
  request.target = args.target.value_or("sm_90");
  if (request.target == "cpu")
    return userError("explain reads GPU code, and the target is the CPU",
                     "say --target sm_90 or gfx1201");
  OwnKernel own;
  own.stage = stageFor(request.target);
  request.stages = {own.stage};
  request.explainPlan = true;
  auto result = compile(request);
  if (!result)
    return result.takeError();
  own.notes = result->notes;
  if (own.stage == "ptx" && !StringRef(request.target).starts_with("gfx"))
    own.notes.push_back("this is the PTX: no ptxas and nvdisasm were found to "
                        "make and print machine code");
  own.explanation = result->explanation;
  for (auto &[name, text] : result->stages)
    if (name == own.stage)
      own.text = std::move(text);
  return own;
}

/// The first number of a line of the explanation, after its name.
static std::optional<int64_t> promised(StringRef explanation, StringRef name) {
  for (StringRef line : llvm::split(explanation, '\n'))
    if (line.consume_front(name) && line.starts_with(" ")) {
      int64_t n = 0;
      StringRef digits = line.ltrim().take_while(llvm::isDigit);
      if (!digits.empty() && !digits.getAsInteger(10, n))
        return n;
    }
  return std::nullopt;
}

/// "5 a warp for its lanes (…), 3 for a block's warps" is 8: all that a warp
/// may run, each of which the code writes out or repeats in a loop.
static std::optional<int64_t> promisedExchanges(StringRef explanation) {
  std::optional<int64_t> lanes = promised(explanation, "shuffles");
  if (!lanes)
    return lanes;
  StringRef line = explanation.split("shuffles").second.split('\n').first;
  StringRef before = line.split(" for a block's warps").first;
  int64_t more = 0;
  if (before != line && !before.rsplit(' ').second.getAsInteger(10, more))
    return *lanes + more;
  return lanes;
}

std::vector<PromiseLine> wf::cli::checkPromise(const std::string &explanation,
                                               const Report &report) {
  std::vector<PromiseLine> lines;
  auto fact = [&](const char *name) {
    auto it = report.facts.find(name);
    return it == report.facts.end() ? 0.0 : it->second.value;
  };
  auto say = [&](bool kept, std::string text) {
    lines.push_back({std::move(text), kept});
  };
  auto number = [](double n) { return std::to_string(int64_t(n)); };
  if (auto barriers = promised(explanation, "barriers")) {
    double found = fact("barriers");
    // The plan counts what a block runs; the code may write a barrier of a
    // loop once, and never more barriers than are run.
    bool kept = (*barriers == 0) == (found == 0) && found <= double(*barriers);
    say(kept, "barriers: " + std::to_string(*barriers) + " promised a block, " +
                  number(found) + " in the code");
  }
  if (auto shuffles = promisedExchanges(explanation)) {
    double found = fact("shfl");
    say((*shuffles == 0) == (found == 0),
        "lane exchanges: " +
            (*shuffles ? std::to_string(*shuffles) + " promised a warp, "
                       : std::string("none promised, ")) +
            number(found) + " in the code");
  }
  if (auto shared = promised(explanation, "shared")) {
    double traffic = fact("lds") + fact("sts");
    std::string text =
        "shared memory: " + std::to_string(*shared) + " bytes promised";
    if (auto bytes = report.kernel().resources.sharedBytes) {
      say(int64_t(*bytes) == *shared,
          text + ", " + std::to_string(*bytes) + " in the code");
    } else {
      say((*shared == 0) == (traffic == 0),
          text + ", " + number(traffic) + " loads and stores in the code");
    }
  }
  double spills = fact("ldl") + fact("stl");
  say(spills == 0, "registers: no spill promised, " + number(spills) +
                       " local loads and stores in the code");
  return lines;
}
