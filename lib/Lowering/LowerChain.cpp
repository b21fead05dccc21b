//===- LowerChain.cpp - fold.chain to one loop ----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering/ElementLoads.h"
#include "Lowering/Passes.h"

namespace wf {
#define GEN_PASS_DEF_LOWERCHAIN
#include "Lowering/Passes.h.inc"
} // namespace wf

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

/// Element i of the chain: map of it, or update of the state by it.
static Values link(Emitter &e, fold::ChainOp op, Value i, ValueRange state) {
  auto map = e.symbols.lookup<func::FuncOp>(op.getMap());
  ElementLoads loads{e, op.getInputs(), op.getIndices(), op.getParams(),
                     op.getFirst(), op.getPosition(), map, 0};
  Value k = e.toI64(e.add(op.getPosition(), i));
  Values elements;
  for (auto [n, memref] : llvm::enumerate(op.getInputs())) {
    Values at = loads.rowIndices(memref, e.add(op.getFirst(), i));
    elements.push_back(loads.asArgument(
        memref::LoadOp::create(e.b, e.loc, memref, at), n));
  }
  if (state.empty())
    return loads.apply(op.getMap(), {}, {}, elements, k);
  return loads.apply(op.getUpdate(), state, k, elements, k);
}

static void lowerChain(fold::ChainOp op, ModuleOp module) {
  OpBuilder b(op);
  Emitter e(b, op.getLoc(), module);
  bool seed = op.getFrom().empty();
  Values state =
      seed ? link(e, op, e.index(0), {}) : Values(op.getFrom());
  auto loop = scf::ForOp::create(
      b, op.getLoc(), e.index(seed ? 1 : 0), op.getCount(), e.index(1), state,
      [&](OpBuilder &, Location loc, Value i, ValueRange args) {
        scf::YieldOp::create(b, loc, link(e, op, i, args));
      });
  op.getStates().replaceAllUsesWith(loop.getResults());
  op.erase();
}

namespace {
struct LowerChainPass : wf::impl::LowerChainBase<LowerChainPass> {
  void runOnOperation() override {
    llvm::SmallVector<fold::ChainOp> ops;
    getOperation().walk([&](fold::ChainOp op) { ops.push_back(op); });
    for (fold::ChainOp op : ops)
      lowerChain(op, getOperation());
  }
};
} // namespace
