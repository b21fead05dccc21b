//===- SafetensorsReader.cpp - The header of a .safetensors file ---------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Length, JSON, then one entry after the other, then the data as a whole.
//===----------------------------------------------------------------------===//
#include "Error/Error.h"
#include "IO/Safetensors.h"
#include "IO/Shape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"

#include <tuple>

using namespace wf;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

// The format's own limit on the header: 100 MB.
static constexpr uint64_t longestHeader = 100'000'000;
// Entries nest three deep; the JSON reader recurses and has no limit itself.
static constexpr int deepestHeader = 32;

static Error malformed(StringRef file, const llvm::Twine &what) {
  return userError(file + " is not a valid safetensors file: " + what,
                   "the file may be damaged or not have been copied whole");
}

/// Bits of an element of a type that exists in the format, or nothing.
static std::optional<int64_t> bitsOf(StringRef dtype) {
#define X(E, N, B, D, S, ...)                                                  \
  if (dtype == S)                                                              \
    return B * 8;
  WF_SCALAR_TYPES(X)
#undef X
  if (dtype == "F16" || dtype == "BF16")
    return 16;
  if (dtype == "C64")
    return 64;
  if (dtype.starts_with("F8_"))
    return 8;
  if (dtype.starts_with("F6_"))
    return 6;
  if (dtype == "F4")
    return 4;
  return std::nullopt;
}

static std::optional<ScalarType> typeNamed(StringRef dtype) {
#define X(E, N, B, D, S, ...)                                                  \
  if (dtype == S)                                                              \
    return ScalarType::E;
  WF_SCALAR_TYPES(X)
#undef X
  return std::nullopt;
}

/// True if brackets nest at most deepestHeader deep, strings left out.
static bool isShallow(StringRef json) {
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < json.size(); ++i) {
    char c = json[i];
    if (inString) {
      i += c == '\\';
      inString = c != '"';
    } else if (c == '"') {
      inString = true;
    } else if (c == '{' || c == '[') {
      if (++depth > deepestHeader)
        return false;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return true;
}

/// Integers of a JSON list, none of them negative.
static std::optional<std::vector<int64_t>>
sizesIn(const llvm::json::Array *list) {
  if (!list)
    return std::nullopt;
  std::vector<int64_t> sizes;
  for (const llvm::json::Value &item : *list) {
    std::optional<int64_t> size = item.getAsInteger();
    if (!size || *size < 0)
      return std::nullopt;
    sizes.push_back(*size);
  }
  return sizes;
}

static Expected<Tensor> readEntry(StringRef name,
                                  const llvm::json::Value &value,
                                  uint64_t dataBytes, StringRef file) {
  auto wrong = [&](const llvm::Twine &what) {
    return malformed(file, "tensor '" + name + "' " + what);
  };
  const llvm::json::Object *entry = value.getAsObject();
  if (!entry)
    return wrong("is not described by an object");
  std::optional<StringRef> dtype = entry->getString("dtype");
  if (!dtype)
    return wrong("has no dtype");
  auto shape = sizesIn(entry->getArray("shape"));
  if (!shape)
    return wrong("has no shape, or one that is not a list of sizes");
  auto offsets = sizesIn(entry->getArray("data_offsets"));
  if (!offsets || offsets->size() != 2)
    return wrong("has no data_offsets [begin, end]");
  uint64_t begin = uint64_t((*offsets)[0]), end = uint64_t((*offsets)[1]);
  if (begin > end || end > dataBytes)
    return wrong("has data_offsets [" + llvm::Twine(begin) + ", " +
                 llvm::Twine(end) + "], but the file has " +
                 llvm::Twine(dataBytes) + " bytes of data");
  if (std::optional<int64_t> bits = bitsOf(*dtype)) {
    // The product in bits; sub-byte types are packed without gaps.
    std::optional<int64_t> total = checkedBytes(*shape, *bits);
    if (!total)
      return wrong("has shape " + formatShape(*shape) + ", which is too large");
    if (uint64_t(*total) != (end - begin) * 8)
      return wrong("of shape " + formatShape(*shape) + " and type " + *dtype +
                   " needs " + llvm::Twine((uint64_t(*total) + 7) / 8) +
                   " bytes, but its data_offsets give it " +
                   llvm::Twine(end - begin));
  }
  return Tensor{name.str(),        dtype->str(), typeNamed(*dtype),
                std::move(*shape), begin,        end};
}

/// The tensors must lie end to end from the first byte to the last.
static Error checkCover(llvm::ArrayRef<Tensor> tensors, uint64_t dataBytes,
                        StringRef file) {
  std::vector<const Tensor *> byPlace;
  for (const Tensor &tensor : tensors)
    byPlace.push_back(&tensor);
  llvm::sort(byPlace, [](const Tensor *a, const Tensor *b) {
    return std::tie(a->begin, a->end) < std::tie(b->begin, b->end);
  });
  uint64_t at = 0;
  for (const Tensor *tensor : byPlace) {
    if (tensor->begin != at)
      return malformed(file, "tensor '" + tensor->name + "' starts at byte " +
                                 llvm::Twine(tensor->begin) +
                                 " of the data, where " + llvm::Twine(at) +
                                 " was expected: tensors overlap or leave a "
                                 "hole");
    at = tensor->end;
  }
  if (at != dataBytes)
    return malformed(file, "its tensors end at byte " + llvm::Twine(at) +
                               " of the data, but the file has " +
                               llvm::Twine(dataBytes));
  return Error::success();
}

bool wf::looksLikeSafetensors(const Bytes &bytes) {
  return bytes.size > 8 && bytes.data[8] == '{' &&
         llvm::support::endian::read64le(bytes.data) <= bytes.size - 8;
}

/// The JSON text, checked for length and depth.
static Expected<StringRef> headerIn(const Bytes &bytes, StringRef name) {
  if (bytes.size < 8)
    return malformed(name, "it has " + llvm::Twine(bytes.size) +
                               " bytes, fewer than the 8 of its length field");
  uint64_t length = llvm::support::endian::read64le(bytes.data);
  if (length > longestHeader)
    return malformed(name, "its header would have " + llvm::Twine(length) +
                               " bytes, more than the format allows");
  if (length > bytes.size - 8)
    return malformed(name, "its header has " + llvm::Twine(length) +
                               " bytes, of which " +
                               llvm::Twine(bytes.size - 8) + " are there");
  StringRef header(bytes.data + 8, length);
  if (!header.starts_with("{"))
    return malformed(name, "its header is not a JSON object");
  if (!isShallow(header))
    return malformed(name, "its header nests too deep");
  return header;
}

Expected<SafetensorsFile> wf::parseSafetensors(const Bytes &bytes,
                                               StringRef name) {
  Expected<StringRef> header = headerIn(bytes, name);
  if (!header)
    return header.takeError();
  Expected<llvm::json::Value> json = llvm::json::parse(*header);
  if (!json)
    return malformed(name, "its header is no JSON: " +
                               llvm::toString(json.takeError()));
  const llvm::json::Object *object = json->getAsObject();
  if (!object)
    return malformed(name, "its header is not a JSON object");
  SafetensorsFile file;
  file.file = name.str();
  file.data = Bytes{bytes.data + 8 + header->size(),
                    bytes.size - 8 - header->size(), bytes.owner};
  for (const auto &[key, value] : *object) {
    if (StringRef(key) == "__metadata__")
      continue;
    Expected<Tensor> tensor = readEntry(key, value, file.data.size, name);
    if (!tensor)
      return tensor.takeError();
    file.list.push_back(std::move(*tensor));
  }
  if (Error error = checkCover(file.list, file.data.size, name))
    return error;
  llvm::sort(file.list,
             [](const Tensor &a, const Tensor &b) { return a.name < b.name; });
  return file;
}

Expected<SafetensorsFile> wf::openSafetensors(StringRef path) {
  Expected<Bytes> bytes = mapFile(path);
  if (!bytes)
    return bytes.takeError();
  return parseSafetensors(*bytes, path);
}
