//===- Check.h - Comparing results with the truth ---------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Two questions about a result: has it the oracle's bits, and is a float sum
// as near to the exact value as its tree promises? Every comparison is written
// so that a NaN fails it.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_NUMERICS_CHECK_H
#define WARPFOLD_NUMERICS_CHECK_H

#include "IO/Array.h"
#include "Numerics/Order.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>
#include <vector>

namespace wf {

/// What a comparison found.
struct CheckReport {
  int64_t compared = 0; ///< elements looked at
  int64_t wrong = 0;    ///< those that fail; at least 1 where shapes differ
  /// The largest error as a part of its bound; 0 without exact values.
  double worst = 0;
  /// One line for each of the first failures: index, both values, bits.
  std::vector<std::string> messages;

  bool ok() const { return wrong == 0; }
  void fail(std::string message);
  /// Adds what another comparison of the same array found.
  void merge(const CheckReport &other);
  /// "4 of 64 elements are wrong", then the messages; or "64 elements agree".
  std::string text() const;
};

/// Compares shape, type and stored bits: a NaN agrees only with the same NaN,
/// +0 only with +0, a bool only with the same byte.
CheckReport compareBits(const Array &got, const Array &want);

/// A float sum: what was summed, over which axes (increasing), by which tree.
struct SumProblem {
  const Array &input;
  llvm::ArrayRef<int64_t> axes;
  Order order;
  OrderShape shape;
};

/// Compares sums with the exact ones, within the tree's bound in arithmetic of
/// got.type. Outputs are matched row-major, whether or not axes were kept.
CheckReport compareExact(const Array &got, const SumProblem &problem);

/// Both comparisons; the second where there is a problem.
CheckReport compare(const Array &got, const Array &want,
                    const std::optional<SumProblem> &problem = std::nullopt);

} // namespace wf

#endif // WARPFOLD_NUMERICS_CHECK_H
