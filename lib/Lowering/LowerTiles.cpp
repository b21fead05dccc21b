//===- LowerTiles.cpp - fold.tile_* to loops over tiles -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// fold.tile_rows reads a plane at a time: element e of every slot in the tile,
// for all its outputs, in memory order. Several planes are read in one pass
// over the tile, which then is loaded and stored once for all of them. Where the
// slots' rows lie one behind another in memory (a narrow matrix), slots and
// outputs are one long row.
//===----------------------------------------------------------------------===//
#include "Dialect/Signatures.h"
#include "Lowering/Calls.h"
#include "Lowering/Passes.h"

namespace wf {
#define GEN_PASS_DEF_LOWERTILES
#include "Lowering/Passes.h.inc"
} // namespace wf

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

namespace {

/// Vectors of tile elements; lanes 0 means one scalar.
struct TileAccess {
  Emitter &e;
  llvm::SmallVector<Type> state;

  Value loadFrom(Value memref, ValueRange at, int64_t lanes) {
    Type element = cast<MemRefType>(memref.getType()).getElementType();
    if (!lanes)
      return memref::LoadOp::create(e.b, e.loc, memref, at);
    return vector::LoadOp::create(e.b, e.loc,
                                  VectorType::get({lanes}, element), memref,
                                  at);
  }
  Values load(ValueRange memrefs, Value at, int64_t lanes) {
    Values values;
    for (auto [memref, t] : llvm::zip(memrefs, state))
      values.push_back(fromStorage(e, loadFrom(memref, at, lanes), t));
    return values;
  }
  void store(ValueRange values, ValueRange memrefs, Value at, int64_t lanes) {
    for (auto [memref, v] : llvm::zip(memrefs, values)) {
      Type element = cast<MemRefType>(memref.getType()).getElementType();
      Value s = v;
      if (getElementTypeOrSelf(v.getType()) != element)
        s = arith::ExtUIOp::create(
            e.b, e.loc,
            lanes ? Type(VectorType::get({lanes}, element)) : element, v);
      if (lanes)
        vector::StoreOp::create(e.b, e.loc, s, memref, at);
      else
        memref::StoreOp::create(e.b, e.loc, s, memref, at);
    }
  }
  /// body(lanes, c) for c in [0, n): whole vectors, then one at a time.
  void forLanes(Value n, int64_t lanes,
                llvm::function_ref<void(int64_t, Value)> body) {
    Value whole = e.index(0);
    if (lanes > 1) {
      whole = e.mul(e.div(n, e.index(lanes)), e.index(lanes));
      loop(e.index(0), whole, lanes, [&](Value c) { body(lanes, c); });
    }
    loop(whole, n, 1, [&](Value c) { body(0, c); });
  }
  void loop(Value from, Value to, int64_t step,
            llvm::function_ref<void(Value)> body) {
    scf::ForOp::create(e.b, e.loc, from, to, e.index(step), ValueRange(),
                       [&](OpBuilder &, Location, Value i, ValueRange) {
                         body(i);
                         scf::YieldOp::create(e.b, e.loc);
                       });
  }
};

/// What fold.tile_rows and fold.tile_lift share: planes of elements.
struct Planes {
  Emitter &e;
  ValueRange inputs, indices, tile, params;
  llvm::StringRef map, update; ///< no update: fold.tile_lift
  Value column, width, first, slot;
  int64_t vector, accumulators, rows, simd;
  TileAccess access{e, {}}; ///< set by prepare
  int64_t turns = 1, reducedRank = 1;
  bool mayFlatten = false; ///< slots and outputs can be one row, if strides
  Value flat{};            ///< allow it: they can

  void prepare();
  void decideFlat();
  Value position(Value slot, Value turn);
  Values reducedIndices(Value k);
  void planes(Value from, int64_t count, bool seed, Value slots);
  Values element(ValueRange rowIndices, Value c, int64_t lanes);
  Value remainderSlots(Value turn, Value rest, Value slots);
  void allRows(Value count, Value slots);
};

} // namespace

void Planes::prepare() {
  auto mapping = e.symbols.lookup<func::FuncOp>(map);
  access.state.assign(mapping.getResultTypes().begin(),
                      mapping.getResultTypes().end());
  turns = vector / accumulators;
  auto type = cast<MemRefType>(inputs[0].getType());
  reducedRank = type.getRank() - int64_t(indices.size()) - 1;
  unsigned n = unsigned(inputs.size());
  // A lane's k would no longer be the same for all lanes.
  mayFlatten =
      reducedRank == 1 && rows > 0 && !readsArguments(mapping, n, 1);
  if (!update.empty())
    mayFlatten &= !readsArguments(e.symbols.lookup<func::FuncOp>(update),
                                  mapping.getNumResults() + 1 + n, 1);
  for (Value v : inputs) {
    auto [strides, offset] =
        cast<MemRefType>(v.getType()).getStridesAndOffset();
    mayFlatten &= strides.back() == 1;
  }
  decideFlat();
}

/// Do the rows of neighbouring k follow each other without a gap?
void Planes::decideFlat() {
  flat = arith::ConstantOp::create(e.b, e.loc, e.b.getBoolAttr(mayFlatten));
  if (!mayFlatten)
    return;
  for (Value v : inputs) {
    auto meta = memref::ExtractStridedMetadataOp::create(e.b, e.loc, v);
    Value stride = meta.getStrides()[indices.size()];
    flat = arith::AndIOp::create(e.b, e.loc, flat,
                                 e.equal(stride, width));
  }
}

/// k of the turn-th element of a slot, turns counted over all rows.
Value Planes::position(Value at, Value turn) {
  if (rows == 0)
    return e.add(first, turn);
  Value t = e.index(turns), a = e.index(accumulators);
  Value k = e.add(first, e.mul(e.div(turn, t), e.index(32 * vector)));
  k = e.add(k, e.mul(e.div(at, a), e.index(vector)));
  k = e.add(k, e.mul(e.rem(turn, t), a));
  return e.add(k, e.rem(at, a));
}

Values Planes::reducedIndices(Value k) {
  Values reduced(reducedRank);
  int64_t outer = int64_t(indices.size());
  for (int64_t d = reducedRank - 1; d > 0; --d) {
    Value size =
        memref::DimOp::create(e.b, e.loc, inputs[0], outer + d);
    reduced[d] = e.rem(k, size);
    k = e.div(k, size);
  }
  reduced[0] = k;
  return reduced;
}

/// Output c's element in the row at rowIndices, from every input.
Values Planes::element(ValueRange rowIndices, Value c, int64_t lanes) {
  Values values;
  for (auto [n, memref] : llvm::enumerate(inputs)) {
    Values at(rowIndices);
    at.push_back(e.add(column, c));
    auto [strides, offset] =
        cast<MemRefType>(memref.getType()).getStridesAndOffset();
    Value v;
    if (strides.back() == 0)
      v = e.splat(access.loadFrom(memref, at, 0), lanes);
    else
      v = access.loadFrom(memref, at, lanes);
    values.push_back(fromStorage(e, v,
                                 e.symbols.lookup<func::FuncOp>(map)
                                     .getArgumentTypes()[n]));
  }
  return values;
}

/// Elements from … from + count - 1 of the first `slots` slots of the tile.
void Planes::planes(Value from, int64_t count, bool seed, Value slots) {
  Value outer = arith::SelectOp::create(e.b, e.loc, flat, e.index(1), slots);
  Value inner = arith::SelectOp::create(e.b, e.loc, flat, e.mul(slots, width),
                                        width);
  access.loop(e.index(0), outer, 1, [&](Value s) {
    Value number = e.add(slot, s);
    llvm::SmallVector<Values> where;
    Values positions;
    for (int64_t i = 0; i < count; ++i) {
      Value k = position(number, e.add(from, e.index(i)));
      Values at(indices);
      llvm::append_range(at, reducedIndices(k));
      where.push_back(at);
      positions.push_back(e.toI64(k));
    }
    Value base = e.mul(s, width);
    access.forLanes(inner, simd, [&](int64_t lanes, Value c) {
      Value at = e.add(base, c);
      Values state;
      if (!seed)
        state = access.load(tile, at, lanes);
      for (int64_t i = 0; i < count; ++i) {
        bool seeds = seed && i == 0;
        Values arguments(state);
        if (!seeds)
          arguments.push_back(
              e.splat(e.toI64(e.add(from, e.index(i))), lanes));
        llvm::append_range(arguments, element(where[i], c, lanes));
        arguments.push_back(e.splat(positions[i], lanes));
        for (Value p : params)
          arguments.push_back(e.splat(p, lanes));
        state = e.call(seeds ? map : update, lanes, arguments);
      }
      access.store(state, tile, at, lanes);
    });
  });
}

/// Of the tile's slots, those with an element in turn `turn` of a row of which
/// only the first `rest` elements are there: a prefix.
Value Planes::remainderSlots(Value turn, Value rest, Value slots) {
  Value a = e.index(accumulators), zero = e.index(0);
  Value offset = e.add(e.mul(e.div(slot, a), e.index(vector)),
                       e.add(e.mul(turn, a), e.rem(slot, a)));
  Value beyond = e.less(rest, offset);
  Value left = arith::SelectOp::create(e.b, e.loc, beyond, zero,
                                       e.sub(rest, offset));
  return e.minimum(left, slots);
}

/// Planes read side by side. Column sums of (8192, 8192) on Zen 4, two threads,
/// tiles of 32 KiB, of read-only: four planes 0.82 to 0.93, eight 0.74; with
/// tiles of 16 KiB one plane reached 0.41, two 0.70.
static constexpr int64_t kPlanes = 4;

/// Seeds by the first plane or planes, then all the others, in increasing k.
void Planes::allRows(Value count, Value slots) {
  Value zero = e.index(0), one = e.index(1);
  Value row = e.index(32 * vector), rest = zero, whole = count;
  if (rows > 0) {
    whole = e.mul(e.div(count, row), e.index(turns));
    rest = e.rem(count, row);
  }
  Value block = e.index(kPlanes);
  // Where a tile holds all slots of a narrow matrix, one plane follows another
  // in memory, and one stream is the fastest as long as the tile stays in L1
  // (sums of (2^22, 16), an 8 KiB tile, on Zen 4: 0.83 of read-only with one
  // plane, 0.62 with four; of (2^20, 64), 32 KiB: 0.52 and 0.82).
  int64_t bytes = 0;
  for (Type t : access.state)
    bytes += fold::storageType(t).getIntOrFloatBitWidth() / 8;
  Value small = e.less(e.mul(slots, width), e.index(16384 / bytes + 1));
  Value oneStream = arith::AndIOp::create(
      e.b, e.loc, arith::AndIOp::create(e.b, e.loc, flat, small),
      e.equal(slots, e.index(32 * accumulators)));
  Value single = arith::OrIOp::create(e.b, e.loc, oneStream,
                                      e.less(whole, block));
  auto start = scf::IfOp::create(
      e.b, e.loc, single,
      [&](OpBuilder &, Location) {
        planes(zero, 1, true, slots);
        scf::YieldOp::create(e.b, e.loc, one);
      },
      [&](OpBuilder &, Location) {
        planes(zero, kPlanes, true, slots);
        Value blocks = e.mul(e.div(whole, block), block);
        access.loop(block, blocks, kPlanes,
                    [&](Value from) { planes(from, kPlanes, false, slots); });
        scf::YieldOp::create(e.b, e.loc, blocks);
      });
  Value some = arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::ne, rest,
                                     zero);
  Value more = arith::SelectOp::create(e.b, e.loc, some, e.index(turns), zero);
  access.loop(start.getResult(0), e.add(whole, more), 1, [&](Value turn) {
    Value here = slots;
    if (rows > 0)
      here = arith::SelectOp::create(e.b, e.loc, e.less(turn, whole), slots,
                                     remainderSlots(e.sub(turn, whole), rest,
                                                    slots));
    planes(turn, 1, false, here);
  });
}

static void lowerTileRows(Emitter &e, fold::TileRowsOp op) {
  Planes planes{e, op.getInputs(), op.getIndices(), op.getTile(),
                op.getParams(), op.getMap(), op.getUpdate(), op.getColumn(),
                op.getWidth(), op.getFirst(), op.getSlot(),
                int64_t(op.getVector()), int64_t(op.getAccumulators()),
                int64_t(op.getRows()), int64_t(op.getSimd())};
  planes.prepare();
  planes.allRows(op.getCount(), op.getSlots());
  op.erase();
}

/// One plane: slot s is element first + s.
static void lowerTileLift(Emitter &e, fold::TileLiftOp op) {
  Planes planes{e, op.getInputs(), op.getIndices(), op.getTile(),
                op.getParams(), op.getMap(), "", op.getColumn(),
                op.getWidth(), op.getFirst(), e.index(0),
                /*vector=*/1, /*accumulators=*/1, /*rows=*/1,
                int64_t(op.getSimd())};
  planes.prepare();
  planes.planes(e.index(0), 1, /*seed=*/true, op.getCount());
  op.erase();
}

//===----------------------------------------------------------------------===//
// The counter
//===----------------------------------------------------------------------===//

namespace {
/// What tile_slots and tile_chunks share: levels of a counter of tiles.
template <typename Op> struct TileCounter {
  Emitter &e;
  Op op;
  TileAccess access;

  TileCounter(Emitter &e, Op op)
      : e(e), op(op),
        access{e, llvm::SmallVector<Type>(
                      e.symbols.lookup<func::FuncOp>(op.getCombine())
                          .getResultTypes())} {}

  Value at(Value level, Value c) {
    return e.add(e.mul(level, e.index(op.getCapacity())), c);
  }
  Value count(Value level) {
    return memref::LoadOp::create(e.b, e.loc, op.getCounts(), level);
  }
  /// The older run at `level`, column c, with `state` of n elements.
  Values join(Value level, Value c, int64_t lanes, ValueRange state, Value n) {
    Values left = access.load(op.getCounter(), at(level, c), lanes);
    return e.combine(op.getCombine(), lanes, left, state,
                     e.splat(count(level), lanes), e.splat(n, lanes),
                     op.getParams());
  }
  Value trailing(Value n) {
    return arith::IndexCastOp::create(
        e.b, e.loc, e.b.getIndexType(),
        LLVM::CountTrailingZerosOp::create(e.b, e.loc, e.b.getI64Type(),
                                           e.toI64(n), false));
  }
};
} // namespace

static void lowerTileSlots(Emitter &e, fold::TileSlotsOp op) {
  TileCounter<fold::TileSlotsOp> counter(e, op);
  // The first clear bit of the leaf's number: where its run is kept.
  Value level = counter.trailing(e.add(op.getLeaf(), e.index(1)));
  Value base = e.mul(op.getSlot(), op.getWidth());
  Value n = e.toI64(op.getElements());
  counter.access.forLanes(
      op.getWidth(), op.getSimd(), [&](int64_t lanes, Value c) {
        Values initial =
            counter.access.load(op.getTile(), e.add(base, c), lanes);
        initial.push_back(n);
        auto loop = scf::ForOp::create(
            e.b, e.loc, e.index(0), level, e.index(1), initial,
            [&](OpBuilder &, Location, Value l, ValueRange args) {
              Values next = counter.join(l, c, lanes, args.drop_back(),
                                         args.back());
              next.push_back(e.add(args.back(), counter.count(l)));
              scf::YieldOp::create(e.b, e.loc, next);
            });
        counter.access.store(loop.getResults().drop_back(), op.getCounter(),
                             counter.at(level, c), lanes);
      });
  auto total = scf::ForOp::create(
      e.b, e.loc, e.index(0), level, e.index(1), ValueRange{n},
      [&](OpBuilder &, Location, Value l, ValueRange args) {
        scf::YieldOp::create(e.b, e.loc,
                             ValueRange{e.add(args[0], counter.count(l))});
      });
  memref::StoreOp::create(e.b, e.loc, total.getResult(0), op.getCounts(),
                          level);
  op.erase();
}

static void lowerTileChunks(Emitter &e, fold::TileChunksOp op) {
  TileCounter<fold::TileChunksOp> counter(e, op);
  Value lowest = counter.trailing(op.getLeaves());
  Value leaves = op.getLeaves();
  counter.access.forLanes(
      op.getWidth(), op.getSimd(), [&](int64_t lanes, Value c) {
        Values initial = counter.access.load(op.getCounter(),
                                             counter.at(lowest, c), lanes);
        initial.push_back(counter.count(lowest));
        initial.push_back(e.add(lowest, e.index(1)));
        llvm::SmallVector<Type> types(ValueRange(initial).getTypes());
        auto loop = scf::WhileOp::create(
            e.b, e.loc, types, initial,
            [&](OpBuilder &, Location, ValueRange args) {
              Value left =
                  arith::ShRUIOp::create(e.b, e.loc, leaves, args.back());
              Value more = arith::CmpIOp::create(
                  e.b, e.loc, arith::CmpIPredicate::ne, left, e.index(0));
              scf::ConditionOp::create(e.b, e.loc, more, args);
            },
            [&](OpBuilder &, Location, ValueRange args) {
              Value level = args.back(), n = args[args.size() - 2];
              ValueRange state = args.drop_back(2);
              Value bit = arith::AndIOp::create(
                  e.b, e.loc,
                  arith::ShRUIOp::create(e.b, e.loc, leaves, level),
                  e.index(1));
              auto either = scf::IfOp::create(
                  e.b, e.loc, e.equal(bit, e.index(1)),
                  [&](OpBuilder &, Location) {
                    Values joined = counter.join(level, c, lanes, state, n);
                    joined.push_back(e.add(n, counter.count(level)));
                    scf::YieldOp::create(e.b, e.loc, joined);
                  },
                  [&](OpBuilder &, Location) {
                    scf::YieldOp::create(e.b, e.loc, args.drop_back());
                  });
              Values next(either.getResults());
              next.push_back(e.add(level, e.index(1)));
              scf::YieldOp::create(e.b, e.loc, next);
            });
        counter.access.store(loop.getResults().drop_back(2), op.getTile(), c,
                             lanes);
      });
  op.erase();
}

namespace {
struct LowerTilesPass : wf::impl::LowerTilesBase<LowerTilesPass> {
  void runOnOperation() override {
    llvm::SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<fold::TileRowsOp, fold::TileLiftOp, fold::TileSlotsOp,
              fold::TileChunksOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      OpBuilder b(op);
      Emitter e(b, op->getLoc(), getOperation());
      if (auto rows = dyn_cast<fold::TileRowsOp>(op))
        lowerTileRows(e, rows);
      else if (auto lift = dyn_cast<fold::TileLiftOp>(op))
        lowerTileLift(e, lift);
      else if (auto slots = dyn_cast<fold::TileSlotsOp>(op))
        lowerTileSlots(e, slots);
      else
        lowerTileChunks(e, cast<fold::TileChunksOp>(op));
    }
  }
};
} // namespace
