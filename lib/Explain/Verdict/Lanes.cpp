//===- Lanes.cpp - A value in each lane, and what an address names --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Strides between lanes and bank conflicts come from evaluating an address for
// every lane of the first warp, not from the form of its expression: swizzles,
// masks and shifts are then no special cases.
//===----------------------------------------------------------------------===//
#include "Explain/Verdict/Slices.h"

#include <bit>

using namespace wf::explain;
using Kind = Value::Kind;
using Known = std::optional<int64_t>;

namespace {

class LaneEvaluator {
public:
  LaneEvaluator(const Slices &slices, int lane) : s(slices), lane(lane) {}

  Known run(ValueId id) { return evaluate(id, 0); }

private:
  Known evaluate(ValueId id, int depth) {
    const Analysis &a = s.analysis();
    if (id >= a.values.size() || depth > 200)
      return std::nullopt;
    if (auto it = memo.find(id); it != memo.end())
      return it->second;
    memo[id] = std::nullopt; // a cycle has no value
    const Value &v = a.values[id];
    Known known = s.varies(id) ? varying(v, depth) : uniform(v, depth);
    memo[id] = known;
    return known;
  }

  /// The same in all lanes: any value does, the multiple of 4096 leaves
  /// alignment and conflicts as they are.
  Known uniform(const Value &v, int depth) {
    if (v.kind == Kind::Constant)
      return v.imm;
    if (v.kind == Kind::Symbol) {
      if (v.name == "blockDim.x")
        return 256;
      return 0;
    }
    if (v.kind == Kind::Operation)
      if (Known k = operation(v, depth))
        return k;
    return 0;
  }

  Known varying(const Value &v, int depth) {
    switch (v.kind) {
    case Kind::Symbol:
      return v.name == "threadIdx.x" || v.name.starts_with("lane") ||
                     v.name == "threadIdx.packed"
                 ? Known(lane)
                 : Known(0);
    case Kind::Phi: {
      // The first step: the argument from outside the loop.
      const Analysis &a = s.analysis();
      for (size_t i = 0; i < v.args.size(); ++i) {
        if (v.block < a.blocks.size() &&
            i < a.blocks[v.block].previous.size() &&
            a.blocks[v.block].loop >= 0) {
          size_t p = a.blocks[v.block].previous[i];
          size_t at = p < a.blocks.size() ? a.blocks[p].first : SIZE_MAX;
          if (s.within(at, a.blocks[v.block].loop))
            continue;
        }
        if (Known k = evaluate(v.args[i], depth + 1))
          return k;
      }
      return std::nullopt;
    }
    case Kind::Gamma:
      return v.args.size() > 1 ? evaluate(v.args[1], depth + 1) : std::nullopt;
    case Kind::Low:
      if (Known k = evaluate(v.args[0], depth + 1))
        return int64_t(uint32_t(*k));
      return std::nullopt;
    case Kind::High:
      if (Known k = evaluate(v.args[0], depth + 1))
        return int64_t(uint64_t(*k) >> 32);
      return std::nullopt;
    case Kind::Pair: {
      Known low = evaluate(v.args[0], depth + 1);
      return low ? Known(int64_t(uint32_t(*low))) : std::nullopt;
    }
    case Kind::Operation:
      return operation(v, depth);
    default:
      return std::nullopt;
    }
  }

  Known operation(const Value &v, int depth) {
    std::vector<int64_t> x;
    for (ValueId arg : v.args) {
      Known k = evaluate(arg, depth + 1);
      if (!k)
        return std::nullopt;
      x.push_back(*k);
    }
    unsigned bits = bitsOf(v.type) > 32 ? 64 : 32;
    auto fit = [&](uint64_t r) -> Known {
      return bits == 32 ? int64_t(int32_t(r)) : int64_t(r);
    };
    auto u = [&](size_t i) {
      return bits == 32 ? uint64_t(uint32_t(x[i])) : uint64_t(x[i]);
    };
    if (isFloat(v.type) || x.empty())
      return std::nullopt;
    switch (v.op) {
    case Op::Move:
    case Op::Convert:
      return fit(u(0));
    case Op::Not:
      return fit(~u(0));
    case Op::Neg:
      return fit(-u(0));
    case Op::PopCount:
      return std::popcount(u(0));
    default:
      break;
    }
    if (x.size() < 2)
      return std::nullopt;
    switch (v.op) {
    case Op::Add: {
      uint64_t sum = 0;
      for (size_t i = 0; i < x.size(); ++i)
        sum += uint64_t(x[i]);
      return fit(sum);
    }
    case Op::Sub:
      return fit(u(0) - u(1));
    case Op::Mul:
      return fit(uint64_t(x[0]) * uint64_t(x[1]));
    case Op::Mad:
      return x.size() > 2
                 ? fit(uint64_t(x[0]) * uint64_t(x[1]) + uint64_t(x[2]))
                 : std::nullopt;
    case Op::Shl:
      return u(1) < bits ? fit(u(0) << u(1)) : Known(0);
    case Op::ShrLogical:
      return u(1) < bits ? fit(u(0) >> u(1)) : Known(0);
    case Op::ShrArith:
      return fit(uint64_t((bits == 32 ? int64_t(int32_t(x[0])) : x[0]) >>
                          std::min<uint64_t>(u(1), bits - 1)));
    case Op::And:
      return fit(u(0) & u(1));
    case Op::Or:
      return fit(u(0) | u(1));
    case Op::Xor:
      return fit(u(0) ^ u(1));
    default:
      return std::nullopt;
    }
  }

  const Slices &s;
  int lane;
  std::unordered_map<ValueId, Known> memo;
};

/// a + b - 1 of the terms, constants last.
std::string sumText(const Analysis &a, const Address &sum, int64_t unit,
                    bool &exact) {
  std::string text;
  exact = sum.offset % unit == 0;
  for (auto [term, factor] : sum.terms) {
    bool negative = factor < 0;
    int64_t size = negative ? -factor : factor;
    if (size % unit != 0)
      exact = false;
    std::string one = expression(a, term, 6);
    int64_t times = size / unit;
    if (one.find(' ') != std::string::npos && times != 1)
      one = "(" + one + ")";
    if (times != 1)
      one = std::to_string(times) + " * " + one;
    text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
    text += one;
  }
  int64_t offset = sum.offset / unit;
  if (text.empty())
    return std::to_string(offset);
  if (offset)
    text += (offset < 0 ? " - " : " + ") +
            std::to_string(offset < 0 ? -offset : offset);
  return text;
}

} // namespace

std::optional<int64_t> Slices::inLane(ValueId id, int lane) const {
  return LaneEvaluator(*this, lane).run(id);
}

std::string wf::explain::arrayOf(const Analysis &a, ValueId address,
                                 Space space) {
  Address split = splitAddress(a, address, space);
  if (space == Space::Shared || split.root == Address::Root::Shared)
    return "shared";
  if (space == Space::Local)
    return "local";
  if (split.base != noValue)
    return expression(a, split.base, 4);
  return std::string(spaceName(space));
}

std::string wf::explain::place(const Analysis &a, ValueId address, Space space,
                               uint32_t bytes) {
  if (address == noValue || address >= a.values.size())
    return std::string(spaceName(space)) + "[?]";
  Address split = splitAddress(a, address, space);
  std::string array = arrayOf(a, address, space);
  bool exact = true;
  std::string index;
  // A vector's elements are indexed by their own size: float4 at 16 * i.
  for (int64_t unit : {int64_t(bytes ? bytes : 4), int64_t(4), int64_t(1)}) {
    index = sumText(a, split, unit, exact);
    if (exact)
      return array + "[" + index + (unit == 1 && bytes != 1 ? " bytes]" : "]");
  }
  return array + "[" + index + "]";
}
