//===- Cost.cpp - What a plan does, counted, and how long it takes --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/Cost.h"

#include "Plan/Layout.h"
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
                         int64_t(0));
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
  w.shuffles = groups * lanes / 32 * double(w.levels * w.words);
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
  w.partials =
      p.grid == Grid::Launch || p.grid == Grid::Ticket ? O * double(G) : 0;
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
    w.barriers = shared ? 1 + log2Ceil(T) : p.warps > 1;
    w.shared = (shared ? T : p.warps > 1 ? p.warps : 0);
    w.shuffles = shared
                     ? 0
                     : O * double(G) *
                           double((p.warps * 5 + log2Ceil(p.warps)) * w.words);
  }
  w.calls = w.merges;
  if (w.levels > 0) // shuffles run in all lanes of a warp
    w.calls[int(Tier::Slots)] = O * double(G * T) * 5;
}

/// Blocks, barriers and memory of the forms other than the ladder.
static void countLaunch(const Plan &p, const Problem &problem,
                        const ExplainFacts &facts, Work &w) {
  bool joins = p.form == Form::Warp && p.fill == 0 && p.warps > 1;
  if (joins) {
    w.barriers = 1;
    w.shared = p.warps;
  } else if (p.form == Form::Stage) {
    w.barriers = p.accumulators > 1 ? 2 : 1;
    w.shared = p.accumulators;
  } else if (p.form == Form::Column && p.warps > 1) {
    w.barriers = 1;
    w.shared = p.warps * p.lanes * p.outputs;
  }
  Layout layout(p, problem.elements, problem.outputs, facts.columns);
  w.blocks = layout.blocks();
  w.partials = layout.blocksAnOutput() > 1
                   ? double(problem.outputs) * double(layout.blocksAnOutput())
                   : 0;
}

Work wf::workOf(const Plan &p, const Problem &problem,
                const ExplainFacts &facts) {
  Work w;
  int64_t state = stateBytes(facts), input = 0;
  for (int64_t bytes : facts.members)
    w.words += (bytes + 3) / 4;
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
  if (p.onGpu()) {
    w.threads = p.threads();
    if (ladder)
      w.blocks = problem.outputs * ladderBlocks(p, problem.elements);
    else
      countLaunch(p, problem, facts, w);
    // What was counted in states is bytes of them.
    w.shared *= state;
    if (p.form == Form::Stage)
      w.shared += p.chunkElements() * input;
    w.launches = p.grid == Grid::Launch && w.partials > 0 ? 2 : 1;
    w.ticket = p.grid == Grid::Ticket && w.partials > 0;
    w.scratch = w.partials * double(state) +
                (w.ticket ? double(problem.outputs) * 4 : 0);
  }
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
  c.ticket = w.ticket ? h.ticket.value : 0;
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
