//===- Internal.h - The analysis in steps -----------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What the files of this folder share and nobody else needs. Each step fills
// its part of an Analysis and reads those before it.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_FLOW_INTERNAL_H
#define WARPFOLD_EXPLAIN_FLOW_INTERNAL_H

#include "Explain/Flow/Analysis.h"

#include <functional>
#include <unordered_map>

namespace wf::explain {

void buildBlocks(Analysis &a);
void buildDominators(Analysis &a);
void findLoops(Analysis &a);
void buildValues(Analysis &a);
/// Names loop phis, and says conditions and inductions of loops.
void describeLoops(Analysis &a);
void buildWebs(Analysis &a);

/// Where control goes after instruction `i`, its guard considered.
struct Leaving {
  Flow::Kind kind = Flow::Kind::Next;
  bool conditional = false;
};
Leaving leaving(const Program &program, size_t i);

/// Reachable blocks, each before its successors but along retreating edges.
std::vector<size_t> reversePostOrder(const Analysis &a);
/// Whether `above` is on the path from `below` to the entry of the dominator
/// tree; by numbers of a walk over it.
struct DominatorTree {
  std::vector<std::vector<size_t>> children;
  std::vector<uint32_t> enter, leave;
  explicit DominatorTree(const Analysis &a);
  bool dominates(size_t above, size_t below) const {
    return enter[above] <= enter[below] && leave[below] <= leave[above];
  }
};
/// Immediate dominators of a graph by semidominators; SIZE_MAX where `root`
/// does not reach; the root's is itself.
std::vector<size_t>
immediateDominators(const std::vector<std::vector<size_t>> &next, size_t root);

/// A register of the program as a small number.
class RegisterTable {
public:
  explicit RegisterTable(const Program &program);
  size_t size() const { return registers.size(); }
  Reg reg(uint32_t number) const { return registers[number]; }
  uint32_t number(Reg reg) const;

private:
  uint32_t add(Reg reg);
  std::vector<Reg> registers;
  std::unordered_map<uint64_t, uint32_t> numbers;
};

/// Calls `visit` with each source that instruction `d` reads, its effect's
/// index (SIZE_MAX: the guard or the flow's condition).
void forEachSource(const Decoded &d,
                   const std::function<void(const Source &, size_t)> &visit);

/// Registers whose value at a block's start matters there.
struct Liveness {
  std::vector<std::vector<uint32_t>> in; ///< by block, sorted
  std::vector<bool> untracked;           ///< too many: values end with blocks
};
Liveness liveness(const Analysis &a, const RegisterTable &registers);

inline bool is(const Value &v, Op op) {
  return v.kind == Value::Kind::Operation && v.op == op;
}
bool isPtx(const Analysis &a);
bool isWide(const Value &v);      ///< 64 bits
bool isPredicate(const Value &v); ///< a truth value, or a mask of lanes

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_FLOW_INTERNAL_H
