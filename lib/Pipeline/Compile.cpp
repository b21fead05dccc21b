//===- Compile.cpp - warpfold compile: the stages as text -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Error/Error.h"
#include "Language/Checker.h"
#include "Language/ElementOrder.h"
#include "Language/Printer.h"
#include "Pipeline/AskedPlan.h"
#include "Pipeline/Compiler.h"
#include "Pipeline/ExplainFacts.h"
#include "Pipeline/PhaseTimer.h"
#include "Pipeline/Prepare.h"
#include "Pipeline/Reduce.h"
#include "Plan/Hardware.h"
#include "Target/Nvptx.h"

#include "llvm/Support/MathExtras.h"

using namespace wf;

static constexpr llvm::StringLiteral kStages[] = {
    "ast", "fold", "plan", "tiers", "loops", "llvm",
    "asm", "obj",  "ptx",  "cubin", "sass"};

/// Which stages a target has: all the first six, then its own.
static llvm::Error checkStages(const CompileRequest &request) {
  bool cpu = request.target == "cpu", null = request.target == "null";
  for (const std::string &stage : request.stages) {
    if (!llvm::is_contained(kStages, stage))
      return userError("unknown stage '" + stage + "'",
                       "stages: ast, fold, plan, tiers, loops, llvm; for a CPU "
                       "asm, obj; for an NVIDIA GPU ptx, cubin, sass");
    bool cpuOnly = stage == "asm" || stage == "obj";
    bool gpuOnly = stage == "ptx" || stage == "cubin" || stage == "sass";
    if ((cpuOnly && !cpu) || (gpuOnly && (cpu || null)))
      return userError("target " + request.target + " has no stage " + stage,
                       cpu    ? "name a GPU with --target sm_90, or emit asm"
                       : null ? "the null target ends with llvm"
                              : "emit ptx, cubin or sass");
  }
  return llvm::Error::success();
}

static llvm::Error checkTarget(llvm::StringRef target) {
  if (target == "cpu" || target == "null" ||
      llvm::is_contained(nvptxTargets(), target))
    return llvm::Error::success();
  // Of the targets there is code for yet.
  llvm::StringRef nearest = nearestTarget(target);
  if (!llvm::is_contained(nvptxTargets(), nearest))
    nearest = "cpu";
  std::string all = "cpu";
  for (llvm::StringRef known : nvptxTargets())
    all += ", " + known.str();
  return userError("unknown target '" + target + "'; the nearest is " + nearest,
                   "targets: " + all);
}

static llvm::Error checkRequest(const CompileRequest &request) {
  if (llvm::Error e = checkTarget(request.target))
    return e;
  return checkStages(request);
}

/// Sizes and offsets are 64-bit numbers everywhere.
static llvm::Error checkSize(const CompileRequest &request) {
  int64_t bytes = 8;
  for (int64_t d : request.shape)
    if (d > 0 && llvm::MulOverflow(bytes, d, bytes))
      return userError("an array of that shape has more elements than 64-bit "
                       "offsets reach",
                       "give a smaller shape, or ? for sizes that only the run "
                       "knows");
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
    keptShape.push_back(llvm::is_contained(axes, int64_t(d)) ? 1
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
  if (llvm::Error e = checkSize(request))
    return std::move(e);
  auto axes = normaliseAxes(request.axes, request.allAxes,
                            int64_t(request.shape.size()));
  if (!axes)
    return axes.takeError();
  auto order = decideOrder(*program, request.order, result.notes);
  if (!order)
    return order.takeError();
  Problem problem = symbolicProblem(request, *axes, program->results.size());
  // Plans for a GPU that is not there: as many multiprocessors as a large one.
  PlanFacts facts = planFacts(*program, problem, *order, {request.target, 132});
  PlanWish wish{request.plan, request.order};
  // A stand-in is no reason to refuse what was asked for.
  if (wish.named() && llvm::is_contained(request.shape, -1))
    facts.outputs = -1;
  auto choice = askedPlan(*program, problem, facts, wish, result.notes);
  if (!choice)
    return choice.takeError();
  if (request.explainPlan)
    result.explanation = explainPlan(
        choice->plan, problem, explainFacts(*program, problem, choice->reason));
  KernelSpec spec{&*program, problem, choice->plan};
  StageTexts texts;
  StageRequest stages{request.stages, request.printAfter, request.locations};
  if (request.target == "cpu") {
    auto object = compileKernel(spec, stages, texts, result.phases,
                                /*stopEarly=*/true);
    if (!object)
      return object.takeError();
  } else {
    auto ptx = compileGpuKernel(spec, stages, texts, result.phases,
                                /*stopEarly=*/true);
    if (!ptx)
      return ptx.takeError();
  }
  if (llvm::is_contained(request.stages, "ast"))
    texts.texts.emplace_back("ast", print(request.reduction));
  for (const std::string &stage : request.stages)
    for (auto &[name, text] : texts.texts)
      if (name == stage)
        result.stages.emplace_back(name, text);
  return result;
}
