//===- Printer.h - The state of writing a value -----------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_FLOW_PRINTER_H
#define WARPFOLD_EXPLAIN_FLOW_PRINTER_H

#include "Explain/Flow/Internal.h"

namespace wf::explain {

/// Of operators in C, the loosest first.
enum Precedence : int {
  ternary = 1,
  orElse,
  andAlso,
  bitOr,
  bitXor,
  bitAnd,
  equality,
  relation,
  shift,
  sum,
  product,
  unary,
  primary
};

/// The parameter at `offset`, by the kernel's name for it; "param[0x10]".
std::string parameterName(const Analysis &a, int64_t offset);
/// Also what half of it a value is: "high(x)".
std::string parameterText(const Analysis &a, const Value &v);
std::string parameterType(const Analysis &a, int64_t offset);

struct Printer {
  const Analysis &a;
  int budget;         ///< nodes that may still be written
  bool reals = false; ///< constants are floats' bits
  bool bits = false;  ///< constants are masks
  /// Values that are called something here, such as a phi's next value.
  std::vector<std::pair<ValueId, std::string>> names = {};

  /// `need` is the precedence below which the text is put in parentheses.
  std::string text(ValueId id, int depth, int need);
  std::string truth(ValueId id, bool negated, int depth, int need);
  /// A loaded value as an element of what it was loaded from.
  std::string element(const Value &load, int depth);
  bool looksReal(ValueId id, int depth = 3) const;

private:
  std::string wrapped(std::string text, int have, int need) const;
  std::string comparison(const Value &v, bool negated, int depth, int need);
  std::string operands(const Value &v, Cmp cmp, int depth);
  std::string operation(ValueId id, const Value &v, int depth, int need);
  std::string sumText(ValueId id, int depth, int need);
  std::string productText(const Value &v, int depth, int need);
  std::string choice(const Value &v, int depth, int need);
  std::string call(std::string name, const std::vector<ValueId> &args,
                   int depth);
  std::string leaf(const Value &v);
  int rankInSum(ValueId id) const;
  const std::string *renamed(ValueId id) const;
};

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_FLOW_PRINTER_H
