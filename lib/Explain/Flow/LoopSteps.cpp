//===- LoopSteps.cpp - How a loop's phis change ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Flow/LoopSteps.h"
#include "Explain/Flow/Internal.h"

#include <algorithm>

using namespace wf::explain;

using Kind = Value::Kind;

LoopSteps::LoopSteps(const Analysis &a) : a(a), phisAt(a.blocks.size()) {
  std::vector<bool> used = usedValues();
  for (ValueId id = 0; id < a.values.size(); ++id) {
    const Value &v = a.value(id);
    if (v.kind == Kind::Phi && v.block < a.blocks.size() && used[id])
      phisAt[v.block].push_back(id);
  }
}

/// A phi that only feeds itself is nobody's value.
std::vector<bool> LoopSteps::usedValues() const {
  std::vector<bool> used(a.values.size(), false);
  std::vector<ValueId> work;
  auto mark = [&](ValueId id) {
    if (id != noValue && !used[id]) {
      used[id] = true;
      work.push_back(id);
    }
  };
  for (size_t i = 0; i < a.code.size(); ++i) {
    const InstructionValues &code = a.code[i];
    mark(code.guard);
    mark(code.condition);
    for (const EffectValues &e : code.effects) {
      mark(e.address);
      mark(e.data);
      if (e.result != noValue && a.values[e.result].kind == Kind::Result)
        mark(e.result);
    }
  }
  while (!work.empty()) {
    const Value &v = a.values[work.back()];
    work.pop_back();
    for (ValueId arg : v.args)
      mark(arg);
  }
  return used;
}

ValueId LoopSteps::argument(const Loop &loop, ValueId phi, bool back) const {
  const Value &v = a.value(phi);
  const auto &previous = a.blocks[loop.header].previous;
  for (size_t k = 0; k < v.args.size(); ++k) {
    bool isLatch = k < previous.size() &&
                   std::find(loop.latches.begin(), loop.latches.end(),
                             previous[k]) != loop.latches.end();
    if (isLatch == back)
      return v.args[k];
  }
  return noValue;
}

Step LoopSteps::stepOf(const Loop &loop, ValueId phi) const {
  ValueId next = stepped(loop, phi);
  if (next == noValue)
    return {};
  // What a guard keeps or a select takes is a step too.
  for (int k = 0; k < 4 && a.value(next).kind == Kind::Gamma; ++k) {
    const Value &g = a.value(next);
    next = g.args[1] == phi ? g.args[2] : g.args[1];
  }
  const Value &v = a.value(next);
  bool constant = v.args.size() == 2 && v.args[0] == phi &&
                  a.value(v.args[1]).kind == Value::Kind::Constant;
  if (constant && (is(v, Op::ShrLogical) || is(v, Op::ShrArith) ||
                   (is(v, Op::Mul) && !isFloat(v.type))))
    return {Step::Kind::Shift, a.value(v.args[1]).imm, noValue, v.op};
  if (!isFloat(v.type)) {
    Address sum = splitSum(a, next);
    auto self = std::find(sum.terms.begin(), sum.terms.end(),
                          std::pair<ValueId, int64_t>(phi, 1));
    bool counts = self != sum.terms.end() && next != phi;
    for (const auto &term : sum.terms)
      counts = counts && (term.first == phi || invariant(loop, term.first));
    if (self != sum.terms.end() && !counts && sum.terms.size() > 1)
      return {Step::Kind::Accumulate, int64_t(sum.terms.size()) - 1, noValue,
              Op::Add};
    if (counts)
      return {Step::Kind::Count, sum.terms.size() == 1 ? sum.offset : 0,
              sum.terms.size() == 1 ? noValue : next, Op::Add};
  }
  return accumulates(next, phi);
}

/// A chain of one operation from the phi to its next value.
Step LoopSteps::accumulates(ValueId next, ValueId phi) const {
  static constexpr Op ops[] = {Op::Add, Op::Fma, Op::Max, Op::Min,
                               Op::Mul, Op::Or,  Op::And, Op::Xor};
  Op first = Op::Unknown;
  ValueId at = next;
  int64_t length = 0;
  for (int nodes = 0; nodes < 8192; ++nodes) {
    const Value &v = a.value(at);
    if (at == phi)
      return length ? Step{Step::Kind::Accumulate, length, noValue, first}
                    : Step{};
    if (v.kind == Kind::Gamma) {
      at = v.args[1] == phi ? v.args[2] : v.args[1];
      continue;
    }
    bool listed =
        v.kind == Kind::Operation &&
        std::find(std::begin(ops), std::end(ops), v.op) != std::end(ops);
    if (!listed)
      return {};
    if (first == Op::Unknown)
      first = v.op;
    if (isPredicate(a.value(v.args.back())))
      return {}; // a carry: half of something wide
    if (v.op != first && !(first == Op::Add && v.op == Op::Fma) &&
        !(first == Op::Fma && v.op == Op::Add))
      return {};
    // On through the operand that leads back to the phi: the last of an
    // fma, else the one that is the same operation or the phi.
    ValueId onward = noValue;
    for (ValueId arg : v.args) {
      const Value &w = a.value(arg);
      if (arg == phi)
        onward = arg;
      else if (onward != phi &&
               ((w.kind == Kind::Operation &&
                 (w.op == v.op || w.op == Op::Fma) && w.type == v.type) ||
                w.kind == Kind::Gamma))
        onward = arg;
    }
    if (v.op == Op::Fma && v.args.size() == 3 && onward != phi)
      onward = v.args[2];
    if (onward == noValue)
      return {};
    at = onward;
    ++length;
  }
  return {};
}

/// Whether a value is the same in every step: no phi of this loop in it.
bool LoopSteps::invariant(const Loop &loop, ValueId id, int depth) const {
  const Value &v = a.value(id);
  if (v.kind == Kind::Phi)
    return !std::binary_search(loop.blocks.begin(), loop.blocks.end(), v.block);
  if (v.kind == Kind::Load || v.kind == Kind::Result)
    return v.instruction < a.blockOf.size() &&
           !std::binary_search(loop.blocks.begin(), loop.blocks.end(),
                               a.blockOf[v.instruction]);
  if (depth == 0)
    return v.args.empty();
  for (ValueId arg : v.args)
    if (!invariant(loop, arg, depth - 1))
      return false;
  return true;
}
