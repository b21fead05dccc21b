//===- Steps.cpp - Combining operations and what feeds them ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Verdict/Steps.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

using namespace wf::explain;
using Kind = Value::Kind;

std::vector<Touch> wf::explain::touchesOf(const Slices &s) {
  const Analysis &a = s.analysis();
  std::vector<Touch> touches;
  for (size_t i = 0; i < a.program.code.size() && i < a.code.size(); ++i) {
    const Decoded &d = a.program.code[i];
    if (d.never || !s.reachable(i))
      continue;
    for (size_t e = 0; e < d.effects.size() && e < a.code[i].effects.size();
         ++e) {
      const Effect &effect = d.effects[e];
      if (!effect.memory || (effect.op != Op::Load && effect.op != Op::Store &&
                             effect.op != Op::Atomic))
        continue;
      const EffectValues &ev = a.code[i].effects[e];
      Touch t;
      t.instruction = i;
      t.effect = e;
      t.space = effect.memory->space;
      t.load = effect.op == Op::Load;
      t.store = effect.op == Op::Store;
      t.atomic = effect.op == Op::Atomic;
      t.bytes = effect.memory->bytes;
      t.address = ev.address;
      t.data = ev.data;
      t.result = ev.result;
      touches.push_back(t);
    }
  }
  return touches;
}

bool wf::explain::isTicket(const Slices &s, const Touch &atomic) {
  const Analysis &a = s.analysis();
  if (atomic.result == noValue || a.values[atomic.result].type == Type::F32 ||
      a.values[atomic.result].type == Type::F64)
    return false;
  const Effect &e = a.program.code[atomic.instruction].effects[atomic.effect];
  if (e.memory && e.memory->atomic == "cas")
    return false;
  std::vector<ValueId> work{atomic.result};
  std::set<ValueId> seen;
  while (!work.empty() && seen.size() < 16) {
    ValueId at = work.back();
    work.pop_back();
    if (!seen.insert(at).second)
      continue;
    if (s.uses(at) & usedInCondition)
      return true;
    for (ValueId id = 0; id < a.values.size(); ++id) {
      const Value &v = a.values[id];
      bool passes = v.kind == Kind::Gamma || v.kind == Kind::Phi ||
                    v.op == Op::Shuffle || v.op == Op::ReadFirstLane ||
                    v.op == Op::ReadLane || v.op == Op::Add;
      if (passes && std::find(v.args.begin(), v.args.end(), at) != v.args.end())
        work.push_back(id);
    }
  }
  return false;
}

std::vector<size_t>
Step::instructions(const std::vector<Touch> &touches) const {
  std::set<size_t> found{at};
  for (size_t t : loads)
    found.insert(touches[t].instruction);
  for (size_t t : stores)
    found.insert(touches[t].instruction);
  found.insert(shuffles.begin(), shuffles.end());
  return {found.begin(), found.end()};
}

namespace {
class StepFinder {
public:
  StepFinder(const Slices &s, const std::vector<Touch> &touches)
      : s(s), touches(touches) {
    for (size_t t = 0; t < touches.size(); ++t) {
      if (touches[t].load && touches[t].result != noValue)
        loadAt[touches[t].instruction] = t;
      if (touches[t].store && touches[t].data != noValue)
        for (ValueId origin : s.origins(touches[t].data))
          storesOf[origin].push_back(t);
    }
  }

  std::vector<Step> run() {
    const Analysis &a = s.analysis();
    std::vector<Step> steps;
    for (ValueId id = 0; id < a.values.size(); ++id) {
      const Value &v = a.values[id];
      if (v.kind != Kind::Operation || !combines(v.op) || v.args.size() < 2 ||
          s.maker(id) == SIZE_MAX || !s.reachable(s.maker(id)))
        continue;
      // Data is what ends in a store, another lane or an atomic. Integers that
      // only make addresses are none.
      if (!(s.uses(id) & usedAsData) && !isFloat(v.type))
        continue;
      // Which of two operands stands left is chosen by the lane's number: the
      // choice is no combination.
      if (!choosesSide(v))
        steps.push_back(step(id, v));
    }
    std::sort(steps.begin(), steps.end(), [](const Step &x, const Step &y) {
      return std::tie(x.at, x.value) < std::tie(y.at, y.value);
    });
    return steps;
  }

private:
  bool isExchange(ValueId id) const {
    const Value &v = s.value(id);
    return (v.op == Op::Shuffle || v.op == Op::ReadLane) &&
           (v.kind == Kind::Result || v.kind == Kind::Operation);
  }

  /// A Select between a value and its neighbour's that does not look at either.
  bool choosesSide(const Value &v) const {
    if (v.op != Op::Select || v.args.size() != 3)
      return false;
    for (size_t i = 1; i < 3; ++i)
      for (ValueId origin : s.origins(v.args[i]))
        if (isExchange(origin))
          return !s.restsOn(v.args[0], origin);
    return false;
  }

  Step step(ValueId id, const Value &v) {
    Step step;
    step.value = id;
    step.at = s.maker(id);
    size_t first = v.op == Op::Select ? 1 : 0;
    std::set<ValueId> operands;
    for (size_t i = first; i < v.args.size(); ++i)
      operand(v.args[i], step, operands);
    const Decoded &d = s.analysis().program.code[step.at];
    for (const Effect &e : d.effects)
      if (e.op == v.op && e.shuffle != ShuffleKind::None)
        step.shuffles.push_back(step.at);
    step.operands.assign(operands.begin(), operands.end());
    if (auto it = storesOf.find(id); it != storesOf.end())
      step.stores = it->second;
    settle(step);
    return step;
  }

  void operand(ValueId arg, Step &step, std::set<ValueId> &operands,
               int depth = 0) {
    if (depth > 8) // a loop leads back to where it came from
      return;
    for (ValueId origin : s.origins(arg)) {
      const Value &v = s.value(origin);
      if (v.kind == Kind::Operation && v.op == Op::Neg && !v.args.empty()) {
        operand(v.args[0], step, operands, depth + 1);
        continue;
      }
      if (v.kind == Kind::Operation && choosesSide(v)) {
        operand(v.args[1], step, operands, depth + 1);
        operand(v.args[2], step, operands, depth + 1);
        continue;
      }
      if (isExchange(origin) && s.maker(origin) != SIZE_MAX) {
        if (std::find(step.shuffles.begin(), step.shuffles.end(),
                      s.maker(origin)) == step.shuffles.end())
          step.shuffles.push_back(s.maker(origin));
        for (ValueId sent : v.args)
          for (ValueId o : s.origins(sent))
            operands.insert(o);
        continue;
      }
      operands.insert(origin);
      if (v.kind == Kind::Load)
        if (auto it = loadAt.find(v.instruction); it != loadAt.end())
          if (std::find(step.loads.begin(), step.loads.end(), it->second) ==
              step.loads.end())
            step.loads.push_back(it->second);
    }
  }

  /// Keeps the loads and stores of one memory where there are both.
  void settle(Step &step) const {
    // Shared memory first: a thread's first element is loaded from global
    // memory and its last result stored there, which is no cycle.
    for (Space space : {Space::Shared, Space::Local, Space::Global})
      for (size_t w : step.stores)
        for (size_t l : step.loads)
          if (step.space == Space::None && touches[w].space == space &&
              touches[l].space == space)
            step.space = space;
    if (step.space == Space::None)
      return;
    auto other = [&](size_t t) { return touches[t].space != step.space; };
    std::erase_if(step.stores, other);
    std::erase_if(step.loads, other);
    // An operand that is carried in a register, not loaded: this thread's
    // partial, which is stored all the same.
    const Value &v = s.value(step.value);
    for (size_t i = v.op == Op::Select ? 1 : 0; i < v.args.size(); ++i) {
      std::vector<ValueId> from = s.origins(v.args[i]);
      step.partial |=
          std::find(from.begin(), from.end(), step.value) != from.end();
    }
  }

  const Slices &s;
  const std::vector<Touch> &touches;
  /// By instruction: a wide load's parts are values of their own.
  std::unordered_map<size_t, size_t> loadAt;
  std::unordered_map<ValueId, std::vector<size_t>> storesOf;
};

/// Collects the combining operations between a phi and its next value.
class CycleFinder {
public:
  CycleFinder(const Slices &s, ValueId phi, int loop)
      : s(s), phi(phi), loop(loop) {}

  bool run(ValueId next) {
    // Forward from the phi over what is used in the loop, backward from the
    // next value: what both reach is the cycle.
    std::vector<ValueId> work{next};
    std::vector<ValueId> order;
    std::unordered_map<ValueId, std::vector<ValueId>> users;
    std::unordered_set<ValueId> seen;
    while (!work.empty() && seen.size() < 2048) {
      ValueId at = work.back();
      work.pop_back();
      if (!seen.insert(at).second || at == phi)
        continue;
      const Value &v = s.value(at);
      if (!passes(v))
        continue;
      size_t first = v.kind == Kind::Gamma ||
                             (v.kind == Kind::Operation && v.op == Op::Select)
                         ? 1
                         : 0;
      for (size_t i = first; i < v.args.size(); ++i)
        if (v.args[i] < s.analysis().values.size()) {
          users[v.args[i]].push_back(at);
          work.push_back(v.args[i]);
        }
    }
    if (!seen.count(phi))
      return false;
    work = {phi};
    std::unordered_set<ValueId> cycle;
    while (!work.empty()) {
      ValueId at = work.back();
      work.pop_back();
      for (ValueId user : users[at])
        if (cycle.insert(user).second)
          work.push_back(user);
    }
    for (ValueId id : cycle)
      note(id);
    std::sort(operations.begin(), operations.end(),
              [&](ValueId x, ValueId y) { return s.maker(x) < s.maker(y); });
    return !operations.empty();
  }

  std::vector<ValueId> operations;
  bool rescaled = false;

private:
  bool passes(const Value &v) const {
    switch (v.kind) {
    case Kind::Operation:
      return combines(v.op) || v.op == Op::Move || v.op == Op::Convert ||
             v.op == Op::Neg;
    case Kind::Phi:
    case Kind::Gamma:
    case Kind::High:
    case Kind::Low:
    case Kind::Pair:
      return true;
    default:
      return false;
    }
  }

  void note(ValueId id) {
    const Value &v = s.value(id);
    if (v.kind != Kind::Operation || !combines(v.op) ||
        s.maker(id) == SIZE_MAX || !s.within(s.maker(id), loop))
      return;
    // s * correction + x: the carried value is a factor.
    if (v.op == Op::Mul)
      rescaled = true;
    if (v.op == Op::Fma && v.args.size() == 3 && !s.restsOn(v.args[2], phi))
      rescaled = true;
    operations.push_back(id);
  }

  const Slices &s;
  ValueId phi;
  int loop;
};

/// Does the loop go on by a multiple of the whole grid?
bool stridesByGrid(const Slices &s, int index) {
  const Analysis &a = s.analysis();
  const Loop &loop = a.loops[index];
  const std::vector<size_t> &previous = a.blocks[loop.header].previous;
  for (ValueId id = 0; id < a.values.size(); ++id) {
    const Value &v = a.values[id];
    if (v.kind != Kind::Phi || v.block != loop.header)
      continue;
    for (size_t k = 0; k < v.args.size() && k < previous.size(); ++k) {
      // Where it starts says nothing of how it goes on.
      if (previous[k] >= a.blocks.size() ||
          !s.within(a.blocks[previous[k]].first, index))
        continue;
      for (ValueId origin : s.origins(v.args[k])) {
        // One step of addition; what is added names the grid.
        if (s.value(origin).op != Op::Add)
          continue;
        bool goesOn = false, byGrid = false;
        for (auto [term, factor] : splitSum(a, origin).terms)
          if (term == id)
            goesOn = true;
          else
            byGrid |=
                expression(a, term, 6).find("gridDim") != std::string::npos;
        if (goesOn && byGrid)
          return true;
      }
    }
  }
  return false;
}
} // namespace

std::vector<Step> wf::explain::findSteps(const Slices &s,
                                         const std::vector<Touch> &touches) {
  return StepFinder(s, touches).run();
}

std::vector<Carried> wf::explain::carriedValues(const Slices &s) {
  const Analysis &a = s.analysis();
  std::vector<int> gridStride(a.loops.size(), -1);
  std::vector<Carried> found;
  for (ValueId id = 0; id < a.values.size(); ++id) {
    const Value &v = a.values[id];
    if (v.kind != Kind::Phi || v.block >= a.blocks.size())
      continue;
    int loop = a.blocks[v.block].loop;
    if (loop < 0 || a.loops[loop].header != v.block)
      continue;
    bool data = s.uses(id) & usedAsData;
    bool address = s.uses(id) & usedInAddress;
    if (!isFloat(v.type) && (!data || address))
      continue;
    const Block &header = a.blocks[v.block];
    for (size_t i = 0; i < v.args.size() && i < header.previous.size(); ++i) {
      size_t from = header.previous[i];
      if (from >= a.blocks.size() || !s.within(a.blocks[from].first, loop))
        continue;
      CycleFinder cycle(s, id, loop);
      if (!cycle.run(v.args[i]))
        continue;
      if (gridStride[loop] < 0)
        gridStride[loop] = stridesByGrid(s, loop);
      found.push_back(
          {id, loop, cycle.operations, cycle.rescaled, gridStride[loop] == 1});
      break;
    }
  }
  return found;
}
