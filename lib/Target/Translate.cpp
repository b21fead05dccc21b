//===- Translate.cpp - From the LLVM dialect to an LLVM module ------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Target/Translate.h"

#include "Error/Error.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace wf;

void wf::registerTranslations(mlir::MLIRContext &context) {
  mlir::registerBuiltinDialectTranslation(context);
  mlir::registerLLVMDialectTranslation(context);
}

/// wf_name(void **a): interface(*(T0 *)a[0], *(T1 *)a[1], …).
static void addPackedEntry(llvm::Function *interface, llvm::StringRef name) {
  llvm::LLVMContext &context = interface->getContext();
  llvm::IRBuilder<> b(context);
  auto *type =
      llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, /*vararg=*/false);
  auto *entry =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                             ("wf_" + name).str(), interface->getParent());
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", entry));
  llvm::SmallVector<llvm::Value *> arguments;
  for (auto [i, a] : llvm::enumerate(interface->args())) {
    llvm::Value *slot = b.CreateConstGEP1_64(b.getPtrTy(), entry->getArg(0), i);
    llvm::Value *pointer = b.CreateLoad(b.getPtrTy(), slot);
    arguments.push_back(b.CreateLoad(a.getType(), pointer));
  }
  b.CreateCall(interface, arguments);
  b.CreateRetVoid();
}

llvm::Expected<std::unique_ptr<llvm::Module>>
wf::translateToLLVM(mlir::ModuleOp module, llvm::LLVMContext &context,
                    const llvm::TargetMachine &machine) {
  auto translated = mlir::translateModuleToLLVMIR(module, context, "warpfold");
  if (!translated)
    return internalError("the module does not translate to LLVM IR");
  translated->setTargetTriple(machine.getTargetTriple());
  translated->setDataLayout(machine.createDataLayout());
  constexpr llvm::StringLiteral prefix("_mlir_ciface_");
  llvm::SmallVector<llvm::Function *> interfaces;
  for (llvm::Function &f : *translated) {
    if (f.isDeclaration())
      continue;
    f.addFnAttr("target-cpu", machine.getTargetCPU());
    f.addFnAttr("target-features", machine.getTargetFeatureString());
    if (f.getName().starts_with(prefix))
      interfaces.push_back(&f);
    else
      f.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  for (llvm::Function *f : interfaces)
    addPackedEntry(f, f->getName().drop_front(prefix.size()));
  return translated;
}
