//===- measure.h - Contenders timed in turn ---------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Every round runs each contender once, in a shuffled order, and a comparison
// is the median of the ratios within a round: what slows the machine for a
// while slows both sides.
//
//   round 1   read 12.1  ours 12.4  std 12.9      ours/read .976
//   round 2   ours 15.0  std 15.8  read 14.8      ours/read .987
//
// Results are checked in every round, before the time is kept.
//===----------------------------------------------------------------------===//
#ifndef BENCH_HARNESS_MEASURE_H
#define BENCH_HARNESS_MEASURE_H

#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Contender {
  std::string name;
  /// Fills the outputs with what cannot be a result.
  std::function<void()> spoil;
  /// Runs and returns the seconds of one reduction; NaN: it cannot run.
  std::function<double()> time;
  /// What is wrong with the last run's result; empty if nothing.
  std::function<std::string()> check;
  /// May sit out later rounds if it is far slower than the rest.
  bool isOptional = true;
};

/// A contender's times, by round.
struct Series {
  std::string name;
  std::vector<double> seconds; ///< NaN: sat the round out
  std::string fault;           ///< not empty: wrong result, no time is quoted
};

struct Spread {
  double median, low, high; ///< quartiles
  int rounds = 0;
};

struct Budget {
  double seconds = 2.5; ///< rounds go on until this is spent
  int least = 5, most = 40;
};

/// Seconds of one of `repeats` calls.
double timed(int repeats, const std::function<void()> &call);

/// One warm-up round, then rounds until the budget is spent. A contender with
/// a wrong result is out from then on; an optional one that takes more than
/// four times as long as the fastest sits out after the third round. `flush`
/// (may be null) runs before every timing, after `spoil`: it makes the caches
/// the same for all.
std::vector<Series> interleave(const std::vector<Contender> &contenders,
                               const Budget &budget,
                               const std::function<void()> &flush = nullptr);

/// Median and quartiles, NaNs left out; all NaN if nothing is left.
Spread spreadOf(std::vector<double> values);
Spread timeOf(const Series &series);

/// How fast `a` is compared with `b`: b's time over a's, round by round.
Spread speedRatio(const Series &a, const Series &b);

/// Tests of the above with wrong answers; what failed, or empty.
std::string selfTestMeasure();

} // namespace bench

#endif // BENCH_HARNESS_MEASURE_H
