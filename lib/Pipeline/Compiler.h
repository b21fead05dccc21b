//===- Compiler.h - The one list of phases -----------------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
//   fold    fold.reduce on strided memrefs, verified, canonical
//   plan    the same with #fold.plan attached
//   tiers   fold.rows, fold.slots, fold.chunks
//   loops   scf, vector, arith, memref
//   llvm    LLVM IR, optimised
//   asm, obj             machine code of a CPU
//   ptx, cubin, sass     of an NVIDIA GPU
//   amdgcn, hsaco        of an AMD GPU: assembly, and the linked code object
//
// Every phase can be stopped after and printed; its time is kept.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PIPELINE_COMPILER_H
#define WARPFOLD_PIPELINE_COMPILER_H

#include "Language/Program.h"
#include "Plan/Plan.h"
#include "Runtime/Launch.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>
#include <vector>

namespace wf {

/// What is compiled: a program on a problem's layout under a plan.
struct KernelSpec {
  const Program *program = nullptr;
  Problem problem; ///< sizes unknown to the compiler are -1
  Plan plan;
};

using PhaseTimes = std::vector<std::pair<std::string, double>>;

/// Prints what phases leave, for --emit and --print-after.
struct StageRequest {
  std::vector<std::string> stages; ///< names from the list above
  std::vector<std::string> printAfter; ///< MLIR passes by flag name, or "all"
  bool locations = false;              ///< print them with source locations
};

struct StageTexts {
  std::vector<std::pair<std::string, std::string>> texts;
};

/// Compiles to an object in memory, printing the stages that are asked for.
/// The object is empty if no stage after `loops` was asked for and
/// `stopEarly`.
llvm::Expected<llvm::SmallVector<char, 0>>
compileKernel(const KernelSpec &spec, const StageRequest &request,
              StageTexts &texts, PhaseTimes &times, bool stopEarly);

/// What a launch has to know of the kernel for a spec.
KernelSignature signatureOf(const KernelSpec &spec);

/// The kernel for a spec, from this process's cache or compiled now.
llvm::Expected<std::shared_ptr<const Kernel>> getKernel(const KernelSpec &spec,
                                                        PhaseTimes &times);

/// The key of DESIGN section 5: what is computed, on which layout, by which
/// plan, for which CPU, by which build.
std::string kernelKey(const KernelSpec &spec);

/// What a plan is for: the CPU, or a GPU of so many multiprocessors.
struct PlanTarget {
  std::string name = "cpu";
  int64_t multiprocessors = 1;
};

/// Plan facts of a program on a problem.
PlanFacts planFacts(const Program &program, const Problem &problem,
                    PlanOrder order, const PlanTarget &target = {});

/// A GPU kernel in that form, printing the stages that are asked for. Empty if
/// no stage after `loops` was asked for and `stopEarly`.
llvm::Expected<std::string> compileGpuKernel(const KernelSpec &spec,
                                             GpuCodeForm form,
                                             const StageRequest &request,
                                             StageTexts &texts,
                                             PhaseTimes &times, bool stopEarly);

} // namespace wf

#endif // WARPFOLD_PIPELINE_COMPILER_H
