//===- LowerPanels.cpp - fold.panel_rows to loops over rows ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
//   row 0 of every output            slot = map(x)
//   for a few runs of the innermost axis
//     for output of the panel        neighbours in memory
//       for run, for row of the run  slot = update(slot, x), in registers
//
// Several runs are open at a time, one behind another in k for one output, side
// by side in memory for the panel: a single stream would wait for DRAM at the
// start of every run. Sums of (128, 64, 64, 128) over axes 1 and 3, on Zen 4,
// of read-only: one run 0.55, two 0.68, four 0.73, eight 0.72; of (256, 512,
// 512) over 0 and 2: 0.66, 0.66, 0.67, 0.50.
//===----------------------------------------------------------------------===//
#include "Lowering/ElementLoads.h"
#include "Lowering/Passes.h"

namespace wf {
#define GEN_PASS_DEF_LOWERPANELS
#include "Lowering/Passes.h.inc"
} // namespace wf

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

/// Runs open at a time.
static constexpr int64_t kRuns = 4;

namespace {
struct PanelRows {
  Emitter &e;
  fold::PanelRowsOp op;
  func::FuncOp map = e.symbols.lookup<func::FuncOp>(op.getMap());
  int64_t row = 32 * int64_t(op.getVector());
  int64_t simd = int64_t(op.getSimd());
  int64_t pieces = row / simd; ///< a slot an element of a row
  int64_t members = int64_t(map.getNumResults());

  Values segments{}; ///< memref<kRuns x index> a reduced axis: where runs begin

  Values slots(Value j);
  void keep(Value j, ValueRange slots);
  Values oneRow(ValueRange state, ValueRange at, Value j, Value inRun, Value k,
                Value seen);
  Values reducedIndices(Value k);
  void forEachOutput(llvm::function_ref<void(Value)> body);
  std::pair<Value, Value> rowsOfRun(Value s, Value before, Value left,
                                    Value runRows);
  void block(Value rowNumber, Value left, Value before, Value runs,
             Value runRows);
  void lower();
};
} // namespace

/// Where output j of the panel keeps slot 0.
static Value firstSlot(Emitter &e, Value j, int64_t slots) {
  return e.mul(j, e.index(slots));
}

Values PanelRows::slots(Value j) {
  Values all;
  Value base = firstSlot(e, j, row);
  for (auto [memref, type] : llvm::zip(op.getPanel(), map.getResultTypes()))
    for (int64_t p = 0; p < pieces; ++p) {
      Type stored = cast<MemRefType>(memref.getType()).getElementType();
      Value v = vector::LoadOp::create(e.b, e.loc,
                                       VectorType::get({simd}, stored), memref,
                                       ValueRange{e.add(base, e.index(p * simd))});
      all.push_back(fromStorage(e, v, type));
    }
  return all;
}

void PanelRows::keep(Value j, ValueRange slots) {
  Value base = firstSlot(e, j, row);
  for (auto [m, memref] : llvm::enumerate(op.getPanel()))
    for (int64_t p = 0; p < pieces; ++p)
      vector::StoreOp::create(e.b, e.loc,
                              toStorage(e, slots[m * pieces + p]), memref,
                              ValueRange{e.add(base, e.index(p * simd))});
}

/// Seeds (no state) or updates output j's slots by one row. `at` are the
/// reduced indices where the run begins, `inRun` elements before the row; k is
/// the row's position.
Values PanelRows::oneRow(ValueRange state, ValueRange at, Value j, Value inRun,
                         Value k, Value seen) {
  ElementLoads loads{e, op.getInputs(), op.getIndices(), op.getParams(),
                     op.getFirst(), op.getPosition(), map, simd};
  Values next(size_t(members * pieces));
  for (int64_t p = 0; p < pieces; ++p) {
    Values elements, mine;
    llvm::SmallVector<int64_t> offsets;
    for (int64_t i = 0; i < simd; ++i)
      offsets.push_back(p * simd + i);
    for (auto [n, memref] : llvm::enumerate(op.getInputs())) {
      Values where(op.getIndices());
      where.push_back(e.add(op.getColumn(), j));
      llvm::append_range(where, at);
      where.back() =
          e.add(e.add(where.back(), inRun), e.index(p * simd));
      Type stored = cast<MemRefType>(memref.getType()).getElementType();
      elements.push_back(loads.asArgument(
          vector::LoadOp::create(e.b, e.loc, VectorType::get({simd}, stored),
                                 memref, where),
          n));
    }
    for (int64_t m = 0; !state.empty() && m < members; ++m)
      mine.push_back(state[m * pieces + p]);
    Values result = loads.apply(
        state.empty() ? op.getMap() : op.getUpdate(), mine,
        state.empty() ? Value() : seen, elements, loads.positions(k, offsets));
    for (int64_t m = 0; m < members; ++m)
      next[m * pieces + p] = result[m];
  }
  return next;
}

/// Reduced indices of k.
Values PanelRows::reducedIndices(Value k) {
  Values outer(op.getIndices());
  outer.push_back(op.getColumn());
  ElementLoads whole{e, op.getInputs(), outer, op.getParams(),
                     op.getFirst(), op.getPosition(), map, simd};
  Values all = whole.rowIndices(op.getInputs()[0], k);
  return Values(llvm::ArrayRef<Value>(all).drop_front(outer.size()));
}

void PanelRows::forEachOutput(llvm::function_ref<void(Value)> body) {
  scf::ForOp::create(e.b, e.loc, e.index(0), op.getWidth(), e.index(1),
                     ValueRange(),
                     [&](OpBuilder &, Location, Value j, ValueRange) {
                       body(j);
                       scf::YieldOp::create(e.b, e.loc);
                     });
}

/// Of a block of `left` rows that begins `before` rows into a run: how many
/// rows stand before its run s, and how many are in it.
std::pair<Value, Value> PanelRows::rowsOfRun(Value s, Value before, Value left,
                                             Value runRows) {
  Value first = e.equal(s, e.index(0));
  Value start = arith::SelectOp::create(
      e.b, e.loc, first, e.index(0), e.sub(e.mul(s, runRows), before));
  Value length = arith::SelectOp::create(e.b, e.loc, first,
                                         e.sub(runRows, before), runRows);
  return {start, e.minimum(length, e.sub(left, start))};
}

/// Rows [row, row + left) of the chunk, which touch `runs` runs, for all
/// outputs.
void PanelRows::block(Value rowNumber, Value left, Value before, Value runs,
                      Value runRows) {
  Value zero = e.index(0), one = e.index(1), rowSize = e.index(row);
  Value k = e.add(op.getFirst(), e.mul(rowNumber, rowSize));
  scf::ForOp::create(
      e.b, e.loc, zero, runs, one, ValueRange(),
      [&](OpBuilder &, Location, Value s, ValueRange) {
        auto [start, length] = rowsOfRun(s, before, left, runRows);
        Values at = reducedIndices(e.add(k, e.mul(start, rowSize)));
        for (auto [memref, v] : llvm::zip(segments, at))
          memref::StoreOp::create(e.b, e.loc, v, memref, s);
        scf::YieldOp::create(e.b, e.loc);
      });
  forEachOutput([&](Value j) {
    auto loop = scf::ForOp::create(
        e.b, e.loc, zero, runs, one, slots(j),
        [&](OpBuilder &, Location, Value s, ValueRange outerState) {
          auto [start, length] = rowsOfRun(s, before, left, runRows);
          Values at;
          for (Value memref : segments)
            at.push_back(memref::LoadOp::create(e.b, e.loc, memref, s));
          Value firstRow = e.add(rowNumber, start);
          auto rows = scf::ForOp::create(
              e.b, e.loc, zero, length, one, outerState,
              [&](OpBuilder &, Location, Value q, ValueRange state) {
                Value r = e.add(firstRow, q);
                Value position = e.add(op.getFirst(), e.mul(r, rowSize));
                scf::YieldOp::create(e.b, e.loc,
                                     oneRow(state, at, j, e.mul(q, rowSize),
                                            position, e.toI64(r)));
              });
          scf::YieldOp::create(e.b, e.loc, rows.getResults());
        });
    keep(j, loop.getResults());
  });
}

void PanelRows::lower() {
  Value zero = e.index(0), one = e.index(1), rowSize = e.index(row);
  Value input = op.getInputs()[0];
  int64_t rank = cast<MemRefType>(input.getType()).getRank();
  int64_t reduced = rank - int64_t(op.getIndices().size()) - 1;
  {
    OpBuilder::InsertionGuard guard(e.b);
    e.b.setInsertionPointToStart(
        &op->getParentOfType<func::FuncOp>().getBody().front());
    for (int64_t d = 0; d < reduced; ++d)
      segments.push_back(memref::AllocaOp::create(
          e.b, e.loc, MemRefType::get({kRuns}, e.b.getIndexType())));
  }
  Value runRows = e.div(
      memref::DimOp::create(e.b, e.loc, input, rank - 1), rowSize);
  Values start = reducedIndices(op.getFirst());
  forEachOutput([&](Value j) {
    keep(j, oneRow({}, start, j, zero, op.getFirst(), {}));
  });
  Value rows = e.div(op.getCount(), rowSize);
  scf::WhileOp::create(
      e.b, e.loc, TypeRange{e.b.getIndexType()}, ValueRange{one},
      [&](OpBuilder &, Location, ValueRange r) {
        scf::ConditionOp::create(e.b, e.loc, e.less(r[0], rows), r);
      },
      [&](OpBuilder &, Location, ValueRange r) {
        Value k = e.add(op.getFirst(), e.mul(r[0], rowSize));
        Value before = e.div(reducedIndices(k).back(), rowSize);
        Value most = e.sub(e.mul(e.index(kRuns), runRows), before);
        Value left = e.minimum(most, e.sub(rows, r[0]));
        Value ends = e.add(before, left);
        Value runs = e.div(e.add(ends, e.sub(runRows, one)), runRows);
        block(r[0], left, before, runs, runRows);
        scf::YieldOp::create(e.b, e.loc, ValueRange{e.add(r[0], left)});
      });
  op.erase();
}

namespace {
struct LowerPanelsPass : wf::impl::LowerPanelsBase<LowerPanelsPass> {
  void runOnOperation() override {
    llvm::SmallVector<fold::PanelRowsOp> ops;
    getOperation().walk([&](fold::PanelRowsOp op) { ops.push_back(op); });
    for (fold::PanelRowsOp op : ops) {
      OpBuilder b(op);
      Emitter e(b, op.getLoc(), getOperation());
      PanelRows rows{e, op};
      rows.lower();
    }
  }
};
} // namespace
