//===- Amdgpu.cpp - What the lowering asks of an AMD GPU ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Lanes exchange by DPP where its patterns reach, all through intrinsics: the
// back end must see them to keep the wait states that they need. There is no
// joinLanes: on gfx10 and later the butterfly is four additions that take their
// operand by DPP, one v_permlanex16 and one more addition, six instructions,
// and leaves the result in every lane; a sum over row_shr ends in one lane and
// costs a readlane on top. On gfx9 (row_bcast, readlane of lanes 31 and 63, a
// select between the halves of a wave) it is as long as the butterfly's nine.
//===----------------------------------------------------------------------===//
#include "Target/Amdgpu.h"

#include "Lowering/TargetInfo.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace wf;

namespace {

struct Architecture {
  const char *name;
  bool rdna; ///< gfx10 and later: waves of 32 too, row_xmask, permlanex16
};
constexpr Architecture architectures[] = {{"gfx90a", false},
                                          {"gfx942", false},
                                          {"gfx1030", true},
                                          {"gfx1100", true},
                                          {"gfx1201", true}};

/// DPP controls (LLVM's SIDefines.h, AMD's ISA guides).
enum Dpp : int32_t {
  RowRor8 = 0x128,       ///< rotates rows of 16 by 8
  RowHalfMirror = 0x141, ///< reverses runs of 8
  RowXmask = 0x160,      ///< + mask: exchanges within rows of 16
};
constexpr int32_t quadPerm(int32_t a, int32_t b, int32_t c, int32_t d) {
  return a | b << 2 | c << 4 | d << 6;
}

class AmdgpuInfo : public TargetInfo {
public:
  AmdgpuInfo(const std::string &name, bool rdna, bool wave64)
      : TargetInfo(name), rdna(rdna), wave64(wave64) {}

  Value thread(Emitter &e) const override {
    return callIntrinsic(e, "llvm.amdgcn.workitem.id.x", e.b.getI32Type(), {});
  }
  Value block(Emitter &e) const override {
    return callIntrinsic(e, "llvm.amdgcn.workgroup.id.x", e.b.getI32Type(), {});
  }
  Value exchange(Emitter &e, Value value, int32_t mask) const override;
  Value exchangeDown(Emitter &e, Value value, int32_t delta) const override;
  void barrier(Emitter &e) const override;
  void orderLoads(Emitter &e) const override;
  void publish(Emitter &e) const override;
  llvm::StringRef deviceScope() const override { return "agent"; }

private:
  Value dpp(Emitter &e, Value value, int32_t control) const;
  Value otherRow(Emitter &e, Value value) const;

  bool rdna, wave64;
};

Value bit(Emitter &e, bool value) {
  return arith::ConstantOp::create(e.b, e.loc, e.b.getBoolAttr(value));
}

} // namespace

Value AmdgpuInfo::dpp(Emitter &e, Value value, int32_t control) const {
  Value all = e.i32(0xf);
  // bound_ctrl, and an old value that is never seen: else the move is not
  // folded into the operation that reads it.
  Value old = LLVM::PoisonOp::create(e.b, e.loc, e.b.getI32Type());
  return callIntrinsic(e, "llvm.amdgcn.update.dpp", e.b.getI32Type(),
                       {old, value, e.i32(control), all, all, bit(e, true)});
}

/// `value` of the other row of 16 of the same 32 lanes.
Value AmdgpuInfo::otherRow(Emitter &e, Value value) const {
  if (!rdna) // lane = lane ^ 16 in bit mode: xor 16, or 0, and 31
    return callIntrinsic(e, "llvm.amdgcn.ds.swizzle", e.b.getI32Type(),
                         {value, e.i32(16 << 10 | 31)});
  Value old = LLVM::PoisonOp::create(e.b, e.loc, e.b.getI32Type());
  Value low = e.i32(0x76543210), high = e.i32(int32_t(0xfedcba98));
  return callIntrinsic(e, "llvm.amdgcn.permlanex16", e.b.getI32Type(),
                       {old, value, low, high, bit(e, false), bit(e, true)});
}

Value AmdgpuInfo::exchange(Emitter &e, Value value, int32_t mask) const {
  switch (mask) {
  case 1:
    return dpp(e, value, quadPerm(1, 0, 3, 2));
  case 2:
    return dpp(e, value, quadPerm(2, 3, 0, 1));
  case 4: // lane ^ 7, then ^ 3
    return rdna ? dpp(e, value, RowXmask + 4)
                : dpp(e, dpp(e, value, RowHalfMirror), quadPerm(3, 2, 1, 0));
  case 8:
    return dpp(e, value, rdna ? RowXmask + 8 : RowRor8);
  default:
    return otherRow(e, value);
  }
}

Value AmdgpuInfo::exchangeDown(Emitter &e, Value value, int32_t delta) const {
  // Rows of DPP have 16 lanes and end early, so through the LDS hardware, whose
  // addresses are bytes: 4 a lane of the wave.
  Type word = e.b.getI32Type();
  Value lane =
      callIntrinsic(e, "llvm.amdgcn.mbcnt.lo", word, {e.i32(-1), e.i32(0)});
  if (wave64)
    lane = callIntrinsic(e, "llvm.amdgcn.mbcnt.hi", word, {e.i32(-1), lane});
  Value within = arith::AndIOp::create(e.b, e.loc, lane, e.i32(31));
  Value there =
      arith::SelectOp::create(e.b, e.loc, e.less(within, e.i32(32 - delta)),
                              e.add(lane, e.i32(delta)), lane);
  Value bytes = arith::ShLIOp::create(e.b, e.loc, there, e.i32(2));
  return callIntrinsic(e, "llvm.amdgcn.ds.bpermute", word, {bytes, value});
}

void AmdgpuInfo::barrier(Emitter &e) const {
  // All of memory, not shared memory alone: the ticket that one thread draws
  // after a barrier speaks for what the others wrote before it.
  LLVM::FenceOp::create(e.b, e.loc, LLVM::AtomicOrdering::release, "workgroup");
  callIntrinsic(e, "llvm.amdgcn.s.barrier", {}, {});
  LLVM::FenceOp::create(e.b, e.loc, LLVM::AtomicOrdering::acquire, "workgroup");
}

void AmdgpuInfo::orderLoads(Emitter &e) const {
  // Mask 1: what is no memory operation may pass.
  callIntrinsic(e, "llvm.amdgcn.sched.barrier", {}, {e.i32(1)});
}

void AmdgpuInfo::publish(Emitter &e) const {
  // On gfx9 a barrier waits for LDS only, and the fence of the thread that
  // draws for that thread's wave only (LLVM's AMDGPU memory model, gfx90a and
  // gfx942: no vmcnt in a release at workgroup scope). So every wave waits for
  // its own.
  LLVM::FenceOp::create(e.b, e.loc, LLVM::AtomicOrdering::release,
                        deviceScope());
}

llvm::ArrayRef<std::string> wf::amdgpuTargets() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Architecture &a : architectures) {
      all.push_back(a.name);
      if (a.rdna)
        all.push_back(std::string(a.name) + ":wave64");
    }
    return all;
  }();
  return names;
}

void wf::registerAmdgpuTargets() {
  static const bool done = [] {
    for (const Architecture &a : architectures) {
      registerTarget(std::make_unique<AmdgpuInfo>(a.name, a.rdna, !a.rdna));
      if (a.rdna)
        registerTarget(std::make_unique<AmdgpuInfo>(
            std::string(a.name) + ":wave64", true, true));
    }
    return true;
  }();
  (void)done;
}

bool wf::amdgpuAddFlushes(llvm::StringRef target) {
  // gfx942 and gfx1201 keep them; gfx1030 has no such instruction, and its loop
  // adds as any other code does.
  return llvm::StringSwitch<bool>(target.split(':').first)
      .Cases({"gfx90a", "gfx1100"}, true)
      .Default(false);
}
