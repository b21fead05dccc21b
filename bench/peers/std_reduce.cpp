//===- std_reduce.cpp - std::reduce(std::execution::par_unseq) ------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// libstdc++'s parallel algorithms run on oneTBB. -fopenmp-simd lets them
// vectorise: without it the sums are scalar.
//===----------------------------------------------------------------------===//
#include "peers/peers.h"

#ifdef BENCH_HAS_TBB
#include <execution>
#include <memory>
#include <numeric>
#include <oneapi/tbb/global_control.h>

namespace {
/// TBB's limit on threads, changed only when another one is asked for.
void limitThreads(int threads) {
  static int current = 0;
  static std::unique_ptr<oneapi::tbb::global_control> limit;
  if (current == threads)
    return;
  limit.reset();
  limit = std::make_unique<oneapi::tbb::global_control>(
      oneapi::tbb::global_control::max_allowed_parallelism, size_t(threads));
  current = threads;
}

template <typename T, typename S>
bool reduced(int threads, const T *data, size_t count, S *sum) {
  limitThreads(threads);
  *sum = std::reduce(std::execution::par_unseq, data, data + count, S(0));
  return true;
}
} // namespace
#else
namespace {
template <typename T, typename S> bool reduced(int, const T *, size_t, S *) {
  return false;
}
} // namespace
#endif

bool bench::haveStdReduce() {
#ifdef BENCH_HAS_TBB
  return true;
#else
  return false;
#endif
}

bool bench::stdReduce(int threads, const float *data, size_t count,
                      float *sum) {
  return reduced(threads, data, count, sum);
}

bool bench::stdReduce(int threads, const double *data, size_t count,
                      double *sum) {
  return reduced(threads, data, count, sum);
}

bool bench::stdReduce(int threads, const int8_t *data, size_t count,
                      int64_t *sum) {
  return reduced(threads, data, count, sum);
}
