//===- WarpTiers.cpp - form=warp: warps fold whole chunks -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
//   a warp an output (fill > 0)          warps of a block share an output
//     fold.lane_rows                       fold.chunks over the warp's run
//     fold.lane_slots                        fold.lane_rows, fold.lane_slots
//     finish and store                     fold.block
//                                          fold.grid, where blocks share it
//                                          finish and store
//
// Under `ordered`, where leaves are elements, a unit is `flight` rows: they are
// lifted together and every row joins by itself.
//===----------------------------------------------------------------------===//
#include "Lowering/GpuFrame.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

namespace {
struct WarpTiers {
  GpuFrame &g;
  KernelFrame &f = g.f;
  Emitter &e = f.e;
  const Plan &plan = f.plan;
  bool ordered = plan.order == PlanOrder::Ordered;
  std::optional<NarrowSum> narrow;
  Values digits, offsets;

  explicit WarpTiers(GpuFrame &g) : g(g) {
    if (plan.narrow)
      narrow.emplace(f, *plan.narrow);
  }

  int64_t unitRows() const { return ordered ? plan.flight : plan.rows; }
  int64_t unitElements() const { return unitRows() * plan.rowElements(); }

  void selectOutput(Value output);
  Values chunk(Value first, Value count, bool rest, bool tail);
  Values orderedUnit(Value first, Value count, bool rest);
  Values unit(Value first, Value count);
  Values run(Value firstUnit, Value count, int64_t most);
  void perWarp();
  void shared();
};
} // namespace

void WarpTiers::selectOutput(Value output) {
  digits = g.digits(output);
  offsets = g.inputOffsets(digits);
}

/// One chunk of canonical/1 into one state.
Values WarpTiers::chunk(Value first, Value count, bool rest, bool tail) {
  // Where every element has an address of its own to be worked out, code for a
  // chunk's worth of them would be enormous: a loop over a few rows it is.
  if (g.reducedSizes.size() > 1 && !plan.even)
    rest = false, tail = true;
  int64_t rows = plan.fill > 0 ? plan.fill : plan.rows;
  llvm::SmallVector<Type> types;
  for (Type t : f.rowStateAndCount())
    types.append(size_t(plan.accumulators), narrow ? narrow->rows : t);
  auto op = fold::LaneRowsOp::create(
      e.b, e.loc, types, g.inputs, offsets, g.reducedSizes, g.reducedStrides(),
      g.lane, first, count, plan.nearIndex ? e.index(0) : first, f.params,
      narrow ? narrow->map : f.rowMap, narrow ? narrow->update : f.rowUpdate,
      g.inner, plan.vector, plan.accumulators, rows,
      tail ? std::min<int64_t>(plan.flight, 4) : plan.flight, rest, tail,
      plan.even, plan.load == Load::Vector, f.counted);
  Value present;
  if ((rest && rows == 1) || tail) {
    // Lanes before the last have all their slots, the last a prefix of them.
    Value lanes = e.mul(e.div(count, e.index(plan.vector)),
                        e.index(plan.accumulators));
    present = e.add(lanes, e.minimum(e.rem(count, e.index(plan.vector)),
                                     e.index(plan.accumulators)));
  }
  Values slots(op.getSlots());
  if (narrow) {
    for (Value &v : slots)
      v = narrow->widen(e, v, narrow->slots);
    auto joined = fold::LaneSlotsOp::create(
        e.b, e.loc, narrow->slots, slots, g.lane, present, f.params,
        narrow->combineSlots, 32, 1, 1, /*loose=*/true, false);
    return {narrow->widen(e, joined.getStates()[0], f.state[0])};
  }
  auto joined = fold::LaneSlotsOp::create(
      e.b, e.loc, f.rowStateAndCount(), slots, g.lane, present, f.params,
      f.rowCombine, 32, 1, 1, /*loose=*/true, f.counted);
  return f.fromRowState(joined.getStates(), first);
}

/// `flight` rows, row by row a balanced tree of its elements, then the rows.
Values WarpTiers::orderedUnit(Value first, Value count, bool rest) {
  int64_t rows = unitRows(), each = plan.vector;
  llvm::SmallVector<Type> types;
  for (Type t : f.state)
    types.append(size_t(rows * each), t);
  auto lift = fold::LaneLiftOp::create(
      e.b, e.loc, types, g.inputs, offsets, g.reducedSizes, g.reducedStrides(),
      g.lane, first, count, first, f.params, f.reduce.getMap(), g.inner,
      plan.vector, rows, rest, plan.even, plan.load == Load::Vector);
  llvm::SmallVector<Type> one = f.stateAndCount();
  std::vector<Values> states;
  for (int64_t r = 0; r < rows; ++r) {
    Values slots;
    for (size_t m = 0; m < f.state.size(); ++m)
      llvm::append_range(slots, lift.getSlots().slice(
                                    (m * size_t(rows) + size_t(r)) *
                                        size_t(each),
                                    size_t(each)));
    if (f.counted)
      slots.append(size_t(each), e.i64(1));
    Value present;
    if (rest) {
      Value before = e.index(r * plan.rowElements());
      present = e.sub(arith::MaxSIOp::create(e.b, e.loc, count, before),
                      before);
    }
    auto joined = fold::LaneSlotsOp::create(
        e.b, e.loc, one, slots, g.lane, present, f.params,
        f.reduce.getCombine(), 32, 1, 1, /*loose=*/true, f.counted);
    states.emplace_back(joined.getStates());
  }
  // Rows of one lane are its slots.
  Values slots;
  for (size_t m = 0; m < one.size(); ++m)
    for (const Values &s : states)
      slots.push_back(s[m]);
  Value present;
  if (rest)
    present = g.ceilDiv(count, e.index(plan.rowElements()));
  auto joined = fold::LaneSlotsOp::create(
      e.b, e.loc, one, slots, g.lane, present, f.params, f.reduce.getCombine(),
      1, 1, 1, /*loose=*/true, f.counted);
  return Values(joined.getStates());
}

/// A unit of which `count` elements are there, whole or not.
Values WarpTiers::unit(Value first, Value count) {
  Value size = e.index(unitElements());
  if (plan.whole)
    return ordered ? orderedUnit(first, size, false)
                   : chunk(first, size, false, false);
  auto either = scf::IfOp::create(
      e.b, e.loc, e.equal(count, size),
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(e.b, e.loc,
                             ordered ? orderedUnit(first, size, false)
                                     : chunk(first, size, false, false));
      },
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(e.b, e.loc,
                             ordered ? orderedUnit(first, count, true)
                                     : chunk(first, count, false, true));
      });
  return Values(either.getResults());
}

/// `count` consecutive units (at least one, at most `most`).
Values WarpTiers::run(Value firstUnit, Value count, int64_t most) {
  auto at = [&](Value number) {
    Value first = e.mul(number, e.index(unitElements()));
    return unit(first, e.minimum(e.index(unitElements()),
                                 e.sub(f.elements, first)));
  };
  if (most == 1)
    return at(firstUnit);
  int64_t levels = 1;
  while ((int64_t(1) << (levels - 1)) < most)
    ++levels;
  auto chunks = fold::ChunksOp::create(
      e.b, e.loc, f.stateAndCount(), count, ValueRange(), f.params, f.reduce.getCombine(),
      f.counted, e.b.getI64IntegerAttr(levels));
  OpBuilder::InsertionGuard guard(e.b);
  Block *body =
      e.b.createBlock(&chunks.getBody(), {}, e.b.getIndexType(), {e.loc});
  fold::YieldOp::create(e.b, e.loc,
                        at(e.add(firstUnit, body->getArgument(0))));
  return Values(chunks.getStates());
}

/// fill > 0: every warp folds an output of its own.
void WarpTiers::perWarp() {
  Value output = e.add(e.mul(g.block, e.index(plan.warps)), g.warp);
  g.onlyIf(e.less(output, g.outputCount), [&] {
    selectOutput(output);
    Value zero = e.index(0);
    Values state;
    if (ordered) {
      int64_t units = (plan.fill + unitRows() - 1) / unitRows();
      state = run(zero, g.ceilDiv(f.elements, e.index(unitElements())), units);
    } else {
      state = chunk(zero, f.elements, !plan.whole, false);
    }
    g.onlyIf(e.equal(g.lane, zero), [&] { g.store(state, digits); });
  });
}

void WarpTiers::shared() {
  Value output = g.block, part = e.index(0);
  if (plan.grid != Grid::None) {
    output = e.div(g.block, g.runs);
    part = e.rem(g.block, g.runs);
  }
  selectOutput(output);
  Value units = g.ceilDiv(f.elements, e.index(unitElements()));
  Value perBlock = e.index(plan.warps * plan.run);
  Value blockFirst = e.mul(part, perBlock);
  Value warpFirst = e.add(blockFirst, e.mul(g.warp, e.index(plan.run)));
  llvm::SmallVector<Type> types = f.stateAndCount();
  Values state = g.valuesIf(e.less(warpFirst, units), types, [&] {
    Value count =
        e.minimum(e.index(plan.run), e.sub(units, warpFirst));
    return run(warpFirst, count, plan.run);
  });
  Value left = e.sub(units, blockFirst);
  Value present =
      e.minimum(e.index(plan.warps), g.ceilDiv(left, e.index(plan.run)));
  auto block = fold::BlockOp::create(
      e.b, e.loc, types, state, g.thread,
      plan.warps == 1 ? Value() : present, f.params, f.reduce.getCombine(),
      plan.warps, f.counted);
  state = Values(block.getStates());
  if (plan.grid == Grid::None) {
    g.onlyIf(e.equal(g.thread, e.index(0)), [&] { g.store(state, digits); });
    return;
  }
  // Partial states lie output by output.
  GpuFrame::Place place{output,
                        g.outputCount,
                        part,
                        e.mul(output, g.runs),
                        e.index(1),
                        e.mul(g.outputCount, g.runs),
                        e.index(1),
                        1,
                        true};
  g.joinGrid(state, place,
             [&](ValueRange joined) { g.store(joined, digits); });
}

void wf::emitWarpTiers(GpuFrame &g) {
  WarpTiers tiers(g);
  if (g.f.plan.fill > 0)
    tiers.perWarp();
  else
    tiers.shared();
}
