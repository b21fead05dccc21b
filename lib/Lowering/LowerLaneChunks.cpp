//===- LowerLaneChunks.cpp - fold.chunks with its counter in values -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A lane's binary counter must not be memory: an array with a running index
// would be local memory, which is global memory. So the levels are values, and
// one test a level says whether to join or to stop.
//===----------------------------------------------------------------------===//
#include "Lowering/LaneExchange.h"
#include "Lowering/LowerChunks.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

namespace {
struct LaneCounter {
  Emitter &e;
  fold::ChunksOp op;
  int64_t levels = int64_t(*op.getLevels());
  size_t members = op.getStates().size();
  llvm::SmallVector<Type> types; ///< of all levels

  LaneCounter(Emitter &e, fold::ChunksOp op) : e(e), op(op) {
    for (int64_t d = 0; d < levels; ++d)
      llvm::append_range(types, op.getStates().getTypes());
  }

  Value bit(Value n, int64_t d) {
    Value masked =
        arith::AndIOp::create(e.b, e.loc, n, e.index(int64_t(1) << d));
    return arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::ne, masked,
                                 e.index(0));
  }
  Values level(ValueRange all, int64_t d) {
    return Values(all.slice(size_t(d) * members, members));
  }
  Values join(ValueRange left, ValueRange right) {
    return joinStates(e, op.getCombine(), op.getCounted(), left, right,
                      op.getParams());
  }

  Values push(Values all, Value chunk, Values state, int64_t d);
  Values collapse(ValueRange all, Value count);
};
} // namespace

/// The counter after `state`, which stands for 2^d chunks, is added to it.
Values LaneCounter::push(Values all, Value chunk, Values state, int64_t d) {
  auto kept = [&] {
    Values next(all);
    std::copy(state.begin(), state.end(), next.begin() + d * int64_t(members));
    return next;
  };
  if (d == levels - 1)
    return kept();
  auto either = scf::IfOp::create(
      e.b, e.loc, bit(chunk, d),
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(
            e.b, e.loc,
            push(all, chunk, join(level(all, d), state), d + 1));
      },
      [&](OpBuilder &, Location) { scf::YieldOp::create(e.b, e.loc, kept()); });
  return Values(either.getResults());
}

/// The levels that hold a state, the lowest on the right.
Values LaneCounter::collapse(ValueRange all, Value count) {
  Values state = level(all, 0);
  Value has = bit(count, 0);
  for (int64_t d = 1; d < levels; ++d) {
    Values here = level(all, d);
    auto next = scf::IfOp::create(
        e.b, e.loc, bit(count, d),
        [&](OpBuilder &, Location) {
          auto both = scf::IfOp::create(
              e.b, e.loc, has,
              [&](OpBuilder &, Location) {
                scf::YieldOp::create(e.b, e.loc, join(here, state));
              },
              [&](OpBuilder &, Location) {
                scf::YieldOp::create(e.b, e.loc, here);
              });
          scf::YieldOp::create(e.b, e.loc, both.getResults());
        },
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(e.b, e.loc, state);
        });
    state = Values(next.getResults());
    has = arith::OrIOp::create(e.b, e.loc, has, bit(count, d));
  }
  return state;
}

void wf::lowerChunksInValues(fold::ChunksOp op, ModuleOp module) {
  OpBuilder b(op);
  Emitter e(b, op.getLoc(), module);
  LaneCounter counter(e, op);
  Values initial = zeros(e, counter.types);
  llvm::append_range(initial, op.getCarried());
  auto loop = scf::ForOp::create(b, op.getLoc(), e.index(0), op.getCount(),
                                 e.index(1), initial);
  size_t own = counter.types.size();
  Block *body = loop.getBody();
  Block &region = op.getBody().front();
  auto yield = cast<fold::YieldOp>(region.getTerminator());
  Values state(yield.getStates().take_front(counter.members));
  Values carried(yield.getStates().drop_front(counter.members));
  region.getArgument(0).replaceAllUsesWith(loop.getInductionVar());
  for (auto [i, v] : llvm::enumerate(loop.getRegionIterArgs().drop_front(own)))
    region.getArgument(unsigned(i + 1)).replaceAllUsesWith(v);
  yield.erase();
  body->getOperations().splice(body->end(), region.getOperations());
  b.setInsertionPointToEnd(body);
  Values next =
      counter.push(Values(loop.getRegionIterArgs().take_front(own)),
                   loop.getInductionVar(), state, 0);
  llvm::append_range(next, carried);
  scf::YieldOp::create(b, op.getLoc(), next);
  b.setInsertionPointAfter(loop);
  op.getStates().replaceAllUsesWith(
      ValueRange(counter.collapse(loop.getResults().take_front(own), op.getCount())));
  op.erase();
}
