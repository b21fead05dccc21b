//===- LowerLadder.cpp - The tiers of form=ladder -------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The exchanges, for a block of 8 threads and 4 lanes a warp:
//
//   halving   store | 0+4 1+5 2+6 3+7 | 0+2 1+3 | 0+1 |
//   pairs     store | 0+1 2+3 4+5 6+7 | 0+2 4+6 | 0+4 |
//   down      lanes 0+2 1+3, 0+1; a slot a warp | warps 0+1
//   up        lanes 0+1 2+3, 0+2; a slot a warp | warps 0+1
//
// A bar is a barrier of the block.
//===----------------------------------------------------------------------===//
#include "Lowering/LowerLadder.h"

#include "Lowering/LaneArrays.h"
#include "Lowering/LaneExchange.h"
#include "Lowering/Passes.h"

#include "llvm/Support/MathExtras.h"

namespace wf {
#define GEN_PASS_DEF_LOWERLADDER
#include "Lowering/Passes.h.inc"
} // namespace wf

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

namespace {
/// The shared arrays of a function, by their names: its exchanges come one
/// after the other and need them but once.
using SharedNames = llvm::DenseMap<Operation *, llvm::SmallVector<std::string>>;

struct BlockExchange {
  Emitter &e;
  fold::BlockExchangeOp op;
  const TargetInfo &target;
  SharedNames &names;
  int64_t warps = op.getWarps();
  llvm::SmallVector<Type> types{op.getStates().getTypes()};

  Values shared(int64_t count, llvm::StringRef name);
  Values join(ValueRange left, ValueRange right) {
    return joinStates(e, op.getCombine(), /*counted=*/false, left, right,
                      op.getParams());
  }
  Values round(Values own, ValueRange arrays, Value takes, int64_t stride);
  Values throughMemory();
  Values down(Values own, Value lane, Value present, int64_t lanes);
  Values up(ValueRange own, Value lane, Value present, int64_t lanes);
  Values throughLanes();
  void lower();
};
} // namespace

Values BlockExchange::shared(int64_t count, llvm::StringRef name) {
  auto function = op->getParentOfType<func::FuncOp>();
  auto &known = names[function];
  if (known.empty()) {
    Values made = sharedArrays(e, target, types, count, name);
    for (Value v : made)
      known.push_back(
          v.getDefiningOp<LLVM::AddressOfOp>().getGlobalName().str());
    return made;
  }
  Values arrays;
  auto pointer =
      LLVM::LLVMPointerType::get(e.b.getContext(), target.sharedSpace());
  for (const std::string &symbol : known)
    arrays.push_back(LLVM::AddressOfOp::create(e.b, e.loc, pointer, symbol));
  return arrays;
}

/// Threads for which `takes` holds join the state `stride` further on, if it is
/// there, to their own, and leave it in memory too. A barrier ends the round.
Values BlockExchange::round(Values own, ValueRange arrays, Value takes,
                            int64_t stride) {
  Value partner = e.add(op.getThread(), e.index(stride));
  Value both = arith::AndIOp::create(e.b, e.loc, takes,
                                     e.less(partner, op.getPresent()));
  auto op = scf::IfOp::create(
      e.b, e.loc, both,
      [&](OpBuilder &, Location) {
        Values joined = join(own, loadState(e, arrays, partner, types));
        storeState(e, arrays, this->op.getThread(), joined);
        scf::YieldOp::create(e.b, e.loc, joined);
      },
      [&](OpBuilder &, Location) { scf::YieldOp::create(e.b, e.loc, own); });
  target.barrier(e);
  return Values(op.getResults());
}

Values BlockExchange::throughMemory() {
  int64_t threads = 32 * warps;
  Values arrays = shared(threads, "threads");
  Values own(op.getFrom());
  storeState(e, arrays, op.getThread(), own);
  target.barrier(e);
  if (op.getTree() == fold::ExchangeKind::Halving) {
    for (int64_t s = threads / 2; s > 0; s /= 2)
      own = round(own, arrays, e.less(op.getThread(), e.index(s)), s);
    return own;
  }
  for (int64_t s = 1; s < threads; s *= 2) {
    Value takes = e.equal(e.rem(op.getThread(), e.index(2 * s)), e.index(0));
    own = round(own, arrays, takes, s);
  }
  return own;
}

/// Lane 0 gets the states of the first `present` of `lanes` lanes, the far half
/// first. What other lanes get nobody reads.
Values BlockExchange::down(Values own, Value lane, Value present,
                           int64_t lanes) {
  for (int64_t s = 16; s > 0; s /= 2) {
    if (s >= lanes)
      continue;
    Values other;
    for (Value v : own)
      other.push_back(exchangeDown(e, target, v, int32_t(s)));
    Value there = e.less(e.add(lane, e.index(s)), present);
    own = selectAll(e, there, join(own, other), own);
  }
  return own;
}

Values BlockExchange::up(ValueRange own, Value lane, Value present,
                         int64_t lanes) {
  int64_t power = int64_t(llvm::PowerOf2Ceil(uint64_t(lanes)));
  auto slots = fold::LaneSlotsOp::create(
      e.b, e.loc, types, own, lane, present, op.getParams(), op.getCombine(),
      power, 1, 1, /*loose=*/true, /*counted=*/false);
  return Values(slots.getStates());
}

Values BlockExchange::throughLanes() {
  auto across = [&](Values own, Value lane, Value present, int64_t lanes) {
    return op.getTree() == fold::ExchangeKind::Down
               ? down(own, lane, present, lanes)
               : up(own, lane, present, lanes);
  };
  Value lane = e.rem(op.getThread(), e.index(32));
  Value warp = e.div(op.getThread(), e.index(32));
  // Of this warp's lanes the first so many are there: 0 past the last one, and
  // more than 32 before it.
  Value start = e.mul(warp, e.index(32));
  Value upTo = e.b.createOrFold<arith::MaxUIOp>(e.loc, op.getPresent(), start);
  Values own = across(Values(op.getFrom()), lane, e.sub(upTo, start), 32);
  if (warps == 1)
    return own;
  Values arrays = shared(warps, "warps");
  onlyIf(e, e.equal(lane, e.index(0)),
         [&] { storeState(e, arrays, warp, own); });
  target.barrier(e);
  Value present = e.div(e.add(op.getPresent(), e.index(31)), e.index(32));
  return valuesIf(e, e.equal(warp, e.index(0)), types, [&] {
    // Lanes past the last warp read what is there; nobody reads them.
    Value at = e.minimum(lane, e.index(warps - 1));
    return across(loadState(e, arrays, at, types), lane, present, warps);
  });
}

void BlockExchange::lower() {
  bool memory = op.getTree() == fold::ExchangeKind::Halving ||
                op.getTree() == fold::ExchangeKind::Pairs;
  Values joined = memory ? throughMemory() : throughLanes();
  op.getStates().replaceAllUsesWith(ValueRange(joined));
  op.erase();
}

static void lowerPartials(Emitter &e, fold::LanePartialsOp op) {
  llvm::SmallVector<Type> types(op.getStates().getTypes());
  Values first = loadState(e, op.getPartials(), op.getFirst(), types);
  // By their number: first + step itself may not fit an index.
  Value last = e.sub(e.sub(op.getEnd(), op.getFirst()), e.index(1));
  Value count = e.add(e.div(last, op.getStep()), e.index(1));
  auto loop = scf::ForOp::create(
      e.b, e.loc, e.index(1), count, e.index(1), first,
      [&](OpBuilder &, Location, Value number, ValueRange state) {
        Value at = e.add(op.getFirst(), e.mul(number, op.getStep()));
        Values next = loadState(e, op.getPartials(), at, types);
        scf::YieldOp::create(e.b, e.loc,
                             joinStates(e, op.getCombine(), /*counted=*/false,
                                        state, next, op.getParams()));
      });
  op.getStates().replaceAllUsesWith(loop.getResults());
  op.erase();
}

static void lowerLastBlock(Emitter &e, fold::LastBlockOp op,
                           const TargetInfo &target) {
  op.getLast().replaceAllUsesWith(isLastBlock(e, target, op.getTickets(),
                                              op.getTicket(), op.getRuns(),
                                              op.getThread()));
  op.erase();
}

namespace {
struct LowerLadderPass : wf::impl::LowerLadderBase<LowerLadderPass> {
  void runOnOperation() override {
    SharedNames names;
    lowerEach<fold::BlockExchangeOp>(
        getOperation(),
        [&](Emitter &e, fold::BlockExchangeOp op, const TargetInfo &t) {
          BlockExchange{e, op, t, names}.lower();
        });
    lowerEach<fold::LastBlockOp>(getOperation(), lowerLastBlock);
    lowerEach<fold::GridAtomicOp>(getOperation(), lowerAtomic);
    lowerEach<fold::LanePartialsOp>(
        getOperation(), [](Emitter &e, fold::LanePartialsOp op,
                           const TargetInfo &) { lowerPartials(e, op); });
    lowerEach<fold::LaneStrideOp>(
        getOperation(), [](Emitter &e, fold::LaneStrideOp op,
                           const TargetInfo &) { lowerStride(e, op); });
  }
};
} // namespace
