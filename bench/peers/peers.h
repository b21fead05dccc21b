//===- peers.h - What Warpfold is measured against ---------------*- C++ -*-===//
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
constexpr size_t pieceBytes = size_t(1) << 20;

/// The exclusive or of all 64-bit words of `bytes` bytes (a multiple of 64),
/// read in one ascending stream a thread.
uint64_t readOneStream(ThreadTeam &team, const void *data, size_t bytes);

/// The same by four streams a thread, side by side and 8 KiB apart.
uint64_t readFourStreams(ThreadTeam &team, const void *data, size_t bytes);

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
/// Eigen's sums of a row-major array along axes: all of one to two axes, or
/// one of the shapes that suites/cpu/rows.cpp has. One thread and one or two
/// dimensions use Eigen/Core (sum, rowwise, colwise), all else the Tensor
/// module, which is the part of Eigen that has threads for reductions.
bool eigenSum(int threads, const float *data, const std::vector<int64_t> &shape,
              const std::vector<int64_t> &axes, float *sums);

} // namespace bench

#endif // BENCH_PEERS_PEERS_H
