//===- Jit.h - Machine code in this process ----------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TARGET_JIT_H
#define WARPFOLD_TARGET_JIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace wf {

/// Loaded machine code; the functions live as long as it does.
class JitCode {
public:
  /// Links an ELF object into this process (libm and libc are visible to it).
  static llvm::Expected<std::unique_ptr<JitCode>>
  load(llvm::ArrayRef<char> object);
  ~JitCode();

  using Entry = void (*)(void **arguments);
  /// The packed entry `wf_<name>`; null where the object has none.
  Entry lookup(llvm::StringRef name) const;

private:
  JitCode();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace wf

#endif // WARPFOLD_TARGET_JIT_H
