//===- Raw.cpp - Files of bare numbers -----------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "IO/Raw.h"

#include "Error/Error.h"
#include "IO/Shape.h"

using namespace wf;
using llvm::Expected;
using llvm::StringRef;

namespace {
struct RawSpec {
  ScalarType type;
  std::vector<int64_t> shape;
  int64_t bytes;
};
} // namespace

static Expected<RawSpec> parseSpec(StringRef spec) {
  auto [typeText, shapeText] = spec.split(':');
  if (!spec.contains(':'))
    return userError("--raw " + spec + " has no ':'",
                     "write the type and the shape, such as f32:1024x4096");
  std::optional<ScalarType> type = scalarTypeNamed(typeText.trim());
  if (!type)
    return userError("--raw " + spec + ": type '" + typeText + "' is unknown",
                     "supported: " + supportedTypes());
  Expected<std::vector<int64_t>> shape = parseShape(shapeText);
  if (!shape)
    return shape.takeError();
  std::optional<int64_t> bytes = checkedBytes(*shape, byteSize(*type));
  if (!bytes)
    return tooLarge("--raw: an array", *shape, typeText);
  return RawSpec{*type, std::move(*shape), *bytes};
}

static Expected<Array> view(const Bytes &bytes, StringRef name, RawSpec spec) {
  if (bytes.size != uint64_t(spec.bytes))
    return userError(name + " has " + llvm::Twine(bytes.size) +
                         " bytes, but shape " + formatShape(spec.shape) +
                         " of " + StringRef(wf::name(spec.type)) + " needs " +
                         llvm::Twine(spec.bytes),
                     "correct the shape or the type in --raw T:SHAPE");
  Array array;
  array.type = spec.type;
  array.shape = std::move(spec.shape);
  array.strides = rowMajorStrides(array.shape);
  array.data = bytes.data;
  array.owner = bytes.owner;
  return array;
}

Expected<Array> wf::parseRaw(const Bytes &bytes, StringRef name,
                             StringRef spec) {
  Expected<RawSpec> parsed = parseSpec(spec);
  if (!parsed)
    return parsed.takeError();
  return view(bytes, name, std::move(*parsed));
}

Expected<Array> wf::readRaw(StringRef path, StringRef spec) {
  Expected<Bytes> bytes = mapFile(path);
  if (!bytes)
    return bytes.takeError();
  return parseRaw(*bytes, path, spec);
}
