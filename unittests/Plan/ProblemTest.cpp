//===- ProblemTest.cpp - Canonical loops visit what the array says --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The law, at every index of random shapes: for every output element, the
// addresses read at k = 0, 1, 2, … are those of the array's logical order. And
// the merge rules and kinds, on problems small enough to think through.
//===----------------------------------------------------------------------===//
#include "Plan/Problem.h"
#include "Random.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace wf;
using namespace wf::test;

namespace {

using Address = std::vector<int64_t>; ///< one offset an array
/// Output address -> addresses read, by k.
using Visits = std::map<Address, std::vector<Address>>;

/// One axis as both sides see it.
struct Axis {
  int64_t size;
  const std::vector<int64_t> *strides;
};

/// Calls visit(address) row-major over the axes, starting at `arrays` zeros.
template <typename Visit>
void walk(const std::vector<Axis> &axes, size_t arrays, Visit visit) {
  int64_t count = 1;
  for (const Axis &a : axes)
    count *= a.size;
  for (int64_t position = 0; position < count; ++position) {
    Address address(arrays, 0);
    int64_t rest = position;
    for (size_t d = axes.size(); d-- > 0; rest /= axes[d].size)
      for (size_t i = 0; i < arrays; ++i)
        address[i] += rest % axes[d].size * (*axes[d].strides)[i];
    visit(address);
  }
}

/// Everything a nest of loops reads, given the in- and out-strides of the kept
/// axes and the in-strides of the reduced ones.
Visits visits(const std::vector<Axis> &keptIn, const std::vector<Axis> &keptOut,
              const std::vector<Axis> &reduced, size_t inputs, size_t outputs) {
  std::vector<Address> bases, targets;
  walk(keptIn, inputs, [&](const Address &a) { bases.push_back(a); });
  walk(keptOut, outputs, [&](const Address &a) { targets.push_back(a); });
  Visits all;
  for (size_t o = 0; o < targets.size(); ++o) {
    EXPECT_FALSE(all.count(targets[o])) << "an output is written twice";
    std::vector<Address> &reads = all[targets[o]];
    walk(reduced, inputs, [&](Address a) {
      for (size_t i = 0; i < inputs; ++i)
        a[i] += bases[o][i];
      reads.push_back(std::move(a));
    });
  }
  return all;
}

Visits visitsOf(const Problem &p, size_t inputs, size_t outputs) {
  std::vector<Axis> in, out, reduced;
  for (const LoopAxis &a : p.kept) {
    in.push_back({a.size, &a.inStrides});
    out.push_back({a.size, &a.outStrides});
  }
  for (const LoopAxis &a : p.reduced)
    reduced.push_back({a.size, &a.inStrides});
  return visits(in, out, reduced, inputs, outputs);
}

/// The same from the shape itself, with nothing dropped or merged.
Visits visitsOf(const ProblemShape &s) {
  size_t rank = s.shape.size();
  std::vector<std::vector<int64_t>> ins(rank), outs(rank);
  for (size_t d = 0; d < rank; ++d) {
    for (const auto &strides : s.inStrides)
      ins[d].push_back(s.shape[d] == 1 ? 0 : strides[d]);
    for (const auto &strides : s.outStrides)
      outs[d].push_back(s.shape[d] == 1 ? 0 : strides[d]);
  }
  std::vector<Axis> keptIn, keptOut, reduced;
  for (size_t d = 0; d < rank; ++d) {
    bool isReduced = std::count(s.axes.begin(), s.axes.end(), int64_t(d)) != 0;
    (isReduced ? reduced : keptIn).push_back({s.shape[d], &ins[d]});
    if (!isReduced)
      keptOut.push_back({s.shape[d], &outs[d]});
  }
  return visits(keptIn, keptOut, reduced, s.inStrides.size(),
                s.outStrides.size());
}

/// Row-major strides of `shape` with its axes stored in the order `storage`.
std::vector<int64_t> stridesStored(const std::vector<int64_t> &shape,
                                   const std::vector<size_t> &storage) {
  std::vector<int64_t> strides(shape.size());
  int64_t step = 1;
  for (size_t i = storage.size(); i-- > 0;) {
    strides[storage[i]] = step;
    step *= std::max<int64_t>(1, shape[storage[i]]);
  }
  return strides;
}

/// Strides as views have them: permuted, broadcast, reversed, sliced, and
/// anything at all on axes of length 1.
std::vector<int64_t> randomStrides(const std::vector<int64_t> &shape,
                                   Random &random) {
  std::vector<size_t> storage(shape.size());
  std::iota(storage.begin(), storage.end(), 0);
  if (random.onceIn(2))
    random.shuffle(storage);
  std::vector<int64_t> strides = stridesStored(shape, storage);
  if (random.onceIn(3))
    return strides;
  int64_t step = random.onceIn(3) ? random.in(2, 5) : 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    strides[d] *= step;
    if (random.onceIn(6))
      strides[d] = 0;
    if (random.onceIn(6))
      strides[d] = -strides[d];
    if (random.onceIn(10))
      strides[d] += random.in(-3, 3);
    if (shape[d] == 1 && random.onceIn(2))
      strides[d] = random.of<int64_t>({1000000000, -7, 0, 1, int64_t(1) << 61});
  }
  return strides;
}

ProblemShape randomProblem(Random &random) {
  ProblemShape s;
  int64_t rank = random.in(0, 5);
  for (int64_t d = 0; d < rank; ++d)
    s.shape.push_back(random.onceIn(4)    ? 1
                      : random.onceIn(12) ? random.in(16, 33)
                      : random.onceIn(40) ? 0
                                          : random.in(2, 5));
  std::vector<int64_t> outShape = s.shape;
  for (int64_t d = 0; d < rank; ++d)
    if (random.onceIn(2)) {
      s.axes.push_back(d);
      outShape[size_t(d)] = 1;
    }
  for (int64_t i = random.in(1, 3); i > 0; --i)
    s.inStrides.push_back(randomStrides(s.shape, random));
  for (int64_t o = random.in(1, 2); o > 0; --o) {
    std::vector<size_t> storage(outShape.size());
    std::iota(storage.begin(), storage.end(), 0);
    if (random.onceIn(3))
      random.shuffle(storage);
    s.outStrides.push_back(stridesStored(outShape, storage));
    // What stands at reduced axes must not matter.
    for (int64_t axis : s.axes)
      s.outStrides.back()[size_t(axis)] = random.in(-9, 9);
  }
  s.generated = random.onceIn(8);
  return s;
}

std::string text(const ProblemShape &s) {
  auto list = [](const char *what, const std::vector<int64_t> &v) {
    std::string t = std::string(" ") + what + " (";
    for (int64_t n : v)
      t += std::to_string(n) + ",";
    return t + ")";
  };
  std::string t = list("shape", s.shape) + list("axes", s.axes);
  for (const auto &strides : s.inStrides)
    t += list("in", strides);
  for (const auto &strides : s.outStrides)
    t += list("out", strides);
  return t;
}

bool readAsVector(const LoopAxis &axis) {
  return std::all_of(axis.inStrides.begin(), axis.inStrides.end(),
                     [](int64_t s) { return s == 0 || s == 1; });
}

/// What the header promises of each kind.
void checkKind(const ProblemShape &s, const Problem &p) {
  switch (p.kind) {
  case ProblemKind::Full:
    EXPECT_TRUE(p.kept.empty());
    [[fallthrough]];
  case ProblemKind::Row:
    EXPECT_LE(p.reduced.size(), 1u);
    EXPECT_TRUE(p.reduced.empty() || readAsVector(p.reduced[0]));
    EXPECT_FALSE(s.generated);
    break;
  case ProblemKind::Column:
    ASSERT_FALSE(p.kept.empty());
    EXPECT_TRUE(readAsVector(p.kept.back()));
    EXPECT_GT(std::count(p.kept.back().inStrides.begin(),
                         p.kept.back().inStrides.end(), 1),
              0);
    EXPECT_FALSE(s.generated);
    break;
  case ProblemKind::General:
    break;
  }
}

TEST(Problem, VisitsTheSameAddressesInTheOrderOfK) {
  std::map<ProblemKind, int> kinds;
  int merged = 0;
  for (int64_t number = 0; number < 6000; ++number) {
    Random random = randomFor(1, number);
    ProblemShape s = randomProblem(random);
    SCOPED_TRACE("case " + std::to_string(number) + text(s));
    Problem p = canonicalise(s);
    ++kinds[p.kind];
    int64_t outputs = 1, elements = 1;
    size_t dropped = 0;
    for (size_t d = 0; d < s.shape.size(); ++d) {
      bool isReduced =
          std::count(s.axes.begin(), s.axes.end(), int64_t(d)) != 0;
      (isReduced ? elements : outputs) *= s.shape[d];
      dropped += s.shape[d] == 1;
    }
    ASSERT_EQ(p.outputs, outputs);
    ASSERT_EQ(p.elements, elements);
    for (const auto *axes : {&p.kept, &p.reduced})
      for (const LoopAxis &a : *axes)
        ASSERT_NE(a.size, 1);
    merged += p.kept.size() + p.reduced.size() + dropped < s.shape.size();
    checkKind(s, p);
    ASSERT_EQ(visitsOf(p, s.inStrides.size(), s.outStrides.size()),
              visitsOf(s));
    if (::testing::Test::HasFailure())
      return;
  }
  // A generator that never makes some kind tests nothing about it.
  for (ProblemKind kind : {ProblemKind::Full, ProblemKind::Row,
                           ProblemKind::Column, ProblemKind::General})
    EXPECT_GT(kinds[kind], 100) << name(kind);
  EXPECT_GT(merged, 500);
}

/// A row-major array of one input and one output over `axes`.
ProblemShape rowMajor(std::vector<int64_t> shape, std::vector<int64_t> axes) {
  ProblemShape s;
  std::vector<size_t> storage(shape.size());
  std::iota(storage.begin(), storage.end(), 0);
  s.inStrides = {stridesStored(shape, storage)};
  std::vector<int64_t> outShape = shape;
  for (int64_t axis : axes)
    outShape[size_t(axis)] = 1;
  s.outStrides = {stridesStored(outShape, storage)};
  s.shape = std::move(shape);
  s.axes = std::move(axes);
  return s;
}

TEST(Problem, MergesWhatMemoryAllows) {
  EXPECT_EQ(canonicalise(rowMajor({64, 128, 32}, {1, 2})).describe(),
            "row: 64 outputs of 4096");
  EXPECT_EQ(canonicalise(rowMajor({64, 128, 32}, {0, 1, 2})).describe(),
            "full: 1 output of 262144");
  EXPECT_EQ(canonicalise(rowMajor({64, 128, 32}, {0})).describe(),
            "column: 4096 outputs of 64");
  EXPECT_EQ(canonicalise(rowMajor({64, 128, 32}, {0, 1})).describe(),
            "column: 32 outputs of 8192");
  Problem gap = canonicalise(rowMajor({64, 128, 32}, {0, 2}));
  EXPECT_EQ(gap.reduced.size(), 2u);
  EXPECT_EQ(gap.kind, ProblemKind::General);
  EXPECT_EQ(canonicalise(rowMajor({}, {})).describe(), "full: 1 output of 1");
  EXPECT_EQ(canonicalise(rowMajor({1, 1, 7, 1}, {2})).describe(),
            "full: 1 output of 7");
}

TEST(Problem, LogicalOrderIsNotStorageOrder) {
  // A transposed matrix over both axes: k runs down columns of memory, so the
  // two axes must not merge however well they would in memory order.
  ProblemShape s = rowMajor({40, 30}, {0, 1});
  s.inStrides = {{1, 40}};
  Problem p = canonicalise(s);
  ASSERT_EQ(p.reduced.size(), 2u);
  EXPECT_EQ(p.kind, ProblemKind::General);
  EXPECT_EQ(p.reduced[0].inStrides[0], 1);
  EXPECT_EQ(p.reduced[1].inStrides[0], 40);
  // Kept axes are free: the same array over nothing is one loop of rows.
  s.axes = {};
  s.outStrides = {{1, 40}};
  EXPECT_EQ(canonicalise(s).kept.size(), 1u);
}

TEST(Problem, AllInputsAndOutputsMustAgreeToMerge) {
  ProblemShape s = rowMajor({8, 16}, {0, 1});
  EXPECT_EQ(canonicalise(s).reduced.size(), 1u);
  s.inStrides.push_back({0, 1}); // a broadcast second input
  EXPECT_EQ(canonicalise(s).reduced.size(), 2u);
  s.inStrides.back() = {0, 0}; // a scalar one
  EXPECT_EQ(canonicalise(s).reduced.size(), 1u);
  s = rowMajor({8, 16, 32}, {2});
  EXPECT_EQ(canonicalise(s).kept.size(), 1u);
  s.outStrides = {{1, 8, 0}}; // outputs the other way round
  EXPECT_EQ(canonicalise(s).kept.size(), 2u);
}

TEST(Problem, GeneratedArraysAreGathered) {
  ProblemShape s = rowMajor({64, 128}, {1});
  EXPECT_EQ(canonicalise(s).kind, ProblemKind::Row);
  s.generated = true;
  EXPECT_EQ(canonicalise(s).kind, ProblemKind::General);
}

TEST(Problem, NegativeAndLongStepsAreNotUnit) {
  ProblemShape s = rowMajor({64, 128}, {1});
  s.inStrides = {{128, -1}};
  EXPECT_EQ(canonicalise(s).kind, ProblemKind::General);
  s.inStrides = {{256, 2}};
  EXPECT_EQ(canonicalise(s).kind, ProblemKind::General);
  s.inStrides = {{1, 0}}; // k stands still: one value a row
  EXPECT_EQ(canonicalise(s).kind, ProblemKind::Row);
  s.inStrides = {{1, 64}};
  EXPECT_EQ(canonicalise(s).kind, ProblemKind::Column);
}

} // namespace
