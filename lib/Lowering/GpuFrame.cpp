//===- GpuFrame.cpp - The kernel around a planned reduction on a GPU ------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering/GpuFrame.h"

#include "Dialect/Signatures.h"
#include "Lowering/LaneArrays.h"
#include "Lowering/LaneExchange.h"
#include "Lowering/Launch.h"
#include "Plan/GpuPlan.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

Value GpuFrame::argument(Type type) {
  Block &entry = f.function.getBody().front();
  llvm::SmallVector<Type> types(f.function.getArgumentTypes());
  types.push_back(type);
  f.function.setType(e.b.getFunctionType(types, {}));
  return entry.addArgument(type, e.loc);
}

Values GpuFrame::indexArguments(size_t n) {
  Values all;
  for (size_t i = 0; i < n; ++i)
    all.push_back(argument(e.b.getIndexType()));
  return all;
}

void GpuFrame::makeKernel(llvm::StringRef name) {
  fold::ReduceOp old = f.reduce;
  // A second one goes after the first.
  if (name == kFoldFunction)
    e.b.setInsertionPoint(f.function);
  else
    e.b.setInsertionPointAfter(f.function);
  f.function =
      func::FuncOp::create(e.b, e.loc, name, e.b.getFunctionType({}, {}));
  f.function.addEntryBlock();
  Type pointer =
      LLVM::LLVMPointerType::get(e.b.getContext(), target.globalSpace());
  for (Value v : old.getInputs()) {
    inputs.push_back(argument(pointer));
    auto [strides, offset] = cast<MemRefType>(v.getType()).getStridesAndOffset();
    inner.push_back(strides.empty() || ShapedType::isDynamic(strides.back())
                        ? -1
                        : strides.back());
  }
  for (size_t i = 0; i < old.getOutputs().size(); ++i)
    outputs.push_back(argument(pointer));
  for (size_t i = 0; i < f.stateAndCount().size(); ++i)
    partials.push_back(argument(pointer));
  tickets = argument(pointer);
  for (Value &p : f.params)
    p = argument(p.getType());
  f.elements = argument(e.b.getIndexType());
  runs = argument(e.b.getIndexType());
  outputCount = argument(e.b.getIndexType());
  auto outType = cast<MemRefType>(old.getOutputs()[0].getType());
  size_t kept = size_t(outType.getRank()), reduced = old.getAxes().size();
  keptSizes = indexArguments(kept);
  reducedSizes = indexArguments(reduced);
  for (size_t i = 0; i < inputs.size(); ++i) {
    inKept.push_back(indexArguments(kept));
    inReduced.push_back(indexArguments(reduced));
  }
  for (size_t i = 0; i < outputs.size(); ++i)
    outKept.push_back(indexArguments(kept));

  e.b.setInsertionPointToStart(&f.function.getBody().front());
  auto toIndex = [&](Value v) -> Value {
    return arith::IndexCastUIOp::create(e.b, e.loc, e.b.getIndexType(), v);
  };
  thread = toIndex(target.thread(e));
  block = toIndex(target.block(e));
  lane = e.rem(thread, e.index(32));
  warp = e.div(thread, e.index(32));
  if (f.plan.elements > 0)
    f.elements = e.index(f.plan.elements);
}

Values GpuFrame::digits(Value linear) {
  Values all(keptSizes.size());
  for (size_t d = all.size(); d-- > 1;) {
    all[d] = e.rem(linear, keptSizes[d]);
    linear = e.div(linear, keptSizes[d]);
  }
  if (!all.empty())
    all[0] = linear;
  return all;
}

static Value dot(Emitter &e, ValueRange digits, ValueRange strides) {
  Value at = e.index(0);
  for (auto [digit, stride] : llvm::zip(digits, strides))
    at = e.add(at, e.mul(digit, stride));
  return at;
}

Values GpuFrame::inputOffsets(ValueRange digits) {
  Values offsets;
  for (const Values &strides : inKept)
    offsets.push_back(dot(e, digits, strides));
  return offsets;
}

Values GpuFrame::reducedStrides() {
  Values all;
  for (const Values &strides : inReduced)
    llvm::append_range(all, strides);
  return all;
}

Value GpuFrame::outputOffset(size_t o, ValueRange digits) {
  return dot(e, digits, outKept[o]);
}

void GpuFrame::store(ValueRange state, ValueRange digits) {
  Values results = f.finish(state, 0);
  for (auto [o, v] : llvm::enumerate(results)) {
    Value at = outputOffset(o, digits);
    LLVM::StoreOp::create(e.b, e.loc, v,
                          advance(e, outputs[o], v.getType(), at),
                          storedBytes(v.getType()));
  }
}

void GpuFrame::joinGrid(ValueRange state, const Place &p,
                        llvm::function_ref<void(ValueRange)> store) {
  const Plan &plan = f.plan;
  llvm::SmallVector<Type> types = f.stateAndCount();
  auto grid = [&](ValueRange from, Value ticket, Value first, Value run,
                  Value count, int64_t most) {
    return fold::GridOp::create(
        e.b, e.loc, e.b.getI1Type(), types, from, partials, tickets, thread,
        ticket, e.add(first, e.mul(run, p.pitch)), first, p.pitch, count,
        p.width, f.params, f.reduce.getCombine(), plan.warps, p.columns, most,
        f.counted);
  };
  auto finish = [&](fold::GridOp op) {
    onlyIf(op.getLast(), [&] {
      Value mine = e.less(thread, p.columns == 1 ? e.index(1) : p.width);
      onlyIf(mine, [&] { store(op.getStates()); });
    });
  };
  if (plan.group == 0)
    return finish(grid(state, p.ticket, p.first, p.run, runs,
                       p.columns == 1 ? kWarpGroup : 2 * kColumnGroup));
  Value size = e.index(plan.group), groups = ceilDiv(runs, size);
  Value group = e.div(p.run, size), before = e.mul(group, size);
  Value members = e.minimum(size, e.sub(runs, before));
  // Tickets of the groups follow those of the outputs; states likewise.
  Value ticket = e.add(p.tickets, e.add(e.mul(p.ticket, groups), group));
  auto inner =
      grid(state, ticket, e.add(p.first, e.mul(before, p.pitch)),
           e.sub(p.run, before), members, plan.group);
  onlyIf(inner.getLast(), [&] {
    // Where runs lie output by output, so do groups.
    Value first = e.add(p.end, p.pitchIsOne ? e.mul(p.ticket, groups)
                                            : p.first);
    finish(grid(inner.getStates(), p.ticket, first, group, groups,
                std::max<int64_t>(1, kMostRuns / plan.group)));
  });
}

void GpuFrame::onlyIf(Value condition, llvm::function_ref<void()> body) {
  scf::IfOp::create(e.b, e.loc, condition, [&](OpBuilder &, Location) {
    body();
    scf::YieldOp::create(e.b, e.loc);
  });
}

Values GpuFrame::valuesIf(Value condition, TypeRange types,
                          llvm::function_ref<Values()> body) {
  auto op = scf::IfOp::create(
      e.b, e.loc, condition,
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(e.b, e.loc, body());
      },
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(e.b, e.loc, zeros(e, types));
      });
  return Values(op.getResults());
}

Value GpuFrame::ceilDiv(Value a, Value b) {
  return e.div(e.add(a, e.sub(b, e.index(1))), b);
}
