//===- OutputFile.cpp - A file that is written whole or not at all -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The temporary's name does not hold the target's: that could be too long.
//===----------------------------------------------------------------------===//
#include "IO/OutputFile.h"

#include "Error/Error.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace wf;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {

/// A write past RLIMIT_FSIZE raises SIGXFSZ, which ends the process and would
/// leave the temporary. While this lives the write reports EFBIG instead. The
/// signal goes to the writing thread, so blocking it here touches no other.
class FileSizeSignalBlocked {
public:
  FileSizeSignalBlocked() {
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
  }
  ~FileSizeSignalBlocked() {
    if (sigismember(&before, SIGXFSZ))
      return;
    timespec none{0, 0};
    while (sigtimedwait(&signals, nullptr, &none) < 0 && errno == EINTR)
      continue;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

private:
  sigset_t signals, before;
};

} // namespace

OutputFile::OutputFile(OutputFile &&other)
    : fd(std::exchange(other.fd, -1)), path(std::move(other.path)),
      target(std::move(other.target)),
      temporary(std::exchange(other.temporary, std::string())) {}

OutputFile::~OutputFile() {
  if (fd >= 0)
    ::close(fd);
  if (!temporary.empty())
    ::unlink(temporary.c_str());
}

Error OutputFile::failed(int error) const {
  StringRef hint = "";
  if (error == ENOSPC || error == EFBIG || error == EDQUOT)
    hint = "make room or write elsewhere; nothing was changed";
  else if (error == ENOENT || error == ENOTDIR)
    hint = "create the folder first";
  else if (error == EACCES || error == EPERM || error == EROFS)
    hint = "write to a folder and file that you may write";
  return userError("cannot write " + path + ": " + llvm::sys::StrError(error),
                   hint);
}

Expected<OutputFile> OutputFile::create(StringRef path) {
  OutputFile file;
  file.path = file.target = path.str();
  if (path.empty())
    return userError("the output file has an empty name",
                     "name a file, such as -o y.npy");
  struct stat info;
  bool exists = ::lstat(file.target.c_str(), &info) == 0;
  if (exists && S_ISLNK(info.st_mode)) {
    char *resolved = ::realpath(file.target.c_str(), nullptr);
    if (!resolved)
      return userError("cannot write " + path + ": the link leads nowhere (" +
                           llvm::sys::StrError(errno) + ")",
                       "remove the link or create the file that it names");
    file.target = resolved;
    std::free(resolved);
    exists = ::stat(file.target.c_str(), &info) == 0;
  }
  if (exists && S_ISDIR(info.st_mode))
    return userError("cannot write " + path + ": it is a directory",
                     "name a file in it");
  // Renaming needs no right to the old file; overwriting one that is
  // write-protected would surprise.
  if (exists && ::access(file.target.c_str(), W_OK) != 0)
    return file.failed(errno);
  if (exists && !S_ISREG(info.st_mode)) {
    file.fd = ::open(file.target.c_str(), O_WRONLY | O_CLOEXEC);
    if (file.fd < 0)
      return file.failed(errno);
    return file;
  }
  if (Error error =
          file.openTemporary(exists ? info.st_mode & 07777 : 0666, exists))
    return error;
  return file;
}

Error OutputFile::openTemporary(unsigned mode, bool keepMode) {
  static std::atomic<unsigned> counter{0};
  llvm::SmallString<128> folder(llvm::sys::path::parent_path(target));
  do {
    llvm::SmallString<128> name(folder);
    llvm::sys::path::append(name, ".warpfold-" + llvm::Twine(::getpid()) + "-" +
                                      llvm::Twine(counter++) + ".tmp");
    fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0)
      temporary = name.str().str();
  } while (fd < 0 && (errno == EEXIST || errno == EINTR));
  if (fd < 0)
    return failed(errno);
  if (keepMode)
    (void)::fchmod(fd, mode); // the umask may have taken bits away
  return Error::success();
}

Error OutputFile::write(StringRef bytes) {
  FileSizeSignalBlocked blocked;
  while (!bytes.empty()) {
    // Linux writes at most about 2 GiB at a time.
    ssize_t written =
        ::write(fd, bytes.data(), std::min<size_t>(bytes.size(), 1 << 30));
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return failed(errno);
    bytes = bytes.drop_front(size_t(written));
  }
  return Error::success();
}

Error OutputFile::commit() {
  // Network file systems report a full disk when the file is closed.
  if (::close(std::exchange(fd, -1)) != 0)
    return failed(errno);
  if (temporary.empty())
    return Error::success();
  if (::rename(temporary.c_str(), target.c_str()) != 0)
    return failed(errno);
  temporary.clear();
  return Error::success();
}

Error wf::writeFile(StringRef path, StringRef bytes) {
  auto file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  if (Error error = file->write(bytes))
    return error;
  return file->commit();
}
