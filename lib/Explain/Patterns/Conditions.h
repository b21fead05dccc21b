//===- Conditions.h - Does a condition hold, and by what --------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_PATTERNS_CONDITIONS_H
#define WARPFOLD_EXPLAIN_PATTERNS_CONDITIONS_H

#include "Explain/Patterns/Pattern.h"
#include "Explain/Patterns/Shape.h"

namespace wf::explain {

struct Held {
  bool holds = false;
  std::string says;
  std::vector<size_t> proof;
};

/// What one store puts into global memory: a vector's parts.
struct StoredValue {
  size_t instruction = 0;
  std::vector<ValueId> parts;
};

class Tester {
public:
  explicit Tester(const Report &report)
      : report(report), origins(report.analysis),
        matcher(report.analysis, origins) {}

  Held fact(const Condition &c) const;
  bool field(const Accumulator &acc, const Condition &c);
  bool shape(ValueId id, const Shape &shape) {
    return matcher.matches(id, shape);
  }
  std::vector<StoredValue> globalStores() const;
  /// Does one of two loops of the same operation go on with what the other has?
  bool continues(size_t x, size_t y) const;

  std::string expressionOf(const StoredValue &stored) const;
  std::string accumulatorText(const Accumulator &acc) const;
  /// "max", "add, unrolled ×8"
  std::string detail(const std::vector<size_t> &accumulators) const;

private:
  bool stepHas(const Accumulator &acc, const std::string &shapeText);
  bool feeds(const Accumulator &from, const Accumulator &to) const;
  std::string addressText(size_t instruction) const;

  const Report &report;
  Origins origins;
  ShapeMatcher matcher;
  std::map<std::string, Shape> shapes;
};

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_PATTERNS_CONDITIONS_H
