//===- Zip.h - Writing an uncompressed zip archive --------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Entries one after another, then the directory of them. The 64-bit fields
// (zip64) are written only where a number needs them, as readers expect:
//
//   local header | name | data   …   directory record | name  …   end record
//
// Layouts are those of PKWARE's APPNOTE 6.3, sections 4.3.7, 4.3.12, 4.3.14 to
// 4.3.16 and 4.5.3. Times are 1980-01-01, so that equal arrays give equal
// files.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_IO_ZIP_H
#define WARPFOLD_IO_ZIP_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace wf {

struct ZipEntry {
  std::string name;
  uint64_t size;   ///< bytes of data
  uint32_t crc;    ///< CRC-32 of them
  uint64_t offset; ///< of the local header in the file
};

/// From this number on a 32-bit field is too small; smaller in tests only.
constexpr uint64_t zip64From = 0xffffffff;

/// What stands before the data of an entry.
std::string zipLocalHeader(const ZipEntry &entry,
                           uint64_t wideFrom = zip64From);

/// What stands after the last entry; `offset` is where it will stand.
std::string zipDirectory(const std::vector<ZipEntry> &entries, uint64_t offset,
                         uint64_t wideFrom = zip64From);

} // namespace wf

#endif // WARPFOLD_IO_ZIP_H
