//===- LowerChunks.cpp - fold.chunks to a binary counter ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// counter[l] holds the state of a finished run of 2^l chunks while bit l of the
// number of chunks done is set. A new chunk's state is joined with counter[0],
// counter[1], … while those bits are set, and goes where the first clear bit
// is; the older run is always on the left. At the end the runs left over are
// joined from the smallest up, which is the balanced tree with absent right
// sides.
//===----------------------------------------------------------------------===//
#include "Lowering/Calls.h"
#include "Lowering/LowerChunks.h"
#include "Lowering/Passes.h"

namespace wf {
#define GEN_PASS_DEF_LOWERCHUNKS
#include "Lowering/Passes.h.inc"
} // namespace wf

using namespace mlir;
using namespace wf;

namespace {

struct Counter {
  Emitter &e;
  fold::ChunksOp op;
  llvm::SmallVector<Value> levels; ///< memref<64xT> a member (and count)

  Counter(Emitter &e, fold::ChunksOp op) : e(e), op(op) {
    // In the entry block: an alloca inside the loop over outputs would grow
    // the stack with every output.
    OpBuilder::InsertionGuard guard(e.b);
    auto f = op->getParentOfType<func::FuncOp>();
    e.b.setInsertionPointToStart(&f.getBody().front());
    for (Type t : op.getStates().getTypes())
      levels.push_back(
          memref::AllocaOp::create(e.b, e.loc, MemRefType::get({64}, t)));
  }

  llvm::SmallVector<Value> load(Value level) {
    llvm::SmallVector<Value> state;
    for (Value m : levels)
      state.push_back(memref::LoadOp::create(e.b, e.loc, m, level));
    return state;
  }
  void store(ValueRange state, Value level) {
    for (auto [m, v] : llvm::zip(levels, state))
      memref::StoreOp::create(e.b, e.loc, v, m, level);
  }
  /// left and right with their counts last, if counted.
  llvm::SmallVector<Value> join(ValueRange left, ValueRange right) {
    if (!op.getCounted())
      return e.combine(op.getCombine(), 0, left, right, {}, {},
                       op.getParams());
    Value a = left.back(), b = right.back();
    auto state = e.combine(op.getCombine(), 0, left.drop_back(),
                           right.drop_back(), a, b, op.getParams());
    state.push_back(e.add(a, b));
    return state;
  }

  /// Is bit `level` of `n` set?
  Value bit(Value n, Value level) {
    Value shifted = arith::ShRUIOp::create(e.b, e.loc, n, level);
    Value low = arith::AndIOp::create(e.b, e.loc, shifted, e.index(1));
    return e.equal(low, e.index(1));
  }

  void push(Value chunk, ValueRange state);
  llvm::SmallVector<Value> collapse(Value count);
};

} // namespace

void Counter::push(Value chunk, ValueRange state) {
  llvm::SmallVector<Value> initial(state);
  initial.push_back(e.index(0));
  llvm::SmallVector<Type> types(ValueRange(initial).getTypes());
  auto loop = scf::WhileOp::create(
      e.b, e.loc, types, initial,
      [&](OpBuilder &, Location, ValueRange args) {
        scf::ConditionOp::create(e.b, e.loc, bit(chunk, args.back()), args);
      },
      [&](OpBuilder &, Location, ValueRange args) {
        auto joined = join(load(args.back()), args.drop_back());
        joined.push_back(e.add(args.back(), e.index(1)));
        scf::YieldOp::create(e.b, e.loc, joined);
      });
  store(loop.getResults().drop_back(), loop.getResults().back());
}

llvm::SmallVector<Value> Counter::collapse(Value count) {
  Value lowest = arith::IndexCastOp::create(
      e.b, e.loc, e.b.getIndexType(),
      LLVM::CountTrailingZerosOp::create(e.b, e.loc, e.b.getI64Type(),
                                         e.toI64(count), false));
  llvm::SmallVector<Value> initial = load(lowest);
  initial.push_back(e.add(lowest, e.index(1)));
  llvm::SmallVector<Type> types(ValueRange(initial).getTypes());
  auto loop = scf::WhileOp::create(
      e.b, e.loc, types, initial,
      [&](OpBuilder &, Location, ValueRange args) {
        Value rest =
            arith::ShRUIOp::create(e.b, e.loc, count, args.back());
        Value more = arith::CmpIOp::create(
            e.b, e.loc, arith::CmpIPredicate::ne, rest, e.index(0));
        scf::ConditionOp::create(e.b, e.loc, more, args);
      },
      [&](OpBuilder &, Location, ValueRange args) {
        Value level = args.back();
        ValueRange state = args.drop_back();
        auto both = scf::IfOp::create(
            e.b, e.loc, bit(count, level),
            [&](OpBuilder &, Location) {
              scf::YieldOp::create(e.b, e.loc, join(load(level), state));
            },
            [&](OpBuilder &, Location) {
              scf::YieldOp::create(e.b, e.loc, state);
            });
        llvm::SmallVector<Value> next(both.getResults());
        next.push_back(e.add(level, e.index(1)));
        scf::YieldOp::create(e.b, e.loc, next);
      });
  return llvm::SmallVector<Value>(loop.getResults().drop_back());
}

static void lowerChunks(fold::ChunksOp op, ModuleOp module) {
  OpBuilder b(op);
  Emitter e(b, op.getLoc(), module);
  Counter counter(e, op);
  auto loop = scf::ForOp::create(b, op.getLoc(), e.index(0), op.getCount(),
                                 e.index(1));
  // The region's operations move into the loop as they are.
  Block *body = loop.getBody();
  Block &region = op.getBody().front();
  auto yield = cast<fold::YieldOp>(region.getTerminator());
  llvm::SmallVector<Value> state(yield.getStates());
  region.getArgument(0).replaceAllUsesWith(loop.getInductionVar());
  yield.erase();
  body->getOperations().splice(Block::iterator(body->getTerminator()),
                               region.getOperations());
  b.setInsertionPoint(body->getTerminator());
  counter.push(loop.getInductionVar(), state);
  b.setInsertionPointAfter(loop);
  op.getStates().replaceAllUsesWith(ValueRange(counter.collapse(op.getCount())));
  op.erase();
}

namespace {
struct LowerChunksPass : wf::impl::LowerChunksBase<LowerChunksPass> {
  void runOnOperation() override {
    llvm::SmallVector<fold::ChunksOp> ops;
    getOperation().walk([&](fold::ChunksOp op) { ops.push_back(op); });
    for (fold::ChunksOp op : ops) {
      if (op.getLevels())
        lowerChunksInValues(op, getOperation());
      else
        lowerChunks(op, getOperation());
    }
  }
};
} // namespace
