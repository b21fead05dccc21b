//===- OutputFile.h - A file written whole or not at all --------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Bytes go to a temporary in the folder of the target, and commit() renames it
// over the target. Whatever fails before leaves the old file as it was and no
// temporary behind.
//
//   OutputFile::create("y.npy") -> write(…) … write(…) -> commit()
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_IO_OUTPUTFILE_H
#define WARPFOLD_IO_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace wf {

class OutputFile {
public:
  /// Opens for `path`. A symbolic link is followed. Something that is there
  /// but no regular file (a device, a pipe) is opened itself.
  static llvm::Expected<OutputFile> create(llvm::StringRef path);

  OutputFile(OutputFile &&other);
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  OutputFile &operator=(OutputFile &&) = delete;
  /// Removes the temporary if commit() has not succeeded.
  ~OutputFile();

  llvm::Error write(llvm::StringRef bytes);
  /// Closes the temporary and renames it to the target.
  llvm::Error commit();

private:
  OutputFile() = default;
  llvm::Error failed(int error) const;
  llvm::Error openTemporary(unsigned mode, bool keepMode);

  int fd = -1;
  std::string path;      // what the user said, for messages
  std::string target;    // with links followed
  std::string temporary; // empty when the target itself is open, or renamed
};

/// Writes all of a file, or leaves what is there.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes);

} // namespace wf

#endif // WARPFOLD_IO_OUTPUTFILE_H
