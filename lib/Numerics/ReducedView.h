//===- ReducedView.h - An array as outputs times elements -------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A view of any array (any strides, generated ones too) as the reduction sees
// it: outputs, row-major over the kept axes, each over positions k, row-major
// over the reduced axes, both in the array's logical axis order.
//
//   shape (2, 3, 4), axes {1}:  8 outputs of 3 elements; output 5 is (1, :, 1)
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_NUMERICS_REDUCEDVIEW_H
#define WARPFOLD_NUMERICS_REDUCEDVIEW_H

#include "IO/Array.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <string>

namespace wf {

/// Checks that the axes are increasing and within the rank; internal errors.
llvm::Error verifyAxes(int64_t rank, llvm::ArrayRef<int64_t> axes);

class ReducedView {
public:
  /// `axes` as verifyAxes() allows. Without axes every element is an output
  /// of its own. `array` must outlive the view.
  ReducedView(const Array &array, llvm::ArrayRef<int64_t> axes);

  ScalarType type() const { return array.type; }
  int64_t outputs() const { return kept.count; }
  int64_t perOutput() const { return reduced.count; }

  /// The payload of an element as it is stored, a bool of any byte included.
  uint64_t stored(int64_t output, int64_t k) const;
  /// The payload of an element as a value: a bool is 0 or 1.
  uint64_t value(int64_t output, int64_t k) const;

  /// The output's index over the kept axes: "(1, 1)"; "()" for the only one.
  std::string outputIndex(int64_t output) const;

private:
  /// Some of the axes, walked row-major.
  struct Axes {
    llvm::SmallVector<int64_t, 4> lengths, strides;
    int64_t count = 1;
    void add(int64_t length, int64_t stride);
    int64_t offset(int64_t position) const;
  };
  const Array &array;
  Axes kept, reduced;
};

/// The shape of the results: reduced axes are dropped, or kept with length 1.
std::vector<int64_t> resultShape(llvm::ArrayRef<int64_t> shape,
                                 llvm::ArrayRef<int64_t> axes, bool keepDims);

/// A row-major array of that type and shape with its own memory, filled with
/// the byte 0xAB so that an element nobody wrote can be told; *data is where
/// to write.
Array ownedArray(ScalarType type, std::vector<int64_t> shape, char **data);

} // namespace wf

#endif // WARPFOLD_NUMERICS_REDUCEDVIEW_H
