//===- LowerSlots.cpp - fold.slots to shuffles and combines ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
//   level 0   [s0 s1 s2 s3] [s4 s5 s6 s7]
//   left      [s0    s2      s4    s6]        even lanes of both vectors
//   right     [   s1    s3      s5    s7]     odd lanes of both
//   level 1   combine(left, right), one vector, four lanes wide
//
// Once one vector is left it halves its width. Lane order stays slot order all
// the way, so combine always sees the lower slot on its left.
//===----------------------------------------------------------------------===//
#include "Lowering/Calls.h"
#include "Lowering/Passes.h"

namespace wf {
#define GEN_PASS_DEF_LOWERSLOTS
#include "Lowering/Passes.h.inc"
} // namespace wf

using namespace mlir;
using namespace wf;

namespace {

/// All members' slots at one level: list[member][vector].
using SlotLists = llvm::SmallVector<llvm::SmallVector<Value>>;

struct SlotTree {
  Emitter &e;
  fold::SlotsOp op;
  SlotLists lists;
  int64_t width;     ///< lanes of a vector at this level; 0 once scalar
  int64_t level = 0; ///< a lane stands for 2^level slots of the operands

  SlotTree(Emitter &e, fold::SlotsOp op) : e(e), op(op) {
    auto slots = op.getSlots();
    size_t members = op.getStates().size();
    // Results may be several vectors a member; the combine knows the members.
    auto f = e.symbols.lookup<func::FuncOp>(op.getCombine());
    members = f.getNumResults() + op.getCounted();
    size_t each = slots.size() / members;
    for (size_t m = 0; m < members; ++m)
      lists.emplace_back(slots.slice(m * each, each));
    width = cast<VectorType>(slots[0].getType()).getNumElements();
  }

  int64_t vectors() const { return int64_t(lists[0].size()); }
  Value lanes(Value x, Value y, int64_t first);
  Value side(int64_t member, int64_t pair, bool right);
  void join(int64_t pair, SlotLists &next);
  Value rightPresent(int64_t pair, int64_t newWidth, bool &all, bool &none);
  void halve();
};

} // namespace

/// Lanes first, first + 2, … of x and y after each other (or of x alone).
Value SlotTree::lanes(Value x, Value y, int64_t first) {
  llvm::SmallVector<int64_t> mask;
  int64_t total = y ? 2 * width : width;
  for (int64_t i = first; i < total; i += 2)
    mask.push_back(i);
  if (mask.size() == 1 && !y)
    return vector::ExtractOp::create(e.b, e.loc, x, mask[0]);
  return vector::ShuffleOp::create(e.b, e.loc, x, y ? y : x, mask);
}

Value SlotTree::side(int64_t member, int64_t pair, bool right) {
  auto &list = lists[member];
  if (vectors() == 1)
    return lanes(list[0], {}, right);
  return lanes(list[2 * pair], list[2 * pair + 1], right);
}

/// Which lanes of the joined vector have a right side. A constant `present`
/// decides whole vectors at compile time.
Value SlotTree::rightPresent(int64_t pair, int64_t newWidth, bool &all,
                             bool &none) {
  all = true, none = false;
  Value present = op.getPresent();
  if (!present)
    return {};
  int64_t span = *op.getSpan();
  llvm::SmallVector<int64_t> firstSlot;
  int64_t lanesHere = std::max<int64_t>(newWidth, 1);
  for (int64_t i = 0; i < lanesHere; ++i) {
    int64_t lane = pair * lanesHere + i;
    firstSlot.push_back(((2 * lane + 1) << level) % span);
  }
  llvm::APInt known;
  if (matchPattern(present, m_ConstantInt(&known))) {
    int64_t p = known.getSExtValue();
    all = llvm::all_of(firstSlot, [&](int64_t s) { return s < p; });
    none = llvm::none_of(firstSlot, [&](int64_t s) { return s < p; });
    if (all || none)
      return {};
  }
  all = false;
  Value limit = e.toI64(present);
  if (newWidth == 0)
    return e.less(e.i64(firstSlot[0]), limit);
  return arith::CmpIOp::create(e.b, e.loc, arith::CmpIPredicate::ult,
                               e.constantLanes(firstSlot),
                               e.splat(limit, newWidth));
}

void SlotTree::join(int64_t pair, SlotLists &next) {
  int64_t newWidth = vectors() == 1 ? width / 2 : width;
  // The last join makes scalars; vectors of one lane stay vectors until then.
  if (newWidth == 1 && vectors() == 1)
    newWidth = 0;
  bool all, none;
  Value mask = rightPresent(pair, newWidth, all, none);
  size_t members = lists.size() - op.getCounted();
  llvm::SmallVector<Value> left, right;
  for (size_t m = 0; m < lists.size(); ++m) {
    left.push_back(side(m, pair, false));
    right.push_back(none ? Value() : side(m, pair, true));
  }
  llvm::SmallVector<Value> joined(left);
  if (!none) {
    llvm::ArrayRef<Value> l(left), r(right);
    Value a = op.getCounted() ? left.back() : Value();
    Value b = op.getCounted() ? right.back() : Value();
    joined = e.combine(op.getCombine(), newWidth, l.take_front(members),
                       r.take_front(members), a, b, op.getParams());
    if (op.getCounted())
      joined.push_back(e.add(a, b));
  }
  for (size_t m = 0; m < lists.size(); ++m) {
    Value v = joined[m];
    if (!none && !all)
      v = arith::SelectOp::create(e.b, e.loc, mask, v, left[m]);
    next[m].push_back(v);
  }
}

void SlotTree::halve() {
  SlotLists next(lists.size());
  int64_t pairs = std::max<int64_t>(vectors() / 2, 1);
  for (int64_t p = 0; p < pairs; ++p)
    join(p, next);
  if (vectors() == 1)
    width /= 2;
  lists = std::move(next);
  ++level;
}

static void lowerSlots(fold::SlotsOp op, ModuleOp module) {
  OpBuilder b(op);
  Emitter e(b, op.getLoc(), module);
  SlotTree tree(e, op);
  int64_t groups = int64_t(op.getGroups());
  while (tree.vectors() * tree.width > groups)
    tree.halve();
  llvm::SmallVector<Value> states;
  for (auto &list : tree.lists)
    for (Value v : list) {
      // One slot to begin with: nothing was joined, and a lane is the state.
      if (groups == 1 && isa<VectorType>(v.getType()))
        v = vector::ExtractOp::create(b, op.getLoc(), v, 0);
      states.push_back(v);
    }
  op.getStates().replaceAllUsesWith(ValueRange(states));
  op.erase();
}

namespace {
struct LowerSlotsPass : wf::impl::LowerSlotsBase<LowerSlotsPass> {
  void runOnOperation() override {
    llvm::SmallVector<fold::SlotsOp> ops;
    getOperation().walk([&](fold::SlotsOp op) { ops.push_back(op); });
    for (fold::SlotsOp op : ops)
      lowerSlots(op, getOperation());
  }
};
} // namespace
