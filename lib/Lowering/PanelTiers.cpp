//===- PanelTiers.cpp - The tiers of folds over several axes --------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Axes (0, 2) of (256, 512, 512): an output's elements come in runs of 512, one
// in every 2^18. One output alone would read a run here and a run there; its
// neighbours' runs lie in between, so a panel of them is folded together:
//
//   for item                   (outer kept index, panel of outputs, run)
//     for chunk of the run
//       fold.panel_rows        elements into every output's slots
//       fold.slots             one output's slots into its state
//       fold.tile_slots        the panel's states into the counter
//     fold.tile_chunks, finish and store
//===----------------------------------------------------------------------===//
#include "Lowering/TileFrame.h"

#include "Dialect/Signatures.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

namespace {
struct PanelTiers {
  TileFrame t;
  KernelFrame &f = t.f;
  Emitter &e = t.e;
  Values panel; ///< memref<?xT> a member: slots of output 0, of output 1, …

  explicit PanelTiers(KernelFrame &f) : t(f) {
    for (Type type : f.rowState)
      panel.push_back(memref::AllocaOp::create(
          e.b, e.loc,
          MemRefType::get({t.capacity * f.plan.slots()},
                          fold::storageType(type)),
          e.b.getI64IntegerAttr(64)));
  }
  void joinSlots(Value output, Value position, Value count);
  void foldRun(Value firstChunk, Value chunks);
};
} // namespace

/// The slots of one output of the panel into its state, in the tile.
void PanelTiers::joinSlots(Value output, Value position, Value count) {
  const Plan &p = f.plan;
  Values slots;
  Value base = e.mul(output, e.index(p.slots()));
  for (auto [memref, type] : llvm::zip(panel, f.rowState))
    for (int64_t at = 0; at < p.slots(); at += p.simd) {
      Value v = vector::LoadOp::create(
          e.b, e.loc, VectorType::get({p.simd}, fold::storageType(type)),
          memref, ValueRange{e.add(base, e.index(at))});
      slots.push_back(fromStorage(e, v, type));
    }
  if (f.counted) {
    Value each = e.toI64(e.div(count, e.index(p.slots())));
    slots.append(size_t(p.slots() / p.simd), e.splat(each, p.simd));
  }
  auto join = fold::SlotsOp::create(e.b, e.loc, f.rowStateAndCount(), slots,
                                    Value(), f.params, f.rowCombine, 1,
                                    IntegerAttr(), f.counted);
  Values state = f.fromRowState(join.getStates(), position);
  for (auto [memref, v] : llvm::zip(t.tile, state))
    memref::StoreOp::create(e.b, e.loc, toStorage(e, v), memref, output);
}

void PanelTiers::foldRun(Value firstChunk, Value chunks) {
  const Plan &p = f.plan;
  Value size = e.index(p.chunkElements());
  scf::ForOp::create(
      e.b, e.loc, e.index(0), chunks, e.index(1), ValueRange(),
      [&](OpBuilder &, Location, Value c, ValueRange) {
        Value position = e.mul(e.add(firstChunk, c), size);
        Value count = e.minimum(size, e.sub(f.elements, position));
        fold::PanelRowsOp::create(
            e.b, e.loc, f.inputs, t.outer, t.column, t.width, position, count,
            p.nearIndex ? e.index(0) : position, panel, f.params, f.rowMap,
            f.rowUpdate, p.vector, p.simd);
        scf::ForOp::create(e.b, e.loc, e.index(0), t.width, e.index(1),
                           ValueRange(),
                           [&](OpBuilder &, Location, Value j, ValueRange) {
                             joinSlots(j, position, count);
                             scf::YieldOp::create(e.b, e.loc);
                           });
        t.push(e.index(0), c, f.counted ? count : e.index(0));
        scf::YieldOp::create(e.b, e.loc);
      });
  t.collapse(chunks);
}

void wf::emitPanelTiers(KernelFrame &f) {
  PanelTiers tiers(f);
  tiers.t.emit([&](Value first, Value count) { tiers.foldRun(first, count); });
}
