//===- ScratchFolder.cpp - A temporary folder that never stays -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ScratchFolder.h"
#include "Error/Error.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace wf;
using namespace wf::cli;

/// What the signal handler removes.
static std::string current;

/// SIGINT and its like come while a child runs and this process waits, so that
/// to allocate here is safe enough.
static void removeAndLeave() {
  llvm::sys::fs::remove_directories(current, /*IgnoreErrors=*/true);
  _exit(130);
}

llvm::Error ScratchFolder::make() {
  llvm::SmallString<128> path;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("warpfold", path))
    return deviceError("no temporary folder: " + code.message(),
                       "TMPDIR names where it should be");
  current = folder = std::string(path);
  llvm::sys::SetInterruptFunction(removeAndLeave);
  return llvm::Error::success();
}

ScratchFolder::~ScratchFolder() {
  if (folder.empty())
    return;
  llvm::sys::SetInterruptFunction(nullptr);
  llvm::sys::fs::remove_directories(folder, /*IgnoreErrors=*/true);
}

std::string ScratchFolder::path(llvm::StringRef name) const {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return std::string(path);
}

llvm::Error ScratchFolder::write(llvm::StringRef name,
                                 llvm::StringRef content) {
  const std::string file = path(name);
  std::error_code code =
      llvm::sys::fs::create_directories(llvm::sys::path::parent_path(file));
  if (!code) {
    llvm::raw_fd_ostream os(file, code);
    if (!code) {
      os << content;
      os.close();
      code = os.error();
      os.clear_error();
    }
  }
  if (code)
    return deviceError("cannot write " + file + ": " + code.message());
  return llvm::Error::success();
}

std::string ScratchFolder::read(llvm::StringRef name) const {
  auto buffer = llvm::MemoryBuffer::getFile(path(name), /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  return buffer ? (*buffer)->getBuffer().str() : "";
}
