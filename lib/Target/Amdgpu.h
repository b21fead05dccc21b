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

/// Assembly text or a relocatable object. One at a time in a process: some of
/// the back end's options are global.
llvm::Expected<llvm::SmallVector<char, 0>>
emitAmdgpu(llvm::Module &module, llvm::TargetMachine &machine, bool assembly);

/// Links an object into a code object: the shared ELF that a HIP runtime loads.
llvm::Expected<std::string> linkCodeObject(llvm::ArrayRef<char> object);

/// The code object of a module. With WARPFOLD_EMBED_BITCODE=1 in the
/// environment its section .note.warpfold.bitcode, which is no part of the
/// loaded image, holds the module as LLVM bitcode: the tests' stand-in for a
/// HIP runtime runs that in the simulator.
llvm::Expected<std::string> makeCodeObject(llvm::Module &module,
                                           llvm::TargetMachine &machine);

} // namespace wf

#endif // WARPFOLD_TARGET_AMDGPU_H
