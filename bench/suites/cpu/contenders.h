//===- contenders.h - Who runs a row ----------------------------*- C++ -*-===//
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

struct Entrants {
  std::vector<Contender> contenders; ///< ours first
  std::string plan;                  ///< ours
  std::string error;                 ///< why Warpfold cannot prepare the row
};

Entrants entrantsOf(const Setting &setting);

} // namespace bench

#endif // BENCH_SUITES_CPU_CONTENDERS_H
