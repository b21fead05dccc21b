//===- contenders.h - Who runs a row -----------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// For a row and a number of threads: Warpfold first, then the read-only loops
// and every peer that has the reduction, each with its check.
//===----------------------------------------------------------------------===//
#ifndef BENCH_SUITES_CPU_CONTENDERS_H
#define BENCH_SUITES_CPU_CONTENDERS_H

#include "peers/numpy.h"
#include "suites/cpu/reference.h"

namespace bench {

/// What the contenders of one row share; it outlives them.
struct Setting {
  const Row &row;
  const Data &data;
  const Wanted &wanted;
  uint64_t joinedWords; ///< of the row's bytes
  ThreadTeam &team;     ///< its size is the number of threads
  NumpyPeer &numpy;     ///< has the data and the row's view already
};

/// Empty, with the reason in `error`, if Warpfold cannot prepare the row.
std::vector<Contender> contendersOf(const Setting &setting, std::string &error);

} // namespace bench

#endif // BENCH_SUITES_CPU_CONTENDERS_H
