//===- Views.h - Arrays that lie in memory as users' arrays do --*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Descriptions of views, each made from another, and the array of one:
//
//   reversed(pitched({37, 4095}, 1), 1)   37 rows of 4095, stored last first,
//                                         one element of padding a row
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SELFTEST_VIEWS_H
#define WARPFOLD_SELFTEST_VIEWS_H

#include "Selftest/Case.h"
#include "Selftest/Random.h"

namespace wf::selftest {

View rowMajor(std::vector<int64_t> shape);

/// Axes stored in the order `storage`, outermost first: {1, 0} is a transposed
/// matrix.
View stored(std::vector<int64_t> shape, const std::vector<size_t> &storage);

/// Row-major with `padding` elements after each step of the last axis.
View pitched(std::vector<int64_t> shape, int64_t padding);

/// Every stride times `step`: elements between the view's are skipped.
View spread(View view, int64_t step);

/// `axis` backwards.
View reversed(View view, size_t axis);

/// `axis` repeats one slice, stride 0.
View repeated(View view, size_t axis);

/// `bytes` past a multiple of 256.
View skewed(View view, int64_t bytes);

/// The array of a view in memory of its own, every element in reach filled.
/// `rarity`: see Values. Errors: out of memory.
llvm::Expected<Array> makeArray(Random &random, const CaseInput &input,
                                int64_t rarity);

/// Fills `count` elements of `type` at `to`.
void fillElements(Random &random, ScalarType type, Values values,
                  int64_t rarity, char *to, int64_t count);

} // namespace wf::selftest

#endif // WARPFOLD_SELFTEST_VIEWS_H
