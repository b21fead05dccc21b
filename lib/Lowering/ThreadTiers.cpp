//===- ThreadTiers.cpp - form=thread: a thread an output ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// `sequential` has one chain an output; only outputs run side by side.
//===----------------------------------------------------------------------===//
#include "Lowering/GpuFrame.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

void wf::emitThreadTiers(GpuFrame &g) {
  KernelFrame &f = g.f;
  Emitter &e = g.e;
  Value output =
      e.add(e.mul(g.block, e.index(f.plan.threads())), g.thread);
  g.onlyIf(e.less(output, g.outputCount), [&] {
    Values digits = g.digits(output);
    // The innermost stride that is known for columns is a kept one.
    llvm::SmallVector<int64_t> inner = g.inner;
    if (f.plan.kind == ProblemKind::Column)
      inner.assign(inner.size(), -1);
    auto chain = fold::LaneChainOp::create(
        e.b, e.loc, f.state, g.inputs, g.inputOffsets(digits), g.reducedSizes,
        g.reducedStrides(), f.elements, f.params, f.reduce.getMap(),
        f.reduce.getUpdate(), inner, f.plan.flight);
    g.store(chain.getStates(), digits);
  });
}
