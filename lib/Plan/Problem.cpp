//===- Problem.cpp - A reduction's loops in their simplest form -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/Problem.h"

#include <algorithm>

using namespace wf;

std::string_view wf::name(ProblemKind kind) {
  switch (kind) {
#define X(E, N)                                                                \
  case ProblemKind::E:                                                         \
    return N;
    WF_PROBLEM_KINDS(X)
#undef X
  }
  return "?";
}

/// Outer and inner are one loop if stepping the outer one goes where the inner
/// one would go past its end, in every array.
static bool mergeable(const LoopAxis &outer, const LoopAxis &inner) {
  auto continues = [&](const std::vector<int64_t> &o,
                       const std::vector<int64_t> &i) {
    for (size_t n = 0; n < o.size(); ++n)
      if (o[n] != i[n] * inner.size)
        return false;
    return true;
  };
  return continues(outer.inStrides, inner.inStrides) &&
         continues(outer.outStrides, inner.outStrides);
}

static void merge(std::vector<LoopAxis> &axes) {
  std::vector<LoopAxis> merged;
  for (LoopAxis &axis : axes) {
    if (!merged.empty() && mergeable(merged.back(), axis)) {
      axis.size *= merged.back().size;
      merged.back() = axis;
    } else {
      merged.push_back(axis);
    }
  }
  axes = std::move(merged);
}

/// Can neighbours along `axis` be read as one vector? Every input moves by one
/// element or stands still, and at least one moves.
static bool unitStride(const LoopAxis &axis) {
  bool moves = false;
  for (int64_t s : axis.inStrides) {
    if (s != 0 && s != 1)
      return false;
    moves |= s == 1;
  }
  return moves;
}

static bool standsStill(const LoopAxis &axis) {
  return std::all_of(axis.inStrides.begin(), axis.inStrides.end(),
                     [](int64_t s) { return s == 0; });
}

static ProblemKind chooseKind(Problem &p, bool generated) {
  if (generated)
    return ProblemKind::General;
  bool oneAxis = p.reduced.size() <= 1;
  if (oneAxis && (p.reduced.empty() || unitStride(p.reduced[0]) ||
                  standsStill(p.reduced[0])))
    return p.kept.empty() ? ProblemKind::Full : ProblemKind::Row;
  auto unit = std::find_if(p.kept.begin(), p.kept.end(), unitStride);
  if (unit == p.kept.end())
    return ProblemKind::General;
  // A narrow column whose k has unit stride in its innermost axis is better
  // gathered in runs than read a few elements at a time.
  if (unit->size < 16 && !p.reduced.empty() && unitStride(p.reduced.back()))
    return ProblemKind::General;
  std::rotate(unit, unit + 1, p.kept.end());
  return ProblemKind::Column;
}

/// The longest step any input takes along the axis.
static int64_t longestStep(const LoopAxis &axis) {
  int64_t longest = 0;
  for (int64_t s : axis.inStrides)
    longest = std::max(longest, s < 0 ? -s : s);
  return longest;
}

/// Largest step first, so that mergeable neighbours stand side by side. For
/// kept axes only: the order of reduced axes is the order of k.
static void sortByStep(std::vector<LoopAxis> &axes) {
  std::vector<LoopAxis> sorted;
  for (LoopAxis &axis : axes)
    sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), axis,
                                   [](const LoopAxis &a, const LoopAxis &b) {
                                     return longestStep(a) > longestStep(b);
                                   }),
                  axis);
  axes = std::move(sorted);
}

Problem wf::canonicalise(const ProblemShape &shape) {
  Problem p;
  p.inputs = shape.inStrides.size();
  p.gathered = shape.generated;
  std::vector<bool> reduced(shape.shape.size(), false);
  for (int64_t axis : shape.axes)
    reduced[axis] = true;
  for (size_t d = 0; d < shape.shape.size(); ++d) {
    int64_t size = shape.shape[d];
    (reduced[d] ? p.elements : p.outputs) *= size;
    if (size == 1)
      continue;
    LoopAxis axis{size, {}, {}};
    for (const auto &strides : shape.inStrides)
      axis.inStrides.push_back(strides[d]);
    if (!reduced[d])
      for (const auto &strides : shape.outStrides)
        axis.outStrides.push_back(strides[d]);
    (reduced[d] ? p.reduced : p.kept).push_back(std::move(axis));
  }
  sortByStep(p.kept);
  merge(p.kept);
  merge(p.reduced);
  p.kind = chooseKind(p, shape.generated);
  return p;
}

std::string Problem::describe() const {
  std::string s(name(kind));
  s += ": " + std::to_string(outputs) +
       (outputs == 1 ? " output of " : " outputs of ") +
       std::to_string(elements);
  return s;
}
