//===- reference.h - What the results have to be ----------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Plain loops in whole numbers, which know nothing of trees or threads. All
// values of the data are whole, so sums are exact and are compared as such.
//===----------------------------------------------------------------------===//
#ifndef BENCH_SUITES_CPU_REFERENCE_H
#define BENCH_SUITES_CPU_REFERENCE_H

#include "suites/cpu/rows.h"

namespace bench {

struct Wanted {
  wf_type type = WF_F32;      ///< of a result
  std::vector<double> values; ///< row-major
  /// Largest relative error allowed; 0 where any order gives the exact value.
  double tolerance = 0;
  /// The same for NumPy's arithmetic, which keeps sums of squares in f32.
  double numpyTolerance = 0;
};

Wanted wantedOf(const Row &row, const Data &data);

/// What is wrong with results, or empty. `tolerance` is one of the above.
std::string compareWith(const Wanted &wanted, const void *results,
                        double tolerance);

/// Tests of the comparison with wrong answers; what failed, or empty.
std::string selfTestReference();

} // namespace bench

#endif // BENCH_SUITES_CPU_REFERENCE_H
