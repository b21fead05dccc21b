//===- Plan.h - Who holds which element, which tier merges what --*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A plan is a small struct with equality and a text form that parses back:
//
//   cpu kind=row order=canonical vector=4 accumulators=4 rows=32 simd=16
//       elements=0 abreast=1 tile=0 load=vector narrow=none index=i64
//
// or, for a GPU,
//
//   sm_90 kind=full order=canonical vector=4 accumulators=4 rows=32 elements=0
//       form=warp warps=16 flight=8 run=4 fill=0 lanes=32 outputs=1 resident=2
//       load=vector even=yes whole=yes grid=ticket exchange=up index=i64
//       address=32
//
// The order's constants (vector, accumulators, rows) follow from types alone;
// the rest is execution and never changes a bit.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PLAN_PLAN_H
#define WARPFOLD_PLAN_PLAN_H

#include "Plan/Problem.h"
#include "warpfold/Type.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace wf {

// X(enumerator, name, name with version as users see it)
#define WF_ORDERS(X)                                                           \
  X(Canonical, "canonical", "canonical/1")                                     \
  X(Ordered, "ordered", "ordered")                                             \
  X(Sequential, "sequential", "sequential")                                    \
  X(Fixed, "fixed", "fixed")                                                   \
  X(Any, "any", "any")

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
//   element one at a time, at any stride and alignment (GPU)
#define WF_LOADS(X)                                                            \
  X(Vector, "vector")                                                          \
  X(Pack, "pack")                                                              \
  X(Element, "element")

enum class Load : uint8_t {
#define X(E, ...) E,
  WF_LOADS(X)
#undef X
};

// X(enumerator, name): what of a GPU an output's fold is given.
//   warp    warps fold whole chunks; several of them where a fold is long
//   lanes   a power of two of a warp's lanes (K is compiled in)
//   column  lanes lie along neighbouring outputs, warps along slots
//   thread  a thread an output, one element after the other
//   ladder  a thread an element or a strided run of them: the plans v0 … v5
#define WF_FORMS(X)                                                            \
  X(Warp, "warp")                                                              \
  X(Lanes, "lanes")                                                            \
  X(Column, "column")                                                          \
  X(Thread, "thread")                                                          \
  X(Ladder, "ladder")

enum class Form : uint8_t {
#define X(E, ...) E,
  WF_FORMS(X)
#undef X
};

// X(enumerator, name): how blocks of one output join (GPU).
//   none    one block folds all of an output
//   atomic  each block's state goes into the output by an atomic
//   launch  partial states, joined by a second launch
//   ticket  partial states, joined by the block that comes last
#define WF_GRIDS(X)                                                            \
  X(None, "none")                                                              \
  X(Atomic, "atomic")                                                          \
  X(Launch, "launch")                                                          \
  X(Ticket, "ticket")

enum class Grid : uint8_t {
#define X(E, ...) E,
  WF_GRIDS(X)
#undef X
};

// X(enumerator, name): how states of lanes and warps meet (GPU).
//   up       shuffles, neighbours first: index order, the same bits everywhere
//   down     shuffles, the far half first (the seed's v2)
//   halving  shared memory, the far half first, a barrier a round (the seed's
//   v1) pairs    shared memory, neighbours first, a barrier a round none     no
//   exchange: every element goes to the grid tier (v0)
#define WF_EXCHANGES(X)                                                        \
  X(Up, "up")                                                                  \
  X(Down, "down")                                                              \
  X(Halving, "halving")                                                        \
  X(Pairs, "pairs")                                                            \
  X(None, "none")

enum class Exchange : uint8_t {
#define X(E, ...) E,
  WF_EXCHANGES(X)
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
  int64_t elements = 0; ///< K where it is compiled in (1 … 128), else 0
  int64_t abreast = 1;  ///< short rows folded side by side
  /// Exact sums of narrow integers keep partials of this type in a chunk's
  /// rows; the slots are then joined as i32.
  std::optional<ScalarType> narrow;
  /// Positions of arg reductions count within a chunk, in 32 bits.
  bool nearIndex = false;
  /// State bytes a member of one tile of neighbouring outputs: columns, and
  /// panels of outputs whose k runs over several axes; else 0.
  int64_t tile = 0;

  // What only a GPU plan says; on a CPU all of it keeps its default.
  Form form = Form::Warp;
  int64_t warps = 0;    ///< warps a block
  int64_t flight = 8;   ///< loads a lane has under way
  int64_t run = 1;      ///< chunks (column: slots) a warp folds, one by one
  int64_t fill = 0;     ///< rows of every fold where one chunk holds it, else 0
  int64_t lanes = 32;   ///< lanes of one output; column: along the outputs
  int64_t outputs = 1;  ///< outputs a lane folds side by side
  int64_t resident = 1; ///< blocks a multiprocessor is to hold
  int64_t group = 0;    ///< ticket: runs that join before all do; 0: none
  int64_t items = 1;    ///< ladder: elements a thread takes a step; column:
                        ///< neighbouring slots a lane folds
  bool even = false;    ///< the innermost reduced length divides by `vector`
  bool whole = false;   ///< K is a multiple of a row
  Grid grid = Grid::None;
  Exchange exchange = Exchange::Up;
  int64_t address = 64; ///< bits of element offsets

  bool operator==(const Plan &) const = default;

  bool onGpu() const { return target != "cpu"; }
  int64_t threads() const { return 32 * warps; } ///< of a block
  int64_t slots() const { return 32 * accumulators; }
  int64_t rowElements() const { return 32 * vector; }
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

  // For a GPU (target is not "cpu"):
  std::string target = "cpu";
  int64_t multiprocessors = 1;
  int64_t memberBytes = 4; ///< state members' sizes, each at its alignment
  int64_t memberCount = 1;
  int64_t inputBytes = 4; ///< of one element of every input
  bool counted = false;   ///< combine reads counts
  /// Every lane's `vector` elements lie side by side at a multiple of their
  /// size, in every input: k's (row-like) or the outputs' (column).
  bool aligned = true;
  int64_t columns = 0;      ///< column: length of the innermost kept axis
  int64_t innerLength = 0;  ///< length of the innermost reduced axis
  int64_t addressBits = 64; ///< 32 where every offset fits
};

/// What the order contract alone decides of a plan: kind, order, vector,
/// accumulators, rows. Every target starts from it.
Plan orderConstants(const PlanFacts &facts);

Plan choosePlan(const PlanFacts &facts);
/// The part of choosePlan that speaks of GPUs (GpuPlan.cpp).
Plan chooseGpuPlan(const PlanFacts &facts);

} // namespace wf

#endif // WARPFOLD_PLAN_PLAN_H
