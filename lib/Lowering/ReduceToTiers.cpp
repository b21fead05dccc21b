//===- ReduceToTiers.cpp - A planned fold.reduce as tier operations -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Dialect/Import.h"
#include "Lowering/GpuFrame.h"
#include "Lowering/LaneExchange.h"
#include "Lowering/Passes.h"

namespace wf {
#define GEN_PASS_DEF_REDUCETOTIERS
#include "Lowering/Passes.h.inc"
} // namespace wf

using namespace mlir;
using namespace wf;

/// One tier shape a kind and order; none is a special case of another.
static void emitTiers(KernelFrame &frame) {
  const Plan &plan = frame.plan;
  if (plan.kind == ProblemKind::Column)
    return emitColumnTiers(frame);
  if (plan.tile > 0)
    return emitPanelTiers(frame);
  if (plan.order == PlanOrder::Sequential)
    return emitChain(frame);
  if (plan.elements > 0)
    return emitShortRowTiers(frame);
  emitRowTiers(frame);
}

static void emitGpuTiers(GpuFrame &frame) {
  switch (frame.f.plan.form) {
  case Form::Warp:
    return emitWarpTiers(frame);
  case Form::Lanes:
    return emitLanesTiers(frame);
  case Form::Column:
    return emitColumnLaneTiers(frame);
  case Form::Thread:
    return emitThreadTiers(frame);
  case Form::Ladder:
    return emitLadderTiers(frame);
  }
}

static LogicalResult rewriteForGpu(KernelFrame &frame, ModuleOp module,
                                   func::FuncOp old) {
  const TargetInfo *target = targetNamed(frame.plan.target);
  if (!target)
    return frame.reduce.emitOpError()
           << "is planned for " << frame.plan.target
           << ", which no lowering knows";
  module->setAttr(kTargetAttribute,
                  StringAttr::get(module.getContext(), frame.plan.target));
  GpuFrame gpu(frame, *target);
  gpu.makeKernel();
  emitGpuTiers(gpu);
  frame.e.b.setInsertionPointToEnd(&frame.function.getBody().front());
  func::ReturnOp::create(frame.e.b, frame.e.loc);
  old.erase();
  return success();
}

/// Kept dimensions first, then the reduced ones; for columns the last kept one
/// stands at the end.
static bool axesFit(fold::ReduceOp reduce, const Plan &plan) {
  int64_t rank = cast<MemRefType>(reduce.getInputs()[0].getType()).getRank();
  bool column = plan.kind == ProblemKind::Column;
  int64_t reduced = int64_t(reduce.getAxes().size());
  int64_t first = rank - reduced - (column ? 1 : 0);
  if (first < 0 || reduced < 1 || reduce.getKeepDims())
    return false;
  for (auto [i, axis] : llvm::enumerate(reduce.getAxes()))
    if (axis != first + int64_t(i))
      return false;
  return true;
}

/// Is `map` one extension, `combine` one integer addition, and can 32 elements
/// of the input not overflow the narrow partial?
static bool isIntegerSum(fold::ReduceOp reduce, SymbolTable &symbols,
                         ScalarType narrow) {
  auto one = [&](llvm::StringRef name) -> Operation * {
    Block &body = symbols.lookup<func::FuncOp>(name).getBody().front();
    return body.getOperations().size() == 2 ? &body.front() : nullptr;
  };
  Operation *map = one(reduce.getMap()), *combine = one(reduce.getCombine());
  if (!map || !isa<arith::ExtSIOp, arith::ExtUIOp>(map) || !combine ||
      !isa<arith::AddIOp>(combine) || reduce.getInputs().size() != 1)
    return false;
  if (combine->getResult(0).getType().getIntOrFloatBitWidth() < 32)
    return false;
  unsigned bits = map->getOperand(0).getType().getIntOrFloatBitWidth();
  return bits + 6 <= 8 * unsigned(byteSize(narrow)) && bits <= 16;
}

static LogicalResult verifyPlanned(fold::ReduceOp reduce, const Plan &plan,
                                   SymbolTable &symbols) {
  if (int(plan.order) != int(reduce.getOrder()))
    return reduce.emitOpError() << "runs under order "
                                << fold::stringifyOrderKind(reduce.getOrder())
                                << ", but its plan under " << name(plan.order);
  if (!axesFit(reduce, plan))
    return reduce.emitOpError()
           << "has axes [" << reduce.getAxes() << "], but kind="
           << name(plan.kind)
           << " wants the reduced dimensions "
           << (plan.kind == ProblemKind::Column ? "last but one" : "last");
  if (plan.narrow && !isIntegerSum(reduce, symbols, *plan.narrow))
    return reduce.emitOpError(
        "has a plan with narrow partials, but is no integer sum that fits them");
  auto function = reduce->getParentOfType<func::FuncOp>();
  if (function.getBody().front().getOperations().size() != 2)
    return reduce.emitOpError("must stand alone in its function, which becomes "
                              "the kernel");
  return success();
}

/// plan.nearIndex: the functions whose positions count within a chunk.
static LogicalResult verifyNearFunctions(fold::ReduceOp reduce,
                                         SymbolTable &symbols) {
  for (const char *name : {kNearMap, kNearCombine, kNearUpdate}) {
    auto f = symbols.lookup<func::FuncOp>(name);
    if (!f || f.isExternal())
      return reduce.emitOpError() << "has a plan with index=i32, but the module "
                                     "has no @"
                                  << name;
  }
  return success();
}

/// What the ladder asks of the module.
static LogicalResult verifyLadder(fold::ReduceOp reduce, const KernelFrame &f,
                                  SymbolTable &symbols) {
  if (f.counted)
    return reduce.emitOpError("has a combine that reads counts, which "
                              "form=ladder does not carry");
  if (f.plan.grid != Grid::Atomic)
    return success();
  auto neutral = symbols.lookup<func::FuncOp>(kNeutralFunction);
  if (f.state.size() != 1 || !neutral || neutral.isExternal())
    return reduce.emitOpError()
           << "has a plan with grid=atomic, which wants one member and @"
           << kNeutralFunction << " in the module";
  return success();
}

static LogicalResult rewrite(fold::ReduceOp reduce, ModuleOp module) {
  if (!reduce.getPlanAttr())
    return reduce.emitOpError("has no plan; attach one with plan "
                              "#fold.plan<\"…\"> before taking it apart");
  auto plan = parsePlan(reduce.getPlanAttr().getText());
  if (!plan)
    return reduce.emitOpError() << llvm::toString(plan.takeError());
  auto old = reduce->getParentOfType<func::FuncOp>();
  OpBuilder b(old);
  Emitter e(b, reduce.getLoc(), module);
  if (failed(verifyPlanned(reduce, *plan, e.symbols)) ||
      (plan->nearIndex && failed(verifyNearFunctions(reduce, e.symbols))))
    return failure();
  KernelFrame frame(e, reduce, *plan);
  if (plan->onGpu() && plan->form == Form::Ladder &&
      failed(verifyLadder(reduce, frame, e.symbols)))
    return failure();
  // The kernel takes the old function's name; that one goes.
  old.setName("fold_described");
  if (plan->onGpu())
    return rewriteForGpu(frame, module, old);
  frame.makeFold();
  emitTiers(frame);
  if (plan->order != PlanOrder::Sequential && plan->elements == 0) {
    frame.makeJoin();
    emitJoin(frame);
  }
  old.erase();
  return success();
}

namespace {
struct ReduceToTiersPass : wf::impl::ReduceToTiersBase<ReduceToTiersPass> {
  void runOnOperation() override {
    llvm::SmallVector<fold::ReduceOp> ops;
    getOperation().walk([&](fold::ReduceOp op) { ops.push_back(op); });
    for (fold::ReduceOp op : ops)
      if (failed(rewrite(op, getOperation())))
        return signalPassFailure();
  }
};
} // namespace
