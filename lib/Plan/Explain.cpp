//===- Explain.cpp - A plan in words and numbers --------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/Explain.h"

#include "Plan/Named.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace wf;
using llvm::raw_ostream;

namespace {

/// "65536", "2.5e+12": exact while it is short.
std::string number(double n) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (n == std::floor(n) && n < 1e15)
    os << int64_t(n);
  else
    os << llvm::format("%.4g", n);
  return text;
}

std::string bytes(double n) {
  const char *units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  int unit = 0;
  for (; n >= 1024 && unit < 4; ++unit)
    n /= 1024;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << (n == std::floor(n) ? number(n) : "");
  if (n != std::floor(n))
    os << llvm::format("%.1f", n);
  os << ' ' << units[unit];
  return text;
}

std::string microseconds(double us) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format(us < 100 ? "%.1f us" : "%.0f us", us);
  return text;
}

struct Explanation {
  const Plan &p;
  const Problem &problem;
  const ExplainFacts &facts;
  const Work work;
  std::string text;
  llvm::raw_string_ostream os{text};

  Explanation(const Plan &plan, const Problem &problem,
              const ExplainFacts &facts)
      : p(plan), problem(problem), facts(facts),
        work(workOf(plan, problem, facts)) {}

  raw_ostream &line(llvm::StringRef label) {
    return os << llvm::left_justify(label, 12);
  }
  bool ladder() const { return p.onGpu() && p.form == Form::Ladder; }
  void problemLines();
  void orderLine();
  void tier(Tier t, const std::string &what);
  void tierLines();
  void gpuLines();
  void barrierLines();
  void shuffleLines();
  void timeLines();
  void adviceLines();
};

void Explanation::problemLines() {
  line("problem") << problem.describe() << '\n';
  auto axes = [&](llvm::StringRef label, const std::vector<LoopAxis> &list) {
    if (list.empty())
      return;
    line("") << label;
    for (const LoopAxis &axis : list) {
      os << ' ' << axis.size << " (step";
      for (int64_t s : axis.inStrides)
        os << ' ' << s;
      os << ')';
    }
    os << '\n';
  };
  axes("kept:", problem.kept);
  axes("reduced, k runs over:", problem.reduced);
  if (problem.gathered)
    line("") << "elements are generated or joined from several arrays, and "
                "gathered chunk by chunk\n";
  else if (problem.kind == ProblemKind::General)
    line("") << (p.load == Load::Vector
                     ? "k runs over axes that do not merge; whole rows are "
                       "read in place\n"
                     : "k in logical order does not run through memory: a "
                       "gather\n");
}

void Explanation::orderLine() {
  line("order") << versionedName(p.order);
  if (!facts.orderReason.empty())
    os << ": " << facts.orderReason;
  os << '\n';
}

void Explanation::tier(Tier t, const std::string &what) {
  double merges = work.merges[int(t)], calls = work.calls[int(t)];
  if (merges == 0 && t != Tier::Slots)
    return;
  double all = double(problem.outputs) * double(problem.elements);
  os << "  " << llvm::left_justify(name(t), 10) << what << ": "
     << number(merges) << (merges == 1 ? " combine, " : " combines, ")
     << llvm::format("%.3g", all > 0 ? merges / all : 0) << " an element";
  if (calls > merges)
    os << " (lanes run " << number(calls) << ", as all of a warp compute)";
  os << '\n';
}

void Explanation::tierLines() {
  os << "tiers\n  " << llvm::left_justify("rows", 10);
  if (p.order == PlanOrder::Sequential)
    os << "a chain an output";
  else if (ladder())
    os << (p.exchange == Exchange::None ? "an element a thread"
                                        : "elements into a thread's state");
  else
    os << "elements into " << p.slots() << " slots a chunk of "
       << p.chunkElements();
  double all = double(problem.outputs) * double(problem.elements);
  os << ": " << number(work.maps) << (work.maps == 1 ? " map, " : " maps, ")
     << number(work.updates) << (work.updates == 1 ? " update, " : " updates, ")
     << llvm::format("%.3g", all > 0 ? work.updates / all : 0)
     << " an element\n";
  if (p.order == PlanOrder::Sequential)
    return;
  if (!p.onGpu()) {
    tier(Tier::Slots, "slots into a chunk, SIMD registers halving");
    tier(Tier::Chunks, "chunks into the result, a binary counter");
    return;
  }
  if (ladder()) {
    if (p.exchange == Exchange::Up || p.exchange == Exchange::Down)
      tier(Tier::Slots, p.exchange == Exchange::Up
                            ? "lanes of a warp, neighbours first"
                            : "lanes of a warp, the far half first");
    tier(Tier::Block, p.exchange == Exchange::Halving
                          ? "threads of a block, the far half first"
                      : p.exchange == Exchange::Pairs
                          ? "threads of a block, neighbours first"
                          : "warps of a block, one state each");
  } else {
    tier(Tier::Slots, work.levels > 0 ? "slots of a lane, then lanes by " +
                                            number(double(work.levels)) +
                                            " levels of shuffles"
                                      : "slots of a lane");
    tier(Tier::Chunks, p.form == Form::Column
                           ? "steps and chunks, a binary counter in registers"
                           : "chunks of a warp's run, a binary counter in "
                             "registers");
    tier(Tier::Block, "warps of a block, through shared memory");
  }
  tier(Tier::Grid, p.grid == Grid::Atomic   ? std::string("blocks, by atomics")
                   : p.grid == Grid::Launch ? "blocks, by a second launch"
                   : p.group > 0
                       ? "blocks, by the last block of a group of " +
                             number(double(p.group)) +
                             ", and groups by the last block"
                       : "blocks, by the last block");
}

void Explanation::gpuLines() {
  line("launch") << number(double(work.launches))
                 << (work.launches == 1 ? " launch, " : " launches, ")
                 << work.blocks << (work.blocks == 1 ? " block" : " blocks")
                 << " of " << work.threads << " threads\n";
  barrierLines();
  shuffleLines();
  line("shared") << bytes(double(work.block.shared)) << " a block\n";
  line("scratch") << bytes(work.scratch);
  if (work.partials > 0)
    os << ": " << number(work.partials)
       << (work.partials == 1 ? " partial state" : " partial states");
  if (work.tickets > 0)
    os << " and " << work.tickets
       << (work.tickets == 1 ? " ticket" : " tickets");
  os << '\n';
  line("atomics") << number(work.atomics);
  if (work.tickets > 0)
    os << ", and one a block for the ticket"
       << (work.block.tickets > 1 ? ", one a group for all" : "");
  os << '\n';
}

void Explanation::barrierLines() {
  const BlockCounts &c = work.block;
  line("barriers") << c.barriers;
  if (p.form == Form::Column)
    os << " a step, " << c.steps << (c.steps == 1 ? " step" : " steps")
       << " a block";
  else
    os << " a block";
  if (c.tickets > 0)
    os << ", " << c.ticketBarriers << " for a ticket, " << c.joinBarriers
       << " to join behind it";
  os << '\n';
  if (c.tickets > 1)
    line("") << "two tickets: the last block of a group of " << p.group
             << " draws another, so the code has both twice\n";
}

void Explanation::shuffleLines() {
  const BlockCounts &c = work.block;
  line("shuffles");
  if (work.shuffles == 0) {
    os << "none\n";
    return;
  }
  os << c.chunk << " a warp for "
     << (p.form == Form::Column   ? "a step"
         : p.form == Form::Ladder ? "its lanes"
         : p.form == Form::Lanes  ? "its outputs"
         : p.order == PlanOrder::Ordered
             ? number(double(p.flight)) + " rows"
             : std::string("a chunk"))
     << " (" << work.levels << " levels, " << facts.members.size()
     << (facts.members.size() == 1 ? " member)" : " members)");
  if (c.block > 0)
    os << ", " << c.block << " for a block's warps";
  if (c.tickets > 0 && c.join > 0)
    os << ", " << c.join << " to join behind a ticket";
  os << ": " << number(work.shuffles) << " in all, of 32 bits\n";
  if (c.tail > 0)
    line("") << "the code has a second copy, for a short last one: " << c.tail
             << '\n';
}

void Explanation::timeLines() {
  line("bytes") << bytes(work.bytesRead) << " read, "
                << bytes(work.bytesWritten) << " written\n";
  const Hardware *row = p.onGpu() ? findHardware(p.target) : nullptr;
  line("predicted");
  if (row) {
    Cost cost = costOf(work, *row);
    os << microseconds(cost.total()) << " on " << row->card << ", bound by "
       << cost.bound() << '\n';
    line("") << "launch " << microseconds(cost.launch) << ", atomics "
             << microseconds(cost.atomic) << ", ticket "
             << microseconds(cost.ticket) << ", partials "
             << microseconds(cost.partial) << ", memory "
             << microseconds(cost.memory) << " or computing "
             << microseconds(cost.issue) << '\n';
    return;
  }
  if (!p.onGpu() && facts.readRate && *facts.readRate > 0) {
    os << microseconds((work.bytesRead + work.bytesWritten) /
                       (*facts.readRate * 1e3))
       << " at the measured " << number(*facts.readRate)
       << " GB/s, bound by reading memory\n";
    return;
  }
  os << (p.onGpu() ? "nothing: the hardware table has no " + p.target
                   : std::string("nothing: this machine's read rate was not "
                                 "measured (`warpfold devices` does)"))
     << '\n';
}

void Explanation::adviceLines() {
  if (facts.unmixed.empty())
    return;
  double calls =
      work.merges[1] + work.merges[2] + work.merges[3] + work.merges[4];
  line("advice") << "combine runs " << number(calls)
                 << " times, and part of it reads one of its states only:\n";
  for (const std::string &what : facts.unmixed)
    line("") << what << '\n';
  line("") << "what does not mix both states belongs into map (before the "
              "first combine)\n";
  line("") << "or finish (after the last), where the reduction's meaning "
              "allows it\n";
}

} // namespace

std::string wf::explainPlan(const Plan &plan, const Problem &problem,
                            const ExplainFacts &facts) {
  Explanation e(plan, problem, facts);
  e.problemLines();
  e.orderLine();
  e.line("plan") << plan.text() << '\n';
  e.tierLines();
  if (plan.onGpu())
    e.gpuLines();
  e.timeLines();
  e.adviceLines();
  return std::move(e.text);
}
