//===- AmdgpuMachine.cpp - The code generator for AMD GPUs ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Target/Amdgpu.h"

#include "Error/Error.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/AMDGPUAddrSpace.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace wf;

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
wf::makeAmdgpuMachine(llvm::StringRef target) {
  static const bool initialised = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    // For the section that WARPFOLD_EMBED_BITCODE asks for.
    LLVMInitializeAMDGPUAsmParser();
    return true;
  }();
  (void)initialised;
  if (!llvm::is_contained(amdgpuTargets(), target))
    return internalError("no AMDGPU target " + target);
  std::string message;
  llvm::Triple triple("amdgcn-amd-amdhsa");
  const llvm::Target *generator =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!generator)
    return internalError("no code generator for AMDGPU: " + message);
  llvm::TargetOptions options;
  // User code is contracted only where it says fma.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  auto [chip, wave] = target.split(':');
  return std::unique_ptr<llvm::TargetMachine>(generator->createTargetMachine(
      triple, chip, wave.empty() ? "" : "+wavefrontsize64", options,
      llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Default));
}

/// Waves that a SIMD unit is to hold: a compute unit has four of them on gfx9
/// and two later.
static int64_t wavesAUnit(llvm::StringRef target, const KernelBounds &bounds) {
  bool gfx9 = target.starts_with("gfx9");
  int64_t wave = gfx9 || target.ends_with(":wave64") ? 64 : 32;
  int64_t waves = (bounds.threads + wave - 1) / wave * bounds.resident;
  int64_t units = gfx9 ? 4 : 2;
  return std::clamp<int64_t>((waves + units - 1) / units, 1, gfx9 ? 8 : 16);
}

/// Nothing but its own arguments and its two numbers in x reach a kernel: no
/// hidden arguments, no register for what nobody reads.
static void markKernel(llvm::Function &f, llvm::StringRef target,
                       const KernelBounds &bounds) {
  f.setCallingConv(llvm::CallingConv::AMDGPU_KERNEL);
  f.setLinkage(llvm::GlobalValue::ExternalLinkage);
  f.setVisibility(llvm::GlobalValue::ProtectedVisibility);
  std::string threads = std::to_string(bounds.threads);
  f.addFnAttr("amdgpu-flat-work-group-size", threads + "," + threads);
  f.addFnAttr("uniform-work-group-size", "true");
  f.addFnAttr("amdgpu-waves-per-eu",
              std::to_string(wavesAUnit(target, bounds)));
  f.addFnAttr("amdgpu-implicitarg-num-bytes", "0");
  for (const char *unused :
       {"implicitarg-ptr", "dispatch-ptr", "dispatch-id", "queue-ptr",
        "workgroup-id-y", "workgroup-id-z", "workitem-id-y", "workitem-id-z",
        "cluster-id-x", "cluster-id-y", "cluster-id-z", "lds-kernel-id",
        "hostcall-ptr", "heap-ptr", "default-queue", "completion-action",
        "multigrid-sync-arg", "flat-scratch-init"})
    f.addFnAttr(std::string("amdgpu-no-") + unused);
}

/// The results and partial states that atomics change are memory that the
/// device itself allocated. Additions may flush subnormal numbers where the
/// memory's adder does (amdgpuAddFlushes); else each would be a loop.
static void markAtomic(llvm::AtomicRMWInst &atomic) {
  llvm::MDNode *none = llvm::MDNode::get(atomic.getContext(), {});
  atomic.setMetadata("amdgpu.no.fine.grained.memory", none);
  atomic.setMetadata("amdgpu.no.remote.memory", none);
  if (atomic.getOperation() == llvm::AtomicRMWInst::FAdd &&
      atomic.getType()->isFloatTy())
    atomic.setMetadata("amdgpu.ignore.denormal.mode", none);
}

/// A thread's own memory has an address space of its own here.
static void moveAlloca(llvm::AllocaInst &old) {
  llvm::IRBuilder<> b(&old);
  llvm::AllocaInst *made =
      b.CreateAlloca(old.getAllocatedType(), llvm::AMDGPUAS::PRIVATE_ADDRESS,
                     old.getArraySize());
  made->setAlignment(old.getAlign());
  old.replaceAllUsesWith(b.CreateAddrSpaceCast(made, old.getType()));
  old.eraseFromParent();
}

void wf::markAmdgpuKernels(llvm::Module &module, llvm::StringRef target,
                           const KernelBounds &bounds) {
  module.addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version", 500);
  for (llvm::Function &f : module) {
    if (f.isDeclaration())
      continue;
    markKernel(f, target, bounds);
    for (llvm::Instruction &i :
         llvm::make_early_inc_range(llvm::instructions(f)))
      if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&i))
        markAtomic(*atomic);
      else if (auto *own = llvm::dyn_cast<llvm::AllocaInst>(&i);
               own && own->getAddressSpace() != llvm::AMDGPUAS::PRIVATE_ADDRESS)
        moveAlloca(*own);
  }
}
