//===- Origins.h - What each value rests on ---------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_PATTERNS_ORIGINS_H
#define WARPFOLD_EXPLAIN_PATTERNS_ORIGINS_H

#include "Explain/Flow/Analysis.h"

namespace wf::explain {

/// For each value, what it is computed from, as bits. Found once for a kernel:
/// a walk for each memory access would be quadratic.
class Origins {
public:
  enum : uint16_t {
    thread = 1,     ///< the thread's or lane's index
    block = 2,      ///< the block's or cluster's index
    loaded = 4,     ///< something loaded from memory (not a parameter)
    result = 8,     ///< a shuffle's, atomic's or call's result
    unknown = 16,   ///< an undefined value or an unknown opcode
    looped = 32,    ///< a value that a loop changes
    exchanged = 64, ///< other lanes' values: shuffles, votes, warp reductions
    atomic = 128    ///< the old value that an atomic found
  };
  explicit Origins(const Analysis &a);
  uint16_t of(ValueId id) const {
    return id < bits.size() ? bits[id] : uint16_t(unknown);
  }
  /// Is it the same whatever the memory holds? Such a guard bounds an access;
  /// another one chooses between values.
  bool freeOfData(ValueId id) const {
    return !(of(id) & (loaded | result | unknown));
  }

private:
  std::vector<uint16_t> bits;
};

/// What a Load value was loaded from.
Space loadedFrom(const Analysis &a, const Value &v);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_PATTERNS_ORIGINS_H
