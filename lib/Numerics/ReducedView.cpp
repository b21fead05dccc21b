//===- ReducedView.cpp - An array as outputs times elements ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Numerics/ReducedView.h"
#include "Error/Error.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace wf;

llvm::Error wf::verifyAxes(int64_t rank, llvm::ArrayRef<int64_t> axes) {
  int64_t previous = -1;
  for (int64_t axis : axes) {
    if (axis <= previous || axis >= rank)
      return internalError("reduced axes are not increasing and below " +
                           llvm::Twine(rank));
    previous = axis;
  }
  return llvm::Error::success();
}

void ReducedView::Axes::add(int64_t length, int64_t stride) {
  lengths.push_back(length);
  strides.push_back(stride);
  count *= length;
}

int64_t ReducedView::Axes::offset(int64_t position) const {
  int64_t sum = 0;
  for (size_t i = lengths.size(); i-- > 0; position /= lengths[i])
    sum += position % lengths[i] * strides[i];
  return sum;
}

ReducedView::ReducedView(const Array &array, llvm::ArrayRef<int64_t> axes)
    : array(array) {
  for (int64_t axis = 0; axis < array.rank(); ++axis)
    (llvm::is_contained(axes, axis) ? reduced : kept)
        .add(array.shape[size_t(axis)], array.strides[size_t(axis)]);
}

uint64_t ReducedView::stored(int64_t output, int64_t k) const {
  const int64_t offset = kept.offset(output) + reduced.offset(k);
  uint64_t payload = 0;
  if (array.source) {
    array.source->fill(&payload, array.offset + offset, 1, 1);
    return payload;
  }
  const size_t bytes = size_t(byteSize(array.type));
  std::memcpy(&payload,
              static_cast<const char *>(array.data) + offset * int64_t(bytes),
              bytes);
  return payload;
}

uint64_t ReducedView::value(int64_t output, int64_t k) const {
  const uint64_t payload = stored(output, k);
  return array.type == ScalarType::Bool ? payload != 0 : payload;
}

std::string ReducedView::outputIndex(int64_t output) const {
  std::string text;
  for (size_t i = kept.lengths.size(); i-- > 0; output /= kept.lengths[i])
    text = std::to_string(output % kept.lengths[i]) +
           (text.empty() ? "" : ", ") + text;
  return "(" + text + ")";
}

std::vector<int64_t> wf::resultShape(llvm::ArrayRef<int64_t> shape,
                                     llvm::ArrayRef<int64_t> axes,
                                     bool keepDims) {
  std::vector<int64_t> result;
  for (auto [axis, length] : llvm::enumerate(shape)) {
    if (!llvm::is_contained(axes, int64_t(axis)))
      result.push_back(length);
    else if (keepDims)
      result.push_back(1);
  }
  return result;
}

Array wf::ownedArray(ScalarType type, std::vector<int64_t> shape, char **data) {
  Array array;
  array.type = type;
  array.strides = rowMajorStrides(shape);
  array.shape = std::move(shape);
  auto memory = std::make_shared<std::vector<char>>(
      size_t(array.elements() * byteSize(type)), char(0xAB));
  *data = memory->data();
  array.data = memory->data();
  array.owner = memory;
  return array;
}
