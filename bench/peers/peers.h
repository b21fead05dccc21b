//===- peers.h - What Warpfold is measured against --------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The read-only loops (the denominator of every bandwidth) and the peers that
// are compiled in, each with the flags of bench/CMakeLists.txt. A peer whose
// library was missing at build time answers false.
//===----------------------------------------------------------------------===//
#ifndef BENCH_PEERS_PEERS_H
#define BENCH_PEERS_PEERS_H

#include "harness/thread_team.h"

#include <cstdint>
#include <vector>

namespace bench {

/// What one thread takes at a time from a long array.
constexpr size_t pieceBytes = size_t(2) << 20;

/// The exclusive or of all 64-bit words of `bytes` bytes (a multiple of 64),
/// read in one ascending stream a thread.
uint64_t readOneStream(ThreadTeam &team, const void *data, size_t bytes);

/// The same by four streams a thread, side by side: 8 KiB or 512 KiB apart.
/// Which of the three is fastest differs between processors.
uint64_t readNearStreams(ThreadTeam &team, const void *data, size_t bytes);
uint64_t readFarStreams(ThreadTeam &team, const void *data, size_t bytes);

/// Sum by 16 SIMD accumulators a thread, in one ascending stream. The count is
/// a multiple of 256.
float handSum(ThreadTeam &team, const float *data, size_t count);
double handSum(ThreadTeam &team, const double *data, size_t count);

/// False where TBB was missing at build time.
bool haveStdReduce();
/// std::reduce(std::execution::par_unseq) on at most `threads` threads.
bool stdReduce(int threads, const float *data, size_t count, float *sum);
bool stdReduce(int threads, const double *data, size_t count, double *sum);
bool stdReduce(int threads, const int8_t *data, size_t count, int64_t *sum);

/// False where Eigen was missing at build time.
bool haveEigen();
/// Eigen's sums of a row-major array along axes. One or two dimensions use
/// Eigen/Core (sum, rowwise, colwise) on blocks that the team shares, more the
/// Tensor module with its own threads. False for a rank and axes that
/// suites/cpu/rows.cpp does not have.
bool eigenSum(ThreadTeam &team, const float *data,
              const std::vector<int64_t> &shape,
              const std::vector<int64_t> &axes, float *sums);

} // namespace bench

#endif // BENCH_PEERS_PEERS_H
