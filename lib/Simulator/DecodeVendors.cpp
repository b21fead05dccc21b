//===- DecodeVendors.cpp - Both vendors' intrinsics -----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/Decoder.h"

using namespace wf;
using namespace wf::sim;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static Expected<bool> done(Error e) {
  if (e)
    return std::move(e);
  return true;
}

/// Operands of all arguments, one component each.
static Expected<Operands>
oneEach(const llvm::CallInst &i,
        llvm::function_ref<Expected<Operands>(const llvm::Value *)> use) {
  Operands all;
  for (const llvm::Value *argument : i.args()) {
    if (argument->getType()->isMetadataTy())
      continue;
    auto got = use(argument);
    if (!got)
      return got.takeError();
    all.push_back(got->front());
  }
  return all;
}

Expected<bool> Decoder::nvidia(const llvm::CallInst &i, StringRef name) {
  if (!name.consume_front("llvm.nvvm."))
    return false;
  auto a = oneEach(i, [&](const llvm::Value *v) { return use(v); });
  if (!a)
    return a.takeError();
  if (name.starts_with("barrier.cta.sync.aligned.all") || name == "barrier0" ||
      name.starts_with("barrier.cta.sync.all")) {
    emit(nullptr, InstKind::Barrier).control = Control::Barrier;
    return true;
  }
  if (name.consume_front("barrier.cta.red.")) {
    int64_t mode = name.starts_with("and") ? 0 : name.starts_with("or") ? 1 : 2;
    if (!name.contains("aligned.all"))
      return unknown(i, "a barrier of some threads of the block");
    return done(exchange(i, runBarrierJoin, a->back(), 0, 0, {0, mode},
                         InstKind::Barrier, Control::Barrier));
  }
  if (name == "bar.warp.sync") {
    Inst &inst = emit(runWarpSync, InstKind::Other);
    inst.a = a->front();
    inst.control = Control::Warp;
    return true;
  }
  if (name.starts_with("membar.") || name == "fence.sc.cluster") {
    Inst &inst = emit(runFence, InstKind::Other);
    inst.imm = 3 | (name == "membar.gl" || name == "membar.sys" ? 4 : 0);
    return true;
  }
  if (name.consume_front("shfl.sync.")) {
    ShuffleMode mode = name.starts_with("up")     ? ShuffleMode::Up
                       : name.starts_with("down") ? ShuffleMode::Down
                       : name.starts_with("bfly") ? ShuffleMode::Butterfly
                                                  : ShuffleMode::Index;
    Operand valid = -1;
    if (name.ends_with("p")) {
      auto to = define(i);
      if (!to)
        return to.takeError();
      valid = (*to)[1];
    }
    return done(exchange(i, runShuffle, (*a)[1], (*a)[2], 0,
                         {0, int64_t(mode), (*a)[0], (*a)[3], valid}));
  }
  if (name.consume_front("vote.")) {
    VoteMode mode = name.starts_with("any")   ? VoteMode::Any
                    : name.starts_with("all") ? VoteMode::All
                    : name.starts_with("uni") ? VoteMode::Uniform
                                              : VoteMode::Ballot;
    bool synced = name.ends_with(".sync");
    return done(exchange(i, runVote, a->back(), 0, 0,
                         {0, int64_t(mode), synced ? a->front() : -1}));
  }
  if (name == "activemask")
    return done(
        exchange(i, runVote, 0, 0, 0, {0, int64_t(VoteMode::Active), -1}));
  if (name.starts_with("match.any.sync."))
    return done(
        exchange(i, runMatch, (*a)[1], 0, 0, {name.ends_with("i64"), (*a)[0]}));
  if (name.consume_front("redux.sync.")) {
    static const std::pair<StringRef, ReduxMode> modes[] = {
        {"add", ReduxMode::Add},   {"and", ReduxMode::And},
        {"or", ReduxMode::Or},     {"xor", ReduxMode::Xor},
        {"min", ReduxMode::SMin},  {"max", ReduxMode::SMax},
        {"umin", ReduxMode::UMin}, {"umax", ReduxMode::UMax}};
    for (auto [known, mode] : modes)
      if (name == known)
        return done(
            exchange(i, runRedux, (*a)[0], 0, 0, {0, int64_t(mode), (*a)[1]}));
    return unknown(i, "the intrinsic llvm.nvvm.redux.sync." + name);
  }
  return false;
}

Expected<bool> Decoder::amd(const llvm::CallInst &i, StringRef name) {
  if (!name.consume_front("llvm.amdgcn."))
    return false;
  auto a = oneEach(i, [&](const llvm::Value *v) { return use(v); });
  if (!a)
    return a.takeError();
  auto constantOf = [&](unsigned n) {
    int64_t value = 0;
    (void)constantInt(i.getArgOperand(n), value);
    return value;
  };
  bool wide = false;
  Scalars types;
  if (!i.getType()->isVoidTy() && scalarsOf(i.getType(), types)) {
    if (types.size() != 1 && !name.starts_with("permlane"))
      return unknown(i, "an exchange of vectors");
    wide = types[0].wide();
  }
  if (name == "s.barrier" || name == "s.barrier.wait") {
    emit(nullptr, InstKind::Barrier).control = Control::Barrier;
    return true;
  }
  if (name == "s.barrier.signal")
    return true; // the wait does it all
  if (name == "wave.barrier") {
    Inst &inst = emit(runWarpSync, InstKind::Other);
    inst.a = -1;
    inst.control = Control::Warp;
    return true;
  }
  if (name == "mbcnt.lo" || name == "mbcnt.hi")
    return done(exchange(i, runMbcnt, (*a)[0], (*a)[1], 0,
                         {0, name == "mbcnt.hi"}, InstKind::Alu,
                         Control::Plain));
  if (name.starts_with("ballot."))
    return done(exchange(i, runVote, a->front(), 0, 0,
                         {wide, int64_t(VoteMode::Ballot), -1}));
  if (name.starts_with("readfirstlane"))
    return done(exchange(i, runReadlane, (*a)[0], 0, 0, {wide, 1}));
  if (name.starts_with("readlane"))
    return done(exchange(i, runReadlane, (*a)[0], (*a)[1], 0, {wide, 0}));
  if (name == "ds.bpermute")
    return done(exchange(i, runBpermute, (*a)[0], (*a)[1], 0, {0}));
  if (name == "ds.permute")
    return done(exchange(i, runPermute, (*a)[0], (*a)[1], 0, {0}));
  if (name == "ds.swizzle")
    return done(exchange(i, runSwizzle, (*a)[0], 0, 0, {0, constantOf(1)}));
  if (name.starts_with("update.dpp"))
    return done(exchange(i, runDpp, (*a)[1], (*a)[0], 0,
                         {wide, constantOf(2), constantOf(3), constantOf(4),
                          constantOf(5) != 0}));
  if (name.starts_with("mov.dpp."))
    return done(
        exchange(i, runDpp, (*a)[0], (*a)[0], 0,
                 {wide, constantOf(1), constantOf(2), constantOf(3), 1}));
  if (name.starts_with("permlanex16") || name.starts_with("permlane16.i") ||
      name == "permlane16") {
    return done(exchange(
        i, runPermlane, (*a)[1], (*a)[2], (*a)[3],
        {wide, name.starts_with("permlanex16"), (*a)[0], constantOf(5) != 0}));
  }
  return false;
}
