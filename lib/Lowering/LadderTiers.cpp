//===- LadderTiers.cpp - form=ladder: the named plans v0 … v5 -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
//   fold        block = output * G + part
//     fold.lane_stride     k = ((i * G + part) * T + thread) * V + j
//     fold.block_exchange  halving, pairs, down or up; none: left out
//     grid=atomic          fold.grid_atomic
//     grid=launch          the state is kept at element `block` of partials
//     grid=ticket          kept, then fold.last_block: the last one joins
//   fold_init   atomic: a thread an output stores the neutral state
//   fold_join   launch: a block an output joins
//
// To join is fold.lane_partials (thread t takes partials t, t + T …) and the
// same fold.block_exchange again.
//===----------------------------------------------------------------------===//
#include "Dialect/Import.h"
#include "Lowering/GpuFrame.h"
#include "Lowering/LaneArrays.h"
#include "Lowering/LaneExchange.h"
#include "Lowering/Launch.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

namespace {
struct LadderTiers {
  GpuFrame &g;
  KernelFrame &f = g.f;
  Emitter &e = f.e;
  const Plan &plan = f.plan;

  Value threads() { return e.index(plan.threads()); }
  Values block(ValueRange state, Value present);
  void byThread0(llvm::function_ref<void()> body);
  void atomic(ValueRange state, ValueRange digits);
  void join(Value output, ValueRange digits);
  void fold();
  void init();
};
} // namespace

static fold::ExchangeKind exchangeKind(Exchange exchange) {
  switch (exchange) {
  case Exchange::Down:
    return fold::ExchangeKind::Down;
  case Exchange::Halving:
    return fold::ExchangeKind::Halving;
  case Exchange::Pairs:
    return fold::ExchangeKind::Pairs;
  case Exchange::Up:
  case Exchange::None:
    return fold::ExchangeKind::Up;
  }
  llvm_unreachable("an exchange of no kind");
}

Values LadderTiers::block(ValueRange state, Value present) {
  auto op = fold::BlockExchangeOp::create(
      e.b, e.loc, f.state, state, g.thread, present, f.params,
      f.reduce.getCombine(), exchangeKind(plan.exchange), plan.warps);
  return Values(op.getStates());
}

void LadderTiers::byThread0(llvm::function_ref<void()> body) {
  g.onlyIf(e.equal(g.thread, e.index(0)), body);
}

void LadderTiers::atomic(ValueRange state, ValueRange digits) {
  fold::GridAtomicOp::create(e.b, e.loc, state[0], g.outputs[0],
                             g.outputOffset(0, digits), f.params,
                             f.reduce.getCombine());
}

/// Joins the G partial states of an output and stores its results.
void LadderTiers::join(Value output, ValueRange digits) {
  Value base = e.mul(output, g.runs);
  Values state = g.valuesIf(e.less(g.thread, g.runs), f.state, [&] {
    auto op = fold::LanePartialsOp::create(
        e.b, e.loc, f.state, g.partials, e.add(base, g.thread), threads(),
        e.add(base, g.runs), f.params, f.reduce.getCombine());
    return Values(op.getStates());
  });
  state = block(state, e.minimum(threads(), g.runs));
  byThread0([&] { g.store(state, digits); });
}

void LadderTiers::fold() {
  Value output = e.div(g.block, g.runs), part = e.rem(g.block, g.runs);
  Values digits = g.digits(output);
  Value vector = e.index(plan.vector);
  Value before = e.mul(part, threads()); // threads of earlier parts
  Value first = e.mul(e.add(before, g.thread), vector);
  Value step = e.mul(g.runs, e.index(plan.threads() * plan.vector));
  Value holds = e.less(first, f.elements);
  int64_t most = plan.grid == Grid::Atomic ? plan.items / plan.vector : 0;
  Values state = g.valuesIf(holds, f.state, [&] {
    auto op = fold::LaneStrideOp::create(
        e.b, e.loc, f.state, g.inputs, g.inputOffsets(digits), g.reducedSizes,
        g.reducedStrides(), first, step, f.elements, f.params,
        f.reduce.getMap(), f.reduce.getUpdate(), g.inner, plan.vector,
        plan.flight, most, plan.even, plan.load == Load::Vector);
    return Values(op.getStates());
  });
  if (plan.exchange == Exchange::None)
    return g.onlyIf(holds, [&] { atomic(state, digits); });
  // Of a block's threads the first ones have an element, and every block has
  // one: its first thread (Named.h's G is chosen so).
  state = block(state, e.minimum(threads(), e.sub(g.ceilDiv(f.elements, vector),
                                                  before)));
  if (plan.grid == Grid::Atomic)
    return byThread0([&] { atomic(state, digits); });
  byThread0([&] { storeState(e, g.partials, g.block, state); });
  if (plan.grid == Grid::Launch)
    return;
  auto last = fold::LastBlockOp::create(e.b, e.loc, e.b.getI1Type(), g.tickets,
                                        g.thread, output, g.runs);
  g.onlyIf(last.getLast(), [&] { join(output, digits); });
}

void LadderTiers::init() {
  Value output = e.add(e.mul(g.block, threads()), g.thread);
  g.onlyIf(e.less(output, g.outputCount), [&] {
    Value neutral = toStorage(e, e.call(kNeutralFunction, 0, f.params)[0]);
    LLVM::StoreOp::create(e.b, e.loc, neutral,
                          advance(e, g.outputs[0], neutral.getType(),
                                  g.outputOffset(0, g.digits(output))),
                          storedBytes(neutral.getType()));
  });
}

void wf::emitLadderTiers(GpuFrame &g) {
  LadderTiers tiers{g};
  tiers.fold();
  bool before = g.f.plan.grid == Grid::Atomic;
  if (!before && g.f.plan.grid != Grid::Launch)
    return;
  // This kernel is done; the caller ends the one that is begun now.
  g.e.b.setInsertionPointToEnd(&g.f.function.getBody().front());
  func::ReturnOp::create(g.e.b, g.e.loc);
  GpuFrame second(g.f, g.target);
  second.makeKernel(before ? kInitFunction : kJoinFunction);
  LadderTiers more{second};
  if (before)
    more.init();
  else
    more.join(second.block, second.digits(second.block));
}
