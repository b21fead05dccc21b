//===- Nvptx.cpp - NVIDIA GPUs through LLVM's NVPTX back end --------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Target/Nvptx.h"

#include "Error/Error.h"
#include "Lowering/TargetInfo.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace wf;

namespace {

struct Architecture {
  const char *name;
  const char *ptx; ///< the first PTX version with it (CUDA's release notes)
};
constexpr Architecture architectures[] = {
    {"sm_75", "+ptx63"}, {"sm_80", "+ptx70"},  {"sm_86", "+ptx71"},
    {"sm_89", "+ptx78"}, {"sm_90", "+ptx78"},  {"sm_100", "+ptx86"},
    {"sm_120", "+ptx87"},
};

class NvptxInfo : public TargetInfo {
public:
  NvptxInfo(const char *name, int capability)
      : TargetInfo(name), capability(capability) {}

  Value thread(Emitter &e) const override {
    return callIntrinsic(e, "llvm.nvvm.read.ptx.sreg.tid.x", e.b.getI32Type(),
                         {});
  }
  Value block(Emitter &e) const override {
    return callIntrinsic(e, "llvm.nvvm.read.ptx.sreg.ctaid.x",
                         e.b.getI32Type(), {});
  }
  Value exchange(Emitter &e, Value value, int32_t mask) const override {
    return callIntrinsic(e, "llvm.nvvm.shfl.sync.bfly.i32", e.b.getI32Type(),
                         {e.i32(-1), value, e.i32(mask), e.i32(31)});
  }
  Value exchangeDown(Emitter &e, Value value, int32_t delta) const override {
    return callIntrinsic(e, "llvm.nvvm.shfl.sync.down.i32", e.b.getI32Type(),
                         {e.i32(-1), value, e.i32(delta), e.i32(31)});
  }
  void barrier(Emitter &e) const override {
    callIntrinsic(e, "llvm.nvvm.barrier.cta.sync.aligned.all", {},
                  {e.i32(0)});
  }
  Value joinLanes(Emitter &e, llvm::StringRef operation,
                  Value value) const override {
    if (capability < 80)
      return {};
    // redux.sync calls unsigned minima and maxima umin and umax.
    llvm::StringRef name = operation == "smin"   ? "min"
                           : operation == "smax" ? "max"
                                                 : operation;
    return callIntrinsic(e, ("llvm.nvvm.redux.sync." + name).str(),
                         e.b.getI32Type(), {value, e.i32(-1)});
  }
  void orderLoads(Emitter &e) const override {
    callIntrinsic(e, "llvm.nvvm.bar.warp.sync", {}, {e.i32(-1)});
  }
  llvm::StringRef deviceScope() const override { return "device"; }

private:
  int capability;
};

} // namespace

llvm::ArrayRef<const char *> wf::nvptxTargets() {
  static const std::vector<const char *> names = [] {
    std::vector<const char *> all;
    for (const Architecture &a : architectures)
      all.push_back(a.name);
    return all;
  }();
  return names;
}

void wf::registerNvptxTargets() {
  static const bool done = [] {
    for (const Architecture &a : architectures)
      registerTarget(
          std::make_unique<NvptxInfo>(a.name, std::atoi(a.name + 3)));
    return true;
  }();
  (void)done;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
wf::makeNvptxMachine(llvm::StringRef target) {
  static const bool initialised = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)initialised;
  const Architecture *found = nullptr;
  for (const Architecture &a : architectures)
    if (target == a.name)
      found = &a;
  if (!found)
    return internalError("no NVPTX target " + target);
  std::string message;
  llvm::Triple triple("nvptx64-nvidia-cuda");
  const llvm::Target *generator =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!generator)
    return internalError("no code generator for NVPTX: " + message);
  llvm::TargetOptions options;
  // User code is contracted only where it says fma.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(generator->createTargetMachine(
      triple, found->name, found->ptx, options, llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Default));
}

void wf::markNvptxKernels(llvm::Module &module, const KernelBounds &bounds) {
  for (llvm::Function &f : module) {
    if (f.isDeclaration())
      continue;
    f.setCallingConv(llvm::CallingConv::PTX_Kernel);
    f.setLinkage(llvm::GlobalValue::ExternalLinkage);
    f.addFnAttr("nvvm.maxntid", std::to_string(bounds.threads));
    // Also for one block: without it ptxas saves registers and spills them.
    f.addFnAttr("nvvm.minctasm", std::to_string(bounds.resident));
  }
}
