//===- NpyReader.cpp - From the bytes of a .npy file to a view -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Finds the header, has it parsed, and checks that the data it promises are
// there.
//===----------------------------------------------------------------------===//
#include "Error/Error.h"
#include "IO/Npy.h"
#include "IO/NpyHeader.h"
#include "IO/Shape.h"
#include "llvm/Support/Endian.h"

#include <algorithm>

using namespace wf;
using llvm::Expected;
using llvm::StringRef;

static constexpr StringRef magic("\x93NUMPY", 6);

bool wf::looksLikeNpy(const Bytes &bytes) {
  return StringRef(bytes.data, bytes.size).starts_with(magic);
}

static llvm::Error truncated(StringRef name, const llvm::Twine &what) {
  return userError(name + " is truncated: " + what,
                   "the file may not have been written or copied whole");
}

/// The header dict; `rest` starts at the magic and is left at the data.
static Expected<StringRef> takeHeader(StringRef &rest, StringRef name) {
  // A file cut inside the magic is truncated, any other start is no .npy.
  if (!rest.starts_with(magic) &&
      (rest.empty() || !magic.starts_with(rest.take_front(magic.size()))))
    return userError(name + (rest.empty() ? " is empty"
                                          : " is not a .npy file: it does not "
                                            "start with \\x93NUMPY"),
                     "write it with numpy.save, or give --raw T:SHAPE for a "
                     "file of bare numbers");
  if (rest.size() < magic.size() + 2)
    return truncated(name, "it ends inside the magic and version");
  unsigned major = uint8_t(rest[6]), minor = uint8_t(rest[7]);
  if (major < 1 || major > 3 || minor != 0)
    return userError(name + " has .npy version " + llvm::Twine(major) + "." +
                         llvm::Twine(minor),
                     "versions 1.0, 2.0 and 3.0 are supported");
  rest = rest.drop_front(8);
  size_t lengthBytes = major == 1 ? 2 : 4;
  if (rest.size() < lengthBytes)
    return truncated(name, "it ends inside the length of its header");
  uint64_t length = major == 1 ? llvm::support::endian::read16le(rest.data())
                               : llvm::support::endian::read32le(rest.data());
  rest = rest.drop_front(lengthBytes);
  if (rest.size() < length)
    return truncated(name, "its header has " + llvm::Twine(length) +
                               " bytes, of which " + llvm::Twine(rest.size()) +
                               " are there");
  StringRef header = rest.take_front(length);
  rest = rest.drop_front(length);
  return header;
}

Expected<Array> wf::parseNpy(const Bytes &bytes, StringRef name) {
  StringRef rest(bytes.data, bytes.size);
  Expected<StringRef> dict = takeHeader(rest, name);
  if (!dict)
    return dict.takeError();
  Expected<NpyHeader> header = parseNpyHeader(*dict, name);
  if (!header)
    return header.takeError();
  std::optional<int64_t> needed =
      checkedBytes(header->shape, byteSize(header->type));
  if (!needed)
    return tooLarge(name + ": an array", header->shape, wf::name(header->type));
  if (rest.size() < uint64_t(*needed))
    return truncated(name, "shape " + formatShape(header->shape) + " of " +
                               StringRef(wf::name(header->type)) + " needs " +
                               llvm::Twine(*needed) + " bytes of data, " +
                               llvm::Twine(rest.size()) + " are there");
  Array array;
  array.type = header->type;
  array.shape = std::move(header->shape);
  if (header->fortranOrder) {
    std::vector<int64_t> reversed(array.shape.rbegin(), array.shape.rend());
    array.strides = rowMajorStrides(reversed);
    std::reverse(array.strides.begin(), array.strides.end());
  } else {
    array.strides = rowMajorStrides(array.shape);
  }
  array.data = rest.data();
  array.owner = bytes.owner;
  return array;
}

static Expected<Array> parseMapped(Expected<Bytes> bytes, StringRef name) {
  if (!bytes)
    return bytes.takeError();
  return parseNpy(*bytes, name);
}

Expected<Array> wf::readNpy(StringRef path) {
  return parseMapped(mapFile(path), path);
}

Expected<Array> wf::readNpyFromDescriptor(int fd, StringRef name) {
  return parseMapped(mapDescriptor(fd, name), name);
}

Expected<Array> wf::readNpyFromStdin() {
  return parseMapped(mapStandardInput(), "standard input");
}
