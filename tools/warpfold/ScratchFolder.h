//===- ScratchFolder.h - A temporary folder that never stays ----*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// It goes with its scope, and with the process where a signal ends that. One at
// a time.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TOOLS_SCRATCHFOLDER_H
#define WARPFOLD_TOOLS_SCRATCHFOLDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace wf::cli {

class ScratchFolder {
public:
  ScratchFolder() = default;
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;
  ~ScratchFolder();

  /// Makes the folder; once.
  llvm::Error make();

  /// The path of `name` in it.
  std::string path(llvm::StringRef name) const;

  /// Writes a file, and the folders that its name goes through.
  llvm::Error write(llvm::StringRef name, llvm::StringRef content);

  /// The bytes of a file; none where there is no such file.
  std::string read(llvm::StringRef name) const;

private:
  std::string folder;
};

} // namespace wf::cli

#endif // WARPFOLD_TOOLS_SCRATCHFOLDER_H
