//===- Format.cpp - Arrays as text and as JSON ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Elements are read in pieces: a generated array may be far larger than memory.
//===----------------------------------------------------------------------===//
#include "IO/Format.h"

#include "IO/Elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace wf;
using llvm::raw_ostream;

namespace {

constexpr int64_t shownWhole = 1000; // elements, NumPy's threshold
constexpr int64_t shownEnds = 3;     // at each end of an axis, NumPy's too
constexpr int64_t piece = 512;       // elements read at once

class Printer {
public:
  Printer(raw_ostream &os, const Array &array, bool shorten)
      : os(os), array(array), shorten(shorten) {}

  /// The part of the array under the first `depth` indices; `position` is
  /// that of its first element.
  void print(size_t depth, int64_t position) {
    if (depth == array.shape.size())
      return printRun(position, 1);
    int64_t size = array.shape[depth];
    bool cut = shorten && size > 2 * shownEnds;
    os << '[';
    printPart(depth, position, 0, cut ? shownEnds : size);
    if (cut) {
      os << ", ..., ";
      printPart(depth, position, size - shownEnds, size);
    }
    os << ']';
  }

private:
  /// Items first … last - 1 of axis `depth`.
  void printPart(size_t depth, int64_t position, int64_t first, int64_t last) {
    if (depth + 1 == array.shape.size())
      return printRun(position + first, last - first);
    int64_t below = 1;
    for (size_t i = depth + 1; i < array.shape.size(); ++i)
      below *= array.shape[i];
    for (int64_t i = first; i < last; ++i) {
      if (i != first)
        os << ", ";
      print(depth + 1, position + i * below);
    }
  }

  void printRun(int64_t position, int64_t count) {
    char buffer[piece * 8];
    int64_t width = byteSize(array.type);
    for (int64_t done = 0; done < count; done += piece) {
      int64_t now = std::min(piece, count - done);
      copyElements(array, position + done, now, buffer);
      for (int64_t i = 0; i < now; ++i)
        os << (done + i ? ", " : "")
           << formatScalar(array.type, buffer + i * width);
    }
  }

  raw_ostream &os;
  const Array &array;
  bool shorten;
};

} // namespace

void wf::printArray(raw_ostream &os, const Array &array, bool full) {
  // Sizes of 0 count as 1: a billion empty rows are shortened too.
  int64_t shown = 1;
  for (int64_t size : array.shape)
    shown *= std::max<int64_t>(size, 1);
  Printer(os, array, !full && shown > shownWhole).print(0, 0);
}

std::string wf::formatArray(const Array &array, bool full) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printArray(os, array, full);
  return text;
}

/// Calls `visit` with the address of each element that JSON shows.
template <class Visit>
static void forEachShown(const Array &array, Visit visit) {
  int64_t count = std::min(array.elements(), jsonLimit);
  char buffer[jsonLimit * 8];
  copyElements(array, 0, count, buffer);
  for (int64_t i = 0; i < count; ++i)
    visit(buffer + i * byteSize(array.type));
}

template <class T> static T load(const char *element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

static llvm::json::Value jsonValue(ScalarType type, const char *element) {
  switch (type) {
#define X(E, N, B, D, S, T)                                                    \
  case ScalarType::E:                                                          \
    if constexpr (ScalarType::E == ScalarType::Bool)                           \
      return load<T>(element) != 0;                                            \
    else if (!isFloat(ScalarType::E) ||                                        \
             std::isfinite(double(load<T>(element))))                          \
      return load<T>(element);                                                 \
    break;
    WF_SCALAR_TYPES(X)
#undef X
  }
  return formatScalar(type, element); // nan, inf, -inf
}

llvm::json::Value wf::jsonValues(const Array &array) {
  llvm::json::Array list;
  forEachShown(array, [&](const char *element) {
    list.push_back(jsonValue(array.type, element));
  });
  return list;
}

void wf::writeJsonValues(llvm::json::OStream &json, const Array &array) {
  json.arrayBegin();
  forEachShown(array, [&](const char *element) {
    llvm::json::Value value = jsonValue(array.type, element);
    bool finiteFloat =
        isFloat(array.type) && value.kind() == llvm::json::Value::Number;
    if (finiteFloat)
      json.rawValue(formatFloat(*value.getAsNumber()));
    else
      json.value(value);
  });
  json.arrayEnd();
}
