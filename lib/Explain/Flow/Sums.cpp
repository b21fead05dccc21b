//===- Sums.cpp - Sums and products of integers, with their carries -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Lowering.h"

#include <algorithm>

using namespace wf::explain;

using Kind = Value::Kind;

static bool isWideInteger(Type type) {
  return bitsOf(type) == 64 && !isFloat(type);
}

/// The carry stays an argument, the last, for pair() to undo.
ValueId Lowering::withCarry(Op op, std::vector<ValueId> terms, ValueId carry) {
  if (op == Op::Add)
    std::erase_if(terms, [&](ValueId term) { return t.isConstant(term, 0); });
  if (t[carry].kind == Kind::Constant) {
    ValueId sum = terms.empty() ? t.constant(0) : terms[0];
    for (size_t k = 1; k < terms.size(); ++k)
      sum = op == Op::Add ? t.add(sum, terms[k], false)
                          : t.sub(sum, terms[k], false);
    int64_t one = op == Op::Add ? 1 : -1;
    return t[carry].imm ? t.add(sum, t.constant(one), false) : sum;
  }
  if (terms.empty())
    terms.push_back(t.constant(0));
  Value v;
  v.kind = Kind::Operation;
  v.op = op;
  v.args = std::move(terms);
  v.args.push_back(carry);
  return t.intern(std::move(v));
}

ValueId Lowering::multiplied(const Effect &e, const std::vector<ValueId> &in) {
  bool wide = isWideInteger(e.type);
  ValueId x = in[0], y = in[1];
  if (e.wide) {
    Type narrow = e.from == Type::None ? e.type : e.from;
    x = t.widened(x, isSigned(narrow));
    y = t.widened(y, isSigned(narrow));
    wide = true;
  } else if (wide) {
    x = t.widened(x, true);
    y = t.widened(y, true);
  }
  ValueId product = t.mul(x, y, wide);
  size_t terms = in.size() - (e.carryIn ? 1 : 0);
  if (e.carryIn && !wide) {
    std::vector<ValueId> sum = {product};
    if (terms > 2)
      sum.push_back(in[2]);
    return withCarry(Op::Add, std::move(sum), in.back());
  }
  if (terms < 3)
    return product;
  return t.add(product, wide ? t.widened(in[2], isSigned(e.type)) : in[2],
               wide);
}

ValueId Lowering::integerOf(const Effect &e, const std::vector<ValueId> &in) {
  const bool wide = isWideInteger(e.type), subtracts = e.op == Op::Sub;
  std::vector<ValueId> terms(in.begin(), in.end() - (e.carryIn ? 1 : 0));
  if (e.carryIn)
    return withCarry(e.op, std::move(terms), in.back());
  for (ValueId &term : terms)
    if (wide)
      term = t.widened(term, true);
  ValueId sum = terms.empty() ? t.constant(0, e.type) : terms[0];
  for (size_t k = 1; k < terms.size(); ++k)
    sum = subtracts ? t.sub(sum, terms[k], wide) : t.add(sum, terms[k], wide);
  return sum;
}

/// Bits shifted across words; LEA.HI adds further operands, and a carry.
ValueId Lowering::funnelled(const Effect &e, const std::vector<ValueId> &in) {
  ValueId word = t.funnel(in[0], in[1], in[2], e.detail.starts_with("l"));
  if (in.size() == 3)
    return word;
  std::vector<ValueId> terms = {word};
  terms.insert(terms.end(), in.begin() + 3, in.end() - (e.carryIn ? 1 : 0));
  return withCarry(Op::Add, std::move(terms),
                   e.carryIn ? in.back() : t.truth(false));
}

/// The carry out of what a sibling effect adds: its terms.
ValueId Lowering::carryOf(const Effect &e, const std::vector<ValueId> &in) {
  const auto &siblings = a.program.code[at].effects;
  auto shares = [&](Op op) {
    return std::any_of(siblings.begin(), siblings.end(), [&](const Effect &s) {
      return s.op == op && s.in.size() == e.in.size();
    });
  };
  Value v;
  v.kind = Kind::Operation;
  v.op = e.op;
  v.type = Type::Pred;
  v.args = in;
  if (e.carryIn && !v.args.empty())
    v.args.pop_back();
  if ((e.detail == "mad" || shares(Op::Mad)) && v.args.size() >= 2) {
    v.args[0] = t.mul(v.args[0], v.args[1], isWideInteger(e.type));
    v.args.erase(v.args.begin() + 1);
  }
  if (e.op == Op::CarryOut)
    std::erase_if(v.args, [&](ValueId arg) { return t.isConstant(arg, 0); });
  if (e.carryIn && !in.empty())
    v.args.push_back(in.back());
  return v.args.empty() ? t.truth(false) : t.intern(std::move(v));
}

/// The four 16-bit products of sm_61 and before, put together again: the last
/// adds a.h1 · b.h0 and a.h0 · b.h1, shifted, to a.h0 · b.h0 + c.
ValueId Lowering::product16(const Effect &e, const std::vector<ValueId> &in) {
  if (in.size() != 3 || e.detail.find("PSL") == std::string::npos ||
      e.detail.find("CBCC") == std::string::npos)
    return noValue;
  auto shifted = [&](ValueId id) {
    const Value &v = t[id];
    bool isHalf = v.kind == Kind::Operation && v.op == Op::ShrLogical &&
                  t.isConstant(v.args[1], 16);
    return isHalf ? v.args[0] : noValue;
  };
  auto isProduct = [&](ValueId id) {
    return id != noValue && t[id].kind == Kind::Operation &&
           t[id].op == Op::Mad && t[id].args.size() == 3;
  };
  ValueId x = shifted(in[0]), merged = shifted(in[1]);
  if (x == noValue || !isProduct(merged) || !isProduct(in[2]) ||
      t[merged].name.find("MRG") == std::string::npos)
    return noValue;
  ValueId y = shifted(t[merged].args[1]);
  const std::vector<ValueId> lows = t[in[2]].args;
  if (y == noValue || t[merged].args[0] != lows[0] ||
      lows[0] != t.bits(x, 0, 16, false) || lows[1] != t.bits(y, 0, 16, false))
    return noValue;
  return t.add(t.mul(x, y, false), lows[2], false);
}
