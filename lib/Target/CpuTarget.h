//===- CpuTarget.h - The CPU a kernel is compiled for ------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TARGET_CPUTARGET_H
#define WARPFOLD_TARGET_CPUTARGET_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
class raw_pwrite_stream;
} // namespace llvm

namespace wf {

/// A CPU by name and features, as LLVM spells them.
struct CpuTarget {
  std::string triple, cpu, features;
  /// Bytes of the widest SIMD register that is used: 16, 32 or 64.
  int64_t simdBytes = 16;
  /// "sse2", "avx2" or "avx512".
  std::string simdName = "sse2";

  /// Part of a kernel's key.
  std::string text() const { return triple + " " + cpu + " " + features; }
};

/// This machine. WARPFOLD_CPU_FEATURES=sse2|avx2 in the environment caps what
/// is used, so that tests can hold the narrower code against the wider.
const CpuTarget &hostCpu();

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
makeTargetMachine(const CpuTarget &target);

/// Runs the middle-end passes our kernels need: a short list, since -O3's
/// takes twice as long and finds no more in code that is already vectors.
void optimise(llvm::Module &module, llvm::TargetMachine &machine);

/// Assembly text or an ELF object.
llvm::Expected<llvm::SmallVector<char, 0>>
emitCode(llvm::Module &module, llvm::TargetMachine &machine, bool assembly);

} // namespace wf

#endif // WARPFOLD_TARGET_CPUTARGET_H
