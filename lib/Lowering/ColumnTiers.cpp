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
#include "Lowering/KernelFrame.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

namespace {
struct ColumnTiers {
  KernelFrame &f;
  Emitter &e = f.e;
  int64_t capacity;  ///< outputs × slots a tile holds
  Values tile;       ///< memref<?xT> a member
  Values counter;    ///< memref<?xT> a member, `capacity` a level
  Value counts;      ///< memref<64xi64>
  Value columns;     ///< length of the kept axis of unit stride
  Value width;       ///< of this item's tile
  Values outer;      ///< kept indices but the last
  Value column;      ///< first output of the tile

  explicit ColumnTiers(KernelFrame &f);
  void item(Value item);
  Value foldRun(Value firstChunk, Value chunks);
  void foldSlots(Value position, Value count, Value leaf, Value present);
  void storeTile(Value run, Value output);
  void storeLanes(int64_t lanes, Value c, Value run, Value output);
  void scatter(ValueRange results, int64_t lanes, Value c);
  Value slotElements(Value count, Value slot);
  Value perTile(Value n);
  Value runElements(Value run);
};
} // namespace

static Type storedType(Type t) {
  return t.isInteger(1) ? Type(IntegerType::get(t.getContext(), 8)) : t;
}

ColumnTiers::ColumnTiers(KernelFrame &f) : f(f) {
  int64_t widest = 1;
  for (Type t : f.stateAndCount())
    widest = std::max<int64_t>(widest,
                               storedType(t).getIntOrFloatBitWidth() / 8);
  capacity = f.plan.tile / widest;
  // Scratch: for every member one tile, then the counter's levels.
  Value tileBytes = e.index(f.plan.tile);
  Value memberBytes = e.mul(tileBytes, e.add(f.levels, e.index(1)));
  for (auto [m, t] : llvm::enumerate(f.state)) {
    auto type = MemRefType::get({ShapedType::kDynamic}, storedType(t));
    Value at = e.mul(memberBytes, e.index(m));
    tile.push_back(memref::ViewOp::create(e.b, e.loc, type, f.scratch, at,
                                          ValueRange{e.index(capacity)}));
    counter.push_back(memref::ViewOp::create(
        e.b, e.loc, type, f.scratch, e.add(at, tileBytes),
        ValueRange{e.mul(f.levels, e.index(capacity))}));
  }
  counts = memref::AllocaOp::create(e.b, e.loc,
                                    MemRefType::get({64}, e.b.getI64Type()));
  int64_t rank = cast<MemRefType>(f.outputs[0].getType()).getRank();
  columns = memref::DimOp::create(e.b, e.loc, f.outputs[0], rank - 1);
}

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
  Value fit = e.div(e.index(capacity), n);
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
  Value step = perTile(width);
  auto loop = scf::ForOp::create(e.b, e.loc, e.index(0), present, step);
  OpBuilder::InsertionGuard guard(e.b);
  e.b.setInsertionPointToStart(loop.getBody());
  Value slot = loop.getInductionVar();
  Value slots = e.minimum(step, e.sub(present, slot));
  if (p.order == PlanOrder::Ordered)
    fold::TileLiftOp::create(e.b, e.loc, f.inputs, outer, column, width,
                             e.add(position, slot), slots, tile, f.params,
                             f.reduce.getMap(), p.simd);
  else
    fold::TileRowsOp::create(e.b, e.loc, f.inputs, outer, column, width,
                             position, count, slot, slots, tile, f.params,
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
  fold::TileSlotsOp::create(e.b, e.loc, tile, s, width, e.add(leaf, number),
                            elements, counter, counts, f.params,
                            f.reduce.getCombine(), capacity, p.simd);
}

/// Folds a run of chunks into the counter; returns how many leaves it has.
Value ColumnTiers::foldRun(Value firstChunk, Value chunks) {
  const Plan &p = f.plan;
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
  return loop.getResult(0);
}

/// One value a lane to outputs without unit stride.
void ColumnTiers::scatter(ValueRange results, int64_t lanes, Value c) {
  for (int64_t i = 0; i < lanes; ++i) {
    Values one, at(outer);
    for (Value r : results)
      one.push_back(vector::ExtractOp::create(e.b, e.loc, r, i));
    at.push_back(e.add(e.add(column, c), e.index(i)));
    f.storeOutputs(one, at);
  }
}

/// Elements of a run, as i64.
Value ColumnTiers::runElements(Value run) {
  Value full = e.mul(f.runChunks, e.index(f.plan.chunkElements()));
  return e.toI64(e.minimum(full, e.sub(f.elements, e.mul(run, full))));
}

/// Outputs c … c + lanes - 1 of the tile (one if lanes is 0).
void ColumnTiers::storeLanes(int64_t lanes, Value c, Value run, Value output) {
  Values states;
  for (auto [memref, t] : llvm::zip(tile, f.state)) {
    Value v = lanes ? Value(vector::LoadOp::create(
                          e.b, e.loc,
                          VectorType::get({lanes}, storedType(t)), memref,
                          ValueRange{c}))
                    : Value(memref::LoadOp::create(e.b, e.loc, memref, c));
    states.push_back(fromStorage(e, v, t));
  }
  scf::IfOp::create(
      e.b, e.loc, e.equal(f.runs, e.index(1)),
      [&](OpBuilder &, Location) {
        Values results = f.finish(states, lanes), at(outer);
        at.push_back(e.add(column, c));
        auto [strides, offset] =
            cast<MemRefType>(f.outputs[0].getType()).getStridesAndOffset();
        if (!lanes)
          f.storeOutputs(results, at);
        else if (strides.back() == 1)
          for (auto [memref, r] : llvm::zip(f.outputs, results))
            vector::StoreOp::create(e.b, e.loc, r, memref, at);
        else
          scatter(results, lanes, c);
        scf::YieldOp::create(e.b, e.loc);
      },
      [&](OpBuilder &, Location) {
        Value at = f.partialIndex(e.add(output, c), run);
        Values stored(states);
        if (f.counted)
          stored.push_back(e.splat(runElements(run), lanes));
        for (auto [memref, v] : llvm::zip(f.partials, stored)) {
          Value stored = toStorage(e, v);
          if (lanes)
            vector::StoreOp::create(e.b, e.loc, stored, memref,
                                    ValueRange{at});
          else
            memref::StoreOp::create(e.b, e.loc, stored, memref, at);
        }
        scf::YieldOp::create(e.b, e.loc);
      });
}

void ColumnTiers::storeTile(Value run, Value output) {
  int64_t lanes = f.plan.simd;
  Value whole = e.mul(e.div(width, e.index(lanes)), e.index(lanes));
  auto each = [&](Value from, Value to, int64_t step) {
    scf::ForOp::create(e.b, e.loc, from, to, e.index(step), ValueRange(),
                       [&](OpBuilder &, Location, Value c, ValueRange) {
                         storeLanes(step == 1 ? 0 : step, c, run, output);
                         scf::YieldOp::create(e.b, e.loc);
                       });
  };
  if (lanes > 1)
    each(e.index(0), whole, lanes);
  each(lanes > 1 ? whole : e.index(0), width, 1);
}

void ColumnTiers::item(Value item) {
  const Plan &p = f.plan;
  Value run = e.rem(item, f.runs), rest = e.div(item, f.runs);
  Value cap = e.index(capacity);
  Value tiles = e.div(e.add(columns, e.index(capacity - 1)), cap);
  column = e.mul(e.rem(rest, tiles), cap);
  width = e.minimum(cap, e.sub(columns, column));
  Value output = e.mul(e.div(rest, tiles), columns);
  outer = f.outputIndices(output);
  outer.pop_back();
  output = e.add(output, column);
  if (p.order == PlanOrder::Sequential) {
    fold::TileRowsOp::create(e.b, e.loc, f.inputs, outer, column, width,
                             e.index(0), f.elements, e.index(0), e.index(1),
                             tile, f.params, f.reduce.getMap(),
                             f.reduce.getUpdate(), 1, 1, 0, p.simd);
  } else {
    Value size = e.index(p.chunkElements());
    Value all = e.div(e.add(f.elements, e.sub(size, e.index(1))), size);
    Value firstChunk = e.mul(run, f.runChunks);
    Value leaves = foldRun(
        firstChunk, e.minimum(f.runChunks, e.sub(all, firstChunk)));
    fold::TileChunksOp::create(e.b, e.loc, counter, counts, leaves, width, tile,
                               f.params, f.reduce.getCombine(), capacity,
                               p.simd);
  }
  storeTile(run, output);
}

void wf::emitColumnTiers(KernelFrame &f) {
  ColumnTiers tiers(f);
  auto loop = scf::ForOp::create(f.e.b, f.e.loc, f.begin, f.end, f.e.index(1));
  f.e.b.setInsertionPointToStart(loop.getBody());
  tiers.item(loop.getInductionVar());
  f.e.b.setInsertionPointToEnd(&f.function.getBody().front());
  func::ReturnOp::create(f.e.b, f.e.loc);
}
