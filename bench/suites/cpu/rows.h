//===- rows.h - What the CPU suite measures ---------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef BENCH_SUITES_CPU_ROWS_H
#define BENCH_SUITES_CPU_ROWS_H

#include "harness/report.h"
#include "suites/cpu/data.h"

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// One reduction of the first elements of the data.
struct Row {
  std::string name;
  std::string op; ///< of the catalogue
  Fill data;
  std::vector<int64_t> shape, axes; ///< axes increasing; all if empty
  std::string numpy;                ///< the same for NumPy
  std::vector<Target> targets;
  int repeats = 1;       ///< calls in one timing, where one is too short
  bool wantsSum = false; ///< our own sum runs beside it

  int64_t elements() const {
    int64_t n = 1;
    for (int64_t d : shape)
      n *= d;
    return n;
  }
  size_t bytes() const { return size_t(elements()) * sizeOf(typeOf(data)); }
  bool isFull() const { return axes.empty(); }
};

/// All rows, those of one kind of data together.
std::vector<Row> allRows();

} // namespace bench

#endif // BENCH_SUITES_CPU_ROWS_H
