//===- LowerPanels.cpp - fold.panel_rows to loops over rows ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
//   row 0 of every output           slot = map(x)
//   for runs of the innermost axis  (they end together for all outputs)
//     for output of the panel       neighbours in memory
//       for row of the run          slot = update(slot, x), in registers
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

namespace {
struct PanelRows {
  Emitter &e;
  fold::PanelRowsOp op;
  func::FuncOp map = e.symbols.lookup<func::FuncOp>(op.getMap());
  int64_t row = 32 * int64_t(op.getVector());
  int64_t simd = int64_t(op.getSimd());
  int64_t pieces = row / simd; ///< a slot an element of a row
  int64_t members = int64_t(map.getNumResults());

  Values output(Value j);
  Values slots(Value j);
  void keep(Value j, ValueRange slots);
  Values oneRow(ValueRange state, ValueRange at, Value j, Value inRun, Value k,
                Value seen);
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

void PanelRows::lower() {
  Value zero = e.index(0), one = e.index(1), rowSize = e.index(row);
  Value input = op.getInputs()[0];
  int64_t rank = cast<MemRefType>(input.getType()).getRank();
  Value inner = memref::DimOp::create(e.b, e.loc, input, rank - 1);
  int64_t outerRank = int64_t(op.getIndices().size()) + 1;
  auto forEachOutput = [&](llvm::function_ref<void(Value)> body) {
    scf::ForOp::create(e.b, e.loc, zero, op.getWidth(), one, ValueRange(),
                       [&](OpBuilder &, Location, Value j, ValueRange) {
                         body(j);
                         scf::YieldOp::create(e.b, e.loc);
                       });
  };
  // Reduced indices of k, as ElementLoads::rowIndices gives them.
  auto reducedIndices = [&](Value k) {
    Values outer(op.getIndices());
    outer.push_back(op.getColumn());
    ElementLoads whole{e, op.getInputs(), outer, op.getParams(),
                       op.getFirst(), op.getPosition(), map, simd};
    Values all = whole.rowIndices(input, k);
    return Values(llvm::ArrayRef<Value>(all).drop_front(size_t(outerRank)));
  };
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
        Values at = reducedIndices(k);
        Value left = e.div(e.sub(inner, at.back()), rowSize);
        Value run = e.minimum(left, e.sub(rows, r[0]));
        forEachOutput([&](Value j) {
          auto loop = scf::ForOp::create(
              e.b, e.loc, zero, run, one, slots(j),
              [&](OpBuilder &, Location, Value q, ValueRange state) {
                Value inRun = e.mul(q, rowSize);
                Value seen = e.toI64(e.add(r[0], q));
                scf::YieldOp::create(
                    e.b, e.loc,
                    oneRow(state, at, j, inRun, e.add(k, inRun), seen));
              });
          keep(j, loop.getResults());
        });
        scf::YieldOp::create(e.b, e.loc, ValueRange{e.add(r[0], run)});
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
      PanelRows{e, op}.lower();
    }
  }
};
} // namespace
