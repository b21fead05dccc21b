//===- TreeCommand.cpp - Which elements meet, and where -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// `warpfold tree --op sum --shape 5` prints (((0 1) (2 3)) 4): the tree that
// every output is folded by. `--pair 0,4` says where two elements first meet,
// for folds of any length; `--svg FILE` draws the tree.
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Error/Error.h"
#include "IO/Array.h"
#include "IO/OutputFile.h"
#include "IO/Shape.h"
#include "Language/Checker.h"
#include "Pipeline/Compiler.h"
#include "Pipeline/ExplainFacts.h"
#include "Pipeline/Prepare.h"
#include "Plan/Hardware.h"
#include "Plan/Tree.h"
#include "Plan/TreePicture.h"
#include "Requests.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace wf;
using llvm::StringRef;

namespace {

llvm::Expected<Program> readProgram(const cli::TreeArguments &args) {
  auto reduction = cli::readReduction(args);
  if (!reduction)
    return reduction.takeError();
  CheckOptions options;
  for (const std::string &text : args.dtypes)
    for (StringRef name : llvm::split(StringRef(text), ',')) {
      auto type = cli::readType(name.trim(), "--dtype");
      if (!type)
        return type.takeError();
      options.inputs.push_back(*type);
    }
  if (options.inputs.empty())
    options.inputs.push_back(ScalarType::F32);
  auto acc = cli::readAcc(args);
  if (!acc)
    return acc.takeError();
  auto nan = cli::readNanPolicy(args.nan);
  if (!nan)
    return nan.takeError();
  auto params = cli::readParams(args.params);
  if (!params)
    return params.takeError();
  options.acc = *acc;
  options.nanIgnore = *nan == NanPolicy::Ignore;
  options.params = std::move(*params);
  return check(*reduction, options);
}

llvm::Expected<Problem> readProblem(const cli::TreeArguments &args,
                                    const Program &program) {
  if (args.shapes.size() != 1)
    return userError(args.shapes.empty() ? "tree wants --shape"
                                         : "--shape is given twice",
                     "as in --shape 1024x4096");
  auto sizes = parseShape(args.shapes.front());
  if (!sizes)
    return sizes.takeError();
  if (!checkedBytes(*sizes, 8))
    return tooLarge("an array", *sizes, "f64");
  auto given = cli::readAxes(args.axes);
  if (!given)
    return given.takeError();
  auto axes = normaliseAxes(*given, args.axes.empty(), int64_t(sizes->size()));
  if (!axes)
    return axes.takeError();
  ProblemShape shape;
  shape.shape = *sizes;
  shape.axes = *axes;
  shape.inStrides.assign(program.inputs.size(), rowMajorStrides(*sizes));
  std::vector<int64_t> kept = *sizes;
  for (int64_t axis : *axes)
    kept[size_t(axis)] = 1;
  shape.outStrides.assign(program.results.size(), rowMajorStrides(kept));
  Problem problem = canonicalise(shape);
  if (problem.elements == 0)
    return userError("a fold of no elements has no tree",
                     "name a shape without a 0");
  return problem;
}

/// The target that a tree is drawn for: a plan's own, else what was said.
llvm::Expected<PlanTarget> readTarget(const cli::TreeArguments &args,
                                      const PlanRequest &request) {
  PlanTarget target;
  if (args.target)
    target.name = *args.target;
  else if (request.kind == PlanRequest::Text)
    target.name = request.plan.target;
  else if (request.kind == PlanRequest::Ladder)
    target.name = "sm_90";
  if (target.name == "cpu")
    return target;
  auto row = lookupHardware(target.name);
  if (!row)
    return row.takeError();
  target.multiprocessors = int64_t((*row)->multiprocessors.value);
  return target;
}

llvm::Expected<PlanChoice> readPlan(const cli::TreeArguments &args,
                                    const Program &program,
                                    const Problem &problem) {
  auto request = parsePlanRequest(args.plan.value_or("auto"));
  if (!request)
    return request.takeError();
  auto target = readTarget(args, *request);
  if (!target)
    return target.takeError();
  std::optional<PlanOrder> asked;
  if (args.order) {
    asked = orderNamed(*args.order);
    if (!asked)
      return userError("no order is called '" + *args.order + "'",
                       "there are canonical, ordered, sequential, fixed and "
                       "any");
  }
  // A named plan finds its own order; the others run under this one.
  std::vector<std::string> notes;
  std::optional<std::string> orderText = args.order;
  if (request->kind == PlanRequest::Ladder)
    orderText = std::nullopt;
  auto order = decideOrder(program, orderText, notes);
  if (!order)
    return order.takeError();
  return planFor(*request, planFacts(program, problem, *order, *target),
                 namedFacts(program, asked));
}

llvm::Expected<std::string> pairText(StringRef text, const Plan &plan,
                                     int64_t elements) {
  auto [first, second] = text.split(',');
  auto i = parseInteger(first.trim()), j = parseInteger(second.trim());
  if (!i || !j) {
    llvm::consumeError(i.takeError());
    llvm::consumeError(j.takeError());
    return userError("--pair wants two positions, not '" + text + "'",
                     "as in --pair 0,4");
  }
  for (Int128 k : {*i, *j})
    if (k < 0 || k >= elements)
      return userError("--pair " + text + ": there is no element " +
                           llvm::Twine(int64_t(k)),
                       "positions go from 0 to " + llvm::Twine(elements - 1));
  if (*i == *j)
    return userError("--pair wants two different elements", "as in --pair 0,4");
  return describe(meeting(plan, elements, int64_t(*i), int64_t(*j)));
}

/// Where two elements meet, or the tree.
llvm::Expected<std::string> resultText(const cli::TreeArguments &args,
                                       const Plan &plan, int64_t elements) {
  if (args.pair)
    return pairText(*args.pair, plan, elements);
  if (elements > mostTreeElements)
    return userError("a tree of " + llvm::Twine(elements) +
                         " elements is too long to print (at most " +
                         llvm::Twine(mostTreeElements) + ")",
                     "--pair i,j says where two elements meet, at any length");
  return planTree(plan, elements).text(/*runs=*/true) + "\n";
}

} // namespace

llvm::Error cli::runTree(const TreeArguments &args) {
  auto program = readProgram(args);
  if (!program)
    return program.takeError();
  auto problem = readProblem(args, *program);
  if (!problem)
    return problem.takeError();
  auto choice = readPlan(args, *program, *problem);
  if (!choice)
    return choice.takeError();
  const Plan &plan = choice->plan;
  int64_t elements = problem->elements;
  llvm::errs() << problem->describe() << "\norder " << versionedName(plan.order)
               << ": " << choice->reason << "\nplan " << plan.text() << '\n';
  if (args.svg)
    if (llvm::Error error = writeFile(*args.svg, treePicture(plan, elements)))
      return error;
  if (args.svg && !args.pair && !args.output)
    return llvm::Error::success();
  auto text = resultText(args, plan, elements);
  if (!text)
    return text.takeError();
  if (args.output)
    return writeFile(*args.output, *text);
  llvm::outs() << *text;
  return llvm::Error::success();
}
