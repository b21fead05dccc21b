//===- PlanFit.cpp - Does a written plan fit its problem? -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A plan's text may claim what is not so (elements=100 of 200, load=vector on
// rows that begin anywhere). The lowering believes it, so it is checked here;
// nothing that was written is ever changed.
//===----------------------------------------------------------------------===//
#include "Pipeline/AskedPlan.h"

#include "Error/Error.h"
#include "Plan/GpuPlan.h"
#include "Plan/Hardware.h"

using namespace wf;
using llvm::Twine;

namespace {
struct Fit {
  const Plan &plan;
  const Problem &problem;
  const PlanFacts &facts;
  const NamedFacts &named;
  const Plan chosen; ///< what auto takes under the same order

  llvm::Error common();
  llvm::Error cpu();
  llvm::Error gpu();
  llvm::Error blocks();
  llvm::Error subtrees();
  llvm::Error lengths();
  llvm::Error joins();
  llvm::Error ladder();
  llvm::Error ladderAtomic();
};
} // namespace

static bool isPowerOf2(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

static llvm::Error refuse(const Twine &why, const Twine &hint) {
  return userError("this plan cannot run this: " + why, hint);
}

llvm::Error Fit::common() {
  if (plan.elements > 0 && plan.elements != facts.elements)
    return refuse("it has elements=" + Twine(plan.elements) +
                      ", and a fold here has " + Twine(facts.elements),
                  "write elements=" + Twine(chosen.elements));
  if (plan.narrow && plan.narrow != chosen.narrow)
    return refuse("narrow partials are for sums of narrow integers, of the "
                  "type that auto takes",
                  "write narrow=none");
  if (plan.nearIndex && !chosen.nearIndex)
    return refuse("index=i32 is for canonical reductions whose positions are "
                  "only chosen and compared",
                  "write index=i64");
  return llvm::Error::success();
}

llvm::Error Fit::cpu() {
  // Fields of GPUs are not in the text of a CPU plan.
  auto again = parsePlan(plan.text());
  if (!again)
    return again.takeError();
  if (!(*again == plan))
    return refuse("it names a field that only GPU plans have",
                  "a plan looks like: " + chosen.text());
  if (plan.load == Load::Element)
    return refuse("load=element is for GPUs", "write load=pack");
  if (plan.load == Load::Vector && chosen.load == Load::Pack)
    return refuse("its elements cannot be read in place by load=vector",
                  "write load=pack");
  if (plan.tile > 0 && chosen.tile == 0)
    return refuse("a tile is for columns and for several reduced axes",
                  "write tile=0");
  return llvm::Error::success();
}

llvm::Error Fit::gpu() {
  int64_t v = plan.vector;
  bool column = plan.kind == ProblemKind::Column;
  if (plan.even && (facts.innerLength < 1 || facts.innerLength % v != 0))
    return refuse("it says even=yes, and " + Twine(facts.innerLength) +
                      " is no multiple of vector=" + Twine(v),
                  "write even=no");
  if (plan.address < facts.addressBits)
    return refuse("its offsets do not fit 32 bits", "write address=64");
  bool together = facts.elements == facts.innerLength ||
                  (facts.innerLength > 0 && facts.innerLength % v == 0);
  if (plan.load == Load::Vector && v > 1 &&
      (!facts.aligned || (column ? plan.outputs > chosen.vector
                                 : facts.elements < v || !together)))
    return refuse("load=vector wants elements that lie side by side from a "
                  "multiple of their size",
                  "write load=element");
  return plan.form == Form::Ladder ? ladder() : blocks();
}

/// A block's chunks, and every run's, are to be a subtree: what it counts in
/// are powers of two (checkPlan has warps and run).
llvm::Error Fit::subtrees() {
  bool column = plan.form == Form::Column;
  if (plan.form == Form::Warp && plan.order == PlanOrder::Ordered &&
      !isPowerOf2(plan.flight))
    return refuse("under ordered a warp joins flight=" + Twine(plan.flight) +
                      " rows at a time, and their tree wants a power of two",
                  "write flight=" + Twine(chosen.flight));
  if (!column)
    return plan.items == 1 ? llvm::Error::success()
                           : refuse("items is of form=column and the ladder",
                                    "write items=1");
  int64_t perStep = plan.warps * (32 / plan.lanes) * plan.items;
  if (!isPowerOf2(plan.items) || plan.items > 64)
    return refuse("items=" + Twine(plan.items) + " is no power of two up to 64",
                  "write items=" + Twine(chosen.items));
  if (plan.order == PlanOrder::Canonical && perStep > plan.slots())
    return refuse(
        "a step folds warps * 32 / lanes * items = " + Twine(perStep) +
            " slots, and a chunk has " + Twine(plan.slots()),
        "write fewer warps or items, or more lanes");
  return llvm::Error::success();
}

/// fill and whole say what the code need not look at.
llvm::Error Fit::lengths() {
  bool ordered = plan.order == PlanOrder::Ordered;
  bool column = plan.form == Form::Column;
  int64_t rows = plan.rowElements();
  int64_t fill = facts.elements / rows + (facts.elements % rows != 0);
  bool fills = plan.form == Form::Warp || (column && !ordered);
  if (plan.fill > 0 && (!fills || plan.fill != fill))
    return refuse("it has fill=" + Twine(plan.fill) + ", and " +
                      Twine(facts.elements) + " elements are " + Twine(fill) +
                      " rows of " + Twine(rows),
                  "write fill=" + Twine(chosen.fill));
  // What is folded without a look at the end.
  int64_t unit = rows;
  if (column)
    unit = ordered ? 1 : plan.fill > 0 ? rows : plan.chunkElements();
  else if (plan.form == Form::Warp && ordered)
    unit = plan.flight * rows;
  else if (plan.form == Form::Warp && plan.fill == 0)
    unit = plan.chunkElements();
  if (plan.whole && facts.elements % unit != 0)
    return refuse("it says whole=yes, and " + Twine(facts.elements) +
                      " elements are no multiple of the " + Twine(unit) +
                      " that are folded at a time",
                  "write whole=no");
  return llvm::Error::success();
}

/// Do as many blocks as there are join, and in such groups?
llvm::Error Fit::joins() {
  if (plan.run < 1)
    return refuse("it has run=0", "write run=1");
  if (plan.form == Form::Warp && plan.fill > 0 &&
      (plan.run != 1 || plan.grid != Grid::None))
    return refuse("with fill a warp folds all of an output",
                  "write run=1 grid=none, or fill=0");
  // A little is left for the flags of the tickets.
  int64_t shared = columnSharedBytes(plan, facts.memberBytes) + 64;
  if (plan.form == Form::Column && shared > (48 << 10))
    return refuse("its blocks take " + Twine(shared) +
                      " bytes of shared memory, and 49152 is the most",
                  "write fewer warps, or lanes times outputs less");
  auto division = divideGpu(plan, problem);
  if (!division)
    return division.takeError();
  int64_t most = plan.grid == Grid::Ticket ? kMostRuns : 1;
  if (division->runs > most)
    return refuse(Twine(division->runs) + " blocks share an output, and grid=" +
                      Twine(name(plan.grid)) + " joins at most " + Twine(most),
                  plan.grid == Grid::Ticket ? "write a larger run=…"
                                            : "write grid=ticket");
  bool column = plan.form == Form::Column;
  int64_t together = column ? 2 * kColumnGroup : kWarpGroup;
  if (plan.group > 0 && (plan.grid != Grid::Ticket || plan.group > together ||
                         !isPowerOf2(plan.group) || plan.group < 2))
    return refuse("group=" + Twine(plan.group) +
                      " is not 0, nor a power of two from 2 up to " +
                      Twine(together) + " beside grid=ticket",
                  "write group=" + Twine(chosen.group));
  if (plan.group == 0 && division->runs > together)
    return refuse(Twine(division->runs) +
                      " blocks share an output, and the "
                      "last one joins at most " +
                      Twine(together) + " by itself",
                  "write group=" + Twine(column ? kColumnGroup : 128));
  return llvm::Error::success();
}

/// Forms other than the ladder.
llvm::Error Fit::blocks() {
  if ((plan.form == Form::Thread) != (plan.order == PlanOrder::Sequential))
    return refuse("form=thread is for order=sequential, which has no other",
                  "write form=" + Twine(name(chosen.form)));
  if (plan.exchange != Exchange::Up ||
      (plan.grid != Grid::None && plan.grid != Grid::Ticket))
    return refuse("other exchanges than up, and grid=atomic or launch, are the "
                  "ladder's",
                  "write exchange=up grid=" + Twine(name(chosen.grid)));
  if (llvm::Error e = subtrees())
    return e;
  if (llvm::Error e = lengths())
    return e;
  return joins();
}

llvm::Error Fit::ladder() {
  if (plan.kind != ProblemKind::Full && plan.kind != ProblemKind::Row)
    return refuse("the ladder folds runs of memory (full, row)",
                  "write form=" + Twine(name(chosen.form)));
  if (facts.counted)
    return refuse("its combine reads count(a), which the ladder does not carry",
                  "write form=" + Twine(name(chosen.form)));
  if (plan.group > 0)
    return refuse("the ladder's blocks do not join in groups", "write group=0");
  bool memory =
      plan.exchange == Exchange::Halving || plan.exchange == Exchange::Pairs;
  if (memory && !isPowerOf2(plan.warps))
    return refuse("a tree in shared memory wants a power of two of threads",
                  "write warps=8");
  const Hardware *row = findHardware(plan.target);
  int64_t room = row ? int64_t(row->sharedBlock.value) : 49152;
  if (memory && plan.threads() * facts.memberBytes > room)
    return refuse(Twine(plan.threads()) + " states of " +
                      Twine(facts.memberBytes) +
                      " bytes do not fit a block's " + Twine(room) +
                      " bytes of shared memory",
                  "write fewer warps");
  if (plan.vector * facts.widestInputBytes > 16)
    return refuse("vector=" + Twine(plan.vector) +
                      " is more than a load of 16 bytes",
                  "write vector=" + Twine(16 / facts.widestInputBytes));
  if (plan.items < plan.vector || plan.items % plan.vector)
    return refuse("items is not a multiple of vector",
                  "write items=" + Twine(plan.vector));
  if (plan.accumulators != 1 || plan.elements > 0 || plan.narrow ||
      plan.nearIndex || plan.fill > 0)
    return refuse("the ladder has one slot a thread, of the state's own type",
                  "write accumulators=1 elements=0 narrow=none index=i64 "
                  "fill=0");
  if (plan.grid == Grid::None)
    return refuse("the ladder's blocks join by atomic, launch or ticket",
                  "write grid=ticket");
  if (plan.exchange == Exchange::None &&
      (plan.grid != Grid::Atomic || plan.vector > 1))
    return refuse("exchange=none is for grid=atomic and vector=1",
                  "write exchange=down");
  return plan.grid == Grid::Atomic ? ladderAtomic() : llvm::Error::success();
}

llvm::Error Fit::ladderAtomic() {
  if (facts.memberCount != 1 ||
      (facts.stateBytes != 4 && facts.stateBytes != 8))
    return refuse("an atomic takes one member of 4 or 8 bytes, and this state "
                  "has " +
                      Twine(facts.memberCount) + " of " +
                      Twine(facts.stateBytes) + " bytes in all",
                  "write grid=ticket");
  if (!named.neutral)
    return refuse("an atomic starts from the neutral state, and this reduction "
                  "has none",
                  "give it one with --neutral, or write grid=ticket");
  if (!named.plainFinish)
    return refuse("after an atomic nobody is left to run finish",
                  "write grid=ticket");
  bool single = plan.exchange != Exchange::None &&
                ladderBlocks(plan, facts.elements) == 1;
  if (plan.order == PlanOrder::Fixed && !named.exact && !single)
    return refuse("atomics join blocks in the order they come, which is not "
                  "fixed",
                  "write order=any");
  return llvm::Error::success();
}

llvm::Error wf::checkPlanFits(const Plan &plan, const Problem &problem,
                              const PlanFacts &facts, const NamedFacts &named) {
  PlanFacts same = facts;
  same.order = plan.order <= PlanOrder::Sequential ? plan.order : facts.order;
  Fit fit{plan, problem, facts, named, choosePlan(same)};
  if (llvm::Error e = fit.common())
    return e;
  return plan.onGpu() ? fit.gpu() : fit.cpu();
}
