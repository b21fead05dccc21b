//===- Shape.h - The form of a computed value -------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// "min(max(load, param), param)": an operation of shapes, a leaf, a number.
// docs/patterns.md lists the words. The order of commutative operands, bounds
// guards, moves and the choice `a < b ? b : a` for a maximum are looked
// through.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_PATTERNS_SHAPE_H
#define WARPFOLD_EXPLAIN_PATTERNS_SHAPE_H

#include "Explain/Patterns/Origins.h"

#include <set>

namespace wf::explain {

struct Shape {
  enum class Kind : uint8_t {
    Any,
    Number,
    Load,
    Shared,
    Local,
    Parameter,
    Constant,
    Scalar, ///< a parameter or a constant: the same in every thread
    Index,  ///< made of indices and parameters alone
    Shuffle,
    Atomic,
    Operation, ///< without args: of anything
    Float,     ///< a float of the form
    Has,       ///< somewhere within the value
    All,
    One
  } kind = Kind::Any;
  Op op = Op::Unknown;
  double number = 0;
  std::vector<Shape> args;
};

struct ShapeFault {
  size_t at = 0, length = 1; ///< in the text
  std::string message, hint;
};

/// Fails with the place of what is wrong.
std::optional<ShapeFault> readShape(std::string_view text, Shape &shape);

class ShapeMatcher {
public:
  ShapeMatcher(const Analysis &a, const Origins &origins)
      : a(a), origins(origins) {}
  bool matches(ValueId id, const Shape &shape);

private:
  bool match(ValueId id, const Shape &shape, int depth);
  bool leafMatches(ValueId id, const Shape &shape) const;
  bool operationMatches(ValueId id, const Shape &shape, int depth);
  bool extremeMatches(Op op, ValueId x, ValueId y, const Shape &shape,
                      int depth);
  bool argsMatch(const std::vector<ValueId> &args, const Shape &shape,
                 bool anyOrder, int depth);
  bool choiceMatches(ValueId id, const Shape &shape, int depth);
  bool phiMatches(ValueId id, const Shape &shape, int depth);
  bool hasWithin(ValueId id, const Shape &shape, int depth);
  std::vector<ValueId> flattened(ValueId id, Op op, size_t wanted) const;
  ValueId stripped(ValueId id) const;
  bool isNothing(ValueId id) const;
  bool sameValue(ValueId x, ValueId y, int depth = 0) const;
  std::optional<double> numberOf(ValueId id) const;

  const Analysis &a;
  const Origins &origins;
  int budget = 0; ///< steps left: a hostile graph ends with "does not match"
  std::set<std::pair<ValueId, const Shape *>> open;
};

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_PATTERNS_SHAPE_H
