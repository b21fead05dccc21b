//===- Amdgpu.h - AMD GPUs through LLVM's AMDGPU back end --------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The lowering speaks of warps of 32 lanes. A wave of 64 is two of them side by
// side: every exchange stays within 32 lanes, so the bits of a result do not
// depend on the wave's size.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TARGET_AMDGPU_H
#define WARPFOLD_TARGET_AMDGPU_H

#include "Target/Gpu.h"

#include "llvm/ADT/ArrayRef.h"

#include <mutex>

namespace wf {

/// gfx90a and gfx942, whose waves have 64 lanes; gfx1030, gfx1100 and gfx1201,
/// with waves of 32, and as gfx1030:wave64 … of 64.
llvm::ArrayRef<std::string> amdgpuTargets();

/// Makes those targets known to the lowering; may be called again.
void registerAmdgpuTargets();

/// A code generator for one of them.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
makeAmdgpuMachine(llvm::StringRef target);

/// Marks the module's functions as kernels with these bounds, which read
/// nothing but their arguments, and its memory operations as what they are.
void markAmdgpuKernels(llvm::Module &module, llvm::StringRef target,
                       const KernelBounds &bounds);

/// Is the target's f32 addition in memory one that flushes subnormal numbers?
bool amdgpuAddFlushes(llvm::StringRef target);

/// What the code generator makes of a module.
struct AmdgpuCode {
  llvm::SmallVector<char, 0> object; ///< relocatable ELF
  std::string assembly;              ///< of the same code, where asked for
};

/// Generates code, without memory of a thread's own if that can be. One at a
/// time in a process: some of the back end's options are global. With
/// WARPFOLD_EMBED_BITCODE=1 in the environment the object's section
/// .note.warpfold.bitcode, which no loader maps, holds the module as LLVM
/// bitcode: the tests' stand-in for a HIP runtime runs that in the simulator.
llvm::Expected<AmdgpuCode> emitAmdgpu(const llvm::Module &module,
                                      llvm::TargetMachine &machine,
                                      bool assembly);

/// Links an object into a code object: the shared ELF that a HIP runtime loads.
llvm::Expected<std::string> linkCodeObject(llvm::ArrayRef<char> object);

/// Held by whoever uses lld, which keeps its state in globals and sets LLVM's
/// options back to their defaults, or needs such an option.
std::mutex &globalOptions();

} // namespace wf

#endif // WARPFOLD_TARGET_AMDGPU_H
