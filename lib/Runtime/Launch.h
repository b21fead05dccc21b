//===- Launch.h - A compiled kernel on a problem -----------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Comes in: a kernel (two function pointers and what its arguments are), a
// problem, pointers. Goes out: written outputs. Everything that can be done
// before the pointers are known is done in the constructor, so that a prepared
// launch costs little more than its loop.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_LAUNCH_H
#define WARPFOLD_RUNTIME_LAUNCH_H

#include "Runtime/Gather.h"
#include "Runtime/KernelSignature.h"

#include <memory>
#include <vector>

namespace wf {

/// A kernel as the compiler hands it over.
struct Kernel : KernelSignature {
  void (*fold)(void **arguments) = nullptr;
  void (*join)(void **arguments) = nullptr;
  std::shared_ptr<const void> code; ///< keeps the functions alive
};

class Launch {
public:
  /// `gather` is needed by plans with load=pack and ignored by others.
  /// `threads` is the most to use; small problems use fewer.
  Launch(std::shared_ptr<const Kernel> kernel, Problem problem,
         std::vector<GatherInput> gather, int threads);
  ~Launch();

  /// Pointers to the elements at index 0…0; params as stored bits. Not to be
  /// called from two threads at once.
  void run(const void *const *inputs, void *const *outputs,
           const uint64_t *params);

  int threads() const;
  int64_t runs() const; ///< runs a fold is split into

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace wf

#endif // WARPFOLD_RUNTIME_LAUNCH_H
