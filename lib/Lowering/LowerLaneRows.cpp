//===- LowerLaneRows.cpp - fold.lane_rows and fold.lane_lift to loads -----===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Loads roll: `flight` rows are under way before the first is folded, and each
// register is filled again as soon as it is folded.
//
//   load 0 … F-1
//   fold 0, load F, fold 1, load F+1, …
//
// Where the count is only known when the kernel runs (`tail`), the same is done
// a batch of F rows at a time, each row guarded.
//===----------------------------------------------------------------------===//
#include "Lowering/LaneArrays.h"
#include "Lowering/LaneExchange.h"
#include "Lowering/Passes.h"

namespace wf {
#define GEN_PASS_DEF_LOWERLANEROWS
#include "Lowering/Passes.h.inc"
} // namespace wf

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

namespace {

/// One row's elements of this lane: element j of every input, and whether it is
/// there (null: it is).
struct RowLoads {
  std::vector<Values> elements; ///< [input][j]
  Values present;               ///< one for all, or one a j, or none
  Value k;                      ///< of element 0, relative to the fold
};

struct LaneRows {
  Emitter &e;
  LaneArrays arrays;
  int64_t vector;
  Value lane, first, position, end; ///< end: first + count
  bool even, vectors;
  llvm::SmallVector<Value> bases, steps; ///< rank 1: of row 0, a row further

  Value laneStart(Value row);
  RowLoads load(Value row, int64_t constantRow, bool guarded);
  RowLoads loadStraddle(Value rowStart);
  void prepare();
  Value rowPointer(size_t i, Value k, Value row, int64_t constantRow);
  Value elementPointer(size_t i, Value rowStart, Value k, int64_t j);
  Value kOf(Value row, int64_t constantRow);
};

} // namespace

/// k of this lane's first element of a row.
Value LaneRows::kOf(Value row, int64_t constantRow) {
  Value k = e.add(first, e.mul(lane, e.index(vector)));
  if (row)
    k = e.add(k, e.mul(row, e.index(32 * vector)));
  if (constantRow)
    k = e.add(k, e.index(constantRow * 32 * vector));
  return k;
}

/// With one reduced axis a row is a fixed step from the one before.
void LaneRows::prepare() {
  if (arrays.rank() != 1)
    return;
  Value k = kOf({}, 0);
  for (size_t i = 0; i < arrays.count(); ++i) {
    bases.push_back(arrays.pointer(i, k));
    steps.push_back(e.mul(arrays.stride(i, 0), e.index(32 * vector)));
  }
}

Value LaneRows::rowPointer(size_t i, Value k, Value row, int64_t constantRow) {
  if (arrays.rank() != 1)
    return arrays.pointer(i, k);
  Value p = bases[i];
  if (row)
    p = advance(e, p, arrays.stored(i), e.mul(steps[i], row));
  if (constantRow)
    p = advance(e, p, arrays.stored(i),
                e.mul(steps[i], e.index(constantRow)));
  return p;
}

/// Element j after the lane's first one at `rowStart`.
Value LaneRows::elementPointer(size_t i, Value rowStart, Value k, int64_t j) {
  // Several axes: V neighbours in k are neighbours in memory only if the
  // innermost axis holds whole groups of them.
  if (arrays.rank() != 1 && !even)
    return arrays.pointer(i, e.add(k, e.index(j)));
  Value stride = arrays.stride(i, arrays.rank() - 1);
  return advance(e, rowStart, arrays.stored(i), e.mul(stride, e.index(j)));
}

RowLoads LaneRows::load(Value row, int64_t constantRow, bool guarded) {
  RowLoads loads;
  loads.k = kOf(row, constantRow);
  bool together = even || vectors;
  if (guarded) {
    if (together) {
      // All elements of the lane, or none (what is left comes as a straddle).
      Value last = e.add(loads.k, e.index(vector));
      loads.present.push_back(e.b.createOrFold<arith::CmpIOp>(
          e.loc, arith::CmpIPredicate::ule, last, end));
    } else {
      for (int64_t j = 0; j < vector; ++j)
        loads.present.push_back(e.less(e.add(loads.k, e.index(j)), end));
    }
  }
  auto guard = [&](Value pointer, size_t i, int64_t j) -> Value {
    if (!guarded)
      return pointer;
    return arith::SelectOp::create(
        e.b, e.loc, loads.present[together ? 0 : size_t(j)], pointer,
        arrays.start(i));
  };
  for (size_t i = 0; i < arrays.count(); ++i) {
    Values elements;
    Value p = rowPointer(i, loads.k, row, constantRow);
    if (vectors && arrays.inner[i] == 1) {
      elements = arrays.loadSide(i, guard(p, i, 0), vector);
    } else if (arrays.inner[i] == 0 && (arrays.rank() == 1 || even)) {
      elements.assign(size_t(vector),
                      arrays.loadOne(arrays.stored(i), guard(p, i, 0)));
    } else {
      for (int64_t j = 0; j < vector; ++j)
        elements.push_back(arrays.loadOne(
            arrays.stored(i), guard(elementPointer(i, p, loads.k, j), i, j)));
    }
    loads.elements.push_back(std::move(elements));
  }
  return loads;
}

/// The elements of the one lane whose vector ends past the last element.
RowLoads LaneRows::loadStraddle(Value row) {
  RowLoads loads;
  loads.k = kOf(row, 0);
  Value whole = e.b.createOrFold<arith::CmpIOp>(
      e.loc, arith::CmpIPredicate::ule, e.add(loads.k, e.index(vector)), end);
  for (int64_t j = 0; j < vector; ++j) {
    Value here = e.less(e.add(loads.k, e.index(j)), end);
    loads.present.push_back(arith::SelectOp::create(
        e.b, e.loc, whole,
        arith::ConstantOp::create(e.b, e.loc, e.b.getBoolAttr(false)), here));
  }
  for (size_t i = 0; i < arrays.count(); ++i) {
    Values elements;
    Value p = rowPointer(i, loads.k, row, 0);
    for (int64_t j = 0; j < vector; ++j) {
      Value at = arith::SelectOp::create(e.b, e.loc, loads.present[size_t(j)],
                                         elementPointer(i, p, loads.k, j),
                                         arrays.start(i));
      elements.push_back(arrays.loadOne(arrays.stored(i), at));
    }
    loads.elements.push_back(std::move(elements));
  }
  return loads;
}

//===----------------------------------------------------------------------===//
// fold.lane_rows
//===----------------------------------------------------------------------===//

namespace {
struct RowsLowering {
  Emitter &e;
  fold::LaneRowsOp op;
  LaneRows rows;
  int64_t vector, accumulators, members;

  RowsLowering(Emitter &e, fold::LaneRowsOp op)
      : e(e), op(op),
        rows{e,
             {e, op.getInputs(), op.getOffsets(), op.getSizes(),
              op.getStrides(), op.getInner(), op.getParams(),
              e.symbols.lookup<func::FuncOp>(op.getMap())},
             int64_t(op.getVector()),
             op.getLane(),
             op.getFirst(),
             op.getPosition(),
             {},
             op.getEven(),
             op.getVectors(),
             {},
             {}},
        vector(op.getVector()), accumulators(op.getAccumulators()) {
    rows.end = e.add(op.getFirst(), op.getCount());
    members = rows.arrays.map.getNumResults();
  }

  int64_t perSlot() const { return vector / accumulators; }
  Values take(llvm::StringRef f, ValueRange state, Value count,
              const RowLoads &loads, int64_t j);
  void consume(Values &slots, Values &counts, const RowLoads &loads,
               Value before, bool seeds);
  void whole(Values &slots, Values &counts);
  void tail(Values &slots, Values &counts);
  void lower(const TargetInfo &target);
  const TargetInfo *target = nullptr;
};
} // namespace

/// map(x…) or update(state, count, x…) for element j of a row.
Values RowsLowering::take(llvm::StringRef f, ValueRange state, Value count,
                          const RowLoads &loads, int64_t j) {
  Values arguments(state);
  if (count)
    arguments.push_back(count);
  for (size_t i = 0; i < rows.arrays.count(); ++i)
    arguments.push_back(
        rows.arrays.asArgument(loads.elements[i][size_t(j)], i));
  Value k = e.add(e.sub(loads.k, op.getFirst()),
                  e.add(op.getPosition(), e.index(j)));
  arguments.push_back(rows.arrays.position(k));
  llvm::append_range(arguments, op.getParams());
  return e.call(f, 0, arguments);
}

/// One row into the slots, which hold `before` elements each (i64), or nothing
/// yet (`seeds`).
void RowsLowering::consume(Values &slots, Values &counts,
                           const RowLoads &loads, Value before, bool seeds) {
  for (int64_t j = 0; j < vector; ++j) {
    int64_t a = j % accumulators, turn = j / accumulators;
    Value here;
    if (!loads.present.empty())
      here = loads.present[loads.present.size() == 1 ? 0 : size_t(j)];
    Values state;
    for (int64_t m = 0; m < members; ++m)
      state.push_back(slots[size_t(m * accumulators + a)]);
    Values next;
    if (seeds && turn == 0) {
      // A slot without an element is never read: no select.
      next = take(op.getMap(), {}, {}, loads, j);
    } else {
      Value n = e.add(before, e.i64(turn));
      next = take(op.getUpdate(), state, n, loads, j);
      if (here)
        next = selectAll(e, here, next, state);
    }
    for (int64_t m = 0; m < members; ++m)
      slots[size_t(m * accumulators + a)] = next[size_t(m)];
    if (op.getCounted()) {
      Value one = e.i64(1);
      if (here)
        one = arith::ExtUIOp::create(e.b, e.loc, e.b.getI64Type(), here);
      Value &n = counts[size_t(a)];
      n = n ? e.add(n, one) : one;
    }
  }
}

/// A number of rows that is known; the last may be short.
void RowsLowering::whole(Values &slots, Values &counts) {
  int64_t n = op.getRows(), flight = std::min<int64_t>(op.getFlight(), n);
  std::vector<RowLoads> queue;
  auto load = [&](int64_t r) {
    bool guarded = op.getRest() && r == n - 1;
    // A short row of odd length is read element by element.
    bool vectors = rows.vectors;
    if (guarded && !rows.even)
      rows.vectors = false;
    queue.push_back(rows.load({}, r, guarded));
    rows.vectors = vectors;
    // A lane's elements share their cache lines with its neighbours'. Sorted
    // slot by slot, every line would be fetched once a slot.
    if (!vectors && vector > 1)
      target->orderLoads(e);
  };
  for (int64_t r = 0; r < flight; ++r)
    load(r);
  for (int64_t r = 0; r < n; ++r) {
    RowLoads now = queue[size_t(r)];
    consume(slots, counts, now, e.i64(r * perSlot()), r == 0);
    if (r + flight < n)
      load(r + flight);
  }
}

void RowsLowering::tail(Values &slots, Values &counts) {
  int64_t flight = std::min<int64_t>(op.getFlight(), op.getRows());
  auto batch = [&](Value row, bool seeds) {
    std::vector<RowLoads> loads;
    for (int64_t u = 0; u < flight; ++u)
      loads.push_back(rows.load(row, u, /*guarded=*/true));
    for (int64_t u = 0; u < flight; ++u) {
      Value before = e.i64(u * perSlot());
      if (row)
        before = e.add(before, e.mul(e.toI64(row), e.i64(perSlot())));
      consume(slots, counts, loads[size_t(u)], before, seeds && u == 0);
    }
  };
  batch({}, true);
  Value perRow = e.index(32 * vector);
  Value last = e.add(op.getCount(), e.sub(perRow, e.index(1)));
  Value allRows = e.div(last, perRow);
  if (int64_t(op.getRows()) > flight) {
    Values carried(slots);
    llvm::append_range(carried, counts);
    auto loop = scf::ForOp::create(
        e.b, e.loc, e.index(flight), allRows, e.index(flight), carried,
        [&](OpBuilder &, Location, Value row, ValueRange args) {
          Values outerSlots = slots, outerCounts = counts;
          slots.assign(args.begin(), args.begin() + slots.size());
          counts.assign(args.begin() + slots.size(), args.end());
          batch(row, false);
          Values next(slots);
          llvm::append_range(next, counts);
          scf::YieldOp::create(e.b, e.loc, next);
        });
    slots.assign(loop.getResults().begin(),
                 loop.getResults().begin() + slots.size());
    counts.assign(loop.getResults().begin() + slots.size(),
                  loop.getResults().end());
  }
  if (rows.even || !rows.vectors)
    return;
  // What one lane still lacks of the last row; its slots may be empty so far.
  Value row = e.div(op.getCount(), perRow);
  RowLoads straddle = rows.loadStraddle(row);
  Value before = e.mul(e.toI64(row), e.i64(perSlot()));
  Value isFirst = e.equal(row, e.index(0));
  for (int64_t j = 0; j < vector; ++j) {
    int64_t a = j % accumulators, turn = j / accumulators;
    Values state;
    for (int64_t m = 0; m < members; ++m)
      state.push_back(slots[size_t(m * accumulators + a)]);
    Values next = take(op.getUpdate(), state, e.add(before, e.i64(turn)),
                       straddle, j);
    if (turn == 0)
      next = selectAll(e, isFirst, take(op.getMap(), {}, {}, straddle, j),
                       next);
    next = selectAll(e, straddle.present[size_t(j)], next, state);
    for (int64_t m = 0; m < members; ++m)
      slots[size_t(m * accumulators + a)] = next[size_t(m)];
    if (op.getCounted())
      counts[size_t(a)] = e.add(
          counts[size_t(a)],
          arith::ExtUIOp::create(e.b, e.loc, e.b.getI64Type(),
                                 straddle.present[size_t(j)]));
  }
}

void RowsLowering::lower(const TargetInfo &info) {
  target = &info;
  rows.arrays.keepsOrder = !rows.vectors;
  rows.prepare();
  Values slots, counts;
  slots.assign(size_t(members * accumulators), Value());
  if (op.getCounted())
    counts.assign(size_t(accumulators), Value());
  if (op.getTail())
    tail(slots, counts);
  else
    whole(slots, counts);
  llvm::append_range(slots, counts);
  op.getSlots().replaceAllUsesWith(ValueRange(slots));
  op.erase();
}

//===----------------------------------------------------------------------===//
// fold.lane_lift
//===----------------------------------------------------------------------===//

static void lowerLift(Emitter &e, fold::LaneLiftOp op) {
  auto map = e.symbols.lookup<func::FuncOp>(op.getMap());
  int64_t vector = op.getVector(), n = op.getRows();
  int64_t members = map.getNumResults();
  LaneRows rows{e,
                {e, op.getInputs(), op.getOffsets(), op.getSizes(),
                 op.getStrides(), op.getInner(), op.getParams(), map},
                vector,
                op.getLane(),
                op.getFirst(),
                op.getPosition(),
                e.add(op.getFirst(), op.getCount()),
                op.getEven(),
                op.getVectors() && (op.getEven() || !op.getRest()),
                {},
                {}};
  rows.prepare();
  std::vector<RowLoads> loads;
  for (int64_t r = 0; r < n; ++r)
    loads.push_back(rows.load({}, r, op.getRest()));
  Values slots(size_t(members * n * vector));
  for (int64_t r = 0; r < n; ++r)
    for (int64_t j = 0; j < vector; ++j) {
      Values arguments;
      for (size_t i = 0; i < rows.arrays.count(); ++i)
        arguments.push_back(rows.arrays.asArgument(
            loads[size_t(r)].elements[i][size_t(j)], i));
      Value k = e.add(e.sub(loads[size_t(r)].k, op.getFirst()),
                      e.add(op.getPosition(), e.index(j)));
      arguments.push_back(rows.arrays.position(k));
      llvm::append_range(arguments, op.getParams());
      Values state = e.call(op.getMap(), 0, arguments);
      for (int64_t m = 0; m < members; ++m)
        slots[size_t((m * n + r) * vector + j)] = state[size_t(m)];
    }
  op.getSlots().replaceAllUsesWith(ValueRange(slots));
  op.erase();
}

namespace {
struct LowerLaneRowsPass : wf::impl::LowerLaneRowsBase<LowerLaneRowsPass> {
  void runOnOperation() override {
    llvm::SmallVector<fold::LaneRowsOp> rows;
    llvm::SmallVector<fold::LaneLiftOp> lifts;
    getOperation().walk([&](fold::LaneRowsOp op) { rows.push_back(op); });
    getOperation().walk([&](fold::LaneLiftOp op) { lifts.push_back(op); });
    for (fold::LaneRowsOp op : rows) {
      OpBuilder b(op);
      Emitter e(b, op.getLoc(), getOperation());
      RowsLowering(e, op).lower(targetOf(getOperation()));
    }
    for (fold::LaneLiftOp op : lifts) {
      OpBuilder b(op);
      Emitter e(b, op.getLoc(), getOperation());
      lowerLift(e, op);
    }
  }
};
} // namespace
