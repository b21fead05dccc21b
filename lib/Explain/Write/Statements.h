//===- Statements.h - One instruction as a line of pseudo-code --*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_WRITE_STATEMENTS_H
#define WARPFOLD_EXPLAIN_WRITE_STATEMENTS_H

#include "Explain/Write/Lives.h"

#include <unordered_map>

namespace wf::explain {

/// What each instruction reads as in pseudo-code, where it is not absorbed: an
/// address, a constant or a predicate shows in the statement that uses it.
class Statements {
public:
  explicit Statements(const Report &report);

  /// Without the guard; "" where it is absorbed.
  const std::string &of(size_t i) const { return texts[i]; }
  const Lives &lives() const { return webs; }
  /// What it loads (or stores) of memory, as it is said; null: nothing.
  const Access *accessAt(size_t i, bool store) const;
  /// "R0", or the role where that is a name of its own ("stride").
  std::string name(const Web &web) const;
  /// A register operand of instruction `i` as pseudo-code writes it.
  std::string operand(size_t i, const Source &source, ValueId id) const;

  /// The condition under which `id` holds, an operand of instruction `i`'s
  /// guard or branch: by the predicate's name where its text is too long.
  std::string conditionOf(size_t i, ValueId id, bool negated = false) const;
  bool isNamed(size_t i, ValueId id) const;

  /// May `second`, which follows, be written before `first`? Both print.
  bool commute(size_t first, size_t second) const;

private:
  bool prints(size_t i) const { return i < printing.size() && printing[i]; }
  bool printsByRole(size_t i) const;
  bool printsPredicate(size_t i) const;
  std::string constantText(size_t i, const Effect &e, const Value &v) const;
  /// Does every use say the value itself, so that a statement says nothing new?
  bool saidByUses(size_t i) const;
  std::string fromLane(size_t i, const Effect &e,
                       const EffectValues *values) const;
  std::string write(size_t i) const;
  std::string called(const Decoded &d) const;
  std::string memoryStatement(size_t i, const Effect &e,
                              const EffectValues *values) const;
  std::string laneStatement(size_t i, const Effect &e,
                            const EffectValues *values) const;
  std::string computation(size_t i, const Effect &e,
                          const EffectValues *values) const;
  std::string target(size_t i, const Effect &e) const;
  std::string argument(size_t i, const Effect &e, const EffectValues *values,
                       ValueId id) const;
  std::string source(size_t i, const Effect &e, const EffectValues *values,
                     size_t n) const;
  void chooseNames();

  const Report &r;
  const Analysis &a;
  Lives webs;
  std::unordered_map<size_t, std::vector<uint32_t>> accesses;
  std::unordered_map<const Web *, std::string> names;
  std::vector<bool> printing;
  std::vector<std::string> texts;
};

/// A name for the thread's index in the grid, which long expressions repeat:
/// "i" for "blockIdx.x * blockDim.x + threadIdx.x", where the kernel has that.
class Shorthand {
public:
  explicit Shorthand(const Report &report);
  const std::string &name() const { return shortName; } ///< "" without one
  const std::string &meaning() const { return longName; }
  std::string apply(std::string text) const;

private:
  std::string shortName, longName;
  std::vector<std::string> spellings;
};

/// "a + b" of an operation's operands.
std::string operationText(Op op, Type type, Cmp cmp,
                          const std::vector<std::string> &args);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_WRITE_STATEMENTS_H
