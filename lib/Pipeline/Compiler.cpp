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
#include "Target/Amdgpu.h"
#include "Target/Jit.h"
#include "Target/Nvptx.h"
#include "Target/Translate.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

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
  llvm::Error checkPasses();
  llvm::Error importPhase();
  void planPhase();
  llvm::Error run(llvm::StringRef phase,
                  llvm::function_ref<void(PassManager &)> passes);
  void print(llvm::StringRef stage);
  llvm::Error untilLoops();
  llvm::Error llvmDialect(unsigned indexBits);
  llvm::Expected<llvm::SmallVector<char, 0>> codePhases(bool stopEarly);
  llvm::Expected<std::string> gpuPhases(GpuCodeForm form, bool stopEarly);
  llvm::Expected<std::string> ptxPhase(llvm::Module &llvmModule,
                                       llvm::TargetMachine &machine);
  llvm::Expected<std::string> codeObjectPhase(llvm::Module &llvmModule,
                                              llvm::TargetMachine &machine);
  llvm::Expected<std::unique_ptr<llvm::Module>>
  llvmPhase(llvm::LLVMContext &llvmContext, llvm::TargetMachine &machine);
};

} // namespace

static void simplify(PassManager &p) { p.addPass(createCanonicalizerPass()); }

static void makeTiers(PassManager &p) { p.addPass(createReduceToTiers()); }

/// The passes between tiers and loops, by the form of the tiers.
static void lowerTiers(PassManager &p, bool gpu) {
  if (gpu) {
    p.addPass(createLowerLadder());
    p.addPass(createLowerBlocks());
    p.addPass(createLowerLaneRows());
    p.addPass(createLowerLaneColumns());
    p.addPass(createLowerLaneSlots());
    p.addPass(createLowerChunks());
  } else {
    p.addPass(createLowerTiles());
    p.addPass(createLowerPanels());
    p.addPass(createLowerRows());
    p.addPass(createLowerChain());
    p.addPass(createLowerSlots());
    p.addPass(createLowerChunks());
  }
  p.addPass(createInlineFunctions());
  p.addPass(createCSEPass());
}

static void toLLVMDialect(PassManager &p, unsigned indexBits) {
  FoldToLLVMOptions options;
  options.indexBits = indexBits;
  p.addPass(createFoldToLLVM(options));
}

/// Are the passes to print after among those that the target runs?
llvm::Error Compilation::checkPasses() {
  if (request.printAfter.empty())
    return llvm::Error::success();
  PassManager all(&context);
  simplify(all);
  makeTiers(all);
  lowerTiers(all, spec.plan.onGpu());
  toLLVMDialect(all, 64);
  llvm::SmallVector<llvm::StringRef> names{"all"};
  for (Pass &pass : all.getPasses())
    if (!llvm::is_contained(names, pass.getArgument()))
      names.push_back(pass.getArgument());
  for (const std::string &asked : request.printAfter)
    if (!llvm::is_contained(names, asked))
      return userError("no pass '" + asked + "' runs for target " +
                           (spec.plan.onGpu() ? spec.plan.target : "cpu"),
                       "--print-after wants one of " + llvm::join(names, ", "));
  return llvm::Error::success();
}

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
  if (spec.plan.onGpu() && spec.plan.grid == Grid::Atomic &&
      spec.program->neutral)
    importFunction(*module, *spec.program->neutral);
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

llvm::Expected<std::unique_ptr<llvm::Module>>
Compilation::llvmPhase(llvm::LLVMContext &llvmContext,
                       llvm::TargetMachine &machine) {
  PhaseTimer timer(times, "llvm");
  auto llvmModule = translateToLLVM(*module, llvmContext, machine);
  if (!llvmModule)
    return llvmModule.takeError();
  if (spec.plan.onGpu())
    markGpuKernels(**llvmModule, spec.plan.target,
                   {spec.plan.threads(), spec.plan.resident});
  optimise(**llvmModule, machine);
  if (spec.plan.onGpu())
    nameBlocks(**llvmModule);
  if (wants(request, "llvm")) {
    std::string text;
    llvm::raw_string_ostream os(text);
    (*llvmModule)->print(os, nullptr);
    texts.texts.emplace_back("llvm", std::move(text));
  }
  return std::move(*llvmModule);
}

llvm::Expected<llvm::SmallVector<char, 0>>
Compilation::codePhases(bool stopEarly) {
  bool later =
      wants(request, "llvm") || wants(request, "asm") || wants(request, "obj");
  if (stopEarly && !later)
    return llvm::SmallVector<char, 0>();
  if (llvm::Error e = llvmDialect(64))
    return std::move(e);
  auto machine = makeTargetMachine(hostCpu());
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext llvmContext;
  auto llvmModule = llvmPhase(llvmContext, **machine);
  if (!llvmModule)
    return llvmModule.takeError();
  if (wants(request, "asm")) {
    // Code generation changes the module, so the object gets its own copy.
    auto copy = llvm::CloneModule(**llvmModule);
    auto text = emitCode(*copy, **machine, /*assembly=*/true);
    if (!text)
      return text.takeError();
    texts.texts.emplace_back("asm", std::string(text->begin(), text->end()));
  }
  PhaseTimer timer(times, "machine code");
  auto object = emitCode(**llvmModule, **machine, /*assembly=*/false);
  if (object && wants(request, "obj"))
    texts.texts.emplace_back("obj",
                             std::string(object->begin(), object->end()));
  return object;
}

llvm::Error Compilation::llvmDialect(unsigned indexBits) {
  if (llvm::Error e = run("llvm dialect",
                          [&](PassManager &p) { toLLVMDialect(p, indexBits); }))
    return e;
  registerTranslations(context);
  return llvm::Error::success();
}

llvm::Error Compilation::untilLoops() {
  if (llvm::Error e = checkPasses())
    return e;
  if (llvm::Error e = importPhase())
    return e;
  if (llvm::Error e = run("verify", simplify))
    return e;
  print("fold");
  planPhase();
  print("plan");
  if (llvm::Error e = run("tiers", makeTiers))
    return e;
  print("tiers");
  // Rows, slots and chunks each stand alone; chunks last, so that its region
  // is already loops when it moves. Functions are inlined when nobody clones
  // them any more.
  if (llvm::Error e = run(
          "loops", [&](PassManager &p) { lowerTiers(p, spec.plan.onGpu()); }))
    return e;
  print("loops");
  return llvm::Error::success();
}

llvm::Expected<std::string>
Compilation::ptxPhase(llvm::Module &llvmModule, llvm::TargetMachine &machine) {
  std::string ptx;
  {
    PhaseTimer timer(times, "machine code");
    auto text = emitCode(llvmModule, machine, /*assembly=*/true);
    if (!text)
      return text.takeError();
    ptx.assign(text->begin(), text->end());
  }
  if (wants(request, "ptx"))
    texts.texts.emplace_back("ptx", ptx);
  if (!wants(request, "cubin") && !wants(request, "sass"))
    return ptx;
  std::string log;
  auto cubin = assemblePtx(ptx, spec.plan.target, log);
  if (!cubin)
    return cubin.takeError();
  if (wants(request, "cubin"))
    texts.texts.emplace_back("cubin",
                             std::string(cubin->begin(), cubin->end()));
  if (wants(request, "sass")) {
    auto sass = disassembleCubin(*cubin);
    if (!sass)
      return sass.takeError();
    texts.texts.emplace_back("sass", "// " + log + *sass);
  }
  return ptx;
}

llvm::Expected<std::string>
Compilation::codeObjectPhase(llvm::Module &llvmModule,
                             llvm::TargetMachine &machine) {
  PhaseTimer timer(times, "machine code");
  auto code = emitAmdgpu(llvmModule, machine, wants(request, "amdgcn"));
  if (!code)
    return code.takeError();
  if (wants(request, "amdgcn"))
    texts.texts.emplace_back("amdgcn", std::move(code->assembly));
  auto linked = linkCodeObject(code->object);
  if (linked && wants(request, "hsaco"))
    texts.texts.emplace_back("hsaco", *linked);
  return linked;
}

llvm::Expected<std::string> Compilation::gpuPhases(GpuCodeForm form,
                                                   bool stopEarly) {
  bool later = false;
  for (llvm::StringRef stage :
       {"llvm", "ptx", "cubin", "sass", "amdgcn", "hsaco"})
    later |= wants(request, stage);
  if (stopEarly && !later)
    return std::string();
  if (llvm::Error e = llvmDialect(unsigned(spec.plan.address)))
    return std::move(e);
  auto machine = makeGpuMachine(spec.plan.target);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext llvmContext;
  auto llvmModule = llvmPhase(llvmContext, **machine);
  if (!llvmModule)
    return llvmModule.takeError();
  switch (form) {
  case GpuCodeForm::Bitcode:
    return bitcodeOf(**llvmModule);
  case GpuCodeForm::Ptx:
    return ptxPhase(**llvmModule, **machine);
  case GpuCodeForm::CodeObject:
    return codeObjectPhase(**llvmModule, **machine);
  }
  llvm_unreachable("all forms are above");
}

llvm::Expected<llvm::SmallVector<char, 0>>
wf::compileKernel(const KernelSpec &spec, const StageRequest &request,
                  StageTexts &texts, PhaseTimes &times, bool stopEarly) {
  Compilation c(spec, request, texts, times);
  ScopedDiagnosticHandler handler(&c.context, [&](Diagnostic &d) {
    c.diagnostics += d.str() + "\n";
    return success();
  });
  if (llvm::Error e = c.untilLoops())
    return std::move(e);
  return c.codePhases(stopEarly);
}

llvm::Expected<std::string>
wf::compileGpuKernel(const KernelSpec &spec, GpuCodeForm form,
                     const StageRequest &request, StageTexts &texts,
                     PhaseTimes &times, bool stopEarly) {
  GpuVendor vendor = vendorOf(spec.plan.target);
  if ((form == GpuCodeForm::Ptx && vendor != GpuVendor::Nvidia) ||
      (form == GpuCodeForm::CodeObject && vendor != GpuVendor::Amd))
    return internalError("target " + spec.plan.target +
                         " has no code of that form");
  registerGpuTargets();
  Compilation c(spec, request, texts, times);
  ScopedDiagnosticHandler handler(&c.context, [&](Diagnostic &d) {
    c.diagnostics += d.str() + "\n";
    return success();
  });
  if (llvm::Error e = c.untilLoops())
    return std::move(e);
  return c.gpuPhases(form, stopEarly);
}

//===----------------------------------------------------------------------===//
// Kernels in memory
//===----------------------------------------------------------------------===//

std::string wf::kernelKey(const KernelSpec &spec) {
  ReduceLayout layout = layoutOf(spec.problem);
  layout.staticElements = spec.plan.elements;
  return spec.program->canonicalText() + "\n" + layout.text() + "\n" +
         spec.plan.text() + "\n" + std::string(versionedName(spec.plan.order)) +
         "\n" + (spec.plan.onGpu() ? spec.plan.target : hostCpu().text()) +
         "\n" + LLVM_VERSION_STRING;
}

KernelSignature wf::signatureOf(const KernelSpec &spec) {
  KernelSignature kernel;
  const Program &p = *spec.program;
  kernel.plan = spec.plan;
  kernel.inputs = p.inputs;
  for (const Field &f : p.results)
    kernel.outputs.push_back(f.type);
  for (const wf::Param &param : p.params)
    kernel.params.push_back(param.type);
  for (const Field &f : p.state)
    kernel.partials.push_back(f.type);
  if (p.combine.uses(ArgumentRole::CountA) ||
      p.combine.uses(ArgumentRole::CountB))
    kernel.partials.push_back(ScalarType::I64);
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
  auto kernel = std::make_shared<Kernel>();
  static_cast<KernelSignature &>(*kernel) = signatureOf(spec);
  kernel->fold = (*code)->lookup("fold");
  kernel->join = (*code)->lookup("fold_join");
  if (!kernel->fold)
    return internalError("the compiled object has no kernel");
  kernel->code = std::shared_ptr<const JitCode>(std::move(*code));
  std::lock_guard<std::mutex> lock(mutex);
  return cache.emplace(key, kernel).first->second;
}
