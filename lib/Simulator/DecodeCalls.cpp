//===- DecodeCalls.cpp - Intrinsics that every target has -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/Decoder.h"

#include "Error/Error.h"

using namespace wf;
using namespace wf::sim;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace I = llvm::Intrinsic;

/// Those that say something to a compiler, and do nothing.
static bool isHint(StringRef name) {
  for (StringRef prefix :
       {"llvm.assume", "llvm.lifetime.", "llvm.dbg.", "llvm.donothing",
        "llvm.sideeffect", "llvm.experimental.noalias.scope.decl",
        "llvm.invariant.", "llvm.amdgcn.sched.", "llvm.amdgcn.iglp.",
        "llvm.amdgcn.s.waitcnt", "llvm.amdgcn.s.setprio", "llvm.amdgcn.s.sleep",
        "llvm.nvvm.nanosleep", "llvm.prefetch", "llvm.nvvm.prefetch."})
    if (name.starts_with(prefix))
      return true;
  return false;
}

Error Decoder::exchange(const llvm::CallInst &i, Handler run, Operand a,
                        Operand b, Operand c, std::vector<int64_t> entries,
                        InstKind kind, Control control) {
  auto to =
      i.getType()->isVoidTy() ? Expected<Operands>(Operands{0}) : define(i);
  if (!to)
    return to.takeError();
  Inst &inst = emit(run, kind);
  inst.d = to->front();
  inst.a = a;
  inst.b = b;
  inst.c = c;
  inst.control = control;
  table(std::move(entries), inst);
  return Error::success();
}

// Our null target's calls, and what kernels/device.h asks the simulator.
Expected<bool> Decoder::query(const llvm::CallInst &i, StringRef name) {
  static const std::pair<StringRef, Query> queries[] = {
      {"wf.null.thread", Query::LinearThread},
      {"wf.null.block", Query::LinearBlock},
      {"wf.sim.block_dim.x", Query::ThreadsX},
      {"wf.sim.block_dim.y", Query::ThreadsY},
      {"wf.sim.block_dim.z", Query::ThreadsZ},
      {"wf.sim.grid_dim.x", Query::BlocksX},
      {"wf.sim.grid_dim.y", Query::BlocksY},
      {"wf.sim.grid_dim.z", Query::BlocksZ},
      {"llvm.nvvm.read.ptx.sreg.tid.x", Query::ThreadX},
      {"llvm.nvvm.read.ptx.sreg.tid.y", Query::ThreadY},
      {"llvm.nvvm.read.ptx.sreg.tid.z", Query::ThreadZ},
      {"llvm.nvvm.read.ptx.sreg.ntid.x", Query::ThreadsX},
      {"llvm.nvvm.read.ptx.sreg.ntid.y", Query::ThreadsY},
      {"llvm.nvvm.read.ptx.sreg.ntid.z", Query::ThreadsZ},
      {"llvm.nvvm.read.ptx.sreg.ctaid.x", Query::BlockX},
      {"llvm.nvvm.read.ptx.sreg.ctaid.y", Query::BlockY},
      {"llvm.nvvm.read.ptx.sreg.ctaid.z", Query::BlockZ},
      {"llvm.nvvm.read.ptx.sreg.nctaid.x", Query::BlocksX},
      {"llvm.nvvm.read.ptx.sreg.nctaid.y", Query::BlocksY},
      {"llvm.nvvm.read.ptx.sreg.nctaid.z", Query::BlocksZ},
      {"llvm.nvvm.read.ptx.sreg.laneid", Query::Lane},
      {"llvm.nvvm.read.ptx.sreg.warpid", Query::WarpNumber},
      {"llvm.nvvm.read.ptx.sreg.nwarpid", Query::Warps},
      {"llvm.nvvm.read.ptx.sreg.warpsize", Query::WarpSize},
      {"llvm.nvvm.read.ptx.sreg.lanemask.eq", Query::MaskEq},
      {"llvm.nvvm.read.ptx.sreg.lanemask.lt", Query::MaskLt},
      {"llvm.nvvm.read.ptx.sreg.lanemask.le", Query::MaskLe},
      {"llvm.nvvm.read.ptx.sreg.lanemask.gt", Query::MaskGt},
      {"llvm.nvvm.read.ptx.sreg.lanemask.ge", Query::MaskGe},
      {"llvm.amdgcn.workitem.id.x", Query::ThreadX},
      {"llvm.amdgcn.workitem.id.y", Query::ThreadY},
      {"llvm.amdgcn.workitem.id.z", Query::ThreadZ},
      {"llvm.amdgcn.workgroup.id.x", Query::BlockX},
      {"llvm.amdgcn.workgroup.id.y", Query::BlockY},
      {"llvm.amdgcn.workgroup.id.z", Query::BlockZ},
      {"llvm.amdgcn.wavefrontsize", Query::WarpSize},
  };
  for (auto [known, which] : queries) {
    if (name != known)
      continue;
    auto to = define(i);
    if (!to)
      return to.takeError();
    Inst &inst = emit(runQuery, InstKind::Other);
    inst.d = to->front();
    inst.imm = int64_t(which);
    return true;
  }
  if (name == "wf.null.barrier") {
    emit(nullptr, InstKind::Barrier).control = Control::Barrier;
    return true;
  }
  if (name != "wf.null.exchange" && name != "wf.null.exchange_down")
    return false;
  auto value = use(i.getArgOperand(0)), lane = use(i.getArgOperand(1));
  if (!value)
    return value.takeError();
  if (!lane)
    return lane.takeError();
  if (Error e = exchange(i, runNullExchange, value->front(), lane->front(), 0,
                         {0, name == "wf.null.exchange_down"}))
    return std::move(e);
  return true;
}

/// Intrinsics over lanes and components one by one.
Expected<bool> Decoder::lanewise(const llvm::CallInst &i,
                                 const llvm::IntrinsicInst &intrinsic) {
  if (i.getType()->isVoidTy() || i.arg_empty())
    return false;
  Scalars types;
  if (!scalarsOf(i.getType(), types) || types.empty())
    return false;
  Handler run =
      intrinsicHandler(lanes, intrinsic.getIntrinsicID(), types[0].slot);
  if (!run)
    return false;
  std::vector<Operands> from;
  for (const llvm::Value *argument : i.args()) {
    auto got = use(argument);
    if (!got)
      return got.takeError();
    from.push_back(*got);
  }
  auto to = define(i);
  if (!to)
    return to.takeError();
  bool three = from.size() > 2;
  // Whether zero or the least value is allowed is of no interest here.
  bool flag = llvm::is_contained({I::ctlz, I::cttz, I::abs},
                                 intrinsic.getIntrinsicID());
  if (three && types[0].bits < 32)
    return unknown(i,
                   "this intrinsic on " + llvm::Twine(types[0].bits) + " bits");
  for (size_t n = 0; n < to->size(); ++n) {
    Inst &inst = emit(run);
    inst.d = (*to)[n];
    inst.a = from[0][n];
    inst.b = from.size() > 1 && !flag ? from[1][n] : from[0][n];
    inst.c = three ? from[2][n] : from[0][n];
    inst.imm = types[n].bits;
  }
  return true;
}

/// {result, did it wrap} of an addition, subtraction or product.
Error Decoder::overflow(const llvm::IntrinsicInst &i) {
  auto to = define(i), a = use(i.getArgOperand(0)), b = use(i.getArgOperand(1));
  for (auto *e : {&to, &a, &b})
    if (!*e)
      return e->takeError();
  auto types = scalars(i);
  if (types->size() != 2)
    return unknown(i, "this intrinsic on vectors");
  bool wide = (*types)[0].wide();
  Slot slot = wide ? Slot::I64 : Slot::I32;
  auto two = [&](Handler run, Operand d, Operand x, Operand y) {
    Inst &inst = emit(run);
    inst.d = d, inst.a = x, inst.b = y, inst.imm = (*types)[0].bits;
  };
  auto op = [&](unsigned opcode) { return binaryHandler(lanes, opcode, slot); };
  auto less = compareHandler(lanes, llvm::CmpInst::ICMP_ULT, slot);
  switch (i.getIntrinsicID()) {
  case I::uadd_with_overflow:
    two(op(llvm::Instruction::Add), (*to)[0], a->front(), b->front());
    two(less, (*to)[1], (*to)[0], a->front());
    return Error::success();
  case I::usub_with_overflow:
    two(op(llvm::Instruction::Sub), (*to)[0], a->front(), b->front());
    two(less, (*to)[1], a->front(), b->front());
    return Error::success();
  default:
    return unknown(i, "this intrinsic");
  }
}

Error Decoder::saturating(const llvm::IntrinsicInst &i) {
  auto to = define(i), from = use(i.getArgOperand(0));
  if (!to)
    return to.takeError();
  if (!from)
    return from.takeError();
  auto types = scalars(i), sources = scalars(*i.getArgOperand(0));
  bool isSigned = i.getIntrinsicID() == I::fptosi_sat;
  for (size_t n = 0; n < to->size(); ++n) {
    // Our casts saturate.
    Inst &inst = emit(castHandler(
        lanes, isSigned ? llvm::Instruction::FPToSI : llvm::Instruction::FPToUI,
        (*sources)[n].slot, (*types)[n].slot));
    inst.d = (*to)[n];
    inst.a = (*from)[n];
    inst.imm = int64_t((*sources)[n].bits) | int64_t((*types)[n].bits) << 8;
  }
  return Error::success();
}

/// One after the other, as llvm.vector.reduce says for floats.
Error Decoder::vectorReduce(const llvm::IntrinsicInst &i, unsigned opcode,
                            I::ID join, bool seeded) {
  auto to = define(i), v = use(i.getArgOperand(seeded ? 1 : 0));
  if (!to)
    return to.takeError();
  if (!v)
    return v.takeError();
  Scalar type = scalars(i)->front();
  Operand value = v->front();
  size_t n = 1;
  if (seeded) {
    auto start = use(i.getArgOperand(0));
    if (!start)
      return start.takeError();
    value = start->front();
    n = 0;
  }
  Operand temporary = newSlot(type.wide());
  for (; n < v->size(); ++n) {
    Inst &inst = emit(opcode ? binaryHandler(lanes, opcode, type.slot)
                             : intrinsicHandler(lanes, join, type.slot));
    Operand next = value == temporary ? to->front() : temporary;
    inst.d = next, inst.a = value, inst.b = (*v)[n], inst.imm = type.bits;
    value = next;
  }
  if (value != to->front()) {
    Inst &inst = emit(copyHandler(lanes, type.wide()));
    inst.d = to->front(), inst.a = value;
  }
  (type.wide() ? freeWide : freeNarrow).push_back(temporary);
  return Error::success();
}

Error Decoder::call(const llvm::CallInst &i) {
  const llvm::Function *callee = i.getCalledFunction();
  if (!callee)
    return unknown(i, i.isInlineAsm() ? "inline assembly" : "an indirect call");
  StringRef name = callee->getName();
  if (isHint(name))
    return Error::success();
  for (auto decode : {&Decoder::query, &Decoder::nvidia, &Decoder::amd}) {
    auto done = (this->*decode)(i, name);
    if (!done)
      return done.takeError();
    if (*done)
      return Error::success();
  }
  if (name == "vprintf") {
    auto to = define(i), format = use(i.getArgOperand(0)),
         arguments = use(i.getArgOperand(1));
    for (auto *e : {&to, &format, &arguments})
      if (!*e)
        return e->takeError();
    Inst &inst = emit(runPrint, InstKind::Other);
    inst.d = to->front();
    inst.a = format->front();
    inst.b = arguments->front();
    return Error::success();
  }
  auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  if (!intrinsic)
    return unknown(i, "the function " + sourceName(name));
  if (auto *m = llvm::dyn_cast<llvm::MemIntrinsic>(&i))
    return transfer(*m);
  auto done = lanewise(i, *intrinsic);
  if (!done)
    return done.takeError();
  if (*done)
    return Error::success();
  using O = llvm::Instruction;
  switch (intrinsic->getIntrinsicID()) {
  case I::uadd_with_overflow:
  case I::usub_with_overflow:
    return overflow(*intrinsic);
  case I::fptosi_sat:
  case I::fptoui_sat:
    return saturating(*intrinsic);
  case I::vector_reduce_add:
    return vectorReduce(*intrinsic, O::Add, 0, false);
  case I::vector_reduce_mul:
    return vectorReduce(*intrinsic, O::Mul, 0, false);
  case I::vector_reduce_and:
    return vectorReduce(*intrinsic, O::And, 0, false);
  case I::vector_reduce_or:
    return vectorReduce(*intrinsic, O::Or, 0, false);
  case I::vector_reduce_xor:
    return vectorReduce(*intrinsic, O::Xor, 0, false);
  case I::vector_reduce_smin:
    return vectorReduce(*intrinsic, 0, I::smin, false);
  case I::vector_reduce_smax:
    return vectorReduce(*intrinsic, 0, I::smax, false);
  case I::vector_reduce_umin:
    return vectorReduce(*intrinsic, 0, I::umin, false);
  case I::vector_reduce_umax:
    return vectorReduce(*intrinsic, 0, I::umax, false);
  case I::vector_reduce_fadd:
    return vectorReduce(*intrinsic, O::FAdd, 0, true);
  case I::vector_reduce_fmin:
    return vectorReduce(*intrinsic, 0, I::minnum, false);
  case I::vector_reduce_fmax:
    return vectorReduce(*intrinsic, 0, I::maxnum, false);
  case I::trap:
  case I::ubsantrap:
    return unknown(i, "a trap");
  default:
    return unknown(i, "the intrinsic " + name);
  }
}
