//===- ColumnLaneTiers.cpp - form=column: lanes along the outputs ---------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Slots and chunks of a column are one balanced tree over the leaves
// leaf = chunk * slots + slot. A block folds a tile of neighbouring outputs
// over an aligned run of leaves, `warps * 32 / lanes` of them a step, so that
// its warps read neighbouring rows of the matrix.
//
//   fold.chunks over the steps
//     fold.lane_column     a leaf a lane
//     fold.lane_slots      leaves of one warp
//     fold.block_columns   leaves of its warps
//   fold.grid              runs of other blocks
//===----------------------------------------------------------------------===//
#include "Dialect/Signatures.h"
#include "Lowering/GpuFrame.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

namespace {
struct ColumnLaneTiers {
  GpuFrame &g;
  KernelFrame &f = g.f;
  Emitter &e = f.e;
  const Plan &plan = f.plan;
  int64_t lanes = plan.lanes, outputs = plan.outputs;
  int64_t leaves = plan.items;                  ///< of a lane, a step
  int64_t neighbours = 32 / lanes;              ///< lanes along the leaves
  int64_t perWarp = neighbours * leaves;        ///< leaves of a warp, a step
  int64_t perStep = plan.warps * perWarp;       ///< leaves of a block, a step
  int64_t tileColumns = lanes * outputs;
  bool vectors = plan.load == Load::Vector;
  bool ordered = plan.order == PlanOrder::Ordered;
  int64_t slots = ordered ? 1 : plan.slots();
  /// Rows of a chunk that hold an element, at most.
  int64_t rows = ordered ? 1 : plan.fill > 0 ? plan.fill : plan.rows;
  int64_t perRow = ordered ? 1 : plan.vector / plan.accumulators;
  Value columns, present, outer, tile, part, width;
  Value tiles, which; ///< of all outputs, and this block's
  Value laneColumn; ///< of this lane's first output, in the tile
  Value laneWidth;  ///< columns from there to the matrix's edge
  Values offsets;

  explicit ColumnLaneTiers(GpuFrame &g) : g(g) {}

  Value presentLeaves();
  void place();
  Value firstOf(Value leaf);
  Value leafOf(Value firstLeaf);
  Values ahead(Value leaf);
  Values leafStates(Value leaf, bool whole, ValueRange ahead, Value next);
  Values step(Value firstLeaf, ValueRange ahead = {}, Value next = {});
  void emit();
};
} // namespace

/// Leaves that hold an element: they are a prefix.
Value ColumnLaneTiers::presentLeaves() {
  if (ordered)
    return f.elements;
  Value chunk = e.index(plan.chunkElements()), row = e.index(plan.rowElements());
  Value whole = e.div(f.elements, chunk), rest = e.rem(f.elements, chunk);
  Value some = e.add(
      e.mul(e.div(rest, e.index(plan.vector)), e.index(plan.accumulators)),
      e.minimum(e.rem(rest, e.index(plan.vector)),
                e.index(plan.accumulators)));
  Value last = arith::SelectOp::create(e.b, e.loc, e.less(rest, row), some,
                                       e.index(slots));
  return e.add(e.mul(whole, e.index(slots)), last);
}

/// Which outputs this block and this lane have.
void ColumnLaneTiers::place() {
  columns = g.keptSizes.back();
  present = presentLeaves();
  Value perRow = g.ceilDiv(columns, e.index(tileColumns));
  Value rows = e.div(g.outputCount, columns);
  tiles = e.mul(perRow, rows);
  // Neighbouring blocks take neighbouring tiles: together they read whole rows.
  part = e.div(g.block, tiles);
  which = e.rem(g.block, tiles);
  outer = e.div(which, perRow);
  tile = e.mul(e.rem(which, perRow), e.index(tileColumns));
  width = e.minimum(e.index(tileColumns), e.sub(columns, tile));
  Value along = e.rem(g.lane, e.index(lanes));
  laneColumn = vectors ? e.mul(along, e.index(outputs)) : along;
  Value column = e.add(tile, laneColumn);
  Value inside = e.less(laneColumn, width);
  // A lane past the edge reads the tile's first column, for nobody.
  column = arith::SelectOp::create(e.b, e.loc, inside, column, tile);
  laneWidth = e.sub(columns, column);
  Values digits = g.digits(e.mul(outer, columns));
  digits.back() = column;
  offsets = g.inputOffsets(digits);
}

/// k of the leaf's first element.
Value ColumnLaneTiers::firstOf(Value leaf) {
  if (ordered)
    return leaf;
  Value chunk = e.div(leaf, e.index(slots)), slot = e.rem(leaf, e.index(slots));
  Value inRow = e.add(
      e.mul(e.div(slot, e.index(plan.accumulators)), e.index(plan.vector)),
      e.rem(slot, e.index(plan.accumulators)));
  return e.add(e.mul(chunk, e.index(plan.chunkElements())), inRow);
}

/// This lane's leaf in the step that begins with `firstLeaf`.
Value ColumnLaneTiers::leafOf(Value firstLeaf) {
  Value warpLeaf = e.add(firstLeaf, e.mul(g.warp, e.index(perWarp)));
  Value place = e.div(g.lane, e.index(lanes));
  return e.add(warpLeaf, e.mul(place, e.index(leaves)));
}

/// The first elements of a leaf, read before the step that folds it.
Values ColumnLaneTiers::ahead(Value leaf) {
  auto map = e.symbols.lookup<func::FuncOp>(f.rowMap);
  llvm::SmallVector<Type> types;
  for (int64_t t = 0; t < std::min(plan.flight, leaves * rows * perRow); ++t)
    for (size_t i = 0; i < g.inputs.size(); ++i)
      types.append(size_t(outputs),
                   fold::storageType(map.getArgumentTypes()[i]));
  auto op = fold::LaneAheadOp::create(
      e.b, e.loc, types, g.inputs, offsets, g.reducedSizes, g.reducedStrides(),
      firstOf(leaf), f.elements, laneWidth, f.rowMap, g.inner,
      outputs, lanes, leaves, rows, plan.rowElements(), perRow,
      plan.accumulators, plan.flight, plan.whole, vectors);
  return Values(op.getAhead());
}

Values ColumnLaneTiers::leafStates(Value leaf, bool whole, ValueRange ahead,
                                   Value next) {
  llvm::SmallVector<Type> types;
  for (Type t : f.rowState)
    types.append(size_t(outputs * leaves), t);
  if (f.counted)
    types.append(size_t(leaves), e.b.getI64Type());
  llvm::append_range(types, ahead.getTypes());
  auto op = fold::LaneColumnOp::create(
      e.b, e.loc, types, g.inputs, offsets, g.reducedSizes, g.reducedStrides(),
      firstOf(leaf), f.elements, laneWidth, ahead,
      next ? firstOf(leafOf(next)) : Value(), f.params, f.rowMap,
      f.rowUpdate, g.inner, outputs, lanes, leaves, rows,
      plan.rowElements(), perRow, plan.accumulators, plan.flight, whole, plan.whole, vectors, f.counted);
  return Values(op.getStates());
}

/// One step's leaves, joined: thread t has the state of the tile's output t.
/// Then what is read ahead for the step that begins with leaf `next`.
Values ColumnLaneTiers::step(Value firstLeaf, ValueRange ahead, Value next) {
  Value warpLeaf = e.add(firstLeaf, e.mul(g.warp, e.index(perWarp)));
  Value leaf = leafOf(firstLeaf);
  Value lastChunk = e.add(
      e.div(e.add(firstLeaf, e.index(perStep - 1)), e.index(slots)), e.index(1));
  int64_t reach = ordered         ? 1
                  : plan.fill > 0 ? plan.fill * plan.rowElements()
                                  : plan.chunkElements();
  Value end = e.mul(lastChunk, e.index(reach));
  Value whole = e.b.createOrFold<arith::CmpIOp>(
      e.loc, arith::CmpIPredicate::ule, end, f.elements);
  Values all;
  if (plan.whole) {
    all = leafStates(leaf, true, ahead, next);
  } else {
    auto fold = [&](bool there) {
      scf::YieldOp::create(e.b, e.loc, leafStates(leaf, there, ahead, next));
    };
    auto either = scf::IfOp::create(
        e.b, e.loc, whole, [&](OpBuilder &, Location) { fold(true); },
        [&](OpBuilder &, Location) { fold(false); });
    all = Values(either.getResults());
  }
  Values states(ValueRange(all).drop_back(ahead.size()));
  Values nextAhead(ValueRange(all).take_back(ahead.size()));
  llvm::SmallVector<Type> one = f.stateAndCount();
  if (perWarp > 1) {
    Value here = e.minimum(
        e.index(perWarp),
        e.sub(arith::MaxUIOp::create(e.b, e.loc, present, warpLeaf),
              warpLeaf));
    Values joined(one.size() == f.state.size()
                      ? f.state.size() * size_t(outputs)
                      : f.state.size() * size_t(outputs) + 1);
    size_t each = size_t(leaves);
    for (int64_t j = 0; j < outputs; ++j) {
      Values slot;
      for (size_t m = 0; m < f.state.size(); ++m)
        llvm::append_range(slot,
                           ValueRange(states).slice(
                               (m * size_t(outputs) + size_t(j)) * each, each));
      if (f.counted)
        llvm::append_range(slot, ValueRange(states).take_back(each));
      auto op = fold::LaneSlotsOp::create(
          e.b, e.loc, f.rowStateAndCount(), slot, g.lane, here, f.params,
          f.rowCombine, neighbours, lanes, 1, /*loose=*/true, f.counted);
      for (size_t m = 0; m < f.state.size(); ++m)
        joined[m * size_t(outputs) + size_t(j)] = op.getStates()[m];
      if (f.counted)
        joined.back() = op.getStates().back();
    }
    states = joined;
  }
  // Positions counted from the fold's first element all along.
  if (plan.nearIndex)
    for (size_t m = 0; m < f.state.size(); ++m)
      for (int64_t j = 0; j < outputs; ++j)
        if (f.rowState[m] != f.state[m]) {
          Value &v = states[m * size_t(outputs) + size_t(j)];
          v = arith::ExtUIOp::create(e.b, e.loc, f.state[m], v);
        }
  Value left = e.minimum(e.index(perStep), e.sub(present, firstLeaf));
  Value warpsPresent = g.ceilDiv(left, e.index(perWarp));
  // Always, where a warp's lanes are all along the outputs.
  Value holds = lanes == 32 ? Value(arith::ConstantOp::create(
                                  e.b, e.loc, e.b.getBoolAttr(true)))
                            : e.less(g.lane, e.index(lanes));
  auto block = fold::BlockColumnsOp::create(
      e.b, e.loc, one, states, g.thread, holds, g.warp, laneColumn,
      warpsPresent, f.params, f.reduce.getCombine(), outputs,
      vectors ? 1 : lanes, tileColumns, plan.warps, plan.threads(), f.counted);
  Values results(block.getStates());
  llvm::append_range(results, nextAhead);
  return results;
}

void ColumnLaneTiers::emit() {
  place();
  llvm::SmallVector<Type> types = f.stateAndCount();
  Value perBlock = e.index(perStep * plan.run);
  Value blockFirst = e.mul(part, perBlock);
  Value steps = e.minimum(
      e.index(plan.run),
      g.ceilDiv(e.sub(present, blockFirst), e.index(perStep)));
  Values state;
  if (plan.run == 1) {
    state = step(blockFirst);
  } else {
    int64_t levels = 1;
    while ((int64_t(1) << (levels - 1)) < plan.run)
      ++levels;
    Values before = ahead(leafOf(blockFirst));
    auto chunks = fold::ChunksOp::create(
        e.b, e.loc, types, steps, before, f.params, f.reduce.getCombine(),
        f.counted, e.b.getI64IntegerAttr(levels));
    OpBuilder::InsertionGuard guard(e.b);
    llvm::SmallVector<Type> arguments{e.b.getIndexType()};
    llvm::append_range(arguments, ValueRange(before).getTypes());
    Block *body = e.b.createBlock(
        &chunks.getBody(), {}, arguments,
        llvm::SmallVector<Location>(arguments.size(), e.loc));
    Value number = body->getArgument(0);
    auto leafAt = [&](Value n) {
      return e.add(blockFirst, e.mul(n, e.index(perStep)));
    };
    // After the last step comes the last once more: reads that nobody folds.
    Value following = e.minimum(e.add(number, e.index(1)),
                                e.sub(steps, e.index(1)));
    fold::YieldOp::create(e.b, e.loc,
                          step(leafAt(number),
                               body->getArguments().drop_front(),
                               leafAt(following)));
    state = Values(chunks.getStates());
  }
  Value mine = e.less(g.thread, width);
  Value firstOutput = e.add(e.mul(outer, columns), tile);
  auto store = [&](ValueRange joined) {
    g.store(joined, g.digits(e.add(firstOutput, g.thread)));
  };
  if (plan.grid == Grid::None) {
    g.onlyIf(mine, [&] { store(state); });
    return;
  }
  // Partial states lie run by run: threads store neighbours.
  GpuFrame::Place place{which,
                        tiles,
                        part,
                        firstOutput,
                        g.outputCount,
                        e.mul(g.outputCount, g.runs),
                        width,
                        tileColumns};
  g.joinGrid(state, place, store);
}

void wf::emitColumnLaneTiers(GpuFrame &g) { ColumnLaneTiers(g).emit(); }
