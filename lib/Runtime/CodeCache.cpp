//===- CodeCache.cpp - Machine code kept between runs --------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/CodeCache.h"

#include "Error/Error.h"
#include "IO/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace wf;
using llvm::Expected;
using llvm::StringRef;
using llvm::support::endian::read64le;
using llvm::support::endian::write64le;

static constexpr StringRef magic = "WFCODE1\n";
static constexpr size_t headBytes = 24, checksumBytes = 8;
static constexpr StringRef suffix = ".code";
/// A temporary this old was left by a process that died.
static constexpr time_t abandonedSeconds = 3600;

static std::string environment(const char *name) {
  const char *value = ::getenv(name);
  return value ? value : "";
}

Expected<CodeCache> CodeCache::fromEnvironment() {
  int64_t bytes = defaultBytes;
  std::string bound = environment("WARPFOLD_CACHE_BYTES");
  if (!bound.empty() && (StringRef(bound).getAsInteger(10, bytes) || bytes < 0))
    return userError("WARPFOLD_CACHE_BYTES is no number of bytes: '" + bound +
                         "'",
                     "as in WARPFOLD_CACHE_BYTES=268435456");
  std::string given = environment("WARPFOLD_CACHE_DIR");
  if (given == "off")
    return CodeCache("", bytes);
  if (!given.empty())
    return CodeCache(given, bytes);
  // The XDG rules: a relative path there does not count.
  std::string caches = environment("XDG_CACHE_HOME");
  if (StringRef(caches).starts_with("/"))
    return CodeCache(caches + "/warpfold", bytes);
  std::string home = environment("HOME");
  return CodeCache(home.empty() ? "" : home + "/.cache/warpfold", bytes);
}

std::string CodeCache::fileOf(StringRef key) const {
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits(llvm::arrayRefFromStringRef(key));
  return folder + "/" + llvm::utohexstr(hash.high64, true, 16) +
         llvm::utohexstr(hash.low64, true, 16) + suffix.str();
}

/// All bytes of an open file, or nothing if they cannot be read.
static std::optional<std::string> readAll(int file, int64_t size) {
  std::string bytes;
  bytes.resize(size_t(size));
  for (size_t done = 0; done < bytes.size();) {
    ssize_t got = ::read(file, bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return std::nullopt;
    done += size_t(got);
  }
  return bytes;
}

/// The code in an entry, if it is one, whole, and this key's.
static std::optional<StringRef> codeIn(StringRef entry, StringRef key) {
  if (entry.size() < headBytes + checksumBytes || !entry.starts_with(magic))
    return std::nullopt;
  uint64_t room = entry.size() - headBytes - checksumBytes;
  uint64_t keyBytes = read64le(entry.data() + 8);
  uint64_t codeBytes = read64le(entry.data() + 16);
  if (keyBytes > room || codeBytes != room - keyBytes)
    return std::nullopt;
  StringRef checked = entry.drop_back(checksumBytes);
  if (read64le(checked.end()) != llvm::xxh3_64bits(checked) ||
      entry.substr(headBytes, keyBytes) != key)
    return std::nullopt;
  return entry.substr(headBytes + keyBytes, codeBytes);
}

std::optional<std::string> CodeCache::get(StringRef key) const {
  if (folder.empty())
    return std::nullopt;
  // Non-blocking: something that is no file, such as a pipe, must not stop us.
  int file = ::open(fileOf(key).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return std::nullopt;
  std::optional<std::string> code;
  struct stat info;
  // What another user put there would be run as ours.
  if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
      info.st_size <= limit && (info.st_uid == ::geteuid() || info.st_uid == 0))
    if (std::optional<std::string> entry = readAll(file, info.st_size))
      if (std::optional<StringRef> found = codeIn(*entry, key))
        code = found->str();
  if (code)
    (void)::futimens(file, nullptr); // the time of last use
  ::close(file);
  return code;
}

void CodeCache::put(StringRef key, StringRef code) const {
  if (folder.empty() ||
      headBytes + key.size() + code.size() + checksumBytes > uint64_t(limit))
    return;
  if (llvm::sys::fs::create_directories(folder, /*IgnoreExisting=*/true,
                                        llvm::sys::fs::owner_all))
    return;
  std::string entry(headBytes, '\0');
  std::copy(magic.begin(), magic.end(), entry.begin());
  write64le(&entry[8], key.size());
  write64le(&entry[16], code.size());
  entry += key;
  entry += code;
  char checksum[checksumBytes];
  write64le(checksum, llvm::xxh3_64bits(entry));
  entry.append(checksum, checksumBytes);

  std::string path = fileOf(key);
  // Something else of that name, or an entry that may not be written, would be
  // followed, waited for or kept.
  struct stat info;
  if (::lstat(path.c_str(), &info) == 0 &&
      (!S_ISREG(info.st_mode) || ::access(path.c_str(), W_OK) != 0))
    ::unlink(path.c_str());
  Expected<OutputFile> file = OutputFile::create(path);
  if (!file)
    return llvm::consumeError(file.takeError());
  llvm::Error error = file->write(entry);
  if (!error)
    error = file->commit();
  if (error)
    return llvm::consumeError(std::move(error));
  trim(path);
}

/// Removes what was used longest ago until the rest is within the bound. Other
/// processes may do the same meanwhile: a file that is gone is fine.
void CodeCache::trim(StringRef keep) const {
  struct Entry {
    timespec used;
    int64_t bytes;
    std::string path;
  };
  std::vector<Entry> entries;
  int64_t total = 0;
  DIR *listing = ::opendir(folder.c_str());
  if (!listing)
    return;
  const time_t now = ::time(nullptr);
  while (const dirent *item = ::readdir(listing)) {
    StringRef name = item->d_name;
    std::string path = folder + "/" + name.str();
    struct stat info;
    if (::lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
      continue;
    // The folder may hold files that are not ours; they stay.
    if (name.starts_with(".warpfold-") && name.ends_with(".tmp") &&
        now - info.st_mtime > abandonedSeconds)
      ::unlink(path.c_str());
    if (!name.ends_with(suffix))
      continue;
    total += info.st_size;
    if (path != keep)
      entries.push_back({info.st_mtim, info.st_size, path});
  }
  ::closedir(listing);
  if (total <= limit)
    return;
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) <
           std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const Entry &entry : entries) {
    if (total <= limit)
      break;
    if (::unlink(entry.path.c_str()) == 0 || errno == ENOENT)
      total -= entry.bytes;
  }
}
