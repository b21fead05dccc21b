//===- Elements.cpp - Reading the elements of any array ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Axes that follow each other row-major are merged first, so that the inner
// loop is as long as the array allows; then runs of the last axis are copied.
//===----------------------------------------------------------------------===//
#include "IO/Elements.h"

#include "Error/Error.h"
#include "IO/Shape.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace wf;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {
struct Axis {
  int64_t size, stride;
};
using Axes = llvm::SmallVector<Axis, 8>;
} // namespace

/// The same elements in the same order with as few axes as possible; at least
/// one.
static Axes mergedAxes(const Array &array) {
  Axes axes;
  for (size_t i = 0; i < array.shape.size(); ++i) {
    Axis axis{array.shape[i], array.strides[i]};
    if (axis.size == 1)
      continue;
    int64_t step;
    bool follows = !axes.empty() &&
                   !__builtin_mul_overflow(axis.stride, axis.size, &step) &&
                   axes.back().stride == step;
    if (follows)
      axes.back() = {axes.back().size * axis.size, axis.stride};
    else
      axes.push_back(axis);
  }
  if (axes.empty())
    axes.push_back({1, 0});
  return axes;
}

/// Loads go through memcpy: data need not be aligned.
template <int width>
static void gather(const char *in, int64_t strideBytes, int64_t count,
                   char *out) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(out + i * width, in + i * strideBytes, width);
}

/// `count` elements, `stride` apart, from element offset `offset` on.
static void copyRun(const Array &array, int64_t offset, int64_t stride,
                    int64_t count, char *out) {
  if (array.source)
    return array.source->fill(out, array.offset + offset, stride, count);
  int64_t width = byteSize(array.type);
  const char *in = static_cast<const char *>(array.data) + offset * width;
  if (stride == 1 || count == 1) {
    std::memcpy(out, in, size_t(count * width));
    return;
  }
  switch (width) {
  case 1:
    return gather<1>(in, stride, count, out);
  case 2:
    return gather<2>(in, stride * 2, count, out);
  case 4:
    return gather<4>(in, stride * 4, count, out);
  default:
    return gather<8>(in, stride * 8, count, out);
  }
}

void wf::copyElement(const Array &array, ArrayRef<int64_t> index, void *out) {
  int64_t offset = 0;
  for (size_t i = 0; i < index.size(); ++i)
    if (array.shape[i] > 1) // the stride of a length-1 axis means nothing
      offset += index[i] * array.strides[i];
  copyRun(array, offset, 1, 1, static_cast<char *>(out));
}

void wf::copyElements(const Array &array, int64_t first, int64_t count,
                      void *out) {
  if (count <= 0)
    return;
  Axes axes = mergedAxes(array);
  llvm::SmallVector<int64_t, 8> index(axes.size());
  int64_t offset = 0;
  for (size_t i = axes.size(); i-- > 0; first /= axes[i].size) {
    index[i] = first % axes[i].size;
    offset += index[i] * axes[i].stride;
  }
  size_t last = axes.size() - 1;
  char *to = static_cast<char *>(out);
  for (;;) {
    int64_t run = std::min(count, axes[last].size - index[last]);
    copyRun(array, offset, axes[last].stride, run, to);
    count -= run;
    if (count == 0)
      return;
    to += run * byteSize(array.type);
    // Step to the start of the next run: carry from the last axis up.
    offset -= index[last] * axes[last].stride;
    index[last] = 0;
    for (size_t i = last; i-- > 0;) {
      offset += axes[i].stride;
      if (++index[i] < axes[i].size)
        break;
      offset -= axes[i].size * axes[i].stride;
      index[i] = 0;
    }
  }
}

Error wf::forEachPiece(const Array &array,
                       llvm::function_ref<Error(StringRef)> consume) {
  constexpr int64_t pieceBytes = 1 << 20; // fits a second-level cache
  int64_t width = byteSize(array.type), elements = array.elements();
  int64_t piece = std::max<int64_t>(std::min(pieceBytes / width, elements), 1);
  auto buffer = std::make_unique<uint64_t[]>(size_t(piece * width + 7) / 8);
  char *memory = reinterpret_cast<char *>(buffer.get());
  for (int64_t first = 0; first < elements; first += piece) {
    int64_t count = std::min(piece, elements - first);
    copyElements(array, first, count, memory);
    if (Error error = consume(StringRef(memory, size_t(count * width))))
      return error;
  }
  return Error::success();
}

Expected<Array> wf::allocateArray(ScalarType type, ArrayRef<int64_t> shape,
                                  void *&memory) {
  std::optional<int64_t> bytes = checkedBytes(shape, byteSize(type));
  if (!bytes)
    return tooLarge("an array", shape, name(type));
  // Rounded up as aligned_alloc asks; never 0, so that null means failure.
  constexpr int64_t alignment = 64;
  size_t rounded = (size_t(*bytes) / alignment + 1) * alignment;
  memory = std::aligned_alloc(alignment, rounded);
  if (!memory)
    return deviceError("out of memory: an array of shape " +
                           formatShape(shape) + " and type " +
                           StringRef(name(type)) + " needs " +
                           llvm::Twine(*bytes) + " bytes",
                       "reduce a part of it with --slice");
  Array array;
  array.type = type;
  array.shape = shape.vec();
  array.strides = rowMajorStrides(array.shape);
  array.data = memory;
  array.owner = std::shared_ptr<const void>(memory, std::free);
  return array;
}

Expected<Array> wf::materialize(const Array &array) {
  void *memory = nullptr;
  Expected<Array> copy = allocateArray(array.type, array.shape, memory);
  if (copy)
    copyElements(array, 0, array.elements(), memory);
  return copy;
}
