//===- eigen.cpp - Eigen's sums -------------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "peers/peers.h"

#ifdef BENCH_HAS_EIGEN
#define EIGEN_USE_THREADS
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <memory>
#include <unsupported/Eigen/CXX11/Tensor>

using Axes = std::vector<int64_t>;

namespace {
/// Eigen's pool, made anew only when another number of threads is asked for.
Eigen::ThreadPoolDevice &device(int threads) {
  static int current = 0;
  static std::unique_ptr<Eigen::ThreadPool> pool;
  static std::unique_ptr<Eigen::ThreadPoolDevice> made;
  if (current != threads) {
    made.reset();
    pool = std::make_unique<Eigen::ThreadPool>(threads);
    made = std::make_unique<Eigen::ThreadPoolDevice>(pool.get(), threads);
    current = threads;
  }
  return *made;
}

using Matrix =
    Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::Array<float, Eigen::Dynamic, 1>;
using RowVector = Eigen::Array<float, 1, Eigen::Dynamic>;

/// Calls body(thread, begin, count) on pieces of [0, all) of about `piece`.
template <typename Body>
void inPieces(bench::ThreadTeam &team, int64_t all, int64_t piece, Body body) {
  piece = std::clamp<int64_t>(piece, 1, all);
  team.run(size_t((all + piece - 1) / piece), [&](int thread, size_t p) {
    int64_t begin = int64_t(p) * piece;
    body(thread, begin, std::min(piece, all - begin));
  });
}

void coreSum(bench::ThreadTeam &team, const float *data, const Axes &shape,
             const Axes &axes, float *sums) {
  constexpr int64_t piece = bench::pieceBytes / sizeof(float);
  if (shape.size() == 1) {
    std::vector<float> partials(size_t(team.size()), 0);
    inPieces(team, shape[0], piece, [&](int thread, int64_t at, int64_t n) {
      partials[size_t(thread)] += Eigen::Map<const Vector>(data + at, n).sum();
    });
    *sums = 0;
    for (float p : partials)
      *sums += p;
    return;
  }
  Eigen::Map<const Matrix> x(data, shape[0], shape[1]);
  if (axes[0] == 1) {
    inPieces(team, shape[0], piece / shape[1], [&](int, int64_t at, int64_t n) {
      Eigen::Map<Vector>(sums + at, n) = x.middleRows(at, n).rowwise().sum();
    });
    return;
  }
  // Columns: one run a thread, not narrower than two cache lines.
  int64_t run = std::max<int64_t>(shape[1] / team.size(), 32);
  inPieces(team, shape[1], run, [&](int, int64_t at, int64_t n) {
    Eigen::Map<RowVector>(sums + at, n) = x.middleCols(at, n).colwise().sum();
  });
}

template <int Rank, int... Reduced>
bool tensorSum(int threads, const float *data, const Axes &shape, float *sums) {
  constexpr int kept = Rank - int(sizeof...(Reduced));
  Eigen::array<Eigen::Index, Rank> sizes;
  for (int d = 0; d < Rank; ++d)
    sizes[size_t(d)] = shape[size_t(d)];
  Eigen::array<Eigen::Index, kept> left;
  constexpr std::array<int, sizeof...(Reduced)> reduced = {Reduced...};
  for (int d = 0, to = 0; d < Rank; ++d) {
    bool keep = true;
    for (int r : reduced)
      keep &= r != d;
    if (keep)
      left[size_t(to++)] = shape[size_t(d)];
  }
  using In = Eigen::Tensor<const float, Rank, Eigen::RowMajor>;
  using Out = Eigen::Tensor<float, kept, Eigen::RowMajor>;
  Eigen::TensorMap<In> x(data, sizes);
  Eigen::TensorMap<Out> y(sums, left);
  auto sum = x.sum(Eigen::array<int, sizeof...(Reduced)>{Reduced...});
  if (threads == 1)
    y.device(Eigen::DefaultDevice()) = sum;
  else
    y.device(device(threads)) = sum;
  return true;
}
} // namespace

bool bench::haveEigen() { return true; }

bool bench::eigenSum(ThreadTeam &team, const float *data, const Axes &shape,
                     const Axes &axes, float *sums) {
  if (shape.size() <= 2) {
    coreSum(team, data, shape, axes, sums);
    return true;
  }
  struct Known {
    size_t rank;
    Axes axes;
    bool (*sum)(int, const float *, const Axes &, float *);
  };
  static const Known known[] = {
      {3, {0, 2}, tensorSum<3, 0, 2>},
      {3, {1}, tensorSum<3, 1>},
      {4, {0, 2}, tensorSum<4, 0, 2>},
      {4, {1, 3}, tensorSum<4, 1, 3>},
  };
  for (const Known &k : known)
    if (k.rank == shape.size() && k.axes == axes)
      return k.sum(team.size(), data, shape, sums);
  return false;
}
#else
bool bench::haveEigen() { return false; }

bool bench::eigenSum(ThreadTeam &, const float *, const std::vector<int64_t> &,
                     const std::vector<int64_t> &, float *) {
  return false;
}
#endif
