//===- CodeCache.h - Machine code kept between runs --------------*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A folder of machine code by key. It is a help and never a need: whatever is
// wrong with the folder or an entry counts as "not there", and the code is made
// again. One entry is one file, named by a hash of its key:
//
//   "WFCODE1\n"   8 bytes
//   key length    8 bytes, little-endian, as all numbers
//   code length   8 bytes
//   key, code
//   checksum      8 bytes, xxh3 of all before
//
// Entries are written beside and renamed, so that processes that share a folder
// see whole ones only.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_CODECACHE_H
#define WARPFOLD_RUNTIME_CODECACHE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace wf {

class CodeCache {
public:
  static constexpr int64_t defaultBytes = 256ll << 20;

  /// $WARPFOLD_CACHE_DIR, else $XDG_CACHE_HOME/warpfold, else
  /// ~/.cache/warpfold; WARPFOLD_CACHE_DIR=off keeps nothing. At most
  /// $WARPFOLD_CACHE_BYTES, which has to be a number (a user error else).
  static llvm::Expected<CodeCache> fromEnvironment();

  /// A cache in `folder` (made when needed; "" keeps nothing) whose files hold
  /// at most `bytes`.
  explicit CodeCache(std::string folder, int64_t bytes = defaultBytes)
      : folder(std::move(folder)), limit(bytes) {}

  /// The code of a key, and notes that it was used; nothing if there is no
  /// sound entry that this user or root wrote.
  std::optional<std::string> get(llvm::StringRef key) const;

  /// Keeps the code of a key. Where the folder grows past its bound, the
  /// entries that were used longest ago go.
  void put(llvm::StringRef key, llvm::StringRef code) const;

  /// The file of a key's entry.
  std::string fileOf(llvm::StringRef key) const;

private:
  void trim(llvm::StringRef keep) const;
  std::string folder;
  int64_t limit;
};

} // namespace wf

#endif // WARPFOLD_RUNTIME_CODECACHE_H
