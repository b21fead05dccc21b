//===- Case.h - One reduction of the self-test ------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A case is what a user could ask `warpfold reduce` for, as data: a reduction,
// inputs described by type, shape, strides and kind of values, axes, flags. Its
// elements are a function of the seed and of its name alone, so a name and a
// seed are all it takes to run one again:
//
//   views/sum-f32/rows-37x4095-pitch3      lengths/witness-i32/n4097
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SELFTEST_CASE_H
#define WARPFOLD_SELFTEST_CASE_H

#include "Pipeline/Reduce.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wf::selftest {

/// What elements look like. "Rare" is once in a fold, on average, so that the
/// results of neighbouring outputs differ.
enum class Values {
  Mixed,   ///< floats of many magnitudes, both signs; integers over their range
  Plain,   ///< floats in [-1, 1), integers over their range
  NearOne, ///< floats near ±1, odd integers: long products stay informative
  Ties,    ///< few different values
  Zeros,   ///< 0, a rare element is not
  Ones,    ///< all bits set (floats: 1), a rare element lacks some
  Special, ///< ±0, denormals, extremes, a rare infinity; bools of any byte
  WithNans, ///< Mixed, now and then a NaN of any sign and payload
  Nans,     ///< mostly NaNs
  One,      ///< 1, everywhere
};

/// How an input lies in memory. Strides are in elements; none means row-major.
struct View {
  std::vector<int64_t> shape, strides;
  /// Bytes from a multiple of 256 to the first element in memory.
  int64_t skew = 0;
};

struct CaseInput {
  ScalarType type;
  View view;
  Values values = Values::Mixed;
};

struct Case {
  std::string name;
  std::string source; ///< the reduction, as the text of a .fold file
  std::vector<CaseInput> inputs;
  std::vector<int64_t> axes;
  bool allAxes = true;
  std::optional<std::string> order, plan;
  std::optional<ScalarType> acc;
  bool nanIgnore = false;
  std::vector<std::pair<std::string, std::string>> params;
  bool quick = false; ///< in the short matrix too
  /// Any tree that the combine allows gives the same bits, even where the
  /// language does not see it.
  bool exact = false;
  /// The results, all i64 and of one element, where the reference fold would
  /// take hours and the right values are known.
  std::optional<std::vector<int64_t>> closedForm;
};

/// The request of a case, its arrays made and filled. Errors: memory, and a
/// reduction that does not parse (ours).
llvm::Expected<ReduceRequest> requestOf(const Case &c, uint64_t seed,
                                        const std::string &device);

/// Elements that the largest input's view has, repeated ones counted.
int64_t elementsOf(const Case &c);

} // namespace wf::selftest

#endif // WARPFOLD_SELFTEST_CASE_H
