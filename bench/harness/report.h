//===- report.h - Tables of what was measured -------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Lines (one reduction on some threads, ours against the others) and figures
// (one number against a limit) go in; a table for the terminal, Markdown and
// CSV come out.
//===----------------------------------------------------------------------===//
#ifndef BENCH_HARNESS_REPORT_H
#define BENCH_HARNESS_REPORT_H

#include "harness/machine.h"
#include "harness/measure.h"

namespace bench {

/// Ours has to be at least `least` times as fast as that contender.
/// "read-only" is the faster of the contenders whose names start with "read".
struct Target {
  std::string against;
  double least;
};

struct Line {
  std::string name;
  std::string home; ///< the cache that holds the input, or DRAM
  int threads = 1;
  double bytes = 0;           ///< that one run reads
  std::string plan;           ///< ours
  double tolerance = 0;       ///< relative, of ours
  std::vector<Series> series; ///< ours first
  std::vector<Target> targets;
};

/// Smaller is better.
struct Figure {
  std::string name, unit;
  Spread value;
  double most;       ///< the target; infinite: for information
  std::string fault; ///< why there is no value
};

struct Report {
  Machine machine;
  std::string commit, compiler;
  std::vector<std::string> peers;   ///< those in it, with versions
  std::vector<std::string> skipped; ///< those left out, with the reason
  std::vector<Line> lines;
  std::vector<Figure> figures;
};

/// The faster of the read-only loops; null if there is none.
const Series *readOnlyOf(const Line &line);

/// What is printed as a line is done: cells of a fixed width.
std::string headText();
std::string lineText(const Line &line);
std::string figureText(const Figure &figure);

std::string markdown(const Report &report);
std::string csv(const Report &report);

/// Targets missed, wrong results and refused rates, one a text.
std::vector<std::string> shortfalls(const Report &report);

/// Tests of the verdicts with wrong answers; what failed, or empty.
std::string selfTestReport();

} // namespace bench

#endif // BENCH_HARNESS_REPORT_H
