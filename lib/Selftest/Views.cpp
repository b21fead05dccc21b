//===- Views.cpp - Arrays that lie in memory as users' arrays do ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Selftest/Views.h"

#include "Error/Error.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

using namespace wf;
using namespace wf::selftest;

View selftest::rowMajor(std::vector<int64_t> shape) {
  View view;
  view.strides = rowMajorStrides(shape);
  view.shape = std::move(shape);
  return view;
}

View selftest::stored(std::vector<int64_t> shape,
                      const std::vector<size_t> &storage) {
  View view;
  view.strides.resize(shape.size());
  int64_t step = 1;
  for (size_t i = storage.size(); i-- > 0; step *= shape[storage[i]])
    view.strides[storage[i]] = step;
  view.shape = std::move(shape);
  return view;
}

View selftest::pitched(std::vector<int64_t> shape, int64_t padding) {
  std::vector<int64_t> whole = shape;
  whole.back() += padding;
  View view = rowMajor(std::move(whole));
  view.shape = std::move(shape);
  return view;
}

View selftest::spread(View view, int64_t step) {
  for (int64_t &stride : view.strides)
    stride *= step;
  return view;
}

View selftest::reversed(View view, size_t axis) {
  view.strides[axis] = -view.strides[axis];
  return view;
}

View selftest::repeated(View view, size_t axis) {
  view.strides[axis] = 0;
  return view;
}

View selftest::skewed(View view, int64_t bytes) {
  view.skew = bytes;
  return view;
}

/// `bytes` of memory that begin `skew` bytes past a multiple of 256.
static std::shared_ptr<char> memoryFor(int64_t bytes, int64_t skew) {
  size_t all = size_t(bytes + skew + 255) / 256 * 256;
  char *base = static_cast<char *>(std::aligned_alloc(256, all));
  if (!base)
    return nullptr;
  std::shared_ptr<char> block(base, [](char *p) { std::free(p); });
  return {block, base + skew};
}

llvm::Expected<Array>
selftest::makeArray(Random &random, const CaseInput &input, int64_t rarity) {
  Array array;
  array.type = input.type;
  array.shape = input.view.shape;
  array.strides = input.view.strides;
  if (array.strides.empty())
    array.strides = rowMajorStrides(array.shape);
  int64_t low = 0, high = 0;
  for (size_t d = 0; d < array.shape.size(); ++d) {
    int64_t reach = std::max<int64_t>(0, array.shape[d] - 1) * array.strides[d];
    (reach < 0 ? low : high) += reach;
  }
  int64_t bytes = byteSize(input.type), count = high - low + 1;
  std::shared_ptr<char> memory = memoryFor(count * bytes, input.view.skew);
  if (!memory)
    return deviceError("no memory for an array of " +
                           llvm::Twine(count * bytes) + " bytes",
                       "free some, or choose cases with --only");
  fillElements(random, input.type, input.values, rarity, memory.get(), count);
  array.data = memory.get() - low * bytes;
  array.owner = memory;
  return array;
}
