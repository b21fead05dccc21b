//===- Gpu.cpp - What there is code for, of either vendor -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Target/Gpu.h"

#include "Target/Amdgpu.h"
#include "Target/Nvptx.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace wf;

GpuVendor wf::vendorOf(llvm::StringRef target) {
  if (target.starts_with("sm_"))
    return GpuVendor::Nvidia;
  return target.starts_with("gfx") ? GpuVendor::Amd : GpuVendor::Null;
}

std::vector<std::string> wf::gpuTargets() {
  std::vector<std::string> all(nvptxTargets().begin(), nvptxTargets().end());
  llvm::append_range(all, amdgpuTargets());
  return all;
}

void wf::registerGpuTargets() {
  registerNvptxTargets();
  registerAmdgpuTargets();
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
wf::makeGpuMachine(llvm::StringRef target) {
  switch (vendorOf(target)) {
  case GpuVendor::Nvidia:
    return makeNvptxMachine(target);
  case GpuVendor::Amd:
    return makeAmdgpuMachine(target);
  case GpuVendor::Null:
    break;
  }
  return makeNvptxMachine("sm_75");
}

void wf::markGpuKernels(llvm::Module &module, llvm::StringRef target,
                        const KernelBounds &bounds) {
  switch (vendorOf(target)) {
  case GpuVendor::Nvidia:
    return markNvptxKernels(module, bounds);
  case GpuVendor::Amd:
    return markAmdgpuKernels(module, target, bounds);
  case GpuVendor::Null:
    return;
  }
}

bool wf::atomicAddFlushes(llvm::StringRef target) {
  // Any NVIDIA GPU (PTX ISA, atom.add).
  return vendorOf(target) == GpuVendor::Nvidia ||
         (vendorOf(target) == GpuVendor::Amd && amdgpuAddFlushes(target));
}

void wf::nameBlocks(llvm::Module &module) {
  for (llvm::Function &f : module) {
    unsigned n = 0;
    for (llvm::BasicBlock &block : f) {
      if (!block.hasName())
        block.setName("b" + llvm::Twine(n));
      ++n;
    }
  }
}

std::string wf::bitcodeOf(const llvm::Module &module) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  llvm::WriteBitcodeToFile(module, os);
  return bytes;
}
