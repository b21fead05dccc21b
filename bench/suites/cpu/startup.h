//===- startup.h - Compile times, first results, memory ---------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef BENCH_SUITES_CPU_STARTUP_H
#define BENCH_SUITES_CPU_STARTUP_H

#include "harness/report.h"

namespace bench {

/// Runs the command line as fresh processes: time to the first result, time
/// of the compile phases, anonymous peak on a sparse 2 GiB file (made in the
/// system's folder for temporary files and removed). And, in this process,
/// the time to prepare a sum that is not in the cache.
std::vector<Figure> startupFigures(const std::string &program, int runs);

/// Milliseconds of the compile phases in what --time prints: all but `run`
/// and `total`. NaN where there are none.
double compilePhases(const std::string &text);

std::string selfTestStartup();

} // namespace bench

#endif // BENCH_SUITES_CPU_STARTUP_H
