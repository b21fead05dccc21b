//===- TileFrame.cpp - Tiles of neighbouring outputs ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering/TileFrame.h"

#include "Dialect/Signatures.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

TileFrame::TileFrame(KernelFrame &f) : f(f) {
  int64_t widest = 1;
  for (Type t : f.stateAndCount())
    widest = std::max<int64_t>(widest,
                               fold::storageType(t).getIntOrFloatBitWidth() / 8);
  capacity = f.plan.tile / widest;
  // Scratch: for every member one tile, then the counter's levels.
  Value tileBytes = e.index(f.plan.tile);
  Value memberBytes = e.mul(tileBytes, e.add(f.levels, e.index(1)));
  for (auto [m, t] : llvm::enumerate(f.state)) {
    auto type = MemRefType::get({ShapedType::kDynamic}, fold::storageType(t));
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

/// One value a lane to outputs without unit stride.
void TileFrame::scatter(ValueRange results, int64_t lanes, Value c) {
  for (int64_t i = 0; i < lanes; ++i) {
    Values one, at(outer);
    for (Value r : results)
      one.push_back(vector::ExtractOp::create(e.b, e.loc, r, i));
    at.push_back(e.add(e.add(column, c), e.index(i)));
    f.storeOutputs(one, at);
  }
}

/// Elements of a run, as i64.
Value TileFrame::runElements(Value run) {
  Value full = e.mul(f.runChunks, e.index(f.plan.chunkElements()));
  return e.toI64(e.minimum(full, e.sub(f.elements, e.mul(run, full))));
}

/// Outputs c … c + lanes - 1 of the tile (one if lanes is 0).
void TileFrame::storeLanes(int64_t lanes, Value c, Value run, Value output) {
  Values states;
  for (auto [memref, t] : llvm::zip(tile, f.state)) {
    Value v = lanes ? Value(vector::LoadOp::create(
                          e.b, e.loc,
                          VectorType::get({lanes}, fold::storageType(t)), memref,
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

void TileFrame::storeTile(Value run, Value output) {
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


void TileFrame::push(Value slot, Value leaf, Value elements) {
  fold::TileSlotsOp::create(e.b, e.loc, tile, slot, width, leaf, elements,
                            counter, counts, f.params, f.reduce.getCombine(),
                            capacity, f.plan.simd);
}

void TileFrame::collapse(Value leaves) {
  fold::TileChunksOp::create(e.b, e.loc, counter, counts, leaves, width, tile,
                             f.params, f.reduce.getCombine(), capacity,
                             f.plan.simd);
}

void TileFrame::emit(llvm::function_ref<void(Value, Value)> foldRun) {
  auto loop = scf::ForOp::create(e.b, e.loc, f.begin, f.end, e.index(1));
  e.b.setInsertionPointToStart(loop.getBody());
  Value item = loop.getInductionVar();
  Value run = e.rem(item, f.runs), rest = e.div(item, f.runs);
  Value cap = e.index(capacity);
  Value tiles = e.div(e.add(columns, e.index(capacity - 1)), cap);
  column = e.mul(e.rem(rest, tiles), cap);
  width = e.minimum(cap, e.sub(columns, column));
  Value output = e.mul(e.div(rest, tiles), columns);
  outer = f.outputIndices(output);
  outer.pop_back();
  output = e.add(output, column);
  Value size = e.index(f.plan.chunkElements());
  Value all = e.div(e.add(f.elements, e.sub(size, e.index(1))), size);
  Value firstChunk = e.mul(run, f.runChunks);
  foldRun(firstChunk, e.minimum(f.runChunks, e.sub(all, firstChunk)));
  storeTile(run, output);
  e.b.setInsertionPointToEnd(&f.function.getBody().front());
  func::ReturnOp::create(e.b, e.loc);
}
