//===- Address.cpp - Sums taken apart -------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Internal.h"

#include <algorithm>

using namespace wf::explain;

using Kind = Value::Kind;

static std::optional<int64_t> constantOf(const Analysis &a, ValueId id) {
  const Value &v = a.value(id);
  return v.kind == Kind::Constant ? std::optional(v.imm) : std::nullopt;
}

static int64_t times(int64_t x, int64_t y) {
  return int64_t(uint64_t(x) * uint64_t(y));
}
static int64_t plus(int64_t x, int64_t y) {
  return int64_t(uint64_t(x) + uint64_t(y));
}

namespace {

class Sum {
public:
  explicit Sum(const Analysis &a) : a(a) {}

  void add(ValueId id, int64_t factor) {
    std::vector<std::pair<ValueId, int64_t>> work = {{id, factor}};
    // Terms of one sum share many parts in machine-made code; a bound keeps a
    // sum of sums from being walked again and again.
    for (int nodes = 0; !work.empty();) {
      auto [next, by] = work.back();
      work.pop_back();
      if (++nodes > 256 || !takeApart(next, by, work))
        term(next, by);
    }
  }

  void addConstant(int64_t bytes) {
    result.offset = plus(result.offset, bytes);
  }

  Address finish() {
    std::erase_if(result.terms, [](const auto &t) { return t.second == 0; });
    return std::move(result);
  }

private:
  bool takeApart(ValueId id, int64_t by,
                 std::vector<std::pair<ValueId, int64_t>> &work) {
    const Value &v = a.value(id);
    if (v.kind == Kind::Constant) {
      addConstant(times(v.imm, by));
      return true;
    }
    bool plain = v.type == Type::B32 || v.type == Type::B64;
    if (v.kind != Kind::Operation || !plain || !v.name.empty())
      return false;
    switch (v.op) {
    case Op::Add:
      if (isPredicate(a.value(v.args.back())))
        return false;
      // Backwards: the work list is a stack, and the first term comes first.
      for (size_t k = v.args.size(); k-- > 0;)
        work.push_back({v.args[k], by});
      return true;
    case Op::Sub:
      if (isPredicate(a.value(v.args.back())))
        return false;
      for (size_t k = v.args.size(); k-- > 0;)
        work.push_back({v.args[k], k == 0 ? by : times(by, -1)});
      return true;
    case Op::Neg:
      work.push_back({v.args[0], times(by, -1)});
      return true;
    case Op::Mul:
      if (auto c = constantOf(a, v.args[1])) {
        work.push_back({v.args[0], times(by, *c)});
        return true;
      }
      return false;
    case Op::Convert:
      // An index is taken not to wrap around.
      if (bitsOf(v.type) != 64 || bitsOf(v.from) != 32)
        return false;
      work.push_back({v.args[0], by});
      return true;
    case Op::Or: {
      // Bits that the other side has not are added.
      auto c = constantOf(a, v.args[1]);
      const Value &x = a.value(v.args[0]);
      auto factor = is(x, Op::Mul) ? constantOf(a, x.args[1]) : std::nullopt;
      if (!c || !factor || *factor <= 0 || (*factor & (*factor - 1)) != 0 ||
          *c < 0 || *c >= *factor)
        return false;
      addConstant(times(*c, by));
      work.push_back({v.args[0], by});
      return true;
    }
    default:
      return false;
    }
  }

  void term(ValueId id, int64_t by) {
    for (auto &[known, factor] : result.terms)
      if (known == id) {
        factor = plus(factor, by);
        return;
      }
    if (result.terms.size() < 64)
      result.terms.push_back({id, by});
    else
      result.terms.back() = {id, by}; // such a sum says nothing any more
  }

  const Analysis &a;
  Address result;
};

/// How well a term serves as the pointer of an address.
int pointerRank(const Analysis &a, ValueId id, Space space) {
  const Value &v = a.value(id);
  switch (v.kind) {
  case Kind::Parameter:
    if (!isWide(v))
      return 0;
    for (const Parameter &p : a.program.kernel.parameters)
      if (int64_t(p.offset) == v.imm)
        return p.type.find('*') != std::string::npos ? 5 : 3;
    return 4;
  case Kind::Symbol:
    if (v.name == "shared" || v.name == "stack" || v.name == "kernarg")
      return 4;
    // A variable's address in PTX; not an index such as threadIdx.x.
    if (space == Space::Shared || space == Space::Local)
      return v.name.find('.') == std::string::npos && v.name != "laneId" &&
                     v.name != "warpId"
                 ? 2
                 : 0;
    return isWide(v) ? 2 : 0;
  case Kind::Load:
  case Kind::Phi:
  case Kind::Gamma:
  case Kind::Pair:
  case Kind::Result:
    return isWide(v) ? 1 : 0;
  case Kind::Operation:
    return isWide(v) && v.op == Op::Select ? 1 : 0;
  default:
    return 0;
  }
}

/// What a loop's phi is at its entry, and after a step.
struct LoopPhi {
  ValueId entered = noValue, stepped = noValue;
};
LoopPhi loopPhi(const Analysis &a, const Value &phi) {
  LoopPhi found;
  if (phi.block >= a.blocks.size())
    return found;
  const auto &previous = a.blocks[phi.block].previous;
  for (const Loop &loop : a.loops) {
    if (loop.header != phi.block)
      continue;
    for (size_t k = 0; k < phi.args.size(); ++k) {
      bool back = k < previous.size() &&
                  std::find(loop.latches.begin(), loop.latches.end(),
                            previous[k]) != loop.latches.end();
      (back ? found.stepped : found.entered) = phi.args[k];
    }
  }
  return found;
}

} // namespace

Address wf::explain::splitSum(const Analysis &a, ValueId id) {
  if (id >= a.values.size())
    return {};
  Sum sum(a);
  sum.add(id, 1);
  return sum.finish();
}

static void setRoot(const Analysis &a, Address &found, Space space) {
  using Root = Address::Root;
  const Value *base = found.base == noValue ? nullptr : &a.value(found.base);
  if (base && base->kind == Kind::Parameter)
    found.root = Root::Parameter;
  else if (space == Space::Shared || (base && base->name == "shared"))
    found.root = Root::Shared;
  else if (space == Space::Local || (base && base->name == "stack"))
    found.root = Root::Local;
  else if (base)
    found.root = Root::Unknown;
}

namespace {

/// Finds the pointer of a sum, through the values that it moves by.
class PointerFinder {
public:
  PointerFinder(const Analysis &a, Space space) : a(a), space(space) {}

  Address split(ValueId id, int depth) {
    Address found = splitSum(a, id);
    size_t best = SIZE_MAX;
    int rank = 0;
    for (size_t k = 0; k < found.terms.size(); ++k)
      if (found.terms[k].second == 1)
        if (int r = pointerRank(a, found.terms[k].first, space); r > rank) {
          best = k;
          rank = r;
        }
    if (best == SIZE_MAX)
      return found;
    const ValueId base = found.terms[best].first;
    found.terms.erase(found.terms.begin() + long(best));
    found.base = base;
    const Value &v = a.value(base);
    // A bound in all: pointers that depend on many conditions are many.
    if (depth > 0 && isWide(v) && nodes++ < 64) {
      if (v.kind == Kind::Phi && moveAlong(found, v, depth))
        return found;
      if (v.kind == Kind::Gamma || v.kind == Kind::Phi ||
          (v.kind == Kind::Operation && v.op == Op::Select))
        oneOf(found, v, depth);
    }
    return found;
  }

private:
  /// A pointer that a loop moves: from where it began, by its steps.
  bool moveAlong(Address &found, const Value &v, int depth) {
    LoopPhi phi = loopPhi(a, v);
    if (phi.entered == noValue || phi.stepped == noValue)
      return false;
    Address step = splitSum(a, phi.stepped);
    bool even = step.terms.size() == 1 &&
                step.terms[0] == std::pair<ValueId, int64_t>(found.base, 1);
    Address start = split(phi.entered, depth - 1);
    add(found, start, {found.base, even ? step.offset : 1});
    return true;
  }

  /// One of several pointers: where all have one base, what they share.
  void oneOf(Address &found, const Value &v, int depth) {
    Address shared;
    bool first = true, moves = false;
    for (size_t k = v.kind == Kind::Phi ? 0 : 1; k < v.args.size(); ++k) {
      Address way = split(v.args[k], depth - 1);
      if (first) {
        shared = std::move(way);
        first = false;
        continue;
      }
      if (shared.base == noValue || way.base != shared.base)
        return;
      moves = moves || way.terms != shared.terms || way.offset != shared.offset;
      std::erase_if(shared.terms, [&](const auto &term) {
        return std::find(way.terms.begin(), way.terms.end(), term) ==
               way.terms.end();
      });
      if (way.offset != shared.offset)
        shared.offset = 0;
    }
    if (!first)
      add(found, shared, {found.base, moves ? 1 : 0});
  }

  static void add(Address &found, const Address &more,
                  std::pair<ValueId, int64_t> moved) {
    found.base = more.base;
    found.offset = plus(found.offset, more.offset);
    found.terms.insert(found.terms.end(), more.terms.begin(), more.terms.end());
    if (moved.second)
      found.terms.push_back(moved);
  }

  const Analysis &a;
  Space space;
  int nodes = 0;
};

} // namespace

Address wf::explain::splitAddress(const Analysis &a, ValueId id, Space space) {
  if (id >= a.values.size())
    return {};
  Address found = PointerFinder(a, space).split(id, 16);
  setRoot(a, found, space);
  return found;
}
