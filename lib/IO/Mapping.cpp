//===- Mapping.cpp - The bytes of a file ---------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// open, fstat, then mmap or read.
//===----------------------------------------------------------------------===//
#include "IO/Mapping.h"

#include "Error/Error.h"
#include "llvm/Support/Errno.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace wf;
using llvm::Expected;
using llvm::StringRef;

static llvm::Error cannotRead(StringRef name) {
  int error = errno;
  return userError("cannot read " + name + ": " + llvm::sys::StrError(error),
                   error == ENOENT
                       ? "check the path; generated inputs start with gen:"
                       : "");
}

/// Reads to the end of a pipe or another thing without a size.
static Expected<Bytes> readAll(int fd, StringRef name) {
  size_t size = 0, capacity = 1 << 16;
  char *data = static_cast<char *>(std::malloc(capacity));
  while (data) {
    ssize_t got = ::read(fd, data + size, capacity - size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0) {
      llvm::Error error = cannotRead(name);
      std::free(data);
      return error;
    }
    if (got == 0)
      break;
    size += size_t(got);
    if (size < capacity)
      continue;
    capacity *= 2;
    void *larger = std::realloc(data, capacity);
    if (!larger)
      std::free(data);
    data = static_cast<char *>(larger);
  }
  if (!data)
    return deviceError("out of memory after " + llvm::Twine(size) +
                           " bytes of " + name,
                       "store it in a file first: files are mapped, not read");
  return Bytes{data, size, std::shared_ptr<const void>(data, std::free)};
}

Expected<Bytes> wf::mapDescriptor(int fd, StringRef name) {
  struct stat info;
  if (::fstat(fd, &info) != 0)
    return cannotRead(name);
  if (S_ISDIR(info.st_mode))
    return userError(name + " is a directory", "name a file in it");
  // Files of size 0 may be synthetic (such as those in /proc): read them.
  if (!S_ISREG(info.st_mode) || info.st_size == 0)
    return readAll(fd, name);
  off_t position = std::max<off_t>(::lseek(fd, 0, SEEK_CUR), 0);
  size_t size = size_t(info.st_size);
  void *base = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (base == MAP_FAILED) {
    // ENODEV: a file system that can not map. The bytes are the same.
    if (errno == ENODEV)
      return readAll(fd, name);
    return cannotRead(name);
  }
  size_t skipped = std::min(size, size_t(position));
  return Bytes{static_cast<char *>(base) + skipped, size - skipped,
               std::shared_ptr<const void>(base, [size](const void *p) {
                 ::munmap(const_cast<void *>(p), size);
               })};
}

Expected<Bytes> wf::mapFile(StringRef path) {
  std::string zeroTerminated = path.str();
  int fd;
  do
    fd = ::open(zeroTerminated.c_str(), O_RDONLY | O_CLOEXEC);
  while (fd < 0 && errno == EINTR);
  if (fd < 0)
    return cannotRead(path);
  Expected<Bytes> bytes = mapDescriptor(fd, path);
  ::close(fd); // the mapping stays
  return bytes;
}

Expected<Bytes> wf::mapStandardInput() {
  if (::isatty(STDIN_FILENO))
    return userError("standard input is a terminal",
                     "pipe an array into it: warpfold reduce - … < x.npy");
  return mapDescriptor(STDIN_FILENO, "standard input");
}
