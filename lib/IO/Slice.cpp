//===- Slice.cpp - NumPy's basic slicing ---------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Each item takes an axis (or none) and gives an axis (or none); the start
// moves by whole elements, whether they are stored or generated.
//===----------------------------------------------------------------------===//
#include "IO/Slice.h"

#include "Error/Error.h"
#include "IO/Shape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <optional>

using namespace wf;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Python's rule for bounds: what is outside is cut off.
static int64_t clamp64(Int128 value) {
  return int64_t(std::clamp<Int128>(value, INT64_MIN + 1, INT64_MAX));
}

namespace {

class Slicer {
public:
  Slicer(const Array &array, StringRef spec) : from(array), spec(spec) {
    to = array;
    to.shape.clear();
    to.strides.clear();
  }

  Expected<Array> run();

private:
  Error wrong(const llvm::Twine &what) const {
    return userError("--slice '" + spec + "': " + what,
                     "it is NumPy's basic slicing, such as '1:3, ::-1', "
                     "'0, ..., 5' or 'None, :'");
  }
  Error takeItem(StringRef item);
  Error takeRange(StringRef item);
  Error takeInteger(StringRef item);
  /// A bound or step; empty text gives nothing.
  Expected<std::optional<int64_t>> bound(StringRef text) const;
  void keepAxis() {
    to.shape.push_back(from.shape[axis]);
    to.strides.push_back(from.strides[axis]);
    ++axis;
  }

  const Array &from;
  StringRef spec;
  Array to;
  size_t axis = 0;   // the next axis of `from`
  int64_t moved = 0; // elements between the two arrays' starts
};

} // namespace

Expected<std::optional<int64_t>> Slicer::bound(StringRef text) const {
  text = text.trim();
  if (text.empty() || text == "None")
    return std::nullopt;
  Expected<Int128> value = parseInteger(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return wrong("'" + text + "' is not an integer");
  }
  return clamp64(*value);
}

Error Slicer::takeRange(StringRef item) {
  llvm::SmallVector<StringRef, 3> parts;
  item.split(parts, ':');
  if (parts.size() > 3)
    return wrong("'" + item + "' has too many colons");
  std::optional<int64_t> given[3];
  for (size_t i = 0; i < parts.size(); ++i) {
    Expected<std::optional<int64_t>> value = bound(parts[i]);
    if (!value)
      return value.takeError();
    given[i] = *value;
  }
  int64_t size = from.shape[axis], step = given[2].value_or(1);
  if (step == 0)
    return wrong("the step is 0");
  // Bounds lie in [0, size] going up and in [-1, size - 1] going down.
  int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  auto place = [&](std::optional<int64_t> value, int64_t otherwise) {
    if (!value)
      return otherwise;
    return std::clamp(*value < 0 ? *value + size : *value, low, high);
  };
  int64_t start = place(given[0], step > 0 ? low : high);
  int64_t stop = place(given[1], step > 0 ? high : low);
  int64_t length = 0;
  if (step > 0 && start < stop)
    length = (stop - start - 1) / step + 1;
  else if (step < 0 && start > stop)
    length = (start - stop - 1) / -step + 1;
  // No move to an element that is not there, and no stride (it could
  // overflow) where none is used.
  if (length > 0 && size > 1)
    moved += start * from.strides[axis];
  to.shape.push_back(length);
  to.strides.push_back(length > 1 ? step * from.strides[axis]
                                  : from.strides[axis]);
  ++axis;
  return Error::success();
}

Error Slicer::takeInteger(StringRef item) {
  Expected<std::optional<int64_t>> index = bound(item);
  if (!index)
    return index.takeError();
  int64_t size = from.shape[axis];
  if (**index < -size || **index >= size)
    return wrong("index " + item + " is out of range for axis " +
                 llvm::Twine(axis) + " of shape " + formatShape(from.shape));
  int64_t at = **index < 0 ? **index + size : **index;
  if (size > 1)
    moved += at * from.strides[axis];
  ++axis;
  return Error::success();
}

Error Slicer::takeItem(StringRef item) {
  if (item.empty())
    return wrong("there is nothing between two commas");
  if (item == "None" || item == "newaxis") {
    to.shape.push_back(1);
    to.strides.push_back(0);
    return Error::success();
  }
  return item.contains(':') ? takeRange(item) : takeInteger(item);
}

Expected<Array> Slicer::run() {
  StringRef text = spec.trim();
  if (text.consume_front("[") && !text.consume_back("]"))
    return wrong("a ']' is missing");
  text = text.trim();
  if (text.empty())
    return wrong("it is empty");
  text.consume_back(","); // as in x[0,]
  llvm::SmallVector<StringRef, 8> items;
  text.split(items, ',');
  for (StringRef &item : items)
    item = item.trim();
  size_t ellipses = size_t(llvm::count(items, "..."));
  size_t added =
      size_t(llvm::count(items, "None") + llvm::count(items, "newaxis"));
  size_t taken = items.size() - ellipses - added;
  if (ellipses > 1)
    return wrong("'...' may stand once");
  if (taken > from.shape.size())
    return wrong("it has " + llvm::Twine(taken) + " indices, but the shape " +
                 formatShape(from.shape) + " has " +
                 llvm::Twine(from.shape.size()) + " axes");
  if (from.shape.size() + added > size_t(maxRank))
    return wrong("the result has too many axes");
  for (StringRef item : items) {
    if (item == "...") {
      for (size_t i = from.shape.size() - taken; i > 0; --i)
        keepAxis();
      continue;
    }
    if (Error error = takeItem(item))
      return error;
  }
  while (axis < from.shape.size())
    keepAxis();
  // An array without elements has no element to start at.
  if (from.elements() == 0)
    moved = 0;
  if (to.source)
    to.offset += moved;
  else
    to.data = static_cast<const char *>(to.data) + moved * byteSize(to.type);
  return to;
}

Expected<Array> wf::slice(const Array &array, StringRef spec) {
  return Slicer(array, spec).run();
}
