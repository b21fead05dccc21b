//===- ColumnTiers.cpp - The tiers of column problems ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
//   for item                       (outer kept index, tile of outputs, run)
//     for chunk of the run, for a few slots at a time
//       fold.tile_rows             elements into the slots' tiles
//       (ordered: fold.tile_lift   elements as they are)
//       fold.tile_slots            each slot's tile into the counter
//     fold.tile_chunks             what the counter holds into one tile
//     finish and store, or store the run's states
//
// A tile is some kilobytes of neighbouring outputs, so that memory is read in
// long runs; narrow matrices take several slots in a tile instead.
//===----------------------------------------------------------------------===//
#include "Lowering/TileFrame.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

namespace {
struct ColumnTiers {
  TileFrame t;
  KernelFrame &f = t.f;
  Emitter &e = t.e;

  explicit ColumnTiers(KernelFrame &f) : t(f) {}
  Value perTile(Value n);
  Value slotElements(Value count, Value slot);
  void foldSlots(Value position, Value count, Value leaf, Value present);
  void foldRun(Value firstChunk, Value chunks);
};
} // namespace

/// Elements of a chunk of `count` that go to `slot`.
Value ColumnTiers::slotElements(Value count, Value slot) {
  const Plan &p = f.plan;
  Value row = e.index(p.rowElements());
  int64_t turns = p.vector / p.accumulators;
  Value n = e.mul(e.div(count, row), e.index(turns));
  if (p.rows == 0)
    return count;
  Value m = e.rem(count, row);
  Value base = e.add(e.mul(e.div(slot, e.index(p.accumulators)),
                           e.index(p.vector)),
                     e.rem(slot, e.index(p.accumulators)));
  for (int64_t j = 0; j < turns; ++j) {
    Value here = e.less(e.add(base, e.index(j * p.accumulators)), m);
    n = e.add(n, arith::IndexCastUIOp::create(e.b, e.loc, e.b.getIndexType(),
                                              here));
  }
  return n;
}

/// How many slots share a tile: as many as fit, a power of two so that slots of
/// one lane stay together.
Value ColumnTiers::perTile(Value n) {
  Value fit = e.div(e.index(t.capacity), n);
  Value slots = e.index(1);
  int64_t most = f.plan.vector == f.plan.accumulators ? f.plan.slots()
                                                      : f.plan.accumulators;
  for (int64_t s = 2; s <= most; s *= 2) {
    Value can = arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::uge,
                                      fit, e.index(s));
    slots = arith::SelectOp::create(e.b, e.loc, can, e.index(s), slots);
  }
  return slots;
}

/// All slots of one chunk: elements [position, position + count), whose first
/// slot is leaf `leaf` of the counter.
void ColumnTiers::foldSlots(Value position, Value count, Value leaf,
                            Value present) {
  const Plan &p = f.plan;
  Value step = perTile(t.width);
  auto loop = scf::ForOp::create(e.b, e.loc, e.index(0), present, step);
  OpBuilder::InsertionGuard guard(e.b);
  e.b.setInsertionPointToStart(loop.getBody());
  Value slot = loop.getInductionVar();
  Value slots = e.minimum(step, e.sub(present, slot));
  if (p.order == PlanOrder::Ordered)
    fold::TileLiftOp::create(e.b, e.loc, f.inputs, t.outer, t.column, t.width,
                             e.add(position, slot), slots, t.tile, f.params,
                             f.reduce.getMap(), p.simd);
  else
    fold::TileRowsOp::create(e.b, e.loc, f.inputs, t.outer, t.column, t.width,
                             position, count, slot, slots, t.tile, f.params,
                             f.reduce.getMap(), f.reduce.getUpdate(), p.vector,
                             p.accumulators, p.rows, p.simd);
  auto push = scf::ForOp::create(e.b, e.loc, e.index(0), slots, e.index(1));
  e.b.setInsertionPointToStart(push.getBody());
  Value s = push.getInductionVar();
  Value number = e.add(slot, s);
  Value elements = e.index(0);
  if (f.counted)
    elements = p.order == PlanOrder::Ordered ? e.index(1)
                                             : slotElements(count, number);
  t.push(s, e.add(leaf, number), elements);
}

/// Folds a run of chunks into the tile.
void ColumnTiers::foldRun(Value firstChunk, Value chunks) {
  const Plan &p = f.plan;
  if (p.order == PlanOrder::Sequential) {
    fold::TileRowsOp::create(e.b, e.loc, f.inputs, t.outer, t.column, t.width,
                             e.index(0), f.elements, e.index(0), e.index(1),
                             t.tile, f.params, f.reduce.getMap(),
                             f.reduce.getUpdate(), 1, 1, 0, p.simd);
    return;
  }
  Value size = e.index(p.chunkElements());
  auto loop = scf::ForOp::create(
      e.b, e.loc, e.index(0), chunks, e.index(1), ValueRange{e.index(0)},
      [&](OpBuilder &, Location, Value c, ValueRange leaves) {
        Value position = e.mul(e.add(firstChunk, c), size);
        Value count = e.minimum(size, e.sub(f.elements, position));
        // Of a chunk shorter than a row the slots that got an element are a
        // prefix: lanes before the last have all theirs.
        Value lanes = e.mul(e.div(count, e.index(p.vector)),
                            e.index(p.accumulators));
        Value prefix =
            e.add(lanes, e.minimum(e.rem(count, e.index(p.vector)),
                                   e.index(p.accumulators)));
        Value present = e.minimum(prefix, e.index(p.slots()));
        foldSlots(position, count, leaves[0], present);
        scf::YieldOp::create(e.b, e.loc,
                             ValueRange{e.add(leaves[0], present)});
      });
  t.collapse(loop.getResult(0));
}

void wf::emitColumnTiers(KernelFrame &f) {
  ColumnTiers tiers(f);
  tiers.t.emit([&](Value first, Value count) { tiers.foldRun(first, count); });
}
