//===- Views.h - Arrays as users have them ----------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Random shapes at the sizes where compilers go wrong, and views of them:
// permuted, sliced with steps, reversed, broadcast, misaligned, generated. A
// view's memory is just as long as the view reaches.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_UNITTESTS_PIPELINE_VIEWS_H
#define WARPFOLD_UNITTESTS_PIPELINE_VIEWS_H

#include "../Plan/Random.h"
#include "IO/Array.h"

#include <string>

namespace wf::test {

extern const std::vector<ScalarType> allTypes;

/// Axis lengths for cases that share kernels, increasing: 1, 2, a few up to 128
/// (a short row's length is compiled in) and many beyond, around 4096 and the
/// chunks of canonical/1.
std::vector<int64_t> randomLengths(Random &random);

/// Axes of some of the lengths, with at most `most` elements in all.
std::vector<int64_t> randomShape(Random &random,
                                 const std::vector<int64_t> &lengths,
                                 int64_t rank, int64_t most);

/// What elements look like.
enum class Values {
  Plain,    ///< floats in [-1, 1), integers and bools over their range
  Small,    ///< few different values, many ties
  Wide,     ///< floats of very different size, both signs
  Special,  ///< ±0, ±inf, denormals, extremes; bools of any byte
  WithNans, ///< Plain, now and then a NaN of any sign and payload
  Nans,     ///< mostly NaNs
  Lowest,   ///< the lowest value of the type, everywhere
  Highest,  ///< the highest
};
Values randomValues(Random &random);

/// A view in memory of its own.
Array randomView(Random &random, ScalarType type, std::vector<int64_t> shape,
                 Values values);

/// A row-major array in memory of its own.
Array rowMajorArray(Random &random, ScalarType type, std::vector<int64_t> shape,
                    Values values);

/// A view of gen:arange or gen:random.
Array generatedView(Random &random, ScalarType type,
                    std::vector<int64_t> shape);

/// "(1, -7, 3)".
std::string listText(const std::vector<int64_t> &numbers);

/// "f32 shape (2, 3) strides (3, 1), 2 bytes off alignment".
std::string describe(const Array &array);

} // namespace wf::test

#endif // WARPFOLD_UNITTESTS_PIPELINE_VIEWS_H
