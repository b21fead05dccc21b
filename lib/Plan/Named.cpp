//===- Named.cpp - The plans with a name ----------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/Named.h"

#include "Error/Error.h"
#include "Plan/Hardware.h"

#include <algorithm>

using namespace wf;
using llvm::Twine;

int64_t wf::ladderBlocks(const Plan &plan, int64_t elements) {
  int64_t each =
      plan.threads() * (plan.grid == Grid::Atomic ? plan.items : plan.vector);
  // Not (elements + each - 1) / each: K may be near 2^63.
  int64_t blocks = elements / each + (elements % each != 0);
  if (plan.grid != Grid::Atomic && plan.run > 0)
    blocks = std::min(blocks, plan.run);
  return std::max<int64_t>(blocks, 1);
}

int64_t wf::ladderLoads(const Plan &plan, int64_t elements) {
  int64_t pass = ladderBlocks(plan, elements) * plan.threads() * plan.vector;
  return elements / pass + (elements % pass != 0);
}

static Plan ladderPlan(const PlanRequest &request, const PlanFacts &facts) {
  Plan p;
  p.target = facts.target;
  p.kind = facts.kind;
  p.form = Form::Ladder;
  p.warps = request.block / 32;
  p.vector = request.vector;
  p.accumulators = 1;
  p.items = request.items       ? request.items
            : request.rung == 3 ? std::max<int64_t>(4, request.vector)
                                : request.vector;
  p.flight = std::max<int64_t>(1, p.items / p.vector);
  p.run = request.rung < 4 ? 0 : request.cap < 0 ? 1024 : request.cap;
  p.load = p.vector > 1 ? Load::Vector : Load::Element;
  p.even = facts.elements > 0 && facts.elements % p.vector == 0;
  p.grid = request.rung < 4    ? Grid::Atomic
           : request.rung == 4 ? Grid::Launch
                               : Grid::Ticket;
  p.exchange = request.rung == 0   ? Exchange::None
               : request.tree      ? *request.tree
               : request.rung == 1 ? Exchange::Halving
                                   : Exchange::Down;
  p.address = facts.addressBits;
  return p;
}

static std::string rungName(const PlanRequest &request) {
  return llvm::StringRef(request.text).split(':').first.str();
}

/// Neighbours meet first, one element a thread, partials in one pass: then the
/// tree is the balanced one by the bits of k.
static bool isBalanced(const Plan &p, int64_t elements) {
  if (elements < 0 ||
      (p.exchange != Exchange::Up && p.exchange != Exchange::Pairs))
    return false;
  // Warps join as bits of k only where whole warps fill a power of two.
  if (p.warps & (p.warps - 1))
    return false;
  int64_t blocks = ladderBlocks(p, elements);
  return p.vector == 1 && ladderLoads(p, elements) <= 1 &&
         (blocks == 1 || (p.grid != Grid::Atomic && blocks <= p.threads()));
}

static PlanChoice strongest(const PlanRequest &request, const Plan &plan,
                            const PlanFacts &facts, const NamedFacts &named) {
  std::string rung = rungName(request);
  auto under = [&](PlanOrder order, std::string reason) {
    PlanChoice choice{plan, std::move(reason)};
    choice.plan.order = order;
    return choice;
  };
  if (named.exact && named.commutative)
    return under(PlanOrder::Canonical,
                 "the combine is exact: any tree gives the same bits");
  if (isBalanced(plan, facts.elements))
    return under(PlanOrder::Ordered,
                 rung + " counts up with one element a thread here: its tree "
                        "is the balanced one");
  bool single = facts.elements >= 0 &&
                ladderBlocks(plan, facts.elements) == 1 &&
                plan.exchange != Exchange::None;
  if (plan.grid != Grid::Atomic || single)
    return under(PlanOrder::Fixed,
                 rung + "'s tree depends on its block and grid, not on chance");
  return under(PlanOrder::Any,
               rung + " joins blocks by atomics, in the order they come");
}

static llvm::Error refuse(const PlanRequest &r, const Twine &why,
                          const Twine &hint) {
  return userError("plan " + r.text + " cannot run this: " + why, hint);
}

/// What the form itself asks, whatever the order.
static llvm::Error checkLadder(const PlanRequest &r, const Plan &p,
                               const PlanFacts &facts,
                               const NamedFacts &named) {
  if (facts.target == "cpu")
    return refuse(r, "v0 … v5 are plans for GPUs",
                  "say --device cuda, or --target sm_90");
  if (facts.generated)
    return refuse(r, "its elements are generated, not in memory",
                  "leave --plan out");
  if (facts.kind != ProblemKind::Full && facts.kind != ProblemKind::Row)
    return refuse(r,
                  "the problem is " + Twine(name(facts.kind)) +
                      ", and the ladder folds runs of memory (full, row)",
                  "leave --plan out");
  if (facts.counted)
    return refuse(r,
                  "its combine reads count(a), which the ladder does not "
                  "carry",
                  "leave --plan out");
  bool shared =
      p.exchange == Exchange::Halving || p.exchange == Exchange::Pairs;
  if (shared && (p.warps & (p.warps - 1)))
    return refuse(r,
                  "a tree in shared memory wants a power of two of threads, "
                  "not " +
                      Twine(p.threads()),
                  "say block=" + Twine(p.threads() < 256 ? 128 : 256));
  const Hardware *row = findHardware(facts.target);
  int64_t room = row ? int64_t(row->sharedBlock.value) : 49152;
  if (shared && p.threads() * facts.memberBytes > room)
    return refuse(r,
                  Twine(p.threads()) + " states of " +
                      Twine(facts.memberBytes) +
                      " bytes do not fit a block's " + Twine(room) +
                      " bytes of shared memory",
                  "say a smaller block=…");
  if (p.vector * facts.widestInputBytes > 16)
    return refuse(r,
                  "vec=" + Twine(p.vector) + " of " +
                      Twine(facts.widestInputBytes) +
                      " bytes is more than a load of 16 bytes",
                  "say vec=" + Twine(16 / facts.widestInputBytes));
  if (p.vector > 1 && !facts.aligned)
    return refuse(r,
                  "vec=" + Twine(p.vector) +
                      " wants elements that lie side "
                      "by side from a multiple of their size",
                  "say " + rungName(r) + " without vec");
  if (p.items % p.vector)
    return refuse(r, "items is not a multiple of vec",
                  "as in v3:vec=4,items=8");
  if (p.grid != Grid::Atomic)
    return llvm::Error::success();
  if (facts.memberCount != 1 ||
      (facts.stateBytes != 4 && facts.stateBytes != 8))
    return refuse(r,
                  "an atomic takes one member of 4 or 8 bytes, and this "
                  "state has " +
                      Twine(facts.memberCount) +
                      (facts.memberCount == 1 ? " member" : " members") +
                      " of " + Twine(facts.stateBytes) + " bytes in all",
                  "v4 and v5 join blocks without atomics");
  if (!named.neutral)
    return refuse(r,
                  "an atomic starts from the neutral state, and this "
                  "reduction has none",
                  "give it one with --neutral, or use v4 or v5");
  if (!named.plainFinish)
    return refuse(r, "after an atomic nobody is left to run finish",
                  "v4 and v5 have a last block that does");
  return llvm::Error::success();
}

static llvm::Error checkLaunch(const PlanRequest &r, const Plan &p,
                               const PlanFacts &facts) {
  if (facts.elements < 0 || facts.outputs < 0)
    return llvm::Error::success();
  // CUDA C++ Programming Guide: the grid's first dimension ends at 2^31 - 1.
  int64_t blocks = ladderBlocks(p, facts.elements);
  int64_t most = (int64_t(1) << 31) - 1;
  if (facts.outputs > 0 && blocks > most / facts.outputs)
    return refuse(r,
                  "it would launch " + Twine(blocks) +
                      " blocks an output, "
                      "past a grid's 2147483647",
                  "a larger block=…, or v4 and v5, whose grid is bounded");
  return llvm::Error::success();
}

/// Can a plan whose strongest order is `best` run under `asked`?
static bool honours(PlanOrder best, PlanOrder asked) {
  if (best == PlanOrder::Canonical) // an exact combine: every order is one
    return true;
  switch (asked) {
  case PlanOrder::Canonical:
  case PlanOrder::Sequential:
    return false;
  case PlanOrder::Ordered:
    return best == PlanOrder::Ordered;
  case PlanOrder::Fixed:
    return best != PlanOrder::Any;
  case PlanOrder::Any:
    return true;
  }
  return false;
}

static llvm::Expected<PlanChoice> ladder(const PlanRequest &request,
                                         const PlanFacts &facts,
                                         const NamedFacts &named) {
  Plan plan = ladderPlan(request, facts);
  if (llvm::Error e = checkLadder(request, plan, facts, named))
    return std::move(e);
  if (llvm::Error e = checkLaunch(request, plan, facts))
    return std::move(e);
  PlanChoice choice = strongest(request, plan, facts, named);
  PlanOrder best = choice.plan.order;
  if (!named.commutative && best != PlanOrder::Ordered)
    return refuse(request,
                  "the combine is not commutative, and " + choice.reason,
                  "leave --plan out, or declare it with --commutative");
  if (named.asked) {
    if (!honours(best, *named.asked))
      return refuse(
          request,
          "it cannot honour order " + Twine(versionedName(*named.asked)) +
              ": " + choice.reason,
          "the strongest order it can is " + Twine(versionedName(best)));
    if (*named.asked != best)
      choice.reason = "asked for; " + choice.reason;
    choice.plan.order = *named.asked;
  }
  choice.plan.rows = choice.plan.order == PlanOrder::Ordered      ? 1
                     : choice.plan.order == PlanOrder::Sequential ? 0
                                                                  : 32;
  return choice;
}

/// A plan's text must be one of this problem, and its order's constants those
/// that the types give; else its bits would be nobody's.
static llvm::Expected<PlanChoice>
written(const PlanRequest &request, PlanFacts facts, const NamedFacts &named) {
  Plan plan = request.plan;
  if (plan.target != facts.target)
    return refuse(request,
                  "it is for " + plan.target + ", not for " + facts.target,
                  "write the plan of this target");
  if (plan.kind != facts.kind)
    return refuse(request,
                  "its kind is " + Twine(name(plan.kind)) +
                      " and the problem's is " + Twine(name(facts.kind)),
                  "write kind=" + Twine(name(facts.kind)));
  if (!request.saysOrder)
    plan.order = facts.order;
  if (named.asked && *named.asked != plan.order)
    return refuse(request,
                  "its order is " + Twine(name(plan.order)) +
                      " and --order says " + Twine(name(*named.asked)),
                  "leave one of them out");
  if (plan.order == PlanOrder::Canonical && !named.commutative)
    return refuse(request, "order canonical needs a commutative combine",
                  "write order=ordered");
  if (plan.form != Form::Ladder &&
      (plan.order == PlanOrder::Fixed || plan.order == PlanOrder::Any))
    return refuse(request,
                  "only the ladder runs under " + Twine(name(plan.order)),
                  "write order=canonical or order=ordered");
  facts.order = plan.order;
  if (plan.form != Form::Ladder) {
    Plan right = choosePlan(facts);
    if (plan.vector != right.vector ||
        plan.accumulators != right.accumulators || plan.rows != right.rows)
      return refuse(request,
                    "order " + Twine(versionedName(plan.order)) +
                        " on these types has vector=" + Twine(right.vector) +
                        " accumulators=" + Twine(right.accumulators) +
                        " rows=" + Twine(right.rows),
                    "write these");
  } else if (!named.exact && (plan.order == PlanOrder::Canonical ||
                              plan.order == PlanOrder::Sequential ||
                              (plan.order == PlanOrder::Ordered &&
                               !isBalanced(plan, facts.elements)))) {
    return refuse(request,
                  "its tree is not that of order " +
                      Twine(versionedName(plan.order)),
                  "write order=fixed or order=any");
  }
  if (llvm::Error e = checkPlan(plan))
    return std::move(e);
  return PlanChoice{plan, "the plan's own text says so"};
}

llvm::Expected<PlanChoice> wf::planFor(const PlanRequest &request,
                                       const PlanFacts &facts,
                                       const NamedFacts &named) {
  switch (request.kind) {
  case PlanRequest::Auto:
    return PlanChoice{choosePlan(facts),
                      named.asked ? "asked for"
                      : named.commutative
                          ? "the default of a commutative combine"
                          : "the combine is not known to be commutative"};
  case PlanRequest::Ladder:
    return ladder(request, facts, named);
  case PlanRequest::Text:
    return written(request, facts, named);
  }
  return internalError("a plan request of no kind");
}
