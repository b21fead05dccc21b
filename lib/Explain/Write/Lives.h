//===- Lives.h - Which life of a register an instruction means --*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_WRITE_LIVES_H
#define WARPFOLD_EXPLAIN_WRITE_LIVES_H

#include "Explain/Verdict/Report.h"

namespace wf::explain {

/// The webs of an analysis by the instructions that define and use them.
class Lives {
public:
  explicit Lives(const Analysis &a);

  const Analysis &analysis() const { return a; }
  /// Indices into Analysis::webs.
  const std::vector<uint32_t> &defined(size_t i) const { return defs[i]; }
  const std::vector<uint32_t> &used(size_t i) const { return uses[i]; }
  const Web *definition(size_t i, Reg reg) const { return find(defs, i, reg); }
  const Web *use(size_t i, Reg reg) const { return find(uses, i, reg); }

  /// Everything that instruction `i` rests on, itself included: definitions of
  /// what it reads, and so on, before `limit` instructions are gathered.
  /// Sorted. With `memory`, loads are followed to nothing (their addresses
  /// are).
  std::vector<size_t> slice(const std::vector<size_t> &roots,
                            size_t limit = 64) const;

private:
  using Table = std::vector<std::vector<uint32_t>>;
  const Web *find(const Table &table, size_t i, Reg reg) const;
  const Analysis &a;
  Table defs, uses;
};

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_WRITE_LIVES_H
