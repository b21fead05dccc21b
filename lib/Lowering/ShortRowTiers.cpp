//===- ShortRowTiers.cpp - The tiers of rows of up to 128 elements --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// K is compiled in, so which slots are there is known, and several rows are
// folded side by side: each row's slots are joined down to one vector, the
// vectors of `abreast` rows stand one after another in a buffer, and their
// lanes are joined on together until a lane is a row:
//
//   row 0  [a b c d]          [ab cd ef gh]
//   row 1  [e f g h]    ->                      ->  [abcd efgh …]
//   …
//
// The tree of each row is the same as ever; only who waits for whom changes.
//===----------------------------------------------------------------------===//
#include "Lowering/KernelFrame.h"

#include "Dialect/Signatures.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

namespace {
struct ShortRowTiers {
  KernelFrame &f;
  Emitter &e = f.e;
  int64_t elements = f.plan.elements;
  int64_t slots = int64_t(llvm::PowerOf2Ceil(uint64_t(f.plan.elements)));
  int64_t width = std::min(f.plan.simd, slots); ///< lanes of a row's vector
  int64_t abreast = f.plan.abreast;
  Values buffers; ///< memref<abreast · width> a member (and count), stored

  explicit ShortRowTiers(KernelFrame &f) : f(f) {
    for (Type t : f.rowStateAndCount())
      buffers.push_back(memref::AllocaOp::create(
          e.b, e.loc,
          MemRefType::get({abreast * width}, fold::storageType(t)),
          e.b.getI64IntegerAttr(64)));
  }

  Values rowVector(ValueRange indices);
  Values joinRows();
  void store(ValueRange results, Value first, Value count);
  void item(Value item);
};
} // namespace

/// One row's slots, joined down to one vector a member.
Values ShortRowTiers::rowVector(ValueRange indices) {
  llvm::SmallVector<Type> types, joined;
  for (Type t : f.rowStateAndCount()) {
    types.append(slots / width, VectorType::get({width}, t));
    joined.push_back(VectorType::get({width}, t));
  }
  const Plan &p = f.plan;
  Value zero = e.index(0), count = e.index(elements);
  Values lanes;
  if (p.order == PlanOrder::Ordered) {
    llvm::ArrayRef<Type> states(types);
    auto lift = fold::LiftOp::create(
        e.b, e.loc, states.take_front(f.state.size() * (slots / width)),
        f.inputs, indices, zero, count, zero, f.params, f.reduce.getMap(),
        /*partial_row=*/true);
    lanes.assign(lift.getSlots().begin(), lift.getSlots().end());
    if (f.counted)
      lanes.append(slots / width, e.splat(e.i64(1), width));
  } else {
    auto rows = fold::RowsOp::create(
        e.b, e.loc, types, f.inputs, indices, zero, count, zero, f.params,
        f.rowMap, f.rowUpdate, p.vector, p.accumulators, p.rows,
        /*partial_row=*/true, f.counted);
    lanes.assign(rows.getSlots().begin(), rows.getSlots().end());
  }
  if (slots == width)
    return lanes;
  auto join = fold::SlotsOp::create(
      e.b, e.loc, joined, lanes, count, f.params, f.rowCombine, width, e.b.getI64IntegerAttr(slots), f.counted);
  return Values(join.getStates());
}

/// The buffered vectors of all rows, joined until a lane is a row.
Values ShortRowTiers::joinRows() {
  Values vectors;
  llvm::SmallVector<Type> types;
  int64_t lanes = std::min(f.plan.simd, abreast * width);
  for (auto [buffer, type] : llvm::zip(buffers, f.rowStateAndCount())) {
    types.push_back(VectorType::get({abreast}, type));
    auto stored = VectorType::get({lanes}, fold::storageType(type));
    for (int64_t at = 0; at < abreast * width; at += lanes) {
      Value v = vector::LoadOp::create(e.b, e.loc, stored, buffer,
                                       ValueRange{e.index(at)});
      vectors.push_back(fromStorage(e, v, type));
    }
  }
  // Of a row's `width` lanes, each a run of slots / width slots, a prefix
  // holds an element.
  int64_t run = slots / width;
  Value present = e.index((elements + run - 1) / run);
  auto join = fold::SlotsOp::create(
      e.b, e.loc, types, vectors, present, f.params, f.rowCombine, abreast,
      e.b.getI64IntegerAttr(width), f.counted);
  return f.fromRowState(join.getStates(), e.index(0));
}

/// Results of `count` rows from `first` on; all of them at once where outputs
/// lie side by side.
void ShortRowTiers::store(ValueRange results, Value first, Value count) {
  auto type = cast<MemRefType>(f.outputs[0].getType());
  auto [strides, offset] = type.getStridesAndOffset();
  bool unit = type.getRank() == 1 && strides[0] == 1;
  auto oneByOne = [&] {
    Values temporaries;
    for (Value r : results) {
      auto vector = cast<VectorType>(r.getType());
      OpBuilder::InsertionGuard guard(e.b);
      Value t;
      {
        OpBuilder::InsertionGuard entry(e.b);
        e.b.setInsertionPointToStart(&f.function.getBody().front());
        t = memref::AllocaOp::create(
            e.b, e.loc,
            MemRefType::get(vector.getShape(), vector.getElementType()));
      }
      vector::StoreOp::create(e.b, e.loc, r, t, ValueRange{e.index(0)});
      temporaries.push_back(t);
    }
    scf::ForOp::create(
        e.b, e.loc, e.index(0), count, e.index(1), ValueRange(),
        [&](OpBuilder &, Location, Value j, ValueRange) {
          Values row;
          for (Value t : temporaries)
            row.push_back(memref::LoadOp::create(e.b, e.loc, t, j));
          f.storeOutputs(row, f.outputIndices(e.add(first, j)));
          scf::YieldOp::create(e.b, e.loc);
        });
  };
  if (!unit)
    return oneByOne();
  scf::IfOp::create(
      e.b, e.loc, e.equal(count, e.index(abreast)),
      [&](OpBuilder &, Location) {
        for (auto [memref, r] : llvm::zip(f.outputs, results))
          vector::StoreOp::create(e.b, e.loc, r, memref, ValueRange{first});
        scf::YieldOp::create(e.b, e.loc);
      },
      [&](OpBuilder &, Location) {
        oneByOne();
        scf::YieldOp::create(e.b, e.loc);
      });
}

void ShortRowTiers::item(Value item) {
  Value first = e.mul(item, e.index(abreast));
  Value count = e.minimum(e.index(abreast), e.sub(f.outputCount(), first));
  scf::ForOp::create(
      e.b, e.loc, e.index(0), count, e.index(1), ValueRange(),
      [&](OpBuilder &, Location, Value j, ValueRange) {
        Values row = rowVector(f.outputIndices(e.add(first, j)));
        Value at = e.mul(j, e.index(width));
        for (auto [buffer, v] : llvm::zip(buffers, row))
          vector::StoreOp::create(e.b, e.loc, toStorage(e, v), buffer,
                                  ValueRange{at});
        scf::YieldOp::create(e.b, e.loc);
      });
  store(f.finish(joinRows(), abreast), first, count);
}

void wf::emitShortRowTiers(KernelFrame &f) {
  ShortRowTiers tiers(f);
  auto loop = scf::ForOp::create(f.e.b, f.e.loc, f.begin, f.end, f.e.index(1));
  f.e.b.setInsertionPointToStart(loop.getBody());
  tiers.item(loop.getInductionVar());
  f.e.b.setInsertionPointToEnd(&f.function.getBody().front());
  func::ReturnOp::create(f.e.b, f.e.loc);
}
