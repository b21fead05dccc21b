//===- CpuTarget.cpp - The CPU a kernel is compiled for -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Target/CpuTarget.h"

#include "Error/Error.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"

#include <cstdlib>

using namespace wf;

static CpuTarget detectHost() {
  CpuTarget target;
  target.triple = llvm::sys::getDefaultTargetTriple();
  target.cpu = llvm::sys::getHostCPUName().str();
  llvm::StringMap<bool> have = llvm::sys::getHostCPUFeatures();
  llvm::StringRef cap;
  if (const char *env = std::getenv("WARPFOLD_CPU_FEATURES"))
    cap = env;
  bool avx512 = have["avx512f"] && have["avx512bw"] && have["avx512dq"] &&
                have["avx512vl"] && cap != "avx2" && cap != "sse2";
  bool avx2 = have["avx2"] && cap != "sse2";
  if (cap == "sse2" || cap == "avx2") {
    // A generic CPU with just that level: the host's own name would bring its
    // features back.
    target.cpu = cap == "sse2" ? "x86-64" : "x86-64-v3";
    target.features = "";
  } else {
    llvm::SubtargetFeatures features;
    std::vector<std::string> names;
    for (const auto &f : have)
      if (f.second)
        names.push_back(f.first().str());
    llvm::sort(names);
    for (const std::string &n : names)
      features.AddFeature(n);
    target.features = features.getString();
  }
  // With AVX-512 too: its masks and 32 registers are used, but 64-byte loads
  // read DRAM slower than 32-byte ones (Zen 4: 27.7 against 28.7 GB/s on huge
  // pages, 17.4 against 19.9 on small ones) and cache no faster.
  target.simdBytes = avx2 ? 32 : 16;
  target.simdName = avx512 ? "avx512" : avx2 ? "avx2" : "sse2";
  return target;
}

const CpuTarget &wf::hostCpu() {
  static const CpuTarget host = detectHost();
  return host;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
wf::makeTargetMachine(const CpuTarget &target) {
  static const bool initialised = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialised;
  std::string message;
  llvm::Triple triple(target.triple);
  const llvm::Target *found =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!found)
    return internalError("no code generator for " + target.triple + ": " +
                         message);
  llvm::TargetOptions options;
  // User code is contracted only where it says fma.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  std::unique_ptr<llvm::TargetMachine> machine(found->createTargetMachine(
      triple, target.cpu, target.features, options, llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Default, /*JIT=*/true));
  return machine;
}

void wf::optimise(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::ModulePassManager passes;
  // sroa: memref descriptors become registers. licm: their fields and the
  // constant lanes leave the loops. early-cse and instcombine: what inlining
  // and address arithmetic repeated.
  if (llvm::Error e = builder.parsePassPipeline(
          passes, "function(sroa,early-cse<memssa>,instcombine<no-verify-"
                  "fixpoint>,simplifycfg,loop-mssa(loop-simplifycfg,licm),"
                  "early-cse,instcombine<no-verify-fixpoint>,adce)"))
    llvm::report_fatal_error(std::move(e));
  // GPUs' code generators begin by joining loads and stores of neighbours. Done
  // here, what the simulator runs is what they make code of.
  const llvm::Triple &triple = machine.getTargetTriple();
  if (triple.isNVPTX() || triple.isAMDGPU())
    if (llvm::Error e = builder.parsePassPipeline(
            passes, "function(load-store-vectorizer,early-cse)"))
      llvm::report_fatal_error(std::move(e));
  passes.run(module, modules);
}

llvm::Expected<llvm::SmallVector<char, 0>>
wf::emitCode(llvm::Module &module, llvm::TargetMachine &machine,
             bool assembly) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager passes;
  auto type = assembly ? llvm::CodeGenFileType::AssemblyFile
                       : llvm::CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, os, nullptr, type,
                                  /*DisableVerify=*/true))
    return internalError("the target cannot emit code");
  passes.run(module);
  return bytes;
}
