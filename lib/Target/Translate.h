//===- Translate.h - From the LLVM dialect to an LLVM module -----*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TARGET_TRANSLATE_H
#define WARPFOLD_TARGET_TRANSLATE_H

#include "Dialect/Mlir.h"
#include "Target/CpuTarget.h"

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace wf {

/// Registers what translateToLLVM needs with `context`, once.
void registerTranslations(mlir::MLIRContext &context);

/// The LLVM module of a module in the LLVM dialect, for `target`. For every
/// function with a C interface it also has `wf_<name>(void **arguments)`:
/// arguments[i] points at the i-th argument (a memref: at a pointer to its
/// descriptor).
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLLVM(mlir::ModuleOp module, llvm::LLVMContext &context,
                const llvm::TargetMachine &machine);

} // namespace wf

#endif // WARPFOLD_TARGET_TRANSLATE_H
