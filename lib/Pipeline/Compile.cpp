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
#include "Target/Gpu.h"

#include "llvm/Support/MathExtras.h"

using namespace wf;

namespace {
/// The stages that come after llvm, by what they are for.
struct Family {
  llvm::StringLiteral what, stages;
  bool (*has)(llvm::StringRef target);
};
const Family families[] = {
    {"a CPU", "asm, obj", [](llvm::StringRef t) { return t == "cpu"; }},
    {"an NVIDIA GPU", "ptx, cubin, sass",
     [](llvm::StringRef t) { return vendorOf(t) == GpuVendor::Nvidia; }},
    {"an AMD GPU", "amdgcn, hsaco",
     [](llvm::StringRef t) { return vendorOf(t) == GpuVendor::Amd; }},
};
constexpr llvm::StringLiteral kStages("ast, fold, plan, tiers, loops, llvm");
} // namespace

static bool lists(llvm::StringRef list, llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef> names;
  list.split(names, ", ");
  return llvm::is_contained(names, name);
}

/// What to say of a stage that a target does not have.
static std::string stageHint(llvm::StringRef target, const Family &wanted) {
  for (const Family &f : families)
    if (f.has(target)) {
      llvm::StringRef example = &wanted == &families[0]   ? "cpu"
                                : &wanted == &families[1] ? "sm_90"
                                                          : "gfx1201";
      return ("it ends with " + f.stages + "; for " + wanted.what +
              " say --target " + example)
          .str();
    }
  return "the null target ends with llvm";
}

/// Which stages a target has: all the first six, then its own.
static llvm::Error checkStages(const CompileRequest &request) {
  for (const std::string &stage : request.stages) {
    if (lists(kStages, stage))
      continue;
    const Family *wanted = llvm::find_if(
        families, [&](const Family &f) { return lists(f.stages, stage); });
    if (wanted == std::end(families)) {
      std::string all = kStages.str();
      for (const Family &f : families)
        all += ("; for " + f.what + " " + f.stages).str();
      return userError("unknown stage '" + stage + "'", "stages: " + all);
    }
    if (!wanted->has(request.target))
      return userError("target " + request.target + " has no stage " + stage,
                       stageHint(request.target, *wanted));
  }
  return llvm::Error::success();
}

static llvm::Error checkTarget(llvm::StringRef target) {
  std::vector<std::string> gpus = gpuTargets();
  if (target == "cpu" || target == "null" ||
      llvm::is_contained(gpus, target.str()))
    return llvm::Error::success();
  llvm::StringRef chip = target.split(':').first;
  if (llvm::is_contained(gpus, chip.str())) // and the mode is not
    return lookupHardware(target).takeError();
  std::string all = "cpu";
  for (const std::string &known : gpus)
    all += ", " + known;
  return userError("unknown target '" + target + "'; the nearest is " +
                       nearestTarget(chip),
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
  // Plans for a GPU that is not there: of the card that the table has for it.
  // The null target has none, and plans as a large one.
  const Hardware *row = findHardware(request.target);
  int64_t multiprocessors = row ? int64_t(row->multiprocessors.value) : 132;
  PlanFacts facts =
      planFacts(*program, problem, *order, {request.target, multiprocessors});
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
    GpuVendor vendor = vendorOf(request.target);
    GpuCodeForm form = vendor == GpuVendor::Nvidia ? GpuCodeForm::Ptx
                       : vendor == GpuVendor::Amd  ? GpuCodeForm::CodeObject
                                                   : GpuCodeForm::Bitcode;
    auto code = compileGpuKernel(spec, form, stages, texts, result.phases,
                                 /*stopEarly=*/true);
    if (!code)
      return code.takeError();
  }
  if (llvm::is_contained(request.stages, "ast"))
    texts.texts.emplace_back("ast", print(request.reduction));
  for (const std::string &stage : request.stages)
    for (auto &[name, text] : texts.texts)
      if (name == stage)
        result.stages.emplace_back(name, text);
  return result;
}
