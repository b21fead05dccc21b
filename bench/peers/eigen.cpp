//===- eigen.cpp - Eigen's sums -------------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "peers/peers.h"

#ifdef BENCH_HAS_EIGEN
#define EIGEN_USE_THREADS
#include <Eigen/Core>
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

bool coreSum(const float *data, const Axes &shape, const Axes &axes,
             float *sums) {
  using Matrix =
      Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Vector = Eigen::Array<float, Eigen::Dynamic, 1>;
  bool all = axes.size() == shape.size();
  if (all && shape.size() == 1) {
    *sums = Eigen::Map<const Vector>(data, shape[0]).sum();
    return true;
  }
  Eigen::Map<const Matrix> x(data, shape[0], shape[1]);
  if (all)
    *sums = x.sum();
  else if (axes[0] == 1)
    Eigen::Map<Vector>(sums, shape[0]) = x.rowwise().sum();
  else
    Eigen::Map<Eigen::Array<float, 1, Eigen::Dynamic>>(sums, shape[1]) =
        x.colwise().sum();
  return true;
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

bool bench::eigenSum(int threads, const float *data, const Axes &shape,
                     const Axes &axes, float *sums) {
  if (threads == 1 && shape.size() <= 2)
    return coreSum(data, shape, axes, sums);
  struct Known {
    size_t rank;
    Axes axes;
    bool (*sum)(int, const float *, const Axes &, float *);
  };
  static const Known known[] = {
      {1, {0}, tensorSum<1, 0>},       {2, {0}, tensorSum<2, 0>},
      {2, {1}, tensorSum<2, 1>},       {3, {0, 2}, tensorSum<3, 0, 2>},
      {3, {1}, tensorSum<3, 1>},       {4, {0, 2}, tensorSum<4, 0, 2>},
      {4, {1, 3}, tensorSum<4, 1, 3>},
  };
  for (const Known &k : known)
    if (k.rank == shape.size() && k.axes == axes)
      return k.sum(threads, data, shape, sums);
  return false;
}
#else
bool bench::haveEigen() { return false; }

bool bench::eigenSum(int, const float *, const std::vector<int64_t> &,
                     const std::vector<int64_t> &, float *) {
  return false;
}
#endif
