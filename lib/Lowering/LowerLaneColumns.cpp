//===- LowerLaneColumns.cpp - fold.lane_column and fold.lane_chain --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// One slot's elements lie a matrix row and more apart: a lane reads the same
// few outputs of every one of them, `flight` loads ahead of the fold. A chain
// is read ahead likewise, a batch at a time, since its length is not known.
//===----------------------------------------------------------------------===//
#include "Lowering/LaneArrays.h"
#include "Lowering/LaneExchange.h"
#include "Lowering/Passes.h"

#include <map>

namespace wf {
#define GEN_PASS_DEF_LOWERLANECOLUMNS
#include "Lowering/Passes.h.inc"
} // namespace wf

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

namespace {
/// One element of every output of this lane.
struct ColumnLoad {
  std::vector<Values> elements; ///< [input][output], as stored
};

/// Reads a slot's elements in order. With one reduced axis a pointer walks from
/// element to element: a product an element would be kept in registers.
template <typename Op> struct ColumnReader {
  Emitter &e;
  Op op;
  llvm::SmallVector<int64_t> unknown; ///< strides along k
  LaneArrays arrays;
  Value first;
  bool guarded;
  Values pointers;
  std::map<std::pair<size_t, int64_t>, Value> steps; ///< input, elements
  int64_t outputs = op.getOutputs(), perRow = op.getElements();
  int64_t next = 0; ///< number of the element to read

  ColumnReader(Emitter &e, Op op, ValueRange params, Value first, bool guarded)
      : e(e), op(op), unknown(op.getInputs().size(), -1),
        arrays{e,
               op.getInputs(),
               op.getOffsets(),
               op.getSizes(),
               op.getStrides(),
               unknown,
               params,
               e.symbols.lookup<func::FuncOp>(op.getMap())},
        first(first), guarded(guarded) {
    arrays.keepsOrder = !op.getVectors();
  }

  int64_t perLeaf() { return int64_t(op.getRows()) * perRow; }
  int64_t count() { return int64_t(op.getLeaves()) * perLeaf(); }
  int64_t flight() {
    return std::min<int64_t>(op.getFlight(), count());
  }
  /// k of element t of the slots, one after the other, after the first.
  int64_t offset(int64_t t) {
    int64_t leaf = t / perLeaf(), gap = op.getGap(), step = op.getStep();
    t %= perLeaf();
    return leaf / gap * (step / 32) + leaf % gap + t / perRow * step +
           t % perRow * gap;
  }
  Value k(int64_t t) { return e.add(first, e.index(offset(t))); }
  Value present(int64_t t) { return e.less(k(t), op.getLimit()); }
  Value pointer(size_t i);
  Value across(int64_t j);
  ColumnLoad load();
};
} // namespace

/// Of element `next` of input i.
template <typename Op> Value ColumnReader<Op>::pointer(size_t i) {
  if (arrays.rank() != 1)
    return arrays.pointer(i, k(next));
  if (pointers.size() == i) {
    pointers.push_back(arrays.pointer(i, k(next)));
  } else {
    int64_t elements = offset(next) - offset(next - 1);
    Value &step = steps[{i, elements}];
    if (!step)
      step = e.mul(arrays.stride(i, 0), e.index(elements));
    pointers[i] = advance(e, pointers[i], arrays.stored(i), step);
  }
  return pointers[i];
}

/// From output 0 to output j of this lane; past the edge it is output 0 again.
template <typename Op> Value ColumnReader<Op>::across(int64_t j) {
  Value at = e.index(j * int64_t(op.getSpread()));
  return arith::SelectOp::create(e.b, e.loc, e.less(at, op.getWidth()), at,
                                 e.index(0));
}

template <typename Op> ColumnLoad ColumnReader<Op>::load() {
  ColumnLoad l;
  Value here = guarded ? present(next) : Value();
  for (size_t i = 0; i < arrays.count(); ++i) {
    Type type = arrays.stored(i);
    Value p = pointer(i), start = arrays.start(i);
    if (here)
      p = arith::SelectOp::create(e.b, e.loc, here, p, start);
    Values elements;
    if (op.getInner()[i] == 0) {
      elements.assign(size_t(outputs), arrays.loadOne(type, p));
    } else if (op.getVectors()) {
      elements = arrays.loadSide(i, p, outputs);
    } else {
      for (int64_t j = 0; j < outputs; ++j)
        elements.push_back(
            arrays.loadOne(type, j ? advance(e, p, type, across(j)) : p));
    }
    l.elements.push_back(std::move(elements));
  }
  ++next;
  return l;
}

namespace {
struct ColumnLowering {
  Emitter &e;
  fold::LaneColumnOp op;
  ColumnReader<fold::LaneColumnOp> reader;
  int64_t outputs = op.getOutputs();

  ColumnLowering(Emitter &e, fold::LaneColumnOp op)
      : e(e), op(op),
        reader(e, op, op.getParams(), op.getFirst(), !op.getWhole()) {}

  std::vector<ColumnLoad> fromAhead();
  Values take(llvm::StringRef f, ValueRange state, Value count,
              const ColumnLoad &load, int64_t t, int64_t j);
  void lower(const TargetInfo &target);
};
} // namespace

/// The elements that were read before.
std::vector<ColumnLoad> ColumnLowering::fromAhead() {
  std::vector<ColumnLoad> loads(static_cast<size_t>(reader.flight()));
  size_t at = 0;
  for (ColumnLoad &l : loads)
    for (size_t i = 0; i < reader.arrays.count(); ++i) {
      l.elements.emplace_back(op.getAhead().slice(at, size_t(outputs)));
      at += size_t(outputs);
    }
  reader.next = reader.flight();
  return loads;
}

Values ColumnLowering::take(llvm::StringRef f, ValueRange state, Value count,
                            const ColumnLoad &load, int64_t t, int64_t j) {
  Values arguments(state);
  if (count)
    arguments.push_back(count);
  for (size_t i = 0; i < reader.arrays.count(); ++i)
    arguments.push_back(
        reader.arrays.asArgument(load.elements[i][size_t(j)], i));
  arguments.push_back(reader.arrays.position(reader.k(t)));
  llvm::append_range(arguments, op.getParams());
  return e.call(f, 0, arguments);
}

void ColumnLowering::lower(const TargetInfo &target) {
  int64_t n = reader.count(), flight = reader.flight();
  std::vector<ColumnLoad> queue;
  if (!op.getAhead().empty())
    queue = fromAhead();
  while (reader.next < flight)
    queue.push_back(reader.load());
  std::optional<ColumnReader<fold::LaneColumnOp>> following;
  if (op.getNext())
    following.emplace(e, op, op.getParams(), op.getNext(), !op.getSure());
  int64_t leaves = op.getLeaves(), perLeaf = reader.perLeaf();
  std::vector<Values> states(static_cast<size_t>(outputs * leaves));
  Values ahead, counts(static_cast<size_t>(leaves));
  for (int64_t t = 0; t < n; ++t) {
    ColumnLoad now = queue[size_t(t)];
    Value here = op.getWhole() ? Value() : reader.present(t);
    int64_t leaf = t / perLeaf, before = t % perLeaf;
    for (int64_t j = 0; j < outputs; ++j) {
      Values &state = states[size_t(j * leaves + leaf)];
      Values next = before == 0 ? take(op.getMap(), {}, {}, now, t, j)
                                : take(op.getUpdate(), state, e.i64(before),
                                       now, t, j);
      // Elements of a slot are a prefix: those before an element are all there.
      if (before && here)
        next = selectAll(e, here, next, state);
      state = next;
    }
    if (op.getCounted()) {
      Value &count = counts[size_t(leaf)];
      Value one = here ? Value(arith::ExtUIOp::create(
                             e.b, e.loc, e.b.getI64Type(), here))
                       : e.i64(1);
      count = count ? e.add(count, one) : one;
    }
    if (reader.next < n)
      queue.push_back(reader.load());
    else if (following)
      for (const Values &elements : following->load().elements)
        llvm::append_range(ahead, elements);
    // An assembler that hoists more loads than these runs out of registers.
    if (!op.getVectors())
      target.orderLoads(e);
  }
  Values results;
  for (size_t m = 0; m < states[0].size(); ++m)
    for (const Values &s : states)
      results.push_back(s[m]);
  if (op.getCounted())
    llvm::append_range(results, counts);
  llvm::append_range(results, ahead);
  op.getStates().replaceAllUsesWith(ValueRange(results));
  op.erase();
}

static void lowerAhead(Emitter &e, fold::LaneAheadOp op) {
  ColumnReader<fold::LaneAheadOp> reader(e, op, {}, op.getFirst(),
                                         !op.getSure());
  Values ahead;
  while (reader.next < reader.flight())
    for (const Values &elements : reader.load().elements)
      llvm::append_range(ahead, elements);
  op.getAhead().replaceAllUsesWith(ValueRange(ahead));
  op.erase();
}

//===----------------------------------------------------------------------===//
// fold.lane_chain
//===----------------------------------------------------------------------===//

static void lowerChain(Emitter &e, fold::LaneChainOp op) {
  LaneArrays arrays{e,
                    op.getInputs(),
                    op.getOffsets(),
                    op.getSizes(),
                    op.getStrides(),
                    op.getInner(),
                    op.getParams(),
                    e.symbols.lookup<func::FuncOp>(op.getMap())};
  int64_t flight = op.getFlight();
  auto batch = [&](Value first, Values state) {
    std::vector<Values> elements;
    Values present, positions;
    for (int64_t u = 0; u < flight; ++u) {
      Value k = e.add(first, e.index(u));
      positions.push_back(k);
      present.push_back(e.less(k, op.getCount()));
      Values all;
      for (size_t i = 0; i < arrays.count(); ++i) {
        Value p = arith::SelectOp::create(e.b, e.loc, present.back(),
                                          arrays.pointer(i, k),
                                          arrays.start(i));
        all.push_back(
            arrays.asArgument(arrays.loadOne(arrays.stored(i), p), i));
      }
      elements.push_back(std::move(all));
    }
    for (int64_t u = 0; u < flight; ++u) {
      bool seeds = state.empty();
      Values arguments(state);
      if (!seeds)
        arguments.push_back(e.toI64(positions[size_t(u)]));
      llvm::append_range(arguments, elements[size_t(u)]);
      arguments.push_back(arrays.position(positions[size_t(u)]));
      llvm::append_range(arguments, op.getParams());
      Values next =
          e.call(seeds ? op.getMap() : op.getUpdate(), 0, arguments);
      state = seeds ? next : selectAll(e, present[size_t(u)], next, state);
    }
    return state;
  };
  Values state = batch(e.index(0), {});
  auto loop = scf::ForOp::create(
      e.b, e.loc, e.index(flight), op.getCount(), e.index(flight), state,
      [&](OpBuilder &, Location, Value first, ValueRange args) {
        scf::YieldOp::create(e.b, e.loc, batch(first, Values(args)));
      });
  op.getStates().replaceAllUsesWith(loop.getResults());
  op.erase();
}

namespace {
struct LowerLaneColumnsPass
    : wf::impl::LowerLaneColumnsBase<LowerLaneColumnsPass> {
  void runOnOperation() override {
    llvm::SmallVector<fold::LaneColumnOp> columns;
    llvm::SmallVector<fold::LaneChainOp> chains;
    getOperation().walk([&](fold::LaneColumnOp op) { columns.push_back(op); });
    getOperation().walk([&](fold::LaneChainOp op) { chains.push_back(op); });
    llvm::SmallVector<fold::LaneAheadOp> aheads;
    getOperation().walk([&](fold::LaneAheadOp op) { aheads.push_back(op); });
    for (fold::LaneAheadOp op : aheads) {
      OpBuilder b(op);
      Emitter e(b, op.getLoc(), getOperation());
      lowerAhead(e, op);
    }
    for (fold::LaneColumnOp op : columns) {
      OpBuilder b(op);
      Emitter e(b, op.getLoc(), getOperation());
      ColumnLowering(e, op).lower(targetOf(getOperation()));
    }
    for (fold::LaneChainOp op : chains) {
      OpBuilder b(op);
      Emitter e(b, op.getLoc(), getOperation());
      lowerChain(e, op);
    }
  }
};
} // namespace
