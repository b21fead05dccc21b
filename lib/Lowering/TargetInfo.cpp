//===- TargetInfo.cpp - The null target, and the list of targets ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering/TargetInfo.h"

#include "llvm/Support/ManagedStatic.h"

#include <mutex>

using namespace mlir;
using namespace wf;

TargetInfo::~TargetInfo() = default;

Value TargetInfo::callExternal(Emitter &e, llvm::StringRef function,
                               Type result, ValueRange arguments) const {
  auto module = e.b.getInsertionBlock()
                    ->getParentOp()
                    ->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(function)) {
    OpBuilder::InsertionGuard guard(e.b);
    e.b.setInsertionPointToStart(module.getBody());
    Type returned = result ? result : LLVM::LLVMVoidType::get(e.b.getContext());
    LLVM::LLVMFuncOp::create(
        e.b, e.loc, function,
        LLVM::LLVMFunctionType::get(
            returned, llvm::SmallVector<Type>(arguments.getTypes())));
  }
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(function);
  auto call = LLVM::CallOp::create(e.b, e.loc, callee, arguments);
  return result ? call.getResult() : Value();
}

Value TargetInfo::callIntrinsic(Emitter &e, llvm::StringRef intrinsic,
                                Type result, ValueRange arguments) const {
  auto name = e.b.getStringAttr(intrinsic);
  if (!result) {
    LLVM::CallIntrinsicOp::create(e.b, e.loc, name, arguments);
    return {};
  }
  return LLVM::CallIntrinsicOp::create(e.b, e.loc, result, name, arguments)
      .getResult(0);
}

Value TargetInfo::thread(Emitter &e) const {
  return callExternal(e, "wf.null.thread", e.b.getI32Type(), {});
}
Value TargetInfo::block(Emitter &e) const {
  return callExternal(e, "wf.null.block", e.b.getI32Type(), {});
}
Value TargetInfo::exchange(Emitter &e, Value value, int32_t mask) const {
  return callExternal(e, "wf.null.exchange", e.b.getI32Type(),
                      {value, e.i32(mask)});
}
Value TargetInfo::exchangeDown(Emitter &e, Value value, int32_t delta) const {
  return callExternal(e, "wf.null.exchange_down", e.b.getI32Type(),
                      {value, e.i32(delta)});
}
void TargetInfo::barrier(Emitter &e) const {
  callExternal(e, "wf.null.barrier", {}, {});
}

Value TargetInfo::drawTicket(Emitter &e, Value pointer) const {
  // Fences and a relaxed addition, not one acq_rel operation: a back end may
  // drop the ordering of an atomicrmw, but not a fence.
  auto scope = deviceScope();
  LLVM::FenceOp::create(e.b, e.loc, LLVM::AtomicOrdering::release, scope);
  Value old = LLVM::AtomicRMWOp::create(e.b, e.loc, LLVM::AtomicBinOp::add,
                                        pointer, e.i32(1),
                                        LLVM::AtomicOrdering::monotonic, scope);
  LLVM::FenceOp::create(e.b, e.loc, LLVM::AtomicOrdering::acquire, scope);
  return old;
}

namespace {
struct Targets {
  std::mutex mutex;
  std::vector<std::unique_ptr<TargetInfo>> all;
  Targets() { all.push_back(std::make_unique<TargetInfo>("null")); }
};
} // namespace

static llvm::ManagedStatic<Targets> targets;

const TargetInfo *wf::targetNamed(llvm::StringRef name) {
  std::lock_guard<std::mutex> lock(targets->mutex);
  for (auto &t : targets->all)
    if (t->name() == name)
      return t.get();
  return nullptr;
}

void wf::registerTarget(std::unique_ptr<TargetInfo> target) {
  std::lock_guard<std::mutex> lock(targets->mutex);
  targets->all.push_back(std::move(target));
}
