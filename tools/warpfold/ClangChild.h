//===- ClangChild.h - A kernel's source to LLVM IR --------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Runs clang on a user's .cu or .hip, with the device header of kernels/ that
// this program carries, and without any SDK. A .ll or .bc is taken as it is.
//
//   sum.cu, sm_90    ->  bitcode of its device side, -O2, with line tables
//   sum.cu, gfx1201  ->  the same source as HIP
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TOOLS_CLANGCHILD_H
#define WARPFOLD_TOOLS_CLANGCHILD_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace wf::cli {

struct DeviceCode {
  std::string bytes;    ///< bitcode, or IR as text
  std::string target;   ///< empty where IR was given and no target was said
  std::string warnings; ///< clang's, as it prints them
};

/// `target` may be empty: a .hip is then for gfx1201, other sources for sm_90.
/// Errors, the user's: a file that cannot be read or is no kernel's source, no
/// clang, and what clang refuses, in its own words.
llvm::Expected<DeviceCode> deviceCodeOf(llvm::StringRef file,
                                        llvm::StringRef target);

} // namespace wf::cli

#endif // WARPFOLD_TOOLS_CLANGCHILD_H
