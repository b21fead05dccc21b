//===- Nvptx.h - NVIDIA GPUs through LLVM's NVPTX back end -------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TARGET_NVPTX_H
#define WARPFOLD_TARGET_NVPTX_H

#include "Target/Gpu.h"

#include "llvm/ADT/ArrayRef.h"

namespace wf {

/// Names of the targets there is code for: sm_75 … sm_120.
llvm::ArrayRef<const char *> nvptxTargets();

/// Makes those targets known to the lowering; may be called again.
void registerNvptxTargets();

/// A code generator for one of them; PTX of the oldest version that knows it.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
makeNvptxMachine(llvm::StringRef target);

/// Marks the functions that the host calls as kernels with these bounds and
/// everything else as internal.
void markNvptxKernels(llvm::Module &module, const KernelBounds &bounds);

/// Machine code of PTX by ptxas, where it is installed (on PATH, or named by
/// WARPFOLD_PTXAS); an error that says so where it is not. `log` gets what it
/// says of registers and spills.
llvm::Expected<llvm::SmallVector<char, 0>>
assemblePtx(llvm::StringRef ptx, llvm::StringRef target, std::string &log);

/// SASS of a cubin by cuobjdump or nvdisasm, where one is installed.
llvm::Expected<std::string> disassembleCubin(llvm::ArrayRef<char> cubin);

} // namespace wf

#endif // WARPFOLD_TARGET_NVPTX_H
