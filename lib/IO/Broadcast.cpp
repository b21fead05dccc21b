//===- Broadcast.cpp - One shape for several arrays ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Axes are counted from the end while sizes are compared.
//===----------------------------------------------------------------------===//
#include "IO/Broadcast.h"

#include "Error/Error.h"
#include "IO/Shape.h"

#include <algorithm>

using namespace wf;
using llvm::Expected;

/// The view of `array` with the shape `shape`, which it can take.
static Array stretched(const Array &array, const std::vector<int64_t> &shape) {
  Array view = array;
  view.shape = shape;
  view.strides.assign(shape.size(), 0);
  size_t added = shape.size() - array.shape.size();
  for (size_t i = 0; i < array.shape.size(); ++i)
    if (array.shape[i] != 1)
      view.strides[added + i] = array.strides[i];
  return view;
}

Expected<std::vector<Array>> wf::broadcast(llvm::ArrayRef<Array> arrays) {
  size_t rank = 0;
  int64_t widest = 1;
  for (const Array &array : arrays) {
    rank = std::max(rank, array.shape.size());
    widest = std::max(widest, byteSize(array.type));
  }
  std::vector<int64_t> shape(rank, 1);
  // Which array gave each size, for the message.
  std::vector<const Array *> giver(rank, nullptr);
  for (const Array &array : arrays) {
    size_t added = rank - array.shape.size();
    for (size_t i = 0; i < array.shape.size(); ++i) {
      int64_t size = array.shape[i], &common = shape[added + i];
      if (size == 1 || size == common)
        continue;
      if (common != 1)
        return userError("shapes " + formatShape(giver[added + i]->shape) +
                             " and " + formatShape(array.shape) +
                             " do not broadcast: axis " +
                             llvm::Twine(int64_t(added + i) - int64_t(rank)) +
                             " has sizes " + llvm::Twine(common) + " and " +
                             llvm::Twine(size),
                         "sizes must be equal or 1, counted from the last "
                         "axis; --slice with None adds axes of size 1");
      common = size;
      giver[added + i] = &array;
    }
  }
  if (!checkedBytes(shape, widest))
    return tooLarge("the inputs broadcast to an array", shape,
                    std::to_string(8 * widest) + "-bit");
  std::vector<Array> views;
  for (const Array &array : arrays)
    views.push_back(stretched(array, shape));
  return views;
}
