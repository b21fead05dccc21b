//===- LowerBlocks.cpp - fold.block and fold.grid -------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Warps of a block meet in shared memory, blocks of an output in global memory:
//
//   block   a slot a warp | barrier | the first warp joins them
//   grid    the partial state | release, ticket, acquire | barrier
//           the last block: every thread a run of partial states, then lanes,
//           then warps
//===----------------------------------------------------------------------===//
#include "Lowering/LaneArrays.h"
#include "Lowering/LaneExchange.h"
#include "Lowering/Passes.h"

namespace wf {
#define GEN_PASS_DEF_LOWERBLOCKS
#include "Lowering/Passes.h.inc"
} // namespace wf

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

/// Partial states that a thread reads together: their loads overlap.
static constexpr int64_t kBatch = 8;

static void lowerBlock(Emitter &e, fold::BlockOp op, const TargetInfo &target) {
  int64_t warps = op.getWarps();
  if (warps == 1) {
    op.getStates().replaceAllUsesWith(op.getFrom());
    op.erase();
    return;
  }
  TypeRange types = op.getStates().getTypes();
  Values shared = sharedArrays(e, target, types, warps, "warps");
  Value lane = e.rem(op.getThread(), e.index(32));
  Value warp = e.div(op.getThread(), e.index(32));
  onlyIf(e, e.equal(lane, e.index(0)),
         [&] { storeState(e, shared, warp, op.getFrom()); });
  target.barrier(e);
  Values joined = valuesIf(e, e.equal(warp, e.index(0)), types, [&] {
    // Lanes past the last warp read what is there; nobody reads them.
    Value at = e.minimum(lane, e.index(warps - 1));
    Values mine = loadState(e, shared, at, types);
    auto slots = fold::LaneSlotsOp::create(
        e.b, e.loc, types, mine, lane, op.getPresent(), op.getParams(),
        op.getCombine(), warps, 1, 1, /*loose=*/true, op.getCounted());
    return Values(slots.getStates());
  });
  op.getStates().replaceAllUsesWith(ValueRange(joined));
  op.erase();
}

//===----------------------------------------------------------------------===//
// fold.block_columns
//===----------------------------------------------------------------------===//

static void lowerBlockColumns(Emitter &e, fold::BlockColumnsOp op,
                              const TargetInfo &target) {
  TypeRange types = op.getStates().getTypes();
  int64_t columns = op.getColumns(), slots = op.getSlots();
  int64_t each = op.getEach(), members = int64_t(types.size());
  Values shared =
      sharedArrays(e, target, types, columns * slots, "columns", true);
  onlyIf(e, op.getHolds(), [&] {
    Value first = e.add(e.mul(op.getSlot(), e.index(columns)), op.getColumn());
    Values mine = arraysFrom(e, shared, first, types);
    for (int64_t j = 0; j < each; ++j) {
      Values state;
      for (int64_t m = 0; m < members; ++m) {
        bool isCount = op.getCounted() && m + 1 == members;
        state.push_back(
            op.getFrom()[size_t(isCount ? m * each : m * each + j)]);
      }
      storeState(e, mine, e.index(j * int64_t(op.getSpread())), state);
    }
  });
  target.barrier(e);
  int64_t groups = std::min<int64_t>(slots, int64_t(op.getThreads()) / columns);
  int64_t perGroup = slots / groups;
  Value column = e.rem(op.getThread(), e.index(columns));
  Value group = e.div(op.getThread(), e.index(columns));
  // Threads past the last group repeat what it does; nobody reads them.
  group = e.minimum(group, e.index(groups - 1));
  Value firstSlot = e.mul(group, e.index(perGroup));
  Values own = arraysFrom(
      e, shared, e.add(e.mul(firstSlot, e.index(columns)), column), types);
  std::vector<Values> states;
  for (int64_t i = 0; i < perGroup; ++i)
    states.push_back(loadState(e, own, e.index(i * columns), types));
  Values joined =
      joinTree(e, op.getCombine(), op.getCounted(), std::move(states),
               op.getPresent(), firstSlot, 1, op.getParams());
  if (groups > 1) {
    Values second =
        sharedArrays(e, target, types, columns * groups, "groups", true);
    storeState(e, second, e.add(e.mul(group, e.index(columns)), column),
               joined);
    target.barrier(e);
    joined = valuesIf(e, e.less(op.getThread(), e.index(columns)), types, [&] {
      std::vector<Values> parts;
      Values mine = arraysFrom(e, second, column, types);
      for (int64_t g = 0; g < groups; ++g)
        parts.push_back(loadState(e, mine, e.index(g * columns), types));
      return joinTree(e, op.getCombine(), op.getCounted(), std::move(parts),
                      op.getPresent(), {}, perGroup, op.getParams());
    });
  } else {
    // The next one to store must find us done reading.
    target.barrier(e);
  }
  op.getStates().replaceAllUsesWith(ValueRange(joined));
  op.erase();
}

//===----------------------------------------------------------------------===//
// fold.grid
//===----------------------------------------------------------------------===//

namespace {
struct GridLowering {
  Emitter &e;
  fold::GridOp op;
  const TargetInfo &target;
  TypeRange types = op.getStates().getTypes();
  int64_t columns = op.getColumns(), threads = 32 * int64_t(op.getWarps());

  Value perThread(int64_t groups);
  Values runOfPartials(Value lo, Value n, Value column, int64_t groups);
  Values joinFull();
  Values joinColumns();
  void lower();
};
} // namespace

/// Partial states a thread takes: a power of two, so that every thread's run is
/// a subtree.
Value GridLowering::perThread(int64_t groups) {
  Value need = e.div(e.add(op.getRuns(), e.index(groups - 1)), e.index(groups));
  Value bits = arith::IndexCastOp::create(e.b, e.loc, e.b.getI32Type(),
                                          e.sub(need, e.index(1)));
  Value zeros32 = LLVM::CountLeadingZerosOp::create(
      e.b, e.loc, e.b.getI32Type(), bits, /*is_zero_poison=*/false);
  Value shift = e.sub(e.i32(32), zeros32);
  Value per = arith::ShLIOp::create(e.b, e.loc, e.i32(1), shift);
  return arith::IndexCastOp::create(e.b, e.loc, e.b.getIndexType(), per);
}

/// Partial states [lo, lo + n) of one thread joined, a batch at a time.
Values GridLowering::runOfPartials(Value lo, Value n, Value column,
                                   int64_t groups) {
  int64_t most = 1; // a thread
  while (most * groups < int64_t(op.getMost()))
    most *= 2;
  int64_t batch = std::min(most, kBatch), levels = 1;
  while ((batch << (levels - 1)) < most)
    ++levels;
  auto joinBatch = [&](Value first) {
    Value left = e.sub(n, first);
    Values slots(types.size() * size_t(batch));
    for (int64_t i = 0; i < batch; ++i) {
      // Past the last one it is read again, for nobody.
      Value within = e.minimum(e.index(i), e.sub(left, e.index(1)));
      Value run = e.add(lo, e.add(first, within));
      Value at = e.add(op.getFromAt(), e.mul(run, op.getPitch()));
      if (column)
        at = e.add(at, column);
      for (auto [m, v] :
           llvm::enumerate(loadState(e, op.getPartials(), at, types)))
        slots[m * size_t(batch) + size_t(i)] = v;
    }
    auto joined = fold::LaneSlotsOp::create(
        e.b, e.loc, types, slots, op.getThread(), left, op.getParams(),
        op.getCombine(), 1, 1, 1, /*loose=*/true, op.getCounted());
    return Values(joined.getStates());
  };
  Value some = arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::sgt, n,
                                     e.index(0));
  return valuesIf(e, some, types, [&] {
    if (most == batch)
      return joinBatch(e.index(0));
    Value batches = e.div(e.add(n, e.index(batch - 1)), e.index(batch));
    auto chunks = fold::ChunksOp::create(
        e.b, e.loc, types, batches, ValueRange(), op.getParams(),
        op.getCombine(), op.getCounted(), e.b.getI64IntegerAttr(levels));
    OpBuilder::InsertionGuard guard(e.b);
    Block *body =
        e.b.createBlock(&chunks.getBody(), {}, e.b.getIndexType(), {e.loc});
    fold::YieldOp::create(
        e.b, e.loc, joinBatch(e.mul(body->getArgument(0), e.index(batch))));
    return Values(chunks.getStates());
  });
}

Values GridLowering::joinFull() {
  Value per = perThread(threads);
  Value lo = e.mul(op.getThread(), per);
  Value n = arith::MinSIOp::create(e.b, e.loc, per, e.sub(op.getRuns(), lo));
  Values state = runOfPartials(lo, n, {}, threads);
  Value lane = e.rem(op.getThread(), e.index(32));
  Value warpStart = e.mul(e.sub(op.getThread(), lane), per);
  // Lanes of this warp that have a state: may come out as more than 32.
  Value left = arith::MaxSIOp::create(
      e.b, e.loc, e.sub(op.getRuns(), warpStart), e.index(0));
  Value lanes = e.div(e.add(left, e.sub(per, e.index(1))), per);
  auto slots = fold::LaneSlotsOp::create(e.b, e.loc, types, state, lane, lanes,
                                         op.getParams(), op.getCombine(), 32, 1,
                                         1, /*loose=*/true, op.getCounted());
  Value perWarp = e.mul(per, e.index(32));
  Value warps = e.div(e.add(op.getRuns(), e.sub(perWarp, e.index(1))), perWarp);
  auto block = fold::BlockOp::create(
      e.b, e.loc, types, slots.getStates(), op.getThread(), warps,
      op.getParams(), op.getCombine(), op.getWarps(), op.getCounted());
  return Values(block.getStates());
}

Values GridLowering::joinColumns() {
  int64_t groups = threads / columns;
  Value per = perThread(groups);
  Value column = e.rem(op.getThread(), e.index(columns));
  Value group = e.div(op.getThread(), e.index(columns));
  Value lo = e.mul(group, per);
  Value n = arith::MinSIOp::create(e.b, e.loc, per, e.sub(op.getRuns(), lo));
  // Threads past the matrix's edge have nothing to read.
  n = arith::SelectOp::create(e.b, e.loc, e.less(column, op.getWidth()), n,
                              e.index(0));
  Values state = runOfPartials(lo, n, column, groups);
  Value present = e.div(e.add(op.getRuns(), e.sub(per, e.index(1))), per);
  Value yes = arith::ConstantOp::create(e.b, e.loc, e.b.getBoolAttr(true));
  auto joined = fold::BlockColumnsOp::create(
      e.b, e.loc, types, state, op.getThread(), yes, group, column, present,
      op.getParams(), op.getCombine(), /*each=*/1, /*spread=*/1, columns,
      groups, threads, op.getCounted());
  return Values(joined.getStates());
}

void GridLowering::lower() {
  Value stores =
      e.less(op.getThread(), columns == 1 ? e.index(1) : op.getWidth());
  onlyIf(e, stores, [&] {
    Value at = columns == 1 ? op.getAt() : e.add(op.getAt(), op.getThread());
    storeState(e, op.getPartials(), at, op.getFrom());
    if (columns > 1)
      target.publish(e);
  });
  if (columns > 1)
    target.barrier(e); // the ticket's fence then covers every thread's store
  Value last = isLastBlock(e, target, op.getTickets(), op.getTicket(),
                           op.getRuns(), op.getThread());
  Values joined = valuesIf(e, last, types, [&] {
    return columns == 1 ? joinFull() : joinColumns();
  });
  op.getLast().replaceAllUsesWith(last);
  op.getStates().replaceAllUsesWith(ValueRange(joined));
  op.erase();
}

namespace {
struct LowerBlocksPass : wf::impl::LowerBlocksBase<LowerBlocksPass> {
  void runOnOperation() override {
    // The grid's lowering makes the other two.
    lowerEach<fold::GridOp>(
        getOperation(), [](Emitter &e, fold::GridOp op, const TargetInfo &t) {
          GridLowering{e, op, t}.lower();
        });
    lowerEach<fold::BlockColumnsOp>(getOperation(), lowerBlockColumns);
    lowerEach<fold::BlockOp>(getOperation(), lowerBlock);
  }
};
} // namespace
