//===- BlockCounts.cpp - Barriers, shuffles and shared memory -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/BlockCounts.h"

#include "Plan/GpuPlan.h"
#include "Plan/Layout.h"
#include "Plan/Levels.h"
#include "Plan/Named.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace wf;

static int64_t log2Ceil(int64_t n) { return llvm::Log2_64_Ceil(uint64_t(n)); }
static int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

static int64_t wordsOf(const std::vector<int64_t> &members) {
  int64_t words = 0;
  for (int64_t bytes : members)
    words += (bytes + 3) / 4;
  return words;
}

namespace {
struct Counter {
  const Plan &p;
  const Problem &problem;
  const ExplainFacts &facts;
  bool ordered = p.order == PlanOrder::Ordered;
  /// 32-bit words of a count, where a state has one.
  int64_t count = facts.counted ? 2 : 0;
  /// Of a state as lanes of a chunk exchange it, and as warps do.
  int64_t rowWords = p.narrow ? 1
                              : wordsOf(p.nearIndex ? facts.nearMembers
                                                    : facts.members);
  int64_t words = wordsOf(facts.members) + count;
  int64_t bytes = 0; ///< of a state in memory
  BlockCounts c = {};

  void shared(int64_t states) { c.shared += states * bytes; }
  void warp();
  void lanes();
  void column();
  void ladder();
  void joinWarps();
  void ticket();
};
} // namespace

/// fold.block.
void Counter::joinWarps() {
  if (p.warps == 1)
    return;
  c.barriers = 1;
  c.block = log2Ceil(p.warps) * words;
  shared(p.warps);
}

/// fold.grid over states that lie side by side.
void Counter::ticket() {
  if (p.grid != Grid::Ticket)
    return;
  c.tickets = p.group > 0 ? 2 : 1;
  c.ticketBarriers = 1;
  c.joinBarriers = p.warps > 1;
  c.join = (5 + log2Ceil(p.warps)) * words;
  shared(p.warps > 1 ? c.tickets * p.warps : 0);
  c.shared += 4 * c.tickets; // who is last
}

void Counter::warp() {
  bool fills = p.fill > 0;
  int64_t rows = ordered ? p.flight : 1;
  // Slots' counts are known where all rows of a chunk are whole.
  bool partial = fills && !ordered && !p.whole;
  c.chunk = rows * 5 * (rowWords + (partial ? count : 0));
  if (!p.whole && (!fills || ordered))
    c.tail = rows * 5 * (rowWords + count);
  if (fills)
    return;
  joinWarps();
  ticket();
}

void Counter::lanes() {
  // Half of the outputs that a lane has are given away at every level, as long
  // as there are several.
  int64_t dealt = std::min(p.lanes, p.outputs);
  int64_t slots = slotsPresent(p, p.elements);
  bool all = slots == p.lanes * (ordered ? p.vector : p.accumulators);
  c.chunk = p.outputs / dealt * (dealt - 1 + log2Ceil(p.lanes / dealt)) *
            (rowWords + (all ? 0 : count));
}

void Counter::column() {
  int64_t tile = p.lanes * p.outputs, neighbours = 32 / p.lanes;
  int64_t groups = p.threads() / tile;
  int64_t few = std::min(p.warps, groups);
  int64_t leaves = columnLeaves(p, problem.elements);
  c.steps = std::clamp<int64_t>(
      ceilDiv(leaves, p.warps * neighbours * p.items), 1, p.run);
  c.chunk = p.outputs * log2Ceil(neighbours) * (rowWords + count);
  // A state of every output a warp, and one a group of threads; each is read
  // behind a barrier.
  c.barriers = 2;
  shared(tile * (p.warps + (few > 1 ? few : 0)));
  if (p.grid != Grid::Ticket)
    return;
  if (tile == 1) {
    int64_t step = c.barriers;
    ticket();
    c.barriers = step;
    return;
  }
  c.tickets = p.group > 0 ? 2 : 1;
  c.ticketBarriers = 2;
  c.joinBarriers = 2;
  c.shared += 4 * c.tickets;
  // Both arrays are used again where they are large enough.
  if (groups > p.warps)
    shared(2 * tile * groups);
}

void Counter::ladder() {
  bool memory =
      p.exchange == Exchange::Halving || p.exchange == Exchange::Pairs;
  if (p.exchange == Exchange::None)
    return;
  if (memory) {
    c.barriers = 1 + log2Ceil(p.threads());
    shared(p.threads());
  } else {
    c.chunk = 5 * words;
    joinWarps();
  }
  if (p.grid != Grid::Ticket)
    return;
  c.tickets = c.ticketBarriers = 1;
  c.joinBarriers = c.barriers;
  c.join = c.chunk + c.block;
  c.shared += 4;
}

BlockCounts wf::blockCounts(const Plan &p, const Problem &problem,
                            const ExplainFacts &facts) {
  Counter counter{p, problem, facts};
  counter.bytes = facts.counted ? 8 : 0;
  for (int64_t bytes : facts.members)
    counter.bytes += bytes;
  switch (p.form) {
  case Form::Warp:
    counter.warp();
    break;
  case Form::Lanes:
    counter.lanes();
    break;
  case Form::Column:
    counter.column();
    break;
  case Form::Ladder:
    counter.ladder();
    break;
  case Form::Thread:
    break;
  }
  return counter.c;
}

double wf::shufflesInAll(const Plan &p, const Problem &problem,
                         const BlockCounts &c) {
  Layout layout(p, problem.elements, problem.outputs,
                problem.kept.empty() ? 0 : problem.kept.back().size);
  double O = double(problem.outputs), blocks = double(layout.blocks());
  int64_t K = problem.elements, row = p.rowElements();
  double chunks = 0; // units that a warp joins the lanes of
  switch (p.form) {
  case Form::Warp:
    chunks = O * double(ceilDiv(K, p.order == PlanOrder::Ordered
                                       ? row * p.flight
                                       : p.chunkElements()));
    break;
  case Form::Lanes:
    chunks = blocks * double(p.warps);
    break;
  case Form::Column:
    chunks = blocks / double(layout.blocksAnOutput()) * double(p.warps) *
             double(ceilDiv(columnLeaves(p, K),
                            p.warps * (32 / p.lanes) * p.items));
    break;
  case Form::Ladder:
    chunks = blocks * double(p.warps);
    break;
  case Form::Thread:
    return 0;
  }
  int64_t runs = layout.blocksAnOutput();
  double joins = O * double(1 + (p.group > 0 ? ceilDiv(runs, p.group) : 0));
  // The first warp joins the warps; all of them what lanes read.
  double block = c.block, join = double(c.join - c.block);
  double all = chunks * double(c.chunk) + blocks * block;
  if (c.tickets > 0)
    all += joins * (join * double(p.warps) + block);
  return all;
}
