//===- Plan.h - Who holds which element, which tier merges what --*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A plan is a small struct with equality and a text form that parses back:
//
//   cpu kind=row order=canonical vector=4 accumulators=4 rows=32 simd=16
//       elements=0 abreast=1 tile=0 load=vector narrow=none index=i64
//
// The order's constants (vector, accumulators, rows) follow from types alone;
// the rest is execution and never changes a bit.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PLAN_PLAN_H
#define WARPFOLD_PLAN_PLAN_H

#include "Plan/Problem.h"
#include "llvm/Support/Error.h"
#include "warpfold/Type.h"

#include <optional>
#include <string>

namespace wf {

// X(enumerator, name, name with version as users see it)
#define WF_ORDERS(X)                                                           \
  X(Canonical, "canonical", "canonical/1")                                     \
  X(Ordered, "ordered", "ordered")                                             \
  X(Sequential, "sequential", "sequential")

enum class PlanOrder : uint8_t {
#define X(E, ...) E,
  WF_ORDERS(X)
#undef X
};

std::string_view name(PlanOrder order);
std::string_view versionedName(PlanOrder order);
std::optional<PlanOrder> orderNamed(std::string_view text);

// X(enumerator, name): how elements come to a chunk.
//   vector  read in place: unit stride along k or along the kept axis, or k
//           over several axes of which the innermost holds whole rows
//   pack    gathered into a buffer of one chunk by the runtime
#define WF_LOADS(X)                                                            \
  X(Vector, "vector")                                                          \
  X(Pack, "pack")

enum class Load : uint8_t {
#define X(E, ...) E,
  WF_LOADS(X)
#undef X
};

struct Plan {
  std::string target = "cpu";
  ProblemKind kind = ProblemKind::Full;
  PlanOrder order = PlanOrder::Canonical;
  int64_t vector = 4;       ///< V: consecutive elements a lane takes
  int64_t accumulators = 4; ///< A: slots a lane keeps
  int64_t rows = 32;        ///< rows a chunk; ordered: 1; sequential: 0
  int64_t simd = 16;        ///< slots (or outputs) a SIMD register pass
  Load load = Load::Vector;
  int64_t elements = 0;     ///< K where it is compiled in (1 … 128), else 0
  int64_t abreast = 1;      ///< short rows folded side by side
  /// Exact sums of narrow integers keep partials of this type in a chunk's
  /// rows; the slots are then joined as i32.
  std::optional<ScalarType> narrow;
  /// Positions of arg reductions count within a chunk, in 32 bits.
  bool nearIndex = false;
  /// State bytes a member of one tile of neighbouring outputs: columns, and
  /// panels of outputs whose k runs over several axes; else 0.
  int64_t tile = 0;

  bool operator==(const Plan &) const = default;

  int64_t lanes() const { return 32; }
  int64_t slots() const { return lanes() * accumulators; }
  int64_t rowElements() const { return lanes() * vector; }
  /// Elements of a chunk: the leaf of the chunk tier.
  int64_t chunkElements() const {
    return rowElements() * (rows > 0 ? rows : 1);
  }

  std::string text() const;
};

/// Fields not named keep their defaults; an unknown one is an error.
llvm::Expected<Plan> parsePlan(llvm::StringRef text);

/// An error for a plan that no reduction could run; the lowering relies on what
/// is checked here.
llvm::Error checkPlan(const Plan &plan);

/// The facts a plan is chosen from.
struct PlanFacts {
  ProblemKind kind;
  PlanOrder order;
  int64_t elements;          ///< K, or -1 where unknown
  int64_t outputs;           ///< or -1
  int64_t widestInputBytes;  ///< E of the order contract
  int64_t stateBytes;        ///< S of the order contract
  int64_t widestMemberBytes; ///< of state members and inputs
  int64_t simdBytes;         ///< of a register of the target
  bool generated = false;
  /// general: the innermost reduced axis has unit stride in every input, and
  /// its length; 0 where it has not.
  int64_t innerRun = 0;
  /// Positions in the state are only chosen and compared.
  bool nearIndex = false;
  int64_t widestNearBytes = 0; ///< widestMemberBytes with them as i32
  /// Recognised sum of the input's own values in a wider integer.
  std::optional<ScalarType> integerSumOf;
};

Plan choosePlan(const PlanFacts &facts);

} // namespace wf

#endif // WARPFOLD_PLAN_PLAN_H
