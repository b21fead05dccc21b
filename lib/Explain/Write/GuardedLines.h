//===- GuardedLines.h - Statements in the ifs of their guards ---*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_WRITE_GUARDEDLINES_H
#define WARPFOLD_EXPLAIN_WRITE_GUARDEDLINES_H

#include "Explain/Write/Statements.h"

namespace wf::explain {

/// Lines of pseudo-code as they grow: consecutive statements of one guard share
/// an if, AMD's EXEC regions among them.
class GuardedLines {
public:
  explicit GuardedLines(const Report &report)
      : r(report), a(report.analysis), statements(report) {}

  void line(std::string text) {
    out.push_back(std::string(size_t(2 * depth()), ' ') + std::move(text));
  }
  int depth() const { return nested + int(guards.size()); }
  /// Ends the ifs of guards but the outer `keep`.
  void closeGuards(size_t keep);
  void blockStatements(size_t block);

  const Report &r;
  const Analysis &a;
  Statements statements;
  std::vector<std::string> out;
  std::vector<ValueId> enclosing; ///< what the ifs around hold true
  int nested = 0;                 ///< ifs and loops that are open, of branches

private:
  void conjuncts(ValueId id, std::vector<ValueId> &parts, int budget) const;
  std::vector<ValueId> guardOf(size_t i) const;
  void openGuards(size_t i, const std::vector<ValueId> &wantedGuards);
  bool movable(size_t i) const;
  bool defer(size_t i, size_t end);

  std::vector<ValueId> guards; ///< open at the end of `out`, innermost last
  std::vector<size_t> deferred;
};

/// A name for the thread's index; no exit where a `complete` kernel ends
/// anyhow; one barrier where arriving and waiting follow each other.
std::vector<std::string> finished(const Report &r,
                                  std::vector<std::string> text, bool complete);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_WRITE_GUARDEDLINES_H
