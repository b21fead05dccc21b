//===- Problem.h - A reduction's loops in their simplest form ----*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Comes in: a shape, strides of inputs and outputs, the axes to reduce. Goes
// out: the same loops with length-1 axes dropped and axes merged where memory
// allows it, so that (64, 128, 32) over the last two axes is 64 rows of 4096.
// The position k of an element, row-major over the reduced axes in the array's
// logical order, is the same before and after; that is what keeps the bits.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PLAN_PROBLEM_H
#define WARPFOLD_PLAN_PROBLEM_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wf {

// X(enumerator, name): what the innermost loop can be.
//   full   no kept axis, one reduced axis with unit stride
//   row    the reduced axis has unit stride, one fold an output
//   column a kept axis has unit stride: neighbouring outputs are read together
//   general neither, or k runs over several axes that do not merge: gathered
#define WF_PROBLEM_KINDS(X)                                                    \
  X(Full, "full")                                                              \
  X(Row, "row")                                                                \
  X(Column, "column")                                                          \
  X(General, "general")

enum class ProblemKind : uint8_t {
#define X(E, N) E,
  WF_PROBLEM_KINDS(X)
#undef X
};

std::string_view name(ProblemKind kind);

/// One loop: its length and, for every input and output, its stride in
/// elements (outputs: empty for a reduced axis).
struct LoopAxis {
  int64_t size;
  std::vector<int64_t> inStrides;
  std::vector<int64_t> outStrides;
};

struct Problem {
  ProblemKind kind = ProblemKind::Full;
  /// Kept axes; for `column` the last is the one with unit stride. Their order
  /// is free, since no bit depends on which output is computed when.
  std::vector<LoopAxis> kept;
  /// Reduced axes, outermost first: k is row-major over them.
  std::vector<LoopAxis> reduced;
  size_t inputs = 1;    ///< arrays read
  bool gathered = false; ///< some input has no memory to be read in place
  int64_t outputs = 1;  ///< product of the kept sizes
  int64_t elements = 1; ///< K: product of the reduced sizes

  /// "row: 64 outputs of 4096"
  std::string describe() const;
};

/// What a problem is made from. `axes` are distinct and in range.
struct ProblemShape {
  std::vector<int64_t> shape;
  std::vector<std::vector<int64_t>> inStrides;  ///< per input, shape's rank
  std::vector<std::vector<int64_t>> outStrides; ///< per output, shape's rank;
                                                ///< ignored at reduced axes
  std::vector<int64_t> axes;
  /// Inputs without addressable memory cannot be read in place.
  bool generated = false;
};

Problem canonicalise(const ProblemShape &shape);

} // namespace wf

#endif // WARPFOLD_PLAN_PROBLEM_H
