//===- Mapping.h - The bytes of a file --------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A regular file is mapped (read only, private: its pages are page cache, not
// anonymous memory, and nothing is copied); a pipe is read to its end. Readers
// parse Bytes and never see a file, so that a fuzzer can feed them.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_IO_MAPPING_H
#define WARPFOLD_IO_MAPPING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace wf {

/// A run of bytes and what keeps it alive.
struct Bytes {
  const char *data = nullptr;
  uint64_t size = 0;
  std::shared_ptr<const void> owner;
};

/// The bytes of the file at `path`. A file that is cut short by somebody else
/// while it is mapped raises SIGBUS on access, as with every mapping.
llvm::Expected<Bytes> mapFile(llvm::StringRef path);

/// The bytes from the current position of descriptor `fd` to its end; `name`
/// is what messages call it. The descriptor stays open and may be closed after.
llvm::Expected<Bytes> mapDescriptor(int fd, llvm::StringRef name);

/// Standard input, which must not be a terminal.
llvm::Expected<Bytes> mapStandardInput();

} // namespace wf

#endif // WARPFOLD_IO_MAPPING_H
