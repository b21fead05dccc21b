//===- Array.h - A strided view of typed memory ------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What readers and generators give and what a reduction takes: a pointer, a
// type, a shape and strides. Nothing is copied to make one; `owner` keeps a
// mapping or a buffer alive. A generated array (gen:arange, gen:random) has no
// memory at all: `source` computes its elements, in pieces, when asked.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_IO_ARRAY_H
#define WARPFOLD_IO_ARRAY_H

#include "warpfold/Type.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace wf {

/// An array without memory: element `position` is a function of the position.
/// Thread-safe.
class ElementSource {
public:
  virtual ~ElementSource() = default;
  /// Writes the elements at positions first, first + step, … (count of them)
  /// to `out`, contiguously, in the array's stored type.
  virtual void fill(void *out, int64_t first, int64_t step,
                    int64_t count) const = 0;
};

/// Shape and strides in elements, in the array's logical axis order. Strides
/// may be negative, zero, or in any permutation; the stride of an axis of
/// length 1 means nothing. `data` points at the element with all indices 0.
struct Array {
  ScalarType type = ScalarType::F32;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  /// The element at index 0…0, or null where `source` makes the elements.
  const void *data = nullptr;
  /// Set for generated arrays: element (i, j, …) is the source's element at
  /// offset + i·strides[0] + j·strides[1] + …
  std::shared_ptr<const ElementSource> source;
  int64_t offset = 0;
  /// Keeps the memory behind `data` alive.
  std::shared_ptr<const void> owner;

  int64_t rank() const { return int64_t(shape.size()); }
  int64_t elements() const {
    int64_t n = 1;
    for (int64_t d : shape)
      n *= d;
    return n;
  }
};

/// Row-major strides, in elements.
inline std::vector<int64_t> rowMajorStrides(const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t s = 1;
  for (size_t i = shape.size(); i-- > 0; s *= shape[i])
    strides[i] = s;
  return strides;
}

} // namespace wf

#endif // WARPFOLD_IO_ARRAY_H
