//===- InlineFunctions.cpp - The user's functions, inlined last -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Every private function is one block of elementwise operations without calls,
// so inlining is copying; the general inliner's call graph is not needed.
//===----------------------------------------------------------------------===//
#include "Lowering/Passes.h"

namespace wf {
#define GEN_PASS_DEF_INLINEFUNCTIONS
#include "Lowering/Passes.h.inc"
} // namespace wf

using namespace mlir;

static void inlineCall(func::CallOp call, func::FuncOp callee) {
  OpBuilder b(call);
  IRMapping map;
  map.map(callee.getArguments(), call.getOperands());
  for (Operation &op : callee.getBody().front().without_terminator())
    b.clone(op, map);
  Operation *ret = callee.getBody().front().getTerminator();
  for (auto [result, value] : llvm::zip(call.getResults(), ret->getOperands()))
    result.replaceAllUsesWith(map.lookupOrDefault(value));
  call.erase();
}

namespace {
struct InlineFunctionsPass : wf::impl::InlineFunctionsBase<InlineFunctionsPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    llvm::SmallVector<func::CallOp> calls;
    getOperation().walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      auto caller = call->getParentOfType<func::FuncOp>();
      if (!caller || caller.isPrivate() || !callee || callee.isExternal() || !callee.getBody().hasOneBlock()) {
        call.emitError("only private functions of one block that call no other "
                       "are inlined");
        return signalPassFailure();
      }
      inlineCall(call, callee);
    }
    for (auto f : llvm::make_early_inc_range(
             getOperation().getOps<func::FuncOp>()))
      if (f.isPrivate())
        f.erase();
  }
};
} // namespace
