//===- Cost.cpp - What a plan does, counted, and how long it takes --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/Cost.h"

#include "Plan/BlockCounts.h"
#include "Plan/GpuPlan.h"
#include "Plan/Levels.h"
#include "Plan/Named.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace wf;

static int64_t log2Ceil(int64_t n) { return llvm::Log2_64_Ceil(uint64_t(n)); }

/// ceil(n / 2^level): states that are left of n below a level.
static double left(int64_t n, int64_t level) {
  if (level >= 62)
    return n > 0;
  int64_t width = int64_t(1) << level;
  return double(n / width + (n % width != 0));
}

static int64_t stateBytes(const ExplainFacts &facts) {
  return std::accumulate(facts.members.begin(), facts.members.end(),
                         int64_t(facts.counted ? 8 : 0));
}

/// The tiers of canonical and ordered folds, and of sequential ones.
static void countSlots(const Plan &p, const Problem &problem, Work &w) {
  double O = double(problem.outputs);
  int64_t n = slotsPresent(p, problem.elements);
  w.maps = O * double(n);
  w.updates = O * double(problem.elements - n);
  if (n == 0 || p.order == PlanOrder::Sequential)
    return;
  Levels l = levelsOf(p);
  auto merges = [&](int64_t from, int64_t to) {
    return O * (left(n, from) - left(n, std::max(from, to)));
  };
  double lane = merges(0, l.lane), shuffle = merges(l.lane, l.shuffle),
         shared = merges(l.shuffle, l.shared),
         registers = merges(l.shared, l.registers),
         block = merges(l.registers, l.block), grid = merges(l.block, 62);
  w.merges = {0, lane + shuffle, registers, shared + block, grid};
  w.calls = w.merges;
  if (!p.onGpu() || p.form == Form::Thread)
    return;
  w.levels = l.shuffle - l.lane;
  // Counting up, every lane of a group computes every level.
  double groups = O * left(n, l.shuffle);
  double lanes = double(int64_t(1) << w.levels);
  w.calls[int(Tier::Slots)] = lane + groups * lanes * double(w.levels);
}

static void countLadder(const Plan &p, const Problem &problem, Work &w) {
  double O = double(problem.outputs);
  int64_t K = problem.elements, G = ladderBlocks(p, K), T = p.threads();
  int64_t loads = K / p.vector + (K % p.vector != 0);
  double threads = double(std::min(loads, G * T));
  w.maps = O * threads;
  w.updates = O * (double(K) - threads);
  double blocks = double(std::min(G, loads / T + (loads % T != 0)));
  double warps = left(int64_t(threads), 5);
  if (p.exchange == Exchange::None) {
    w.atomics = O * double(K);
    w.merges[int(Tier::Grid)] = O * std::max(0.0, double(K) - 1);
  } else {
    bool shared =
        p.exchange == Exchange::Halving || p.exchange == Exchange::Pairs;
    w.merges[int(Tier::Slots)] = shared ? 0 : O * (threads - warps);
    w.merges[int(Tier::Block)] = O * ((shared ? threads : warps) - blocks);
    w.merges[int(Tier::Grid)] = O * std::max(0.0, blocks - 1);
    w.atomics = p.grid == Grid::Atomic ? O * double(G) : 0;
    w.levels = shared ? 0 : 5 + log2Ceil(p.warps);
  }
  w.calls = w.merges;
  if (w.levels > 0) // shuffles run in all lanes of a warp
    w.calls[int(Tier::Slots)] = O * double(G * T) * 5;
}

/// Blocks, tickets and memory: what a launch needs.
static void countLaunch(const Plan &p, const Problem &problem,
                        const ExplainFacts &facts, int64_t state, Work &w) {
  w.threads = p.threads();
  w.block = blockCounts(p, problem, facts);
  w.shuffles = shufflesInAll(p, problem, w.block);
  auto division = divideGpu(p, problem);
  if (!division) { // no grid is that large, and nobody will launch it
    llvm::consumeError(division.takeError());
    return;
  }
  w.blocks = division->blocks;
  w.partials = double(division->partials);
  w.tickets = division->tickets;
  w.launches = p.grid == Grid::Launch ? 2 : 1;
  w.scratch = w.partials * double(state) + 4 * double(w.tickets);
}

Work wf::workOf(const Plan &p, const Problem &problem,
                const ExplainFacts &facts) {
  Work w;
  int64_t state = stateBytes(facts), input = 0;
  for (int64_t bytes : facts.inputBytes)
    input += bytes;
  double all = double(problem.outputs) * double(problem.elements);
  w.bytesRead = all * double(input);
  w.bytesWritten = double(problem.outputs * facts.outputBytes);
  bool ladder = p.onGpu() && p.form == Form::Ladder;
  if (ladder)
    countLadder(p, problem, w);
  else
    countSlots(p, problem, w);
  if (p.onGpu())
    countLaunch(p, problem, facts, state, w);
  // An operation on 8 bytes counts as two; a map, an update and a combine
  // besides move their operands.
  bool wide = !facts.members.empty() &&
              *std::max_element(facts.members.begin(), facts.members.end()) > 4;
  double calls = 0;
  for (double c : w.calls)
    calls += c;
  w.operations = (wide ? 2 : 1) * (w.maps * double(facts.mapOps) +
                                   w.updates * double(facts.updateOps) +
                                   calls * double(facts.combineOps) +
                                   double(problem.outputs * facts.finishOps)) +
                 w.shuffles * 32;
  return w;
}

Cost wf::costOf(const Work &w, const Hardware &h) {
  Cost c;
  c.launch = h.launch.value + double(w.launches - 1) * h.laterLaunch.value;
  c.atomic = w.atomics * h.atomic.value / 1e3;
  // Groups and then all: two of them, one behind the other.
  c.ticket = w.tickets > 0 ? double(w.block.tickets) * h.ticket.value : 0;
  c.partial = w.partials * h.partial.value / 1e3;
  c.memory = (w.bytesRead + w.bytesWritten) / (h.readable() * 1e3);
  c.issue =
      w.operations / (h.issue.value * h.multiprocessors.value * h.clock.value);
  return c;
}

const char *Cost::bound() const {
  const std::pair<double, const char *> terms[] = {
      {memory, "reading memory"},
      {issue, "computing"},
      {atomic, "atomics on one address"},
      {partial, "joining partial states"},
      {launch + ticket, "launching"}};
  return std::max_element(
             std::begin(terms), std::end(terms),
             [](const auto &a, const auto &b) { return a.first < b.first; })
      ->second;
}
