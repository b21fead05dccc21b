//===- DecodeMemory.cpp - Loads, stores, atomics, fences ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/Decoder.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"

using namespace wf;
using namespace wf::sim;
using llvm::AtomicOrdering;
using llvm::Error;

/// What a space's accesses count as.
static InstKind kindOf(unsigned space, bool writes) {
  if (space == 5)
    return InstKind::PrivateAccess;
  if (space == 3)
    return writes ? InstKind::SharedStore : InstKind::SharedLoad;
  return writes ? InstKind::GlobalStore : InstKind::GlobalLoad;
}

/// Notes what a launch has to watch: through which arguments something is
/// stored, and how fine the pieces are.
void Decoder::watch(unsigned space, unsigned bytes, const llvm::Value *pointer,
                    bool writes) {
  kernel->smallestAccess = std::min(kernel->smallestAccess, bytes);
  if (!writes || space == 3 || space == 5)
    return;
  const llvm::Value *base = llvm::getUnderlyingObject(pointer, 0);
  if (auto *a = llvm::dyn_cast<llvm::Argument>(base))
    kernel->arguments[a->getArgNo()].written = true;
  else if (!llvm::isa<llvm::AllocaInst>(base))
    kernel->storesAnywhere = true;
}

void Decoder::emitAccess(Handler run, Access access, Operand address,
                         InstKind kind) {
  Inst &inst = emit(run, kind);
  inst.a = address;
  inst.imm = int64_t(kernel->accesses.size());
  kernel->accesses.push_back(std::move(access));
}

Error Decoder::ordering(const llvm::Instruction &i, AtomicOrdering o,
                        llvm::SyncScope::ID scope, Access &access) {
  access.atomic = o != AtomicOrdering::NotAtomic;
  access.acquire = llvm::isAcquireOrStronger(o);
  access.release = llvm::isReleaseOrStronger(o);
  llvm::SmallVector<llvm::StringRef, 16> names;
  i.getContext().getSyncScopeNames(names);
  llvm::StringRef name = names[scope];
  if (name.ends_with("-one-as")) // AMD: of the address space of the access
    name = name.drop_back(7);
  if (name == "one-as")
    name = "";
  bool known =
      llvm::is_contained({"", "system", "agent", "device", "cluster",
                          "workgroup", "block", "wavefront", "singlethread"},
                         name);
  if (access.atomic && !known)
    return unknown(i, "the scope \"" + name + "\"");
  access.device =
      name == "" || name == "system" || name == "agent" || name == "device";
  return Error::success();
}

static Access accessOf(Access::Kind kind, unsigned space, const Scalars &types,
                       const Operands &values, llvm::Align alignment) {
  Access a;
  a.kind = kind;
  a.space = space;
  a.bytes = uint8_t(std::max(types[0].bits / 8, 1));
  a.alignment = uint32_t(alignment.value());
  a.values.assign(values.begin(), values.end());
  return a;
}

/// All components of a size that memory has.
static bool loadable(const Scalars &types) {
  for (const Scalar &s : types)
    if (s.bits != types[0].bits || (s.bits % 8 && s.bits != 1) || s.bits == 24)
      return false;
  return !types.empty() && (types[0].bits != 1 || types.size() == 1);
}

Error Decoder::load(const llvm::LoadInst &i) {
  auto to = define(i), at = use(i.getPointerOperand());
  if (!to)
    return to.takeError();
  if (!at)
    return at.takeError();
  auto types = scalars(i);
  if (!loadable(*types))
    return unknown(i, "a load of this type");
  unsigned space = i.getPointerAddressSpace();
  Access a = accessOf(Access::Kind::Load, space, *types, *to, i.getAlign());
  if (Error e = ordering(i, i.getOrdering(), i.getSyncScopeID(), a))
    return e;
  watch(space, a.bytes, i.getPointerOperand(), false);
  emitAccess(runLoad, std::move(a), at->front(), kindOf(space, false));
  return Error::success();
}

Error Decoder::store(const llvm::StoreInst &i) {
  auto value = use(i.getValueOperand()), at = use(i.getPointerOperand());
  if (!value)
    return value.takeError();
  if (!at)
    return at.takeError();
  auto types = scalars(*i.getValueOperand());
  if (!types)
    return types.takeError();
  if (!loadable(*types))
    return unknown(i, "a store of this type");
  unsigned space = i.getPointerAddressSpace();
  Access a = accessOf(Access::Kind::Store, space, *types, *value, i.getAlign());
  if (Error e = ordering(i, i.getOrdering(), i.getSyncScopeID(), a))
    return e;
  watch(space, a.bytes, i.getPointerOperand(), true);
  emitAccess(runStore, std::move(a), at->front(), kindOf(space, true));
  return Error::success();
}

Error Decoder::rmw(const llvm::AtomicRMWInst &i) {
  auto to = define(i), at = use(i.getPointerOperand()),
       value = use(i.getValOperand());
  for (auto *e : {&to, &at, &value})
    if (!*e)
      return e->takeError();
  auto types = scalars(i);
  using Op = llvm::AtomicRMWInst::BinOp;
  Op op = i.getOperation();
  bool known = llvm::is_contained(
      {Op::Xchg, Op::Add, Op::Sub, Op::And, Op::Nand, Op::Or, Op::Xor, Op::Max,
       Op::Min, Op::UMax, Op::UMin, Op::FAdd, Op::FSub, Op::FMax, Op::FMin,
       Op::UIncWrap, Op::UDecWrap},
      op);
  if (!known || types->size() != 1 || types->front().bits < 8)
    return unknown(i, "this atomic");
  unsigned space = i.getPointerAddressSpace();
  Access a = accessOf(Access::Kind::Rmw, space, *types,
                      {to->front(), value->front()}, i.getAlign());
  a.operation = op;
  a.floating = llvm::AtomicRMWInst::isFPOperation(op);
  if (Error e = ordering(i, i.getOrdering(), i.getSyncScopeID(), a))
    return e;
  // The NVPTX back end drops the ordering of an atomicrmw.
  if (machine.isNvidia())
    a.acquire = a.release = false;
  watch(space, a.bytes, i.getPointerOperand(), true);
  kernel->atomicGlobal |= space != 3;
  kernel->usesTicket |= !i.use_empty();
  emitAccess(runAtomic, std::move(a), at->front(), InstKind::Atomic);
  return Error::success();
}

Error Decoder::compareExchange(const llvm::AtomicCmpXchgInst &i) {
  auto to = define(i), at = use(i.getPointerOperand()),
       compare = use(i.getCompareOperand()), value = use(i.getNewValOperand());
  for (auto *e : {&to, &at, &compare, &value})
    if (!*e)
      return e->takeError();
  auto types = scalars(*i.getNewValOperand());
  if (!types)
    return types.takeError();
  unsigned space = i.getPointerAddressSpace();
  Access a = accessOf(Access::Kind::CompareExchange, space, *types,
                      {(*to)[0], (*to)[1], compare->front(), value->front()},
                      i.getAlign());
  if (Error e = ordering(i, i.getSuccessOrdering(), i.getSyncScopeID(), a))
    return e;
  watch(space, a.bytes, i.getPointerOperand(), true);
  kernel->atomicGlobal |= space != 3;
  kernel->usesTicket = true;
  emitAccess(runAtomic, std::move(a), at->front(), InstKind::Atomic);
  return Error::success();
}

Error Decoder::fence(const llvm::FenceInst &i) {
  Access a;
  if (Error e = ordering(i, i.getOrdering(), i.getSyncScopeID(), a))
    return e;
  Inst &inst = emit(runFence, InstKind::Other);
  inst.imm =
      int64_t(a.release) | int64_t(a.acquire) << 1 | int64_t(a.device) << 2;
  return Error::success();
}

Error Decoder::transfer(const llvm::MemIntrinsic &i) {
  int64_t bytes;
  if (!constantInt(i.getLength(), bytes) || bytes < 0 || bytes > 0xffffffff)
    return unknown(i, "a copy of a length that is known at run time only");
  auto to = use(i.getRawDest());
  if (!to)
    return to.takeError();
  watch(i.getDestAddressSpace(), 1, i.getRawDest(), true);
  if (bytes == 0)
    return Error::success();
  int64_t imm = bytes | int64_t(i.getDestAddressSpace()) << 40;
  const llvm::Value *second = nullptr;
  Handler run = runCopy;
  if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&i)) {
    second = copy->getRawSource();
    imm |= int64_t(copy->getSourceAddressSpace()) << 48;
  } else {
    second = llvm::cast<llvm::MemSetInst>(i).getValue();
    run = runSet;
  }
  auto from = use(second);
  if (!from)
    return from.takeError();
  Inst &inst = emit(run, kindOf(i.getDestAddressSpace(), true));
  inst.a = to->front();
  inst.b = from->front();
  inst.imm = imm;
  return Error::success();
}
