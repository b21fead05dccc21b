//===- Named.h - What --plan takes: auto, v0 … v5, a plan's text -*- C++
//-*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The ladder (form=ladder). A block has T = 32 * warps threads, a load takes
// V = `vector` neighbouring elements, and G blocks fold one output of K:
//
//   block b of an output, thread t, load i, element j of it:
//     k = ((i * G + b) * T + t) * V + j            absent where k >= K
//   block b of output o is block o * G + b of the grid
//
// so that loads of a block lie side by side and a thread's own loads are a grid
// apart. A thread folds its elements in increasing k: map, then update. A state
// that has no element is never combined. Then the T states of a block join by
// the exchange; `a` below always is the state with the lower thread number:
//
//   none      no join: every element's state goes to the grid tier (V = 1)
//   halving   shared memory; rounds of stride s = T/2, T/4 … 1: t < s takes
//             t + s. T is a power of two
//   pairs     shared memory; rounds s = 1, 2 … T/2: t with t mod 2s = 0 takes
//             t + s. T is a power of two
//   down      shuffles; in every warp strides 16 … 1: lane l takes l + s; the
//             warps' states then join the same way as 32 lanes of which only
//             `warps` are there
//   up        shuffles counting up: strides 1 … 16, operands by lane bit; the
//             warps' states then join the same way
//
// and the blocks of an output by the grid:
//
//   atomic    G = ceil(K / (T * items)): each state goes into the output
//   launch    G = ceil(K / (T * V)), at most `run` (0: no limit); a second
//             launch of one block an output takes the G partial states as its
//             elements: thread t folds partials t, t + T, … by combine, then
//             the exchange. Right for any G; with G = 1 it only finishes.
//   ticket    the same, in the block that comes last
//
// `items` is how many elements a thread takes a step; for launch and ticket it
// is an unrolling and moves no element. With atomic it is all a thread takes.
//
//   v0 none, atomic             one atomic an element
//   v1 halving, atomic          v1:tree=pairs counts up instead
//   v2 down, atomic             v2:tree=up
//   v3 down, atomic, items=4    v3:vec=4 loads 16 bytes at once
//   v4 down, launch, run=1024   v5 the same with ticket
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_PLAN_NAMED_H
#define WARPFOLD_PLAN_NAMED_H

#include "Plan/Plan.h"

#include <optional>
#include <string>

namespace wf {

/// What --plan said, its words checked.
struct PlanRequest {
  enum Kind { Auto, Ladder, Text } kind = Auto;
  int64_t rung = 0;                        ///< Ladder: 0 … 5
  int64_t block = 256;                     ///< Ladder: threads
  int64_t vector = 1, items = 0, cap = -1; ///< Ladder; items 0, cap -1: default
  std::optional<Exchange> tree;            ///< Ladder
  Plan plan;                               ///< Text
  bool saysOrder = false;                  ///< Text: it names an order
  std::string text;
};

/// "auto", "v3:vec=4,block=128", or a plan's text. A mistake is the user's
/// error, with a caret under the word and the nearest known one.
llvm::Expected<PlanRequest> parsePlanRequest(llvm::StringRef text);

/// What of a reduction decides whether a named plan can run it.
struct NamedFacts {
  bool commutative = false;
  bool exact = false;             ///< any tree gives the same bits
  bool neutral = false;           ///< there is a state that changes nothing
  bool plainFinish = false;       ///< the result is the state, bit for bit
  std::optional<PlanOrder> asked; ///< --order
};

struct PlanChoice {
  Plan plan;
  std::string reason; ///< why it runs under plan.order
};

/// The plan of a request: for `auto` the chosen one, for a named plan its
/// form under the order that was asked for or the strongest it can honour, for
/// a text that plan. Refused, with the reason, where it cannot do what is
/// asked. facts.order is the order that `auto` runs under.
llvm::Expected<PlanChoice> planFor(const PlanRequest &request,
                                   const PlanFacts &facts,
                                   const NamedFacts &named);

/// G: blocks of one output of K elements, for form=ladder. At least 1.
int64_t ladderBlocks(const Plan &plan, int64_t elements);

/// Loads of the thread that has the most of them.
int64_t ladderLoads(const Plan &plan, int64_t elements);

std::string_view name(Form form);
std::string_view name(Grid grid);
std::string_view name(Exchange exchange);
std::string_view name(Load load);

} // namespace wf

#endif // WARPFOLD_PLAN_NAMED_H
