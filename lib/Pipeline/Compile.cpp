//===- Compile.cpp - warpfold compile: the stages as text -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Error/Error.h"
#include "Language/Checker.h"
#include "Language/ElementOrder.h"
#include "Language/Printer.h"
#include "Pipeline/Compiler.h"
#include "Pipeline/PhaseTimer.h"
#include "Pipeline/Prepare.h"
#include "Pipeline/Reduce.h"

using namespace wf;

static constexpr llvm::StringLiteral kStages[] = {
    "ast", "fold", "plan", "tiers", "loops", "llvm", "asm", "obj"};

static llvm::Error checkRequest(const CompileRequest &request) {
  if (request.target != "cpu")
    return userError("target " + request.target + " is not there yet",
                     "this version compiles for --target cpu");
  if (request.plan && *request.plan != "auto")
    return userError("plan '" + *request.plan + "' is not there yet",
                     "named plans come with the GPU targets; leave --plan out");
  for (const std::string &stage : request.stages)
    if (!llvm::is_contained(kStages, stage))
      return userError("unknown stage '" + stage + "'",
                       "stages: ast, fold, plan, tiers, loops, llvm, asm, obj");
  return llvm::Error::success();
}

/// A row-major array of the requested shape. An unknown size is stood in for by
/// one that no constant of a plan divides, so that nothing is specialised to
/// it; it never reaches the code, where sizes are arguments.
static Problem symbolicProblem(const CompileRequest &request,
                               const std::vector<int64_t> &axes,
                               size_t results) {
  constexpr int64_t standIn = 1000003;
  ProblemShape shape;
  for (int64_t d : request.shape)
    shape.shape.push_back(d < 0 ? standIn : d);
  shape.axes = axes;
  auto strides = rowMajorStrides(shape.shape);
  shape.inStrides.assign(request.inputTypes.size(), strides);
  std::vector<int64_t> keptShape;
  for (size_t d = 0; d < shape.shape.size(); ++d)
    keptShape.push_back(llvm::is_contained(axes, int64_t(d))
                            ? 1
                            : shape.shape[d]);
  shape.outStrides.assign(results, rowMajorStrides(keptShape));
  return canonicalise(shape);
}

llvm::Expected<CompileResult> wf::compile(const CompileRequest &request) {
  CompileResult result;
  if (llvm::Error e = checkRequest(request))
    return std::move(e);
  CheckOptions options;
  options.inputs = request.inputTypes;
  options.acc = request.acc;
  options.nanIgnore = request.nan == NanPolicy::Ignore;
  options.params = request.params;
  llvm::Expected<Program> program = [&] {
    PhaseTimer timer(result.phases, "check");
    return check(request.reduction, options);
  }();
  if (!program)
    return program.takeError();
  program->update = updateInOrder(*program);
  auto axes = normaliseAxes(request.axes, request.allAxes,
                            int64_t(request.shape.size()));
  if (!axes)
    return axes.takeError();
  auto order = decideOrder(*program, request.order, result.notes);
  if (!order)
    return order.takeError();
  Problem problem = symbolicProblem(request, *axes, program->results.size());
  PlanFacts facts = planFacts(*program, problem, *order);
  KernelSpec spec{&*program, problem, choosePlan(facts)};
  StageTexts texts;
  auto object = compileKernel(spec, {request.stages, request.printAfter, request.locations}, texts,
                              result.phases, /*stopEarly=*/true);
  if (!object)
    return object.takeError();
  if (llvm::is_contained(request.stages, "ast"))
    texts.texts.emplace_back("ast", print(request.reduction));
  for (const std::string &stage : request.stages)
    for (auto &[name, text] : texts.texts)
      if (name == stage)
        result.stages.emplace_back(name, text);
  return result;
}
