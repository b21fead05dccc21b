//===- LowerStride.cpp - fold.lane_stride to a thread's loads -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A thread has n loads, all but perhaps the last of them whole:
//
//   batch 0       loads 0 … F-1, then map, update, update …
//   batch i       loads i*F …, then updates, while any is left
//   the rest      the elements of a last load that ends past the fold, singly
//
// Loads past the last read element 0 instead, and what they fold is dropped.
// They are told by their number, not by k, which may not even fit an index.
//===----------------------------------------------------------------------===//
#include "Lowering/LowerLadder.h"

#include "Lowering/LaneArrays.h"

using namespace mlir;
using namespace wf;

using Values = llvm::SmallVector<Value>;

namespace {
struct Stride {
  Emitter &e;
  fold::LaneStrideOp op;
  LaneArrays arrays;
  int64_t vector = op.getVector(), most = op.getLoads();
  int64_t flight = most ? std::min<int64_t>(most, op.getFlight())
                        : int64_t(op.getFlight());
  Value loads = {}; ///< whole ones

  /// Elements of one load, [input][j], and their first k.
  struct Loaded {
    Value k, number;
    std::vector<Values> elements;
  };

  Value kOf(Value number) {
    return e.add(op.getFirst(), e.mul(number, op.getStep()));
  }
  Loaded load(Value number, bool sure);
  Values elementArguments(const Loaded &loaded, int64_t j);
  Values seed(const Loaded &loaded, int64_t j);
  Values update(ValueRange state, const Loaded &loaded, int64_t j);
  Values batch(Value firstNumber, Values state);
  Values rolling();
  Values rest(ValueRange state);
  void lower();
};
} // namespace

/// `sure`: that load is there.
Stride::Loaded Stride::load(Value number, bool sure) {
  Loaded loaded{kOf(number), number, {}};
  Value here = sure ? Value() : e.less(number, loads);
  bool wide = op.getVectors() && arrays.rank() == 1;
  for (size_t i = 0; i < arrays.count(); ++i) {
    auto guarded = [&](Value pointer) -> Value {
      if (sure)
        return pointer;
      return arith::SelectOp::create(e.b, e.loc, here, pointer,
                                     arrays.start(i));
    };
    Values elements;
    if (wide && arrays.inner[i] == 1) {
      elements =
          arrays.loadSide(i, guarded(arrays.pointer(i, loaded.k)), vector);
    } else if (arrays.inner[i] == 0 && arrays.rank() == 1) {
      elements.assign(size_t(vector),
                      arrays.loadOne(arrays.stored(i), arrays.start(i)));
    } else {
      for (int64_t j = 0; j < vector; ++j)
        elements.push_back(arrays.loadOne(
            arrays.stored(i),
            guarded(arrays.pointer(i, e.add(loaded.k, e.index(j))))));
    }
    loaded.elements.push_back(std::move(elements));
  }
  return loaded;
}

/// The elements, k and the params: what map takes, and update after the state.
Values Stride::elementArguments(const Loaded &loaded, int64_t j) {
  Values arguments;
  for (size_t i = 0; i < arrays.count(); ++i)
    arguments.push_back(
        arrays.asArgument(loaded.elements[i][size_t(j)], i));
  arguments.push_back(arrays.position(e.add(loaded.k, e.index(j))));
  llvm::append_range(arguments, op.getParams());
  return arguments;
}

Values Stride::seed(const Loaded &loaded, int64_t j) {
  return e.call(op.getMap(), 0, elementArguments(loaded, j));
}

Values Stride::update(ValueRange state, const Loaded &loaded, int64_t j) {
  // State, count, elements …: counts are nowhere read in the ladder, but a
  // user's update may ask how many elements came before this one.
  Values arguments(state);
  arguments.push_back(
      e.add(e.mul(e.toI64(loaded.number), e.i64(vector)), e.i64(j)));
  llvm::append_range(arguments, elementArguments(loaded, j));
  return e.call(op.getUpdate(), 0, arguments);
}

/// Loads firstNumber, which is there, and those after it that are, folded into
/// `state`; without one, the first seeds it.
Values Stride::batch(Value firstNumber, Values state) {
  std::vector<Loaded> under;
  for (int64_t i = 0; i < flight; ++i)
    under.push_back(load(e.add(firstNumber, e.index(i)), /*sure=*/i == 0));
  for (auto [i, loaded] : llvm::enumerate(under)) {
    bool seeds = state.empty();
    Values next = seeds ? seed(loaded, 0) : Values(state);
    for (int64_t j = seeds ? 1 : 0; j < vector; ++j)
      next = update(next, loaded, j);
    if (i > 0)
      next = selectAll(e, e.less(loaded.number, loads), next, state);
    state = std::move(next);
  }
  return state;
}

/// All whole loads, of which there is at least one.
Values Stride::rolling() {
  Values state = batch(e.index(0), {});
  if (most && most <= flight)
    return state;
  auto loop = scf::ForOp::create(
      e.b, e.loc, e.index(flight), loads, e.index(flight), state,
      [&](OpBuilder &, Location, Value number, ValueRange args) {
        scf::YieldOp::create(e.b, e.loc, batch(number, Values(args)));
      });
  return Values(loop.getResults());
}

/// The elements after the last whole load: fewer than `vector`, perhaps none.
Values Stride::rest(ValueRange state) {
  Value k = kOf(loads), none = e.equal(loads, e.index(0));
  Values joined(state);
  for (int64_t j = 0; j + 1 < vector; ++j) {
    Value at = e.add(k, e.index(j));
    auto step = scf::IfOp::create(
        e.b, e.loc, e.less(at, op.getCount()),
        [&](OpBuilder &, Location) {
          Loaded one{k, loads, {}};
          for (size_t i = 0; i < arrays.count(); ++i)
            one.elements.push_back(Values(
                size_t(vector),
                arrays.loadOne(arrays.stored(i), arrays.pointer(i, at))));
          Values next = update(joined, one, j);
          if (j == 0)
            next = selectAll(e, none, seed(one, j), next);
          scf::YieldOp::create(e.b, e.loc, next);
        },
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(e.b, e.loc, joined);
        });
    joined = Values(step.getResults());
  }
  return joined;
}

void Stride::lower() {
  Value last = e.sub(e.sub(op.getCount(), op.getFirst()), e.index(1));
  Value number = e.div(last, op.getStep()); // of the last load
  loads = e.add(number, e.index(1));
  Values state;
  if (vector == 1 || op.getEven()) {
    state = rolling();
  } else {
    Value left = e.sub(op.getCount(), kOf(number));
    Value short_ = e.less(left, e.index(vector));
    loads = arith::SelectOp::create(e.b, e.loc, short_, number, loads);
    auto whole = scf::IfOp::create(
        e.b, e.loc, e.less(e.index(0), loads),
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(e.b, e.loc, rolling());
        },
        [&](OpBuilder &, Location) {
          Values nothing;
          for (Type t : op.getStates().getTypes())
            nothing.push_back(arith::ConstantOp::create(
                e.b, e.loc, e.b.getZeroAttr(t)));
          scf::YieldOp::create(e.b, e.loc, nothing);
        });
    auto all = scf::IfOp::create(
        e.b, e.loc, short_,
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(e.b, e.loc, rest(whole.getResults()));
        },
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(e.b, e.loc, whole.getResults());
        });
    state = Values(all.getResults());
  }
  op.getStates().replaceAllUsesWith(ValueRange(state));
  op.erase();
}

void wf::lowerStride(Emitter &e, fold::LaneStrideOp op) {
  auto map = e.symbols.lookup<func::FuncOp>(op.getMap());
  LaneArrays arrays{e,
                    op.getInputs(),
                    op.getOffsets(),
                    op.getSizes(),
                    op.getStrides(),
                    op.getInner(),
                    op.getParams(),
                    map};
  Stride{e, op, arrays}.lower();
}
