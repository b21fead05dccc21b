//===- TemporaryFile.h - A file that goes with the scope ---------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TARGET_TEMPORARYFILE_H
#define WARPFOLD_TARGET_TEMPORARYFILE_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"

#include <string>

namespace wf {

struct TemporaryFile {
  llvm::SmallString<128> path;

  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile &) = delete;
  ~TemporaryFile();
  llvm::Error make(llvm::StringRef suffix, llvm::StringRef content);
  /// What is in it now; nothing if it cannot be read.
  std::string read() const;
};

} // namespace wf

#endif // WARPFOLD_TARGET_TEMPORARYFILE_H
