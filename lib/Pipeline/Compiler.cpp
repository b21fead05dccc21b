//===- Compiler.cpp - The one list of phases ------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Pipeline/Compiler.h"

#include "Dialect/Import.h"
#include "Error/Error.h"
#include "Language/ElementOrder.h"
#include "Lowering/Passes.h"
#include "Pipeline/PhaseTimer.h"
#include "Target/Jit.h"
#include "Target/Translate.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>
#include <unordered_map>

using namespace mlir;
using namespace wf;

namespace {

bool wants(const StageRequest &request, llvm::StringRef stage) {
  return llvm::is_contained(request.stages, stage);
}

/// One compilation, phase by phase.
struct Compilation {
  const KernelSpec &spec;
  const StageRequest &request;
  StageTexts &texts;
  PhaseTimes &times;
  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  std::string diagnostics;

  Compilation(const KernelSpec &spec, const StageRequest &request,
              StageTexts &texts, PhaseTimes &times)
      : spec(spec), request(request), texts(texts), times(times) {}
  llvm::Error importPhase();
  void planPhase();
  llvm::Error run(llvm::StringRef phase,
                  llvm::function_ref<void(PassManager &)> passes);
  void print(llvm::StringRef stage);
  llvm::Expected<llvm::SmallVector<char, 0>> codePhases(bool stopEarly);
};

} // namespace

void Compilation::print(llvm::StringRef stage) {
  if (!wants(request, stage))
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  if (request.locations)
    flags.enableDebugInfo(true, /*prettyForm=*/true);
  module->print(os, flags);
  texts.texts.emplace_back(stage.str(), std::move(text));
}

llvm::Error Compilation::importPhase() {
  PhaseTimer timer(times, "fold");
  loadDialects(context);
  ReduceLayout layout = layoutOf(spec.problem);
  layout.staticElements = spec.plan.elements;
  module = importProgram(&context, *spec.program, layout, spec.plan.order);
  if (spec.plan.nearIndex)
    if (auto near = nearFunctions(*spec.program))
      for (const wf::Function *f : {&near->map, &near->combine, &near->update})
        importFunction(*module, *f);
  return llvm::Error::success();
}

void Compilation::planPhase() {
  PhaseTimer timer(times, "plan");
  module->walk([&](fold::ReduceOp op) {
    op.setPlanAttr(fold::PlanAttr::get(&context, spec.plan.text()));
  });
}

llvm::Error Compilation::run(llvm::StringRef phase,
                             llvm::function_ref<void(PassManager &)> passes) {
  PhaseTimer timer(times, phase);
  PassManager manager(&context);
  manager.enableVerifier(true);
  passes(manager);
  if (!request.printAfter.empty()) {
    bool all = llvm::is_contained(request.printAfter, "all");
    manager.enableIRPrinting(
        [](Pass *, Operation *) { return false; },
        [this, all](Pass *pass, Operation *) {
          return all ||
                 llvm::is_contained(request.printAfter, pass->getArgument());
        },
        /*printModuleScope=*/true, /*printAfterOnlyOnChange=*/false,
        /*printAfterOnlyOnFailure=*/false, llvm::errs());
  }
  if (failed(manager.run(*module)))
    return internalError("lowering failed in phase " + phase + ": " +
                         diagnostics);
  return llvm::Error::success();
}

llvm::Expected<llvm::SmallVector<char, 0>>
Compilation::codePhases(bool stopEarly) {
  bool later = wants(request, "llvm") || wants(request, "asm") ||
               wants(request, "obj");
  if (stopEarly && !later)
    return llvm::SmallVector<char, 0>();
  if (llvm::Error e = run("llvm dialect", [](PassManager &p) {
        p.addPass(createFoldToLLVM());
      }))
    return std::move(e);
  registerTranslations(context);
  auto machine = makeTargetMachine(hostCpu());
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> llvmModule;
  {
    PhaseTimer timer(times, "llvm");
    auto translated = translateToLLVM(*module, llvmContext, **machine);
    if (!translated)
      return translated.takeError();
    llvmModule = std::move(*translated);
    optimise(*llvmModule, **machine);
  }
  if (wants(request, "llvm")) {
    std::string text;
    llvm::raw_string_ostream os(text);
    llvmModule->print(os, nullptr);
    texts.texts.emplace_back("llvm", std::move(text));
  }
  if (wants(request, "asm")) {
    // Code generation changes the module, so the object gets its own copy.
    auto copy = llvm::CloneModule(*llvmModule);
    auto text = emitCode(*copy, **machine, /*assembly=*/true);
    if (!text)
      return text.takeError();
    texts.texts.emplace_back("asm", std::string(text->begin(), text->end()));
  }
  PhaseTimer timer(times, "machine code");
  auto object = emitCode(*llvmModule, **machine, /*assembly=*/false);
  if (object && wants(request, "obj"))
    texts.texts.emplace_back("obj",
                             std::string(object->begin(), object->end()));
  return object;
}

llvm::Expected<llvm::SmallVector<char, 0>>
wf::compileKernel(const KernelSpec &spec, const StageRequest &request,
                  StageTexts &texts, PhaseTimes &times, bool stopEarly) {
  Compilation c(spec, request, texts, times);
  ScopedDiagnosticHandler handler(&c.context, [&](Diagnostic &d) {
    c.diagnostics += d.str() + "\n";
    return success();
  });
  if (llvm::Error e = c.importPhase())
    return std::move(e);
  if (llvm::Error e = c.run("verify", [](PassManager &p) {
        p.addPass(createCanonicalizerPass());
      }))
    return std::move(e);
  c.print("fold");
  c.planPhase();
  c.print("plan");
  if (llvm::Error e = c.run("tiers", [](PassManager &p) {
        p.addPass(createReduceToTiers());
      }))
    return std::move(e);
  c.print("tiers");
  // Rows, slots and chunks each stand alone; chunks last, so that its region
  // is already loops when it moves. Functions are inlined when nobody clones
  // them any more.
  if (llvm::Error e = c.run("loops", [](PassManager &p) {
        p.addPass(createLowerTiles());
        p.addPass(createLowerPanels());
        p.addPass(createLowerRows());
        p.addPass(createLowerChain());
        p.addPass(createLowerSlots());
        p.addPass(createLowerChunks());
        p.addPass(createInlineFunctions());
        p.addPass(createCSEPass());
      }))
    return std::move(e);
  c.print("loops");
  return c.codePhases(stopEarly);
}

//===----------------------------------------------------------------------===//
// Kernels in memory
//===----------------------------------------------------------------------===//

std::string wf::kernelKey(const KernelSpec &spec) {
  ReduceLayout layout = layoutOf(spec.problem);
  layout.staticElements = spec.plan.elements;
  return spec.program->canonicalText() + "\n" + layout.text() + "\n" +
         spec.plan.text() + "\n" +
         std::string(versionedName(spec.plan.order)) + "\n" +
         hostCpu().text() + "\n" + LLVM_VERSION_STRING;
}

static std::shared_ptr<Kernel> describeKernel(const KernelSpec &spec) {
  auto kernel = std::make_shared<Kernel>();
  const Program &p = *spec.program;
  kernel->plan = spec.plan;
  kernel->inputs = p.inputs;
  for (const Field &f : p.results)
    kernel->outputs.push_back(f.type);
  for (const wf::Param &param : p.params)
    kernel->params.push_back(param.type);
  for (const Field &f : p.state)
    kernel->partials.push_back(f.type);
  if (p.combine.uses(ArgumentRole::CountA) ||
      p.combine.uses(ArgumentRole::CountB))
    kernel->partials.push_back(ScalarType::I64);
  return kernel;
}

llvm::Expected<std::shared_ptr<const Kernel>>
wf::getKernel(const KernelSpec &spec, PhaseTimes &times) {
  static std::mutex mutex;
  static std::unordered_map<std::string, std::shared_ptr<const Kernel>> cache;
  std::string key = kernelKey(spec);
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto it = cache.find(key); it != cache.end())
      return it->second;
  }
  StageTexts texts;
  auto object = compileKernel(spec, {}, texts, times, false);
  if (!object)
    return object.takeError();
  PhaseTimer timer(times, "link");
  auto code = JitCode::load(*object);
  if (!code)
    return code.takeError();
  auto kernel = describeKernel(spec);
  kernel->fold = (*code)->lookup("fold");
  kernel->join = (*code)->lookup("fold_join");
  if (!kernel->fold)
    return internalError("the compiled object has no kernel");
  kernel->code = std::shared_ptr<const JitCode>(std::move(*code));
  std::lock_guard<std::mutex> lock(mutex);
  return cache.emplace(key, kernel).first->second;
}

//===----------------------------------------------------------------------===//
// Facts for the plan
//===----------------------------------------------------------------------===//

/// Is the program a sum, in a wider integer of at least the 32 bits that narrow
/// partials end in, of the input's own value?
static std::optional<ScalarType> integerSumOf(const Program &p) {
  auto isArgument = [](const wf::Function &f, uint32_t n, uint32_t argument) {
    return f.nodes[n].op == NodeOp::Argument && f.nodes[n].payload == argument;
  };
  if (p.inputs.size() != 1 || p.state.size() != 1 || p.hasOwnUpdate ||
      p.nanIgnore || !isInteger(p.state[0].type) || isFloat(p.inputs[0]))
    return std::nullopt;
  const Node &sum = p.combine.nodes[p.combine.results[0]];
  if (sum.op != NodeOp::Add ||
      !((isArgument(p.combine, sum.operands[0], 0) &&
         isArgument(p.combine, sum.operands[1], 1)) ||
        (isArgument(p.combine, sum.operands[0], 1) &&
         isArgument(p.combine, sum.operands[1], 0))))
    return std::nullopt;
  const Node &map = p.map.nodes[p.map.results[0]];
  if (map.op != NodeOp::Cast || !isArgument(p.map, map.operands[0], 0))
    return std::nullopt;
  if (byteSize(p.inputs[0]) >= byteSize(p.state[0].type) ||
      byteSize(p.state[0].type) < 4)
    return std::nullopt;
  return p.inputs[0];
}

PlanFacts wf::planFacts(const Program &program, const Problem &problem,
                        PlanOrder order) {
  PlanFacts facts;
  facts.kind = problem.kind;
  facts.order = order;
  facts.elements = problem.elements;
  facts.outputs = problem.outputs;
  facts.widestInputBytes = program.widestInputBytes;
  facts.stateBytes = program.stateBytes;
  facts.simdBytes = hostCpu().simdBytes;
  facts.widestMemberBytes = 1;
  for (ScalarType t : program.inputs)
    facts.widestMemberBytes = std::max(facts.widestMemberBytes, byteSize(t));
  for (const Field &f : program.state)
    facts.widestMemberBytes =
        std::max(facts.widestMemberBytes, byteSize(f.type));
  if (problem.kind == ProblemKind::General && !problem.reduced.empty() &&
      llvm::all_of(problem.reduced.back().inStrides,
                   [](int64_t s) { return s == 1; }))
    facts.innerRun = problem.reduced.back().size;
  facts.generated = problem.gathered;
  facts.nearIndex = nearFunctions(program).has_value();
  facts.widestNearBytes = 4;
  for (ScalarType t : program.inputs)
    facts.widestNearBytes = std::max(facts.widestNearBytes, byteSize(t));
  for (const Field &f : program.state)
    if (f.type != ScalarType::I64)
      facts.widestNearBytes =
          std::max(facts.widestNearBytes, byteSize(f.type));
  facts.integerSumOf = integerSumOf(program);
  return facts;
}
