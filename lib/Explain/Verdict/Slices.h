//===- Slices.h - Where values come from and go to --------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What the verdicts ask of the value graph: what a value is once moves, guards
// and joins are looked through, what it is used for, and what it is in each
// lane of a warp.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_VERDICT_SLICES_H
#define WARPFOLD_EXPLAIN_VERDICT_SLICES_H

#include "Explain/Flow/Analysis.h"

#include <unordered_map>

namespace wf::explain {

/// What a value is used for, in the end.
enum Use : uint8_t {
  usedNowhere = 0,
  usedInAddress = 1,
  usedInCondition = 2,
  usedAsData = 4
};

class Slices {
public:
  explicit Slices(const Analysis &a);

  const Analysis &analysis() const { return a; }
  const Value &value(ValueId id) const { return a.values[id]; }

  /// The first instruction with that result, or SIZE_MAX.
  size_t maker(ValueId id) const {
    return id < made.size() ? made[id] : SIZE_MAX;
  }

  /// An OR of Use.
  uint8_t uses(ValueId id) const { return id < use.size() ? use[id] : 0; }

  /// The operations, loads, results and leaves that a value is one of, once
  /// Phi, Gamma, High, Low, Move and Convert are looked through.
  std::vector<ValueId> origins(ValueId id) const;

  /// Does the value differ between lanes of a warp (as far as is known)?
  bool varies(ValueId id) const { return id < vary.size() && vary[id]; }

  /// The value in a lane of the first warp of a block of 256, in a loop's first
  /// step; none where it rests on memory that differs between lanes. What is
  /// the same in all lanes stands as an arbitrary aligned constant.
  std::optional<int64_t> inLane(ValueId id, int lane) const;

  /// A loop's header phis: does `id` of one step rest on `phi` of it? Pure
  /// operations only.
  bool restsOn(ValueId id, ValueId phi) const;

  /// Can control go from instruction `from` to `to`, by one step or more?
  bool reaches(size_t from, size_t to) const;

  /// The innermost loop of an instruction, or -1.
  int loopOf(size_t instruction) const;
  /// Are both in `loop` or a loop within it?
  bool within(size_t instruction, int loop) const;
  int depthOf(size_t instruction) const;
  bool reachable(size_t instruction) const;

private:
  void markUses();
  void markVarying();
  void mark(ValueId id, uint8_t bits);

  const Analysis &a;
  std::vector<uint8_t> use;
  std::vector<size_t> made;
  std::vector<char> vary;
  mutable std::unordered_map<uint64_t, std::vector<char>> reachedFrom;
};

/// "x[i]" or "shared[threadIdx.x + stride]" for an address of `bytes`.
std::string place(const Analysis &a, ValueId address, Space space,
                  uint32_t bytes);
/// The array's name alone: "x", "shared", "shared+0x800", "local".
std::string arrayOf(const Analysis &a, ValueId address, Space space);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_VERDICT_SLICES_H
