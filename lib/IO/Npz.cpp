//===- Npz.cpp - From named arrays to a .npz file ------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A zip's local header holds the checksum of the data behind it, so each array
// is read twice; going back to patch it would not work on a pipe.
//===----------------------------------------------------------------------===//
#include "Error/Error.h"
#include "IO/Elements.h"
#include "IO/Npy.h"
#include "IO/OutputFile.h"
#include "IO/Zip.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CRC.h"

using namespace wf;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static uint32_t crcWith(uint32_t crc, StringRef bytes) {
  return llvm::crc32(crc, llvm::arrayRefFromStringRef(bytes));
}

static Error writeEntry(OutputFile &file, ZipEntry &entry, const Array &array) {
  std::string header = npyHeader(array.type, array.shape);
  entry.size =
      header.size() + uint64_t(array.elements()) * byteSize(array.type);
  entry.crc = crcWith(0, header);
  llvm::cantFail(forEachPiece(array, [&](StringRef piece) {
    entry.crc = crcWith(entry.crc, piece);
    return Error::success();
  }));
  if (Error error = file.write(zipLocalHeader(entry)))
    return error;
  if (Error error = file.write(header))
    return error;
  return forEachPiece(array,
                      [&](StringRef piece) { return file.write(piece); });
}

Error wf::writeNpz(StringRef path,
                   llvm::ArrayRef<std::pair<std::string, Array>> arrays) {
  std::vector<ZipEntry> entries;
  llvm::StringSet<> seen;
  for (size_t i = 0; i < arrays.size(); ++i) {
    std::string name = arrays[i].first;
    if (name.empty())
      name = "arr_" + std::to_string(i);
    if (!seen.insert(name).second)
      return userError("cannot write " + path + ": two arrays are called " +
                           name,
                       "give each result its own name");
    if (name.size() > 1000)
      return userError("cannot write " + path + ": an array's name has " +
                           llvm::Twine(name.size()) + " characters",
                       "names have at most 1000");
    entries.push_back({name + ".npy", 0, 0, 0});
  }
  Expected<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  uint64_t offset = 0;
  for (size_t i = 0; i < arrays.size(); ++i) {
    entries[i].offset = offset;
    if (Error error = writeEntry(*file, entries[i], arrays[i].second))
      return error;
    offset += zipLocalHeader(entries[i]).size() + entries[i].size;
  }
  if (Error error = file->write(zipDirectory(entries, offset)))
    return error;
  return file->commit();
}
