//===- Gpu.h - What there is code for, of either vendor ----------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The one place that knows which library a GPU's name leads to. A target is
// "sm_90", "gfx942", "gfx1201:wave64", or "null": IR that nobody has a code
// generator for.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TARGET_GPU_H
#define WARPFOLD_TARGET_GPU_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace wf {

/// How a kernel is launched, as far as its code depends on it.
struct KernelBounds {
  int64_t threads = 256; ///< of a block
  int64_t resident = 1;  ///< blocks a multiprocessor is to hold
};

/// Whose code generator a target has. Null has none.
enum class GpuVendor { Null, Nvidia, Amd };
GpuVendor vendorOf(llvm::StringRef target);

/// Names of all targets there is code for.
std::vector<std::string> gpuTargets();

/// Makes them known to the lowering; may be called again.
void registerGpuTargets();

/// A code generator; for null one that only names a data layout.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
makeGpuMachine(llvm::StringRef target);

/// Marks the functions that the host calls as kernels with these bounds. The
/// null target has no kernels.
void markGpuKernels(llvm::Module &module, llvm::StringRef target,
                    const KernelBounds &bounds);

/// Do additions of f32 by the target's atomics take subnormal numbers as zero,
/// whatever the kernel says?
bool atomicAddFlushes(llvm::StringRef target);

/// Names every basic block that has no name: code generators carry names into
/// machine blocks, so that instructions can be counted by the IR's blocks.
void nameBlocks(llvm::Module &module);

/// The module as LLVM bitcode.
std::string bitcodeOf(const llvm::Module &module);

} // namespace wf

#endif // WARPFOLD_TARGET_GPU_H
