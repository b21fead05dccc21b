//===- RowTiers.cpp - The tiers of full, row and general problems ---------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
//   for item                          an output, or a run of its chunks
//     fold.chunks over the run
//       [fold.pack]                   where k is not one unit-stride axis
//       fold.rows                     elements into slots
//       (ordered: fold.lift           elements as they are, a block at a time)
//       fold.slots                    slots into the chunk's state
//     finish and store, or store the run's state
//===----------------------------------------------------------------------===//
#include "Lowering/KernelFrame.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

namespace {
struct RowTiers {
  KernelFrame &f;
  Emitter &e = f.e;
  std::optional<NarrowSum> narrow;
  llvm::SmallVector<Type> slotTypes; ///< of fold.rows' results

  explicit RowTiers(KernelFrame &f) : f(f) {
    if (f.plan.narrow)
      narrow.emplace(f, *f.plan.narrow);
    int64_t pieces = f.plan.slots() / f.plan.simd;
    for (Type t : f.rowStateAndCount())
      slotTypes.append(pieces, VectorType::get({f.plan.simd},
                                               narrow ? narrow->rows : t));
  }

  Values chunkState(Value output, ValueRange indices, Value chunk);
  Values fold(ValueRange indices, Value first, Value count, Value position,
              bool partialRow);
  Values ordered(ValueRange indices, Value first, Value count, Value position,
                 bool partialRow);
  void item(Value item);
};
} // namespace

/// Elements into slots into one state, for one chunk.
Values RowTiers::fold(ValueRange indices, Value first, Value count,
                      Value position, bool partialRow) {
  const Plan &p = f.plan;
  auto rows = fold::RowsOp::create(
      e.b, e.loc, slotTypes, f.inputs, indices, first, count,
      p.nearIndex ? e.index(0) : position, f.params,
      narrow ? narrow->map : f.rowMap, narrow ? narrow->update : f.rowUpdate,
      p.vector, p.accumulators, p.rows, partialRow, f.counted);
  Value present;
  IntegerAttr span;
  if (partialRow) {
    // Lanes before the last have all their slots, the last a prefix of them.
    Value lane = e.mul(e.div(count, e.index(p.vector)), e.index(p.accumulators));
    present = e.add(lane, e.minimum(e.rem(count, e.index(p.vector)),
                                    e.index(p.accumulators)));
    span = e.b.getI64IntegerAttr(p.slots());
  }
  if (narrow) {
    Values wide;
    for (Value v : rows.getSlots())
      wide.push_back(narrow->widen(e, v, narrow->slots));
    auto slots = fold::SlotsOp::create(e.b, e.loc, narrow->slots, wide, present,
                                       f.params, narrow->combineSlots, 1, span,
                                       false);
    return {narrow->widen(e, slots.getStates()[0], f.state[0])};
  }
  auto slots = fold::SlotsOp::create(e.b, e.loc, f.rowStateAndCount(),
                                     rows.getSlots(), present, f.params,
                                     f.rowCombine, 1, span, f.counted);
  return f.fromRowState(slots.getStates(), position);
}

/// A block of elements into one state, by the bits of k.
Values RowTiers::ordered(ValueRange indices, Value first, Value count,
                         Value position, bool partialRow) {
  llvm::SmallVector<Type> lifted;
  int64_t pieces = f.plan.slots() / f.plan.simd;
  for (Type t : f.state)
    lifted.append(pieces, VectorType::get({f.plan.simd}, t));
  auto lift = fold::LiftOp::create(e.b, e.loc, lifted, f.inputs, indices, first,
                                   count, position, f.params,
                                   f.reduce.getMap(), partialRow);
  Values slots(lift.getSlots());
  if (f.counted)
    slots.append(pieces, e.splat(e.i64(1), f.plan.simd));
  Value present = partialRow ? count : Value();
  IntegerAttr span =
      partialRow ? e.b.getI64IntegerAttr(f.plan.slots()) : IntegerAttr();
  auto join = fold::SlotsOp::create(e.b, e.loc, f.stateAndCount(), slots,
                                    present, f.params, f.reduce.getCombine(), 1,
                                    span, f.counted);
  return Values(join.getStates());
}

Values RowTiers::chunkState(Value output, ValueRange indices, Value chunk) {
  Value size = e.index(f.plan.chunkElements());
  Value position = e.mul(chunk, size);
  Value count = e.minimum(size, e.sub(f.elements, position));
  Value first = position;
  Values inner(indices);
  if (f.plan.load == Load::Pack) {
    fold::PackOp::create(e.b, e.loc, f.source, output, position, count);
    first = e.index(0);
    inner.clear();
  }
  auto state = [&](bool partialRow) {
    Values s = f.plan.order == PlanOrder::Ordered
                   ? ordered(inner, first, count, position, partialRow)
                   : fold(inner, first, count, position, partialRow);
    scf::YieldOp::create(e.b, e.loc, s);
  };
  Value lessThanRow = e.less(count, e.index(f.plan.rowElements()));
  auto either = scf::IfOp::create(
      e.b, e.loc, lessThanRow, [&](OpBuilder &, Location) { state(true); },
      [&](OpBuilder &, Location) { state(false); });
  return Values(either.getResults());
}

void RowTiers::item(Value item) {
  Value output = e.div(item, f.runs), run = e.rem(item, f.runs);
  Values indices = f.outputIndices(output);
  Value size = e.index(f.plan.chunkElements());
  Value all = e.div(e.add(f.elements, e.sub(size, e.index(1))), size);
  Value firstChunk = e.mul(run, f.runChunks);
  Value count = e.minimum(f.runChunks, e.sub(all, firstChunk));
  auto chunks = fold::ChunksOp::create(e.b, e.loc, f.stateAndCount(), count,
                                       ValueRange(), f.params, f.reduce.getCombine(),
                                       f.counted, /*levels=*/IntegerAttr());
  Block *body =
      e.b.createBlock(&chunks.getBody(), {}, e.b.getIndexType(), {e.loc});
  Value chunk = e.add(firstChunk, body->getArgument(0));
  fold::YieldOp::create(e.b, e.loc, chunkState(output, indices, chunk));
  e.b.setInsertionPointAfter(chunks);
  scf::IfOp::create(
      e.b, e.loc, e.equal(f.runs, e.index(1)),
      [&](OpBuilder &, Location) {
        f.storeOutputs(f.finish(chunks.getStates(), 0), indices);
        scf::YieldOp::create(e.b, e.loc);
      },
      [&](OpBuilder &, Location) {
        f.storePartials(chunks.getStates(), f.partialIndex(output, run));
        scf::YieldOp::create(e.b, e.loc);
      });
}

void wf::emitRowTiers(KernelFrame &f) {
  auto loop = scf::ForOp::create(f.e.b, f.e.loc, f.begin, f.end, f.e.index(1));
  f.e.b.setInsertionPointToStart(loop.getBody());
  RowTiers(f).item(loop.getInductionVar());
  f.e.b.setInsertionPointToEnd(&f.function.getBody().front());
  func::ReturnOp::create(f.e.b, f.e.loc);
}

//===----------------------------------------------------------------------===//
// sequential
//===----------------------------------------------------------------------===//

/// One chain an output; gathered elements come a buffer at a time.
static Values chain(KernelFrame &f, Value output, ValueRange indices) {
  Emitter &e = f.e;
  auto link = [&](ValueRange at, Value first, Value count, Value position,
                  ValueRange from) {
    auto op = fold::ChainOp::create(e.b, e.loc, f.state, f.inputs, at, first,
                                    count, position, from, f.params,
                                    f.reduce.getMap(), f.reduce.getUpdate());
    return Values(op.getStates());
  };
  Value zero = e.index(0);
  if (f.plan.load != Load::Pack)
    return link(indices, zero, f.elements, zero, {});
  Value size = e.index(4096);
  auto pack = [&](Value position) -> Value {
    Value count = e.minimum(size, e.sub(f.elements, position));
    fold::PackOp::create(e.b, e.loc, f.source, output, position, count);
    return count;
  };
  Values state = link({}, zero, pack(zero), zero, {});
  auto loop = scf::ForOp::create(
      e.b, e.loc, size, f.elements, size, state,
      [&](OpBuilder &, Location, Value position, ValueRange args) {
        Value count = pack(position);
        scf::YieldOp::create(e.b, e.loc,
                             link({}, zero, count, position, args));
      });
  return Values(loop.getResults());
}

void wf::emitChain(KernelFrame &f) {
  Emitter &e = f.e;
  auto loop = scf::ForOp::create(e.b, e.loc, f.begin, f.end, e.index(1));
  e.b.setInsertionPointToStart(loop.getBody());
  Value output = loop.getInductionVar();
  Values indices = f.outputIndices(output);
  f.storeOutputs(f.finish(chain(f, output, indices), 0), indices);
  e.b.setInsertionPointToEnd(&f.function.getBody().front());
  func::ReturnOp::create(e.b, e.loc);
}
