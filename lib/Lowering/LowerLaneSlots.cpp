//===- LowerLaneSlots.cpp - fold.lane_slots to exchanges of lanes ---------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
//   in a lane     [s0 s1 s2 s3] -> s0s1 s2s3 -> s0s1s2s3
//   bit 0         lanes 0 1 | 2 3 | …     each gives the other its state
//   bit 1         lanes 01 23 | …         lane & 2 ? combine(other, own)
//   …                                              : combine(own, other)
//
// Counting up keeps slot order, and choosing the operands by the lane's bit
// leaves the same bits in every lane.
//===----------------------------------------------------------------------===//
#include "Lowering/LaneArrays.h"
#include "Lowering/LaneExchange.h"
#include "Lowering/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace wf {
#define GEN_PASS_DEF_LOWERLANESLOTS
#include "Lowering/Passes.h.inc"
} // namespace wf

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

namespace {
struct LaneSlots {
  Emitter &e;
  fold::LaneSlotsOp op;
  const TargetInfo &target;
  int64_t members = op.getStates().size(); ///< the count is one
  int64_t deal = op.getDeal(); ///< outputs
  int64_t each = int64_t(op.getSlots().size()) / members / deal; ///< slots
  /// Elements of a state of this level, where all have as many.
  std::optional<int64_t> knownCount = std::nullopt;

  Values inLane(int64_t output);
  Values meet(ValueRange own, ValueRange other, int64_t m);
  void acrossLanes(std::vector<Values> &states);
  Values partner(ValueRange state, int32_t mask);
  Value bit(int64_t m);
  llvm::StringRef singleOperation();
  bool joinAtOnce(Values &state);
  void lower();
};
} // namespace

/// The slots of one output that this lane has, joined.
Values LaneSlots::inLane(int64_t output) {
  std::vector<Values> slots;
  for (int64_t j = 0; j < each; ++j) {
    Values state;
    for (int64_t m = 0; m < members; ++m)
      state.push_back(op.getSlots()[size_t((m * deal + output) * each + j)]);
    slots.push_back(std::move(state));
  }
  Value first, present = op.getPresent();
  // A known number of whole lanes: a lane's slots are all there, or none.
  llvm::APInt known;
  if (present && matchPattern(present, m_ConstantInt(&known)) &&
      known.getSExtValue() % each == 0)
    present = {};
  if (present) {
    Value place = e.rem(e.div(op.getLane(), e.index(op.getStride())),
                        e.index(op.getLanes()));
    first = e.mul(place, e.index(each));
  }
  return joinTree(e, op.getCombine(), op.getCounted(), std::move(slots), present,
                  first, 1, op.getParams());
}

Values LaneSlots::partner(ValueRange state, int32_t mask) {
  Values other;
  for (auto [m, v] : llvm::enumerate(state)) {
    bool isCount = op.getCounted() && int64_t(m) + 1 == members;
    other.push_back(isCount && knownCount ? e.i64(*knownCount)
                                          : exchange(e, target, v, mask));
  }
  return other;
}

/// This lane's state with its partner's, which is 2^level lanes away; m of them.
Values LaneSlots::meet(ValueRange own, ValueRange other, int64_t m) {
  Value present = op.getPresent();
  Values left(own), right(other);
  if (!op.getLoose() || present) {
    Value upper = bit(m);
    left = selectAll(e, upper, other, own);
    right = selectAll(e, upper, own, other);
  }
  Values joined = joinStates(e, op.getCombine(), op.getCounted(), left, right,
                             op.getParams());
  if (!present)
    return joined;
  // The right side's first lane, and with it its first slot.
  Value place = e.rem(e.div(op.getLane(), e.index(op.getStride())),
                      e.index(op.getLanes()));
  Value lanes = arith::AndIOp::create(
      e.b, e.loc, arith::OrIOp::create(e.b, e.loc, place, e.index(m)),
      e.index(~(m - 1) & 63));
  Value slot = e.mul(lanes, e.index(each));
  return selectAll(e, e.less(slot, present), joined, left);
}

void LaneSlots::acrossLanes(std::vector<Values> &states) {
  for (int64_t m = 1; m < int64_t(op.getLanes()); m *= 2) {
    int32_t mask = int32_t(m * int64_t(op.getStride()));
    if (op.getCounted() && knownCount)
      for (Values &state : states)
        state.back() = e.i64(*knownCount);
    if (states.size() == 1) {
      states[0] = meet(states[0], partner(states[0], mask), m);
    } else {
      // Of outputs 2i and 2i + 1 the upper lane keeps the second, and gives the
      // lower lane what it has of the first.
      Value upper = bit(m);
      std::vector<Values> half;
      for (size_t i = 0; i < states.size(); i += 2) {
        Values keep = selectAll(e, upper, states[i + 1], states[i]);
        Values give = selectAll(e, upper, states[i], states[i + 1]);
        half.push_back(meet(keep, partner(give, mask), m));
      }
      states = std::move(half);
    }
    if (knownCount)
      *knownCount *= 2;
  }
}

/// Is this lane the upper one of two that are m lanes of the fold apart?
Value LaneSlots::bit(int64_t m) {
  Value masked = arith::AndIOp::create(e.b, e.loc, op.getLane(),
                                       e.index(m * int64_t(op.getStride())));
  return arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::ne, masked,
                               e.index(0));
}

/// The name TargetInfo knows the combine by, if it is one exact operation on
/// its two states of 32 bits; else empty.
llvm::StringRef LaneSlots::singleOperation() {
  auto f = e.symbols.lookup<func::FuncOp>(op.getCombine());
  Block &body = f.getBody().front();
  if (body.getOperations().size() != 2 || f.getNumResults() != 1 ||
      !f.getResultTypes()[0].isInteger(32))
    return "";
  Operation &only = body.front();
  Value a = f.getArgument(0), b = f.getArgument(1);
  if (only.getNumOperands() != 2 ||
      !((only.getOperand(0) == a && only.getOperand(1) == b) ||
        (only.getOperand(0) == b && only.getOperand(1) == a)))
    return "";
  return llvm::TypeSwitch<Operation *, llvm::StringRef>(&only)
      .Case<arith::AddIOp>([](auto) { return "add"; })
      .Case<arith::AndIOp>([](auto) { return "and"; })
      .Case<arith::OrIOp>([](auto) { return "or"; })
      .Case<arith::XOrIOp>([](auto) { return "xor"; })
      .Case<arith::MinSIOp>([](auto) { return "smin"; })
      .Case<arith::MaxSIOp>([](auto) { return "smax"; })
      .Case<arith::MinUIOp>([](auto) { return "umin"; })
      .Case<arith::MaxUIOp>([](auto) { return "umax"; })
      .Default([](Operation *) { return ""; });
}

/// All 32 lanes at once, where the target can and the bits are the same on any
/// tree.
bool LaneSlots::joinAtOnce(Values &state) {
  if (op.getLanes() != 32 || op.getStride() != 1 || op.getPresent() ||
      op.getCounted() || deal != 1)
    return false;
  llvm::StringRef operation = singleOperation();
  if (operation.empty())
    return false;
  Value joined = target.joinLanes(e, operation, state[0]);
  if (joined)
    state[0] = joined;
  return bool(joined);
}

void LaneSlots::lower() {
  if (op.getCounted() && !op.getPresent()) {
    llvm::APInt n;
    bool known = true;
    for (Value v : op.getSlots().take_back(size_t(each * deal)))
      known &= matchPattern(v, m_ConstantInt(&n));
    if (known)
      knownCount = n.getSExtValue();
  }
  std::vector<Values> states;
  for (int64_t o = 0; o < deal; ++o)
    states.push_back(inLane(o));
  if (knownCount)
    *knownCount *= each;
  if (!joinAtOnce(states[0]))
    acrossLanes(states);
  op.getStates().replaceAllUsesWith(ValueRange(states[0]));
  op.erase();
}

namespace {
struct LowerLaneSlotsPass : wf::impl::LowerLaneSlotsBase<LowerLaneSlotsPass> {
  void runOnOperation() override {
    llvm::SmallVector<fold::LaneSlotsOp> ops;
    getOperation().walk([&](fold::LaneSlotsOp op) { ops.push_back(op); });
    for (fold::LaneSlotsOp op : ops) {
      OpBuilder b(op);
      Emitter e(b, op.getLoc(), getOperation());
      LaneSlots{e, op, targetOf(getOperation())}.lower();
    }
  }
};
} // namespace
