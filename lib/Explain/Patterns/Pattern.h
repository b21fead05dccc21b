//===- Pattern.h - Patterns of kernels, as data -----------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A pattern is a text file (docs/patterns.md says its form) of conditions on a
// Report's facts, accumulators and stored values, with what a reader should
// know of it. Those of patterns/*.pattern are built in; a user adds more.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_PATTERNS_PATTERN_H
#define WARPFOLD_EXPLAIN_PATTERNS_PATTERN_H

#include "Explain/Verdict/Report.h"

namespace wf::explain {

struct Condition {
  std::string text;                ///< as written
  std::string name;                ///< the fact, or the accumulator's field
  std::string relation;            ///< "=", "!=", "<=", ">=", "<", ">", "has"
  std::vector<std::string> wanted; ///< alternatives
  bool ofAccumulator = false;
  uint32_t group = 0; ///< conditions of one `accumulator` line share it
  bool none = false;  ///< of a `no accumulator` line
};

struct Pattern {
  std::string name, title;
  std::vector<Condition> conditions;
  bool perAccumulator = false; ///< matched once for each that fits
  /// Shapes of the value stored, any of which fits: "max(load, 0)".
  std::vector<std::string> stores;
  /// Shapes of which at least one stored value has each.
  std::vector<std::string> storesSome;
  std::vector<std::string> hides; ///< patterns that it makes superfluous
  std::string cuda, roles, meaning;
  std::vector<std::string> notes, similar;
  uint32_t line = 0;
  std::string file;
};

/// Reads one file's patterns.
Result<std::vector<Pattern>> readPatterns(std::string_view text,
                                          std::string_view file);
/// The built-in ones, in the order in which they are tried.
const std::vector<Pattern> &builtinPatterns();

/// Fills `report.patterns`, or `report.nearest`. Adds its own facts first.
void matchPatterns(Report &report, const std::vector<Pattern> &patterns);

/// Facts on where stores, loads and atomics go: "stores_per_block" and others
/// of placeFactNames(). matchPatterns() and --assert add them.
void addPlaceFacts(Report &report);
std::vector<std::pair<std::string, std::string>> placeFactNames();

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_PATTERNS_PATTERN_H
