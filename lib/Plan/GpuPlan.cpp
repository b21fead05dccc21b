//===- GpuPlan.cpp - The choice of a GPU plan, and its launch -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Loads in flight decide: a multiprocessor of an H200 has to have some 40 KiB
// under way. What folds an output follows from K; how many warps share a block
// and how many blocks an output, from how much there is for how many
// multiprocessors.
//===----------------------------------------------------------------------===//
#include "Plan/GpuPlan.h"

#include "Error/Error.h"
#include "Plan/Named.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace wf;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

static int64_t powerAtLeast(int64_t n) {
  int64_t p = 1;
  while (p < n)
    p *= 2;
  return p;
}

/// Shared memory of form=column: a state of every output a warp, and the same
/// for the groups of threads that join them. The grid tier uses both again, and
/// its own where it needs more.
int64_t wf::columnSharedBytes(const Plan &p, int64_t memberBytes) {
  int64_t tile = p.lanes * p.outputs;
  int64_t groups = std::max<int64_t>(1, p.threads() / tile);
  int64_t states = p.warps + std::min(groups, p.warps);
  if (groups > p.warps)
    states += 2 * groups;
  return tile * memberBytes * states;
}

/// Chunks of the only output that one block folds.
static constexpr int64_t kAloneUnits = 16;

static int64_t powerAtMost(int64_t n) {
  return int64_t(llvm::bit_floor(uint64_t(std::max<int64_t>(1, n))));
}

namespace {
struct Chooser {
  const PlanFacts &facts;
  Plan p;

  int64_t unitRows() const {
    return p.order == PlanOrder::Ordered ? p.flight : p.rows;
  }
  /// A lane's slots are values: few enough to stay in registers.
  int64_t laneBytes() const { return p.accumulators * facts.memberBytes; }
  /// Registers a thread needs, about: addresses, `loads` of `words` 32-bit
  /// words each, and `states` states with what combining them takes. Calibrated
  /// on what ptxas 13.0 takes for the catalogue's ops.
  int64_t registers(int64_t loads, int64_t words, int64_t states) const {
    int64_t state = p.nearIndex ? facts.memberBytes - 4 : facts.memberBytes;
    // Slots of a whole chunk hold as many elements each: a constant.
    if (facts.counted && p.form != Form::Column)
      state -= 8;
    // Narrow elements are taken apart, one a register.
    int64_t apart = facts.widestInputBytes < 4 ? p.vector : 0;
    return 24 + loads * words + states * state * 3 / 8 + apart +
           (p.load == Load::Element ? 12 : 0) +
           (p.form == Form::Column && facts.memberBytes >= 16 ? 24 : 0);
  }
  /// Blocks of 64 Ki registers, and no more warps than hide their loads.
  void reside(int64_t words, int64_t states, int64_t mostWarps = 32);
  void alone(int64_t warps);
  void loads();
  void columnTile();
  void columnLeavesAStep();
  void column();
  void lanes();
  void fill();
  void shared();
};
} // namespace

void Chooser::reside(int64_t words, int64_t states, int64_t mostWarps) {
  p.resident = std::clamp<int64_t>(mostWarps / p.warps, 1, 16);
  auto needs = [&] {
    int64_t loads = p.form == Form::Lanes ? p.outputs
                    : p.fill > 0 && p.form == Form::Warp
                        ? std::min(p.flight, p.fill)
                        : p.flight;
    return registers(loads, words, states) * p.threads();
  };
  if (needs() * p.resident <= 65536)
    return;
  // Fewer loads and more blocks, which hide each other's ends: 2^28 elements of
  // var took 248 us with three blocks of 4 loads, 262 us with two of 8.
  if (p.form == Form::Warp && p.flight > 4)
    p.flight = 4;
  p.resident = std::clamp<int64_t>(65536 / needs(), 1, p.resident);
}

/// So few warps a multiprocessor that each has to have much under way, and has
/// registers for it: then a chunk takes one trip to memory instead of four.
void Chooser::alone(int64_t warps) {
  p.flight = warps <= 2 && p.warps <= 8 && facts.memberBytes < 16 ? 32 : 16;
  p.resident = 1;
}

void Chooser::loads() {
  p.even = facts.innerLength > 0 && facts.innerLength % p.vector == 0;
  p.whole = facts.elements > 0 && facts.elements % p.rowElements() == 0;
  bool wide = facts.aligned && facts.elements >= p.vector &&
              (facts.elements == facts.innerLength || p.even);
  p.load = wide ? Load::Vector : Load::Element;
  // Loads one at a time are more instructions for the same bytes.
  p.flight = p.order == PlanOrder::Ordered ? (laneBytes() > 64 ? 1 : 4) : 8;
  if (p.load == Load::Element && p.vector > 4)
    p.flight = std::max<int64_t>(1, 16 / p.vector);
  // An address an element: see WarpTiers.cpp.
  if (facts.elements != facts.innerLength && !p.even)
    p.flight = p.vector <= 4 ? 2 : 1;
}

/// Which outputs a block folds side by side.
void Chooser::columnTile() {
  p.form = Form::Column;
  // Positions of all of k in 32 bits, until the leaves are joined.
  p.nearIndex = facts.nearIndex && p.order == PlanOrder::Canonical &&
                facts.elements >= 0 && facts.elements < (int64_t(1) << 31);
  p.lanes = 32;
  p.load = facts.aligned ? Load::Vector : Load::Element;
  int64_t most = powerAtMost(128 / facts.memberBytes);
  p.outputs = std::min({p.load == Load::Vector ? p.vector : int64_t(4), most,
                        powerAtLeast(facts.columns)});
  p.lanes =
      std::min<int64_t>(32, powerAtLeast(ceilDiv(facts.columns, p.outputs)));
  p.warps = 16;
  while (columnSharedBytes(p, facts.memberBytes) > (44 << 10) ||
         p.lanes * p.outputs > p.threads()) {
    // Fewer outputs a lane read less at a time; fewer warps hide less.
    if (p.outputs > 1 &&
        (p.load == Load::Element || p.lanes * p.outputs > p.threads()))
      p.outputs /= 2;
    else if (p.warps > 4)
      p.warps /= 2;
    else if (p.outputs > 1)
      p.outputs /= 2;
    else
      p.lanes /= 2;
  }
}

/// How many slots it folds in a step.
void Chooser::columnLeavesAStep() {
  bool ordered = p.order == PlanOrder::Ordered;
  if (!ordered && facts.elements >= 1 && facts.elements <= p.chunkElements())
    p.fill = ceilDiv(facts.elements, p.rowElements());
  // A step stays within a chunk.
  while (!ordered && p.warps * 32 / p.lanes > p.slots())
    p.warps /= 2;
  // Slots of few elements: several a lane, for 16 loads in all.
  int64_t loads =
      ordered ? 1 : (p.fill > 0 ? p.fill : p.rows) * p.vector / p.accumulators;
  int64_t state = p.nearIndex ? facts.memberBytes - 4 : facts.memberBytes;
  while (p.items * loads < 16 &&
         (ordered || 2 * p.items * p.warps * 32 / p.lanes <= p.slots())) {
    // All their states are in registers. Two outputs of eight slots a lane read
    // (256, 2^20) in 246 us where four of four took 288.
    if (2 * p.items * p.outputs * state <= 160)
      p.items *= 2;
    else if (p.outputs > 2)
      p.outputs /= 2;
    else
      break;
  }
}

void Chooser::column() {
  columnTile();
  columnLeavesAStep();
  // Fewer outputs a lane are more groups of threads, which share memory too.
  while (columnSharedBytes(p, facts.memberBytes) > (44 << 10) && p.warps > 1 &&
         p.threads() / 2 >= p.lanes * p.outputs)
    p.warps /= 2;
  bool ordered = p.order == PlanOrder::Ordered;
  int64_t tiles =
      ceilDiv(facts.columns, p.lanes * p.outputs) *
      std::max<int64_t>(1, facts.outputs / std::max<int64_t>(1, facts.columns));
  auto stepsOf = [&] {
    return ceilDiv(columnLeaves(p, facts.elements),
                   p.warps * 32 / p.lanes * p.items);
  };
  // Little to do: smaller blocks, for more multiprocessors.
  while (p.warps > 2 && p.threads() / 2 >= p.lanes * p.outputs &&
         tiles * stepsOf() < facts.multiprocessors &&
         2 * stepsOf() <= 2 * kColumnGroup)
    p.warps /= 2;
  int64_t steps = stepsOf();
  p.run = 1;
  while (p.run < (1 << 16) && p.run < steps &&
         (2 * tiles * ceilDiv(steps, 2 * p.run) >= 7 * facts.multiprocessors ||
          ceilDiv(steps, p.run) > kMostRuns))
    p.run *= 2;
  // One load an output, or one for all of a lane's.
  bool vectors = p.load == Load::Vector;
  p.flight = vectors ? 16 : std::max<int64_t>(2, 16 / p.outputs);
  if (facts.memberBytes >= 16)
    p.flight /= 2;
  int64_t words = vectors
                      ? std::max<int64_t>(1, p.outputs * facts.inputBytes / 4)
                      : p.outputs * std::max<int64_t>(1, facts.inputBytes / 4);
  int64_t beside = ceilDiv(tiles * steps * p.warps, facts.multiprocessors);
  if (vectors && beside <= 8 && p.outputs * p.items * facts.memberBytes <= 64)
    alone(beside);
  else
    reside(words, p.outputs * p.items);
  p.grid = ceilDiv(steps, p.run) > 1 ? Grid::Ticket : Grid::None;
  // The last block's threads read one state after the other.
  if (ceilDiv(steps, p.run) > 2 * kColumnGroup)
    p.group = kColumnGroup;
  int64_t reach = p.fill > 0 ? p.rowElements() : p.chunkElements();
  p.whole = !ordered && facts.elements > 0 && facts.elements % reach == 0;
}

/// K of at most one row, compiled in.
void Chooser::lanes() {
  p.form = Form::Lanes;
  p.elements = facts.elements;
  p.lanes = powerAtLeast(ceilDiv(facts.elements, p.vector));
  p.warps = 8;
  // Their slots and what was read for them are in registers together.
  int64_t state = p.nearIndex ? facts.memberBytes - 4 : facts.memberBytes;
  p.outputs = std::clamp<int64_t>(
      powerAtMost(256 / (p.accumulators * state)), 1,
      // Eight outputs dealt out to 32 lanes are a third of the exchanges.
      p.lanes == 1 || (p.lanes == 32 && p.nearIndex) ? 8 : 4);
  // Few outputs: spread them rather than stack them.
  while (p.outputs > 1 && facts.outputs > 0 &&
         facts.outputs * p.lanes < facts.multiprocessors * 1024 * p.outputs)
    p.outputs /= 2;
  int64_t words = std::max<int64_t>(1, p.vector * facts.inputBytes / 4);
  reside(words, p.outputs * p.accumulators, 64);
}

/// One chunk or less: a warp an output.
void Chooser::fill() {
  p.form = Form::Warp;
  p.fill = ceilDiv(facts.elements, p.rowElements());
  p.warps = 8;
  if (facts.outputs > 0)
    while (p.warps > 1 && facts.outputs < p.warps * facts.multiprocessors)
      p.warps /= 2;
  int64_t words = std::max<int64_t>(1, p.vector * facts.inputBytes / 4);
  bool ordered = p.order == PlanOrder::Ordered;
  int64_t states = p.accumulators * (ordered ? p.flight : 1);
  reside(words, states);
  // Under ordered a unit is several rows, and is whole or not as one.
  p.whole = facts.elements %
                (ordered ? unitRows() * p.rowElements() : p.rowElements()) ==
            0;
}

void Chooser::shared() {
  p.form = Form::Warp;
  int64_t unit = unitRows() * p.rowElements();
  int64_t units = ceilDiv(facts.elements, unit);
  int64_t outputs = std::max<int64_t>(1, facts.outputs);
  bool ordered = p.order == PlanOrder::Ordered;
  // An ordered unit is a few rows only.
  p.run = ordered ? std::max<int64_t>(1, 32 / p.flight) : 1;
  p.warps = std::min<int64_t>(16, powerAtLeast(ceilDiv(units, p.run)));
  // A few chunks are read by one block before several have met.
  if (ordered || units > kAloneUnits || outputs > 1)
    while (p.warps > 1 &&
           outputs * ceilDiv(units, p.run * p.warps) < facts.multiprocessors)
      p.warps /= 2;
  int64_t words = std::max<int64_t>(1, p.vector * facts.inputBytes / 4);
  int64_t states = p.accumulators * (ordered ? p.flight : 1);
  // Large states: smaller blocks leave fewer registers over.
  if (registers(4, words, states) >= 64)
    p.warps = std::min<int64_t>(p.warps, 8);
  int64_t beside = ceilDiv(outputs * units, facts.multiprocessors);
  if (!ordered && p.load == Load::Vector && beside <= 8) {
    if (outputs * units > kAloneUnits)
      p.warps = std::min<int64_t>(p.warps, 8);
    alone(beside);
  } else {
    reside(words, states);
  }
  while (ceilDiv(units, p.run * p.warps) > kMostRuns)
    p.run *= 2;
  int64_t runs = ceilDiv(units, p.run * p.warps);
  p.grid = runs > 1 ? Grid::Ticket : Grid::None;
  if (runs > kWarpGroup)
    p.group = 128;
  p.whole = facts.elements > 0 && facts.elements % unit == 0;
}

Plan wf::chooseGpuPlan(const PlanFacts &facts) {
  Chooser c{facts, {}};
  c.p = orderConstants(facts);
  c.p.target = facts.target;
  c.p.address = facts.addressBits;
  if (facts.order == PlanOrder::Sequential) {
    c.p.form = Form::Thread;
    c.p.warps = 4;
    c.p.flight = 8;
    c.p.load = Load::Element;
    return c.p;
  }
  if (facts.kind == ProblemKind::Column) {
    c.column();
    return c.p;
  }
  c.loads();
  c.p.nearIndex = facts.nearIndex && facts.order == PlanOrder::Canonical;
  if (facts.elements >= 1 && facts.elements <= 128 &&
      facts.elements <= c.p.rowElements()) {
    c.lanes();
    return c.p;
  }
  if (facts.integerSumOf && facts.order == PlanOrder::Canonical &&
      byteSize(*facts.integerSumOf) < 4) {
    // Any tree gives the same bits, so a lane keeps a slot an element.
    c.p.narrow = ScalarType::I32;
    c.p.accumulators = c.p.vector;
  }
  if (facts.elements >= 1 && facts.elements <= 32 * c.p.rowElements() &&
      facts.outputs > facts.multiprocessors / 2)
    c.fill();
  else
    c.shared();
  return c.p;
}

int64_t wf::columnLeaves(const Plan &p, int64_t elements) {
  if (p.order == PlanOrder::Ordered)
    return elements;
  int64_t chunk = p.chunkElements(), rest = elements % chunk;
  int64_t some = rest >= p.rowElements()
                     ? p.slots()
                     : rest / p.vector * p.accumulators +
                           std::min(rest % p.vector, p.accumulators);
  return elements / chunk * p.slots() + some;
}

llvm::Expected<GpuDivision> wf::divideGpu(const Plan &p,
                                          const Problem &problem) {
  GpuDivision d;
  int64_t outputs = problem.outputs, k = problem.elements;
  switch (p.form) {
  case Form::Lanes:
    d.blocks = ceilDiv(outputs, p.warps * (32 / p.lanes) * p.outputs);
    break;
  case Form::Thread:
    d.blocks = ceilDiv(outputs, p.threads());
    break;
  case Form::Ladder:
    d.runs = ladderBlocks(p, k);
    // The product may not fit; a grid that large is refused below.
    if (llvm::MulOverflow(outputs, d.runs, d.blocks))
      d.blocks = INT64_MAX;
    d.tickets = p.grid == Grid::Ticket ? outputs : 0;
    d.partials = p.grid == Grid::Atomic ? 0 : d.blocks;
    break;
  case Form::Column: {
    int64_t columns = problem.kept.empty() ? 1 : problem.kept.back().size;
    int64_t tiles = ceilDiv(columns, p.lanes * p.outputs) *
                    (outputs / std::max<int64_t>(1, columns));
    int64_t perBlock = p.warps * (32 / p.lanes) * p.items * p.run;
    d.runs = ceilDiv(columnLeaves(p, k), perBlock);
    d.blocks = tiles * d.runs;
    d.tickets = tiles;
    d.partials = d.runs * outputs;
    break;
  }
  default: {
    if (p.form == Form::Warp && p.fill > 0) {
      d.blocks = ceilDiv(outputs, p.warps);
      break;
    }
    int64_t rows = p.order == PlanOrder::Ordered ? p.flight : p.rows;
    int64_t units = ceilDiv(k, rows * p.rowElements());
    d.runs = ceilDiv(units, p.warps * p.run);
    d.blocks = outputs * d.runs;
    d.tickets = outputs;
    d.partials = d.blocks;
    break;
  }
  }
  if (p.group > 0) {
    // First every group of runs, then the groups: both have tickets and states.
    d.groups = ceilDiv(d.runs, p.group);
    d.tickets *= 1 + d.groups;
    d.partials += d.groups * outputs;
  }
  if (p.grid == Grid::None)
    d.tickets = d.partials = 0;
  int64_t most = p.group > 0              ? kMostRuns
                 : p.form == Form::Column ? 2 * kColumnGroup
                                          : kWarpGroup;
  if (p.grid == Grid::Ticket && p.form != Form::Ladder && d.runs > most)
    return userError("this plan would have " + llvm::Twine(d.runs) +
                         " blocks share an output, and a last block joins at "
                         "most " +
                         llvm::Twine(most),
                     p.group > 0 ? "write a larger run=…"
                                 : "write group=128 (columns: group=32), or a "
                                   "larger run=…");
  if (d.blocks > INT32_MAX)
    return userError("this plan would launch " + llvm::Twine(d.blocks) +
                         " blocks, and a grid has at most 2147483647",
                     "reduce a part of the array at a time, or leave --plan "
                     "out");
  return d;
}
