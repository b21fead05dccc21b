//===- LowerRows.cpp - fold.rows to loops over vector loads ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Slots are vector lanes. A row is read from front to back, all its vectors in
// one iteration, since ascending addresses decide the speed of DRAM:
//
//   seed   row 0          slot = map(x)
//   loop   rows 1 … R-1   slot = update(slot, x)
//   rest   m < row        slot = select(j < m, update(slot, x), slot)
//
// Where a slot takes several elements of a row (accumulators < vector), they
// are taken in increasing k, from one wide load by shuffles.
//===----------------------------------------------------------------------===//
#include "Lowering/ElementLoads.h"
#include "Lowering/Passes.h"

namespace wf {
#define GEN_PASS_DEF_LOWERROWS
#include "Lowering/Passes.h.inc"
} // namespace wf

using namespace mlir;
using namespace wf;

namespace {

using Values = llvm::SmallVector<Value>;

struct RowLowering {
  Emitter &e;
  fold::RowsOp op;
  ElementLoads loads;
  int64_t vector, accumulators, perSlot; ///< V, A, V / A
  int64_t width;                         ///< lanes of a slot vector
  int64_t pieces;                        ///< slot vectors a member
  int64_t members;
  std::optional<int64_t> knownCount;

  RowLowering(Emitter &e, fold::RowsOp op)
      : e(e), op(op),
        loads{e, op.getInputs(), op.getIndices(), op.getParams(),
              op.getFirst(), op.getPosition(),
              e.symbols.lookup<func::FuncOp>(op.getMap()), 0},
        vector(op.getVector()), accumulators(op.getAccumulators()),
        perSlot(vector / accumulators) {
    members = loads.map.getNumResults();
    pieces = int64_t(op.getSlots().size()) / (members + op.getCounted());
    width = cast<VectorType>(op.getSlots()[0].getType()).getNumElements();
    loads.width = width;
    llvm::APInt known;
    if (matchPattern(op.getCount(), m_ConstantInt(&known)))
      knownCount = known.getSExtValue();
  }

  int64_t row() const { return 32 * vector; }

  /// Element offset in a row of lane i of `piece`, for the slot's turn `j`.
  int64_t offset(int64_t piece, int64_t j, int64_t i) const {
    int64_t slot = piece * width + i;
    return slot / accumulators * vector + j * accumulators +
           slot % accumulators;
  }
  llvm::SmallVector<int64_t> offsets(int64_t piece, int64_t j) const {
    llvm::SmallVector<int64_t> all;
    for (int64_t i = 0; i < width; ++i)
      all.push_back(offset(piece, j, i));
    return all;
  }

  Values loadTurn(Value rowStart, int64_t piece, int64_t j, Value limit);
  Values apply(bool seed, ValueRange state, Value count, Value rowStart,
               int64_t piece, int64_t j, Value limit);
  Values firstRow();
  Values fullRows(Values slots);
  Values rest(Values slots, Value rowStart, Value m, Value before);
  Values partialRow();
  Values countLanes(Value fullRows, Value m);
  void lower();
};

} // namespace

/// One element a slot, from every input, as the functions take them.
Values RowLowering::loadTurn(Value rowStart, int64_t piece, int64_t j,
                             Value limit) {
  Values elements;
  for (auto [n, memref] : llvm::enumerate(op.getInputs())) {
    Value v;
    if (perSlot == 1 || width <= accumulators) {
      v = loads.load(memref, rowStart, offset(piece, j, 0), width, limit);
    } else {
      // The lanes' elements interleave with those of the slot's other turns.
      int64_t first = piece * width * perSlot;
      Value wide = loads.load(memref, rowStart, first, width * perSlot, limit);
      llvm::SmallVector<int64_t> pick;
      for (int64_t o : offsets(piece, j))
        pick.push_back(o - first);
      v = vector::ShuffleOp::create(e.b, e.loc, wide, wide, pick);
    }
    elements.push_back(loads.asArgument(v, n));
  }
  return elements;
}

/// map(x…) or update(state, count, x…) on one piece's slots.
Values RowLowering::apply(bool seed, ValueRange state, Value count,
                          Value rowStart, int64_t piece, int64_t j,
                          Value limit) {
  return loads.apply(seed ? op.getMap() : op.getUpdate(), state,
                     seed ? Value() : count,
                     loadTurn(rowStart, piece, j, limit),
                     loads.positions(rowStart, offsets(piece, j)));
}

/// Slots are kept member by member: value of member m, piece p.
static Values memberSlice(llvm::ArrayRef<Value> slots, int64_t piece,
                          int64_t pieces, int64_t members) {
  Values state;
  for (int64_t m = 0; m < members; ++m)
    state.push_back(slots[m * pieces + piece]);
  return state;
}
static void setSlice(Values &slots, int64_t piece, int64_t pieces,
                     llvm::ArrayRef<Value> state) {
  for (auto [m, v] : llvm::enumerate(state))
    slots[m * pieces + piece] = v;
}

Values RowLowering::firstRow() {
  Values slots(members * pieces);
  for (int64_t p = 0; p < pieces; ++p) {
    Values state = apply(true, {}, {}, op.getFirst(), p, 0, {});
    for (int64_t j = 1; j < perSlot; ++j)
      state = apply(false, state, e.i64(j), op.getFirst(), p, j, {});
    setSlice(slots, p, pieces, state);
  }
  return slots;
}

/// Rows 1 … of [first, first + count) that are whole.
Values RowLowering::fullRows(Values slots) {
  Value rows = e.div(op.getCount(), e.index(row()));
  auto loop = scf::ForOp::create(
      e.b, e.loc, e.index(1), rows, e.index(1), slots,
      [&](OpBuilder &, Location, Value r, ValueRange args) {
        Values next(args);
        Value start = e.add(op.getFirst(), e.mul(r, e.index(row())));
        Value seen = e.mul(e.toI64(r), e.i64(perSlot));
        for (int64_t p = 0; p < pieces; ++p) {
          Values state = memberSlice(next, p, pieces, members);
          for (int64_t j = 0; j < perSlot; ++j)
            state = apply(false, state, e.add(seen, e.i64(j)), start, p, j, {});
          setSlice(next, p, pieces, state);
        }
        scf::YieldOp::create(e.b, e.loc, next);
      });
  return Values(loop.getResults());
}

/// The first m elements of the row at rowStart go to slots that hold `before`
/// elements each.
Values RowLowering::rest(Values slots, Value rowStart, Value m, Value before) {
  for (int64_t p = 0; p < pieces; ++p) {
    Values state = memberSlice(slots, p, pieces, members);
    for (int64_t j = 0; j < perSlot; ++j) {
      Value here = loads.mask(m, offsets(p, j));
      Values next = apply(false, state, e.add(before, e.i64(j)), rowStart, p, j,
                          m);
      for (auto [old, fresh] : llvm::zip(state, next))
        old = arith::SelectOp::create(e.b, e.loc, here, fresh, old);
    }
    setSlice(slots, p, pieces, state);
  }
  return slots;
}

/// Fewer elements than a row: a slot without one holds map of zeros.
Values RowLowering::partialRow() {
  Values slots(members * pieces);
  for (int64_t p = 0; p < pieces; ++p) {
    bool whole = knownCount && offset(p, perSlot - 1, width - 1) < *knownCount;
    Value limit = whole ? Value() : op.getCount();
    Values state = apply(true, {}, {}, op.getFirst(), p, 0, limit);
    for (int64_t j = 1; j < perSlot; ++j) {
      Values next = apply(false, state, e.i64(j), op.getFirst(), p, j, limit);
      if (whole) {
        state = next;
        continue;
      }
      Value here = loads.mask(limit, offsets(p, j));
      for (auto [old, fresh] : llvm::zip(state, next))
        old = arith::SelectOp::create(e.b, e.loc, here, fresh, old);
    }
    setSlice(slots, p, pieces, state);
  }
  return slots;
}

/// Elements a slot: perSlot a whole row, and what the rest gave it.
Values RowLowering::countLanes(Value fullRows, Value m) {
  Values counts;
  auto type = VectorType::get({width}, e.b.getI64Type());
  for (int64_t p = 0; p < pieces; ++p) {
    Value n = e.splat(e.mul(e.toI64(fullRows), e.i64(perSlot)), width);
    for (int64_t j = 0; j < perSlot; ++j)
      n = arith::AddIOp::create(
          e.b, e.loc, n,
          arith::ExtUIOp::create(e.b, e.loc, type, loads.mask(m, offsets(p, j))));
    counts.push_back(n);
  }
  return counts;
}

void RowLowering::lower() {
  Values slots;
  Value rows = e.index(0), m = op.getCount();
  if (op.getPartialRow()) {
    slots = partialRow();
  } else {
    slots = firstRow();
    slots = fullRows(slots);
    rows = e.div(op.getCount(), e.index(row()));
    Value done = e.mul(rows, e.index(row()));
    m = e.sub(op.getCount(), done);
    Value none = e.equal(m, e.index(0));
    auto either = scf::IfOp::create(
        e.b, e.loc, none,
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(e.b, e.loc, slots);
        },
        [&](OpBuilder &, Location) {
          Value seen = e.mul(e.toI64(rows), e.i64(perSlot));
          scf::YieldOp::create(
              e.b, e.loc,
              rest(slots, e.add(op.getFirst(), done), m, seen));
        });
    slots = Values(either.getResults());
  }
  if (op.getCounted())
    llvm::append_range(slots, countLanes(rows, m));
  op.getSlots().replaceAllUsesWith(ValueRange(slots));
  op.erase();
}

//===----------------------------------------------------------------------===//
// fold.lift
//===----------------------------------------------------------------------===//

static void lowerLift(fold::LiftOp op, ModuleOp module) {
  OpBuilder b(op);
  Emitter e(b, op.getLoc(), module);
  auto map = e.symbols.lookup<func::FuncOp>(op.getMap());
  int64_t width = cast<VectorType>(op.getSlots()[0].getType()).getNumElements();
  int64_t members = map.getNumResults();
  int64_t pieces = int64_t(op.getSlots().size()) / members;
  ElementLoads loads{e, op.getInputs(), op.getIndices(), op.getParams(),
                     op.getFirst(), op.getPosition(), map, width};
  Values slots(size_t(members * pieces));
  for (int64_t p = 0; p < pieces; ++p) {
    llvm::SmallVector<int64_t> offsets;
    for (int64_t i = 0; i < width; ++i)
      offsets.push_back(p * width + i);
    Value limit = op.getPartialRow() ? op.getCount() : Value();
    Values elements;
    for (auto [n, memref] : llvm::enumerate(op.getInputs()))
      elements.push_back(loads.asArgument(
          loads.load(memref, op.getFirst(), p * width, width, limit), n));
    Values state = loads.apply(op.getMap(), {}, {}, elements,
                               loads.positions(op.getFirst(), offsets));
    setSlice(slots, p, pieces, state);
  }
  op.getSlots().replaceAllUsesWith(ValueRange(slots));
  op.erase();
}

namespace {
struct LowerRowsPass : wf::impl::LowerRowsBase<LowerRowsPass> {
  void runOnOperation() override {
    llvm::SmallVector<fold::RowsOp> rows;
    llvm::SmallVector<fold::LiftOp> lifts;
    getOperation().walk([&](fold::RowsOp op) { rows.push_back(op); });
    getOperation().walk([&](fold::LiftOp op) { lifts.push_back(op); });
    for (fold::RowsOp op : rows) {
      OpBuilder b(op);
      Emitter e(b, op.getLoc(), getOperation());
      RowLowering(e, op).lower();
    }
    for (fold::LiftOp op : lifts)
      lowerLift(op, getOperation());
  }
};
} // namespace
