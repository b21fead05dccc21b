//===- LanesTiers.cpp - form=lanes: short folds in part of a warp ---------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// K is compiled in and fits one row: `lanes` lanes fold an output, 32 / lanes
// outputs stand side by side in a warp, and every lane does so for `outputs` of
// them at once, whose loads are then all under way together.
//===----------------------------------------------------------------------===//
#include "Lowering/GpuFrame.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

namespace {
struct LanesTiers {
  GpuFrame &g;
  KernelFrame &f = g.f;
  Emitter &e = f.e;
  const Plan &plan = f.plan;
  int64_t lanes = plan.lanes, beside = 32 / plan.lanes;
  Value place = {}; ///< this lane among those of its output

  Values slots(Value output);
  Values join(llvm::ArrayRef<Values> all);
  void emit();
};
} // namespace

/// This lane's slots of an output.
Values LanesTiers::slots(Value output) {
  Values digits = g.digits(output);
  Values offsets = g.inputOffsets(digits);
  int64_t k = plan.elements, vector = plan.vector;
  Value zero = e.index(0);
  bool short_ = k < lanes * vector;
  if (plan.order == PlanOrder::Ordered) {
    llvm::SmallVector<Type> types;
    for (Type t : f.state)
      types.append(size_t(vector), t);
    auto lift = fold::LaneLiftOp::create(
        e.b, e.loc, types, g.inputs, offsets, g.reducedSizes,
        g.reducedStrides(), place, zero, e.index(k), zero, f.params,
        f.reduce.getMap(), g.inner, vector, 1, short_, plan.even,
        plan.load == Load::Vector);
    Values all(lift.getSlots());
    if (f.counted)
      all.append(size_t(vector), e.i64(1));
    return all;
  }
  llvm::SmallVector<Type> types;
  for (Type t : f.rowStateAndCount())
    types.append(size_t(plan.accumulators), t);
  auto rows = fold::LaneRowsOp::create(
      e.b, e.loc, types, g.inputs, offsets, g.reducedSizes, g.reducedStrides(),
      place, zero, e.index(k), zero, f.params, f.rowMap, f.rowUpdate, g.inner,
      vector, plan.accumulators, 1, 1, /*rest=*/short_, /*tail=*/false,
      plan.even, plan.load == Load::Vector, f.counted);
  return Values(rows.getSlots());
}

/// The states of outputs, dealt out to their lanes.
Values LanesTiers::join(llvm::ArrayRef<Values> all) {
  bool ordered = plan.order == PlanOrder::Ordered;
  int64_t k = plan.elements, vector = plan.vector;
  int64_t each = ordered ? vector : plan.accumulators;
  int64_t there = k / vector * each + std::min(k % vector, each);
  Value present;
  if (there < lanes * each)
    present = e.index(there);
  Values slots;
  for (size_t at = 0; at < all[0].size(); at += size_t(each))
    for (const Values &s : all)
      slots.append(s.begin() + at, s.begin() + at + each);
  auto joined = fold::LaneSlotsOp::create(
      e.b, e.loc, ordered ? f.stateAndCount() : f.rowStateAndCount(), slots,
      g.lane, present, f.params,
      ordered ? f.reduce.getCombine().str() : f.rowCombine, lanes, 1,
      int64_t(all.size()), /*loose=*/false, f.counted);
  if (ordered)
    return Values(joined.getStates());
  return f.fromRowState(joined.getStates(), e.index(0));
}

void LanesTiers::emit() {
  int64_t outputs = plan.outputs;
  place = e.rem(g.lane, e.index(lanes));
  Value group = e.div(g.lane, e.index(lanes));
  Value warps = e.add(e.mul(g.block, e.index(plan.warps)), g.warp);
  Value first = e.add(e.mul(warps, e.index(outputs * beside)), group);
  Value lastOutput = e.sub(g.outputCount, e.index(1));
  std::vector<Values> all;
  for (int64_t r = 0; r < outputs; ++r) {
    // Past the last output the last is folded once more, for nobody.
    Value output = e.minimum(e.add(first, e.index(r * beside)), lastOutput);
    all.push_back(slots(output));
  }
  // As many outputs as lanes are dealt out at a time: lane l stores output l.
  for (int64_t r0 = 0; r0 < outputs; r0 += lanes) {
    int64_t here = std::min(lanes, outputs - r0);
    Values state = join(
        llvm::ArrayRef<Values>(all).slice(size_t(r0), size_t(here)));
    Value output = e.add(
        first, e.mul(e.add(place, e.index(r0)), e.index(beside)));
    Value mine = e.less(output, g.outputCount);
    if (here < lanes)
      mine = arith::AndIOp::create(e.b, e.loc, mine,
                                   e.less(place, e.index(here)));
    g.onlyIf(mine, [&] { g.store(state, g.digits(output)); });
  }
}

void wf::emitLanesTiers(GpuFrame &g) { LanesTiers{g}.emit(); }
