//===- ReduceToTiers.cpp - A planned fold.reduce as tier operations -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering/KernelFrame.h"
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
  if (plan.order == PlanOrder::Sequential)
    return emitChain(frame);
  if (plan.elements > 0)
    return emitShortRowTiers(frame);
  emitRowTiers(frame);
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
  KernelFrame frame(e, reduce, *plan);
  // The kernel takes the old function's name; that one goes.
  old.setName("fold_described");
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
