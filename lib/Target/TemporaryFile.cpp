//===- TemporaryFile.cpp - A file that goes with the scope ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Target/TemporaryFile.h"

#include "Error/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace wf;

TemporaryFile::~TemporaryFile() {
  if (!path.empty())
    llvm::sys::fs::remove(path);
}

llvm::Error TemporaryFile::make(llvm::StringRef suffix,
                                llvm::StringRef content) {
  int fd;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("warpfold", suffix, fd, path))
    return deviceError("no temporary file: " + code.message());
  llvm::raw_fd_ostream os(fd, /*shouldClose=*/true);
  os << content;
  os.close();
  if (os.has_error()) {
    std::string message = os.error().message();
    os.clear_error();
    return deviceError("cannot write " + path + ": " + message);
  }
  return llvm::Error::success();
}

std::string TemporaryFile::read() const {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}
