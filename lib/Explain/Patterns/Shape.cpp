//===- Shape.cpp - Does a value have a form? ------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Patterns/Shape.h"

#include <algorithm>
#include <bit>
#include <unordered_set>

using namespace wf::explain;
using Kind = Value::Kind;

static bool isOperation(const Value &v, Op op) {
  return v.kind == Kind::Operation && v.op == op;
}

static bool isCommutative(Op op) {
  switch (op) {
  case Op::Add:
  case Op::Mul:
  case Op::Max:
  case Op::Min:
  case Op::And:
  case Op::Or:
  case Op::Xor:
    return true;
  default:
    return false;
  }
}

bool ShapeMatcher::matches(ValueId id, const Shape &shape) {
  budget = 20000;
  open.clear();
  return match(id, shape, 0);
}

std::optional<double> ShapeMatcher::numberOf(ValueId id) const {
  const Value &v = a.values[id];
  if (v.kind == Kind::Constant)
    return double(v.imm);
  if (v.kind == Kind::Float)
    return v.number;
  return std::nullopt;
}

bool ShapeMatcher::sameValue(ValueId x, ValueId y, int depth) const {
  x = stripped(x);
  y = stripped(y);
  if (x == y)
    return true;
  if (x >= a.values.size() || y >= a.values.size() || depth > 4)
    return false;
  // Whether within the bounds or not is the same for both.
  for (auto [from, to] : {std::pair(x, y), std::pair(y, x)}) {
    const Value &v = a.values[from];
    if (v.kind == Kind::Gamma && v.args.size() == 3 &&
        origins.freeOfData(v.args[0]) &&
        (sameValue(v.args[1], to, depth + 1) ||
         sameValue(v.args[2], to, depth + 1)))
      return true;
  }
  // 0 and 0.0 are the same bits.
  auto p = numberOf(x), q = numberOf(y);
  return p && q && *p == *q;
}

/// Moves, halves put together again, and canonicalising maxima removed.
ValueId ShapeMatcher::stripped(ValueId id) const {
  for (int step = 0; step < 16 && id < a.values.size(); ++step) {
    const Value &v = a.values[id];
    auto arg = [&](size_t i) {
      return i < v.args.size() ? v.args[i] : noValue;
    };
    if (isOperation(v, Op::Move) && v.args.size() == 1) {
      id = arg(0);
      continue;
    }
    if ((isOperation(v, Op::Max) || isOperation(v, Op::Min)) &&
        v.args.size() == 2 && v.args[0] == v.args[1]) {
      id = arg(0);
      continue;
    }
    if (isOperation(v, Op::Mul) && isFloat(v.type) && v.args.size() == 2) {
      // × 1.0 quiets signalling NaNs.
      int one = -1;
      for (int k = 0; k < 2; ++k)
        if (arg(k) < a.values.size() && a.values[arg(k)].kind == Kind::Float &&
            a.values[arg(k)].number == 1)
          one = k;
      if (one >= 0) {
        id = arg(1 - one);
        continue;
      }
    }
    if (v.kind == Kind::Pair && v.args.size() == 2 &&
        arg(0) < a.values.size() && arg(1) < a.values.size()) {
      const Value &low = a.values[arg(0)], &high = a.values[arg(1)];
      if (low.kind == Kind::Low && high.kind == Kind::High &&
          low.args == high.args && !low.args.empty()) {
        id = low.args[0];
        continue;
      }
    }
    break;
  }
  return id;
}

/// What a value holds where nothing was loaded: zero, or whatever was there.
bool ShapeMatcher::isNothing(ValueId id) const {
  id = stripped(id);
  if (id >= a.values.size())
    return false;
  auto number = numberOf(id);
  return a.values[id].kind == Kind::Undefined || (number && *number == 0);
}

bool ShapeMatcher::leafMatches(ValueId id, const Shape &shape) const {
  const Value &v = a.values[id];
  auto space = [&] { return loadedFrom(a, v); };
  bool isConstant = v.kind == Kind::Constant || v.kind == Kind::Float;
  bool isParameter = v.kind == Kind::Parameter ||
                     (v.kind == Kind::Load && (space() == Space::Parameter ||
                                               space() == Space::Constant));
  switch (shape.kind) {
  case Shape::Kind::Any:
    return true;
  case Shape::Kind::Number:
    if (v.kind == Kind::Constant)
      return double(v.imm) == shape.number ||
             (v.imm == int32_t(v.imm) && shape.number != 0 &&
              std::bit_cast<float>(int32_t(v.imm)) == float(shape.number));
    return v.kind == Kind::Float && v.number == shape.number;
  case Shape::Kind::Load:
    return v.kind == Kind::Load &&
           (space() == Space::Global || space() == Space::Generic);
  case Shape::Kind::Shared:
    return v.kind == Kind::Load && space() == Space::Shared;
  case Shape::Kind::Local:
    return v.kind == Kind::Load && space() == Space::Local;
  case Shape::Kind::Parameter:
    return isParameter;
  case Shape::Kind::Constant:
    return isConstant;
  case Shape::Kind::Scalar:
    return isConstant || isParameter ||
           !(origins.of(id) & ~uint16_t(Origins::block));
  case Shape::Kind::Index:
    return origins.freeOfData(id);
  case Shape::Kind::Shuffle:
    return (v.kind == Kind::Result || v.kind == Kind::Operation) &&
           v.op == Op::Shuffle;
  case Shape::Kind::Atomic:
    return v.kind == Kind::Result && v.op == Op::Atomic;
  default:
    return false;
  }
}

bool ShapeMatcher::match(ValueId id, const Shape &shape, int depth) {
  if (--budget < 0 || depth > 64)
    return false;
  id = stripped(id);
  if (id >= a.values.size())
    return shape.kind == Shape::Kind::Any;
  switch (shape.kind) {
  case Shape::Kind::All:
    return std::all_of(shape.args.begin(), shape.args.end(),
                       [&](const Shape &s) { return match(id, s, depth + 1); });
  case Shape::Kind::One:
    return std::any_of(shape.args.begin(), shape.args.end(),
                       [&](const Shape &s) { return match(id, s, depth + 1); });
  case Shape::Kind::Float:
    if (a.values[id].kind == Kind::Operation)
      return isFloat(a.values[id].type) && match(id, shape.args[0], depth + 1);
    break;
  case Shape::Kind::Has:
    return hasWithin(id, shape.args[0], depth);
  case Shape::Kind::Operation:
    if (operationMatches(id, shape, depth))
      return true;
    break;
  default:
    if (leafMatches(id, shape))
      return true;
    break;
  }
  // A loop's value asked for while it is being asked for: the others decide.
  if (!open.insert({id, &shape}).second)
    return true;
  bool found = choiceMatches(id, shape, depth);
  open.erase({id, &shape});
  return found;
}

/// Operands of nested `op`s, until there are as many as wanted.
std::vector<ValueId> ShapeMatcher::flattened(ValueId id, Op op,
                                             size_t wanted) const {
  std::vector<ValueId> flat;
  for (ValueId arg : a.values[id].args)
    if (!(op == Op::Add && isNothing(arg) && a.values[id].args.size() > 2))
      flat.push_back(stripped(arg));
  for (size_t i = 0; i < flat.size() && flat.size() < wanted; ++i)
    while (flat.size() < wanted && flat[i] < a.values.size() &&
           isOperation(a.values[flat[i]], op) &&
           a.values[flat[i]].args.size() >= 2) {
      std::vector<ValueId> inner = a.values[flat[i]].args;
      flat[i] = stripped(inner[0]);
      for (size_t k = 1; k < inner.size(); ++k)
        flat.push_back(stripped(inner[k]));
    }
  return flat;
}

bool ShapeMatcher::argsMatch(const std::vector<ValueId> &args,
                             const Shape &shape, bool anyOrder, int depth) {
  if (args.size() != shape.args.size())
    return false;
  std::vector<size_t> order(args.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  do {
    bool all = true;
    for (size_t i = 0; all && i < order.size(); ++i) {
      all = match(args[order[i]], shape.args[i], depth + 1);
      // x + x is no addition of two arrays.
      for (size_t j = 0; all && j < i; ++j)
        all = shape.args[i].kind != Shape::Kind::Load ||
              shape.args[j].kind != Shape::Kind::Load ||
              args[order[i]] != args[order[j]];
    }
    if (all)
      return true;
  } while (anyOrder && args.size() <= 4 && budget > 0 &&
           std::next_permutation(order.begin(), order.end()));
  return false;
}

bool ShapeMatcher::operationMatches(ValueId id, const Shape &shape, int depth) {
  const Value &v = a.values[id];
  if (v.kind != Kind::Operation)
    return false;
  auto args = [&](std::vector<ValueId> list, bool anyOrder) {
    return shape.args.empty() || argsMatch(list, shape, anyOrder, depth);
  };
  Op op = v.op == Op::Mad ? Op::Fma : v.op;
  if (shape.op == Op::Fma && op == Op::Fma && v.args.size() == 3) {
    if (shape.args.empty() || argsMatch(v.args, shape, false, depth))
      return true;
    return argsMatch({v.args[1], v.args[0], v.args[2]}, shape, false, depth);
  }
  if (op == shape.op && isCommutative(op))
    return args(flattened(id, op, shape.args.size()), true);
  if (op == shape.op)
    return args(v.args, false);
  if (v.args.size() != 2)
    return false;
  ValueId x = stripped(v.args[0]), y = stripped(v.args[1]);
  if (shape.op == Op::Mul && op == Op::Add && x == y && shape.args.size() == 2)
    for (int k = 0; k < 2; ++k) {
      const Shape &factor = shape.args[1 - k];
      bool two = factor.kind == Shape::Kind::Scalar ||
                 factor.kind == Shape::Kind::Constant ||
                 (factor.kind == Shape::Kind::Number && factor.number == 2);
      if (two && match(x, shape.args[k], depth + 1))
        return true;
    }
  if (shape.op == Op::Sub && op == Op::Add)
    for (auto [from, less] : {std::pair(x, y), std::pair(y, x)})
      if (less < a.values.size() && isOperation(a.values[less], Op::Neg) &&
          args({from, a.values[less].args[0]}, false))
        return true;
  if (shape.op == Op::Div && op == Op::Mul)
    for (auto [from, by] : {std::pair(x, y), std::pair(y, x)})
      if (by < a.values.size() && isOperation(a.values[by], Op::Rcp) &&
          args({from, a.values[by].args[0]}, false))
        return true;
  return false;
}

bool ShapeMatcher::extremeMatches(Op op, ValueId x, ValueId y,
                                  const Shape &shape, int depth) {
  if (shape.kind != Shape::Kind::Operation || shape.op != op)
    return false;
  return shape.args.empty() || argsMatch({x, y}, shape, true, depth);
}

/// A choice between two values is their larger one, their smaller one, a value
/// within its bounds, or the shape whichever is taken.
bool ShapeMatcher::choiceMatches(ValueId id, const Shape &shape, int depth) {
  const Value &v = a.values[id];
  if (v.kind == Kind::Phi)
    return phiMatches(id, shape, depth);
  bool choice = (v.kind == Kind::Gamma || isOperation(v, Op::Select)) &&
                v.args.size() == 3;
  if (!choice)
    return false;
  ValueId guard = stripped(v.args[0]), yes = stripped(v.args[1]),
          no = stripped(v.args[2]);
  if (guard < a.values.size()) {
    const Value &test = a.values[guard];
    if (isOperation(test, Op::Compare) && test.args.size() == 2) {
      ValueId p = stripped(test.args[0]), q = stripped(test.args[1]);
      bool less = test.cmp == Cmp::Lt || test.cmp == Cmp::Le;
      bool greater = test.cmp == Cmp::Gt || test.cmp == Cmp::Ge;
      bool straight = sameValue(p, yes) && sameValue(q, no);
      bool crossed = sameValue(p, no) && sameValue(q, yes);
      if ((less || greater) && (straight || crossed)) {
        Op op = less == straight ? Op::Min : Op::Max;
        if (extremeMatches(op, yes, no, shape, depth))
          return true;
      }
    }
  }
  if (origins.freeOfData(guard)) {
    if (isNothing(no))
      return match(yes, shape, depth + 1);
    if (isNothing(yes))
      return match(no, shape, depth + 1);
  }
  return match(yes, shape, depth + 1) && match(no, shape, depth + 1);
}

bool ShapeMatcher::phiMatches(ValueId id, const Shape &shape, int depth) {
  const Value &v = a.values[id];
  if (v.args.empty() || v.block >= a.blocks.size())
    return false;
  // The branch that chose, where there is one.
  const Block &block = a.blocks[v.block];
  ValueId chosenBy = noValue;
  if (block.dominator < a.blocks.size() && block.dominator != v.block) {
    const Block &above = a.blocks[block.dominator];
    if (above.last > above.first && above.last <= a.code.size())
      chosenBy = a.code[above.last - 1].condition;
  }
  bool bounded = chosenBy != noValue && origins.freeOfData(chosenBy);
  size_t fits = 0, nothing = 0;
  for (ValueId arg : v.args) {
    if (arg == id || match(arg, shape, depth + 1))
      ++fits;
    else if (bounded && isNothing(arg))
      ++nothing;
  }
  return fits > 0 && fits + nothing == v.args.size();
}

bool ShapeMatcher::hasWithin(ValueId id, const Shape &shape, int depth) {
  std::unordered_set<ValueId> seen{id};
  std::vector<ValueId> work{id};
  while (!work.empty() && --budget > 0) {
    ValueId next = work.back();
    work.pop_back();
    if (match(next, shape, depth + 1))
      return true;
    const Value &v = a.values[next];
    if (v.kind == Kind::Load)
      continue;
    for (ValueId arg : v.args)
      if (arg < a.values.size() && seen.insert(arg).second)
        work.push_back(arg);
  }
  return false;
}
