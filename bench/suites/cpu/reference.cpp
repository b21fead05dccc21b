//===- reference.cpp - What the results have to be ------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "suites/cpu/reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace bench;

/// The relative error that `depth` roundings to f32 can add up to.
static double f32Roundings(double depth) {
  double u = std::ldexp(1.0, -24);
  return depth * u / (1 - depth * u);
}

/// Sums along axes. The last axis is walked as one run.
template <typename T>
static std::vector<double> sumsAlong(const T *x, const Row &row) {
  size_t rank = row.shape.size();
  std::vector<bool> isReduced(rank, row.isFull());
  for (int64_t a : row.axes)
    isReduced[size_t(a)] = true;
  std::vector<int64_t> strides(rank, 0);
  int64_t outputs = 1;
  for (size_t d = rank; d-- > 0;)
    if (!isReduced[d]) {
      strides[d] = outputs;
      outputs *= row.shape[d];
    }
  std::vector<int64_t> sums(size_t(outputs), 0), at(rank, 0);
  int64_t run = row.shape.back(), total = row.elements();
  for (int64_t begin = 0; begin < total; begin += run) {
    int64_t to = 0;
    for (size_t d = 0; d + 1 < rank; ++d)
      to += at[d] * strides[d];
    if (isReduced.back()) {
      int64_t sum = 0;
      for (int64_t i = 0; i < run; ++i)
        sum += int64_t(x[begin + i]);
      sums[size_t(to)] += sum;
    } else {
      for (int64_t i = 0; i < run; ++i)
        sums[size_t(to + i)] += int64_t(x[begin + i]);
    }
    for (size_t d = rank - 1; d-- > 0;) {
      if (++at[d] < row.shape[d])
        break;
      at[d] = 0;
    }
  }
  return {sums.begin(), sums.end()};
}

/// The other reductions of f32, over everything.
static Wanted statistics(const Row &row, const float *x) {
  int64_t n = row.elements(), sum = 0, squares = 0, where = 0;
  for (int64_t i = 0; i < n; ++i) {
    int64_t v = int64_t(x[i]);
    sum += v;
    squares += v * v;
    where = x[i] > x[where] ? i : where;
  }
  double count = double(n), mean = double(sum) / count;
  // One rounding of ours to f32 and one of the value below.
  double rounded = f32Roundings(2);
  // Pairwise: runs of 128 by 8 accumulators, then a binary tree; the mean
  // and the square of what is left of it add three roundings a term.
  double pairwise = f32Roundings(16 + 3 + std::log2(count / 128) + 5);
  if (row.op == "argmax")
    return {WF_I64, {double(where)}, 0, 0};
  if (row.op == "max")
    return {WF_F32, {x[where]}, 0, 0};
  if (row.op == "mean")
    return {WF_F32, {mean}, rounded, rounded};
  if (row.op == "norm2")
    return {WF_F32, {std::sqrt(double(squares))}, rounded, pairwise};
  // Both sums are exact in f64, and the mean is near 0: nothing cancels.
  double var = double(squares) / count - mean * mean;
  return {WF_F32, {var}, rounded, pairwise};
}

Wanted bench::wantedOf(const Row &row, const Data &data) {
  switch (row.data) {
  case Fill::F32:
    if (row.op != "sum")
      return statistics(row, data.as<float>());
    return {WF_F32, sumsAlong(data.as<float>(), row), 0, 0};
  case Fill::F64:
    return {WF_F64, sumsAlong(data.as<double>(), row), 0, 0};
  case Fill::I8:
    return {WF_I64, sumsAlong(data.as<int8_t>(), row), 0, 0};
  case Fill::AllTrue:
    return {WF_BOOL, {0}, 0, 0}; // the last one is not
  case Fill::AllFalse:
    return {WF_BOOL, {1}, 0, 0}; // the last one is
  }
  return {};
}

static double valueAt(wf_type type, const char *from) {
  auto read = [&](auto value) {
    std::memcpy(&value, from, sizeof value);
    return double(value);
  };
  switch (type) {
  case WF_F32:
    return read(float());
  case WF_F64:
    return read(double());
  case WF_I64:
    return read(int64_t()); // exact: all are below 2^53
  case WF_BOOL:
    return read(uint8_t());
  default:
    return std::numeric_limits<double>::quiet_NaN();
  }
}

std::string bench::compareWith(const Wanted &wanted, const void *results,
                               double tolerance) {
  auto *from = static_cast<const char *>(results);
  size_t size = sizeOf(wanted.type), wrong = 0;
  std::string first;
  for (size_t i = 0; i < wanted.values.size(); ++i) {
    double got = valueAt(wanted.type, from + i * size);
    double want = wanted.values[i];
    // A NaN fails.
    if (std::abs(got - want) <= tolerance * std::abs(want))
      continue;
    if (++wrong == 1)
      first = "result " + std::to_string(i) + " is " + std::to_string(got) +
              ", not " + std::to_string(want);
  }
  if (wrong > 1)
    first += " (and " + std::to_string(wrong - 1) + " more)";
  return first;
}

std::string bench::selfTestReference() {
  Data data(1 << 16);
  ThreadTeam team(1);
  data.fill(Fill::F32, 64, team);
  Row row{"", "sum", Fill::F32, {4, 16}, {0}, "", {}};
  Wanted wanted = wantedOf(row, data);
  std::vector<float> sums(16, 0);
  for (int i = 0; i < 64; ++i)
    sums[size_t(i % 16)] += data.as<float>()[i];
  auto isRight = [&] { return compareWith(wanted, sums.data(), 0).empty(); };
  if (wanted.values.size() != 16 || !isRight())
    return "right sums are refused";
  std::swap(sums[3], sums[4]);
  if (sums[3] != sums[4] && isRight())
    return "swapped sums pass";
  std::swap(sums[3], sums[4]);
  sums[15] += 1;
  if (isRight())
    return "a sum that is off by one passes";
  sums[15] = std::numeric_limits<float>::quiet_NaN();
  if (isRight() || compareWith(wanted, sums.data(), .5).empty())
    return "a NaN passes";
  return "";
}
