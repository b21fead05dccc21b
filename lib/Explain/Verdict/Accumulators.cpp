//===- Accumulators.cpp - Where partial results live between steps --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// An accumulation is a combining operation whose operand is an earlier result
// of the same accumulation. What lies between the two is what it passes
// through: nothing but registers, another lane, or memory that one step stores
// and the next loads. A single passage through shared memory between two levels
// is a handing over, and is not called materialised.
//===----------------------------------------------------------------------===//
#include "Explain/Verdict/Steps.h"

#include <algorithm>
#include <tuple>

using namespace wf::explain;
using Kind = Value::Kind;

namespace {
class Finder {
public:
  Finder(Report &r, const Slices &s, const std::vector<Touch> &touches)
      : r(r), s(s), touches(touches), steps(findSteps(s, touches)) {}

  void run() {
    inMemory(Space::Shared, Through::Shared);
    inMemory(Space::Local, Through::Local);
    inMemory(Space::Global, Through::Global);
    acrossLanes();
    inLoops();
    straightChains();
    atomics();
    std::sort(r.accumulators.begin(), r.accumulators.end(),
              [](const Accumulator &x, const Accumulator &y) {
                return std::tie(x.all, x.operation) <
                       std::tie(y.all, y.operation);
              });
  }

private:
  /// Steps that load and store the same memory, chained by it.
  void inMemory(Space space, Through through) {
    std::vector<const Step *> mine;
    for (const Step &step : steps)
      if (step.space == space && !step.loads.empty() && !step.stores.empty() &&
          step.shuffles.empty() && (space == Space::Shared || staysPut(step)))
        mine.push_back(&step);
    if (mine.size() > 512)
      mine.resize(512);
    std::vector<int> group(mine.size(), -1);
    for (size_t i = 0; i < mine.size(); ++i) {
      int loop = s.loopOf(mine[i]->at);
      bool cycle = loop >= 0 && feeds(*mine[i], *mine[i]);
      if (group[i] < 0) {
        if (cycle)
          group[i] = int(i);
        for (size_t j = i + 1; j < mine.size(); ++j)
          if (group[j] < 0 && alike(*mine[i], *mine[j]) &&
              s.loopOf(mine[j]->at) == loop &&
              (feeds(*mine[i], *mine[j]) || (cycle && loop >= 0)))
            group[i] = group[j] = int(i);
      } else {
        for (size_t j = i + 1; j < mine.size(); ++j)
          if (group[j] < 0 && alike(*mine[i], *mine[j]) &&
              s.loopOf(mine[j]->at) == loop && feeds(*mine[i], *mine[j]))
            group[j] = group[i];
      }
    }
    for (size_t g = 0; g < mine.size(); ++g) {
      std::vector<const Step *> chain;
      for (size_t i = 0; i < mine.size(); ++i)
        if (group[i] == int(g))
          chain.push_back(mine[i]);
      if (!chain.empty())
        addInMemory(chain, through);
    }
  }

  /// A loop that goes through an array updates each element once: only where
  /// the address stays is it an accumulation.
  bool staysPut(const Step &step) const {
    for (size_t w : step.stores)
      for (size_t l : step.loads)
        if (touches[w].address == touches[l].address &&
            !movesInLoop(touches[w].address))
          return true;
    return false;
  }

  bool movesInLoop(ValueId address) const {
    for (ValueId id = 0; id < r.analysis.values.size(); ++id)
      if (r.analysis.values[id].kind == Kind::Phi && s.restsOn(address, id))
        return true;
    return false;
  }

  bool alike(const Step &x, const Step &y) const {
    return s.value(x.value).op == s.value(y.value).op &&
           s.value(x.value).type == s.value(y.value).type;
  }

  /// Can something that `from` stores be what `to` loads?
  bool feeds(const Step &from, const Step &to) const {
    for (size_t w : from.stores)
      for (size_t l : to.loads)
        if (s.reaches(touches[w].instruction, touches[l].instruction) &&
            (from.space != Space::Global ||
             arrayOf(r.analysis, touches[w].address, Space::Global) ==
                 arrayOf(r.analysis, touches[l].address, Space::Global)))
          return true;
    return false;
  }

  void addInMemory(const std::vector<const Step *> &chain, Through through) {
    Accumulator acc;
    acc.loopIndex = s.loopOf(chain[0]->at);
    acc.loop = acc.loopIndex >= 0 && feeds(*chain[0], *chain[0]);
    acc.through = {through};
    // A tree over 2 elements has a step and no repetition.
    if (!acc.loop && chain.size() < 2)
      return;
    for (const Step *step : chain) {
      taken.insert(step->value);
      if (step->partial)
        acc.through.insert(Through::Register);
    }
    measure(r, s, acc, chain, touches);
    acc.halving = halves(r, s, chain, touches);
    acc.source = sourceOf(r, acc, *chain[0], touches);
    r.accumulators.push_back(std::move(acc));
  }

  /// Steps that take an operand from another lane.
  void acrossLanes() {
    std::vector<const Step *> mine;
    for (const Step &step : steps)
      if (!step.shuffles.empty() && !taken.count(step.value))
        mine.push_back(&step);
    std::vector<bool> used(mine.size());
    for (size_t i = 0; i < mine.size(); ++i) {
      if (used[i])
        continue;
      std::vector<const Step *> chain{mine[i]};
      std::set<ValueId> last{mine[i]->value};
      for (size_t j = i + 1; j < mine.size() && chain.size() < 64; ++j)
        if (!used[j] && alike(*mine[i], *mine[j]) &&
            s.loopOf(mine[i]->at) == s.loopOf(mine[j]->at) &&
            std::any_of(mine[j]->operands.begin(), mine[j]->operands.end(),
                        [&](ValueId v) { return last.count(v); })) {
          chain.push_back(mine[j]);
          used[j] = true;
          last.insert(mine[j]->value);
        }
      Accumulator acc;
      acc.through = {Through::Lanes};
      int loop = s.loopOf(mine[i]->at);
      for (size_t p = 0; loop >= 0 && p < mine[i]->operands.size(); ++p)
        acc.loop |= mine[i]->operands[p] == mine[i]->value;
      acc.loopIndex = acc.loop ? loop : -1;
      for (const Step *step : chain) {
        taken.insert(step->value);
        for (size_t t : step->loads)
          acc.handedOver |= touches[t].space == Space::Shared;
      }
      acc.handedOver |= comesFromShared(*chain[0]);
      measure(r, s, acc, chain, touches);
      acc.bytesRead = acc.bytesWritten = 0;
      acc.source = expression(r.analysis, chain[0]->value, 4);
      r.accumulators.push_back(std::move(acc));
    }
    reductionsOfWarps();
  }

  bool comesFromShared(const Step &step) const {
    for (ValueId v : step.operands) {
      const Value &value = s.value(v);
      if (value.kind == Kind::Load)
        for (const Touch &t : touches)
          if (t.load && t.instruction == value.instruction &&
              t.space == Space::Shared)
            return true;
    }
    return false;
  }

  void reductionsOfWarps() {
    const Analysis &a = r.analysis;
    for (size_t i = 0; i < a.program.code.size(); ++i)
      for (const Effect &e : a.program.code[i].effects)
        if (e.op == Op::WarpReduce && s.reachable(i)) {
          Accumulator acc;
          acc.op = Op::WarpReduce;
          acc.type = e.type;
          acc.operation = e.detail.empty() ? "add" : e.detail;
          acc.through = {Through::Lanes};
          acc.warpWide = true;
          acc.exchanges = 1;
          acc.step = acc.all = {i};
          r.accumulators.push_back(std::move(acc));
        }
  }

  /// Values that a loop carries in a register.
  void inLoops() {
    for (const Carried &carried : carriedValues(s)) {
      std::vector<const Step *> chain;
      Accumulator acc;
      for (ValueId op : carried.operations) {
        const Step *step = stepOf(op);
        if (!step)
          continue;
        // Those of a tree are its own, mixed with the register.
        if (!taken.count(op))
          chain.push_back(step);
        acc.rescaled |= carried.rescaled;
      }
      if (chain.empty())
        continue;
      for (const Step *step : chain)
        taken.insert(step->value);
      acc.loop = true;
      acc.loopIndex = carried.loop;
      acc.through = {Through::Register};
      measure(r, s, acc, chain, touches);
      acc.bytesRead = acc.bytesWritten = 0;
      acc.gridStride = carried.gridStride;
      acc.source = expression(r.analysis, chain[0]->value, 4);
      merge(std::move(acc));
    }
    matrixLoops();
  }

  /// Independent partials of one loop and operation are one accumulation.
  void merge(Accumulator acc) {
    for (Accumulator &other : r.accumulators)
      if (other.loop && other.loopIndex == acc.loopIndex &&
          other.op == acc.op && other.type == acc.type &&
          other.through == acc.through) {
        other.copies += acc.copies;
        other.all.insert(other.all.end(), acc.all.begin(), acc.all.end());
        std::sort(other.all.begin(), other.all.end());
        other.rescaled |= acc.rescaled;
        other.gridStride |= acc.gridStride;
        return;
      }
    r.accumulators.push_back(std::move(acc));
  }

  void matrixLoops() {
    const Analysis &a = r.analysis;
    Accumulator acc;
    for (size_t i = 0; i < a.program.code.size(); ++i)
      for (const Effect &e : a.program.code[i].effects)
        if (e.op == Op::Matrix && e.def && s.reachable(i)) {
          acc.all.push_back(i);
          acc.loop |= s.loopOf(i) >= 0;
          acc.loopIndex = s.loopOf(i);
        }
    if (acc.all.empty())
      return;
    acc.op = Op::Matrix;
    acc.operation = "matrix multiply-add";
    acc.matrix = true;
    acc.through = {Through::Register};
    acc.step = {acc.all.front()};
    acc.copies = int(acc.all.size());
    r.accumulators.push_back(std::move(acc));
  }

  /// x0 + x1 + x2 + x3 without a loop: three steps or more, each of which
  /// takes in another load.
  void straightChains() {
    std::map<ValueId, std::vector<const Step *>> ending;
    for (const Step &step : steps) {
      if (taken.count(step.value) || !step.shuffles.empty() ||
          step.loads.empty())
        continue;
      std::vector<const Step *> chain;
      for (ValueId v : step.operands)
        if (auto it = ending.find(v);
            it != ending.end() && alike(*it->second.back(), step)) {
          chain = std::move(it->second);
          ending.erase(it);
          break;
        }
      chain.push_back(&step);
      ending[step.value] = std::move(chain);
    }
    for (auto &[value, chain] : ending) {
      if (chain.size() < 3 || !(s.uses(value) & usedAsData))
        continue;
      Accumulator acc;
      acc.through = {Through::Register};
      for (const Step *step : chain)
        taken.insert(step->value);
      measure(r, s, acc, chain, touches);
      acc.bytesRead = acc.bytesWritten = 0;
      acc.source = expression(r.analysis, chain[0]->value, 4);
      r.accumulators.push_back(std::move(acc));
    }
  }

  void atomics() {
    const Analysis &a = r.analysis;
    for (const Touch &t : touches) {
      if (!t.atomic)
        continue;
      const Effect &e = a.program.code[t.instruction].effects[t.effect];
      const std::string &name = e.memory->atomic;
      // A ticket is taken, not accumulated; what an exchange or a comparison
      // leaves is one of its operands.
      if (isTicket(s, t) || name == "exch" || name == "inc" || name == "dec" ||
          (name == "cas" && s.loopOf(t.instruction) < 0))
        continue;
      Accumulator acc;
      acc.op = Op::Atomic;
      acc.type = e.type;
      acc.operation = name;
      acc.through = {Through::Atomic};
      acc.loop = s.loopOf(t.instruction) >= 0;
      acc.loopIndex = s.loopOf(t.instruction);
      acc.bytesRead = acc.bytesWritten = t.bytes;
      acc.step = acc.all = {t.instruction};
      acc.source =
          "atomic " + name + " on " + place(a, t.address, t.space, t.bytes);
      r.accumulators.push_back(std::move(acc));
    }
  }

  const Step *stepOf(ValueId id) const {
    for (const Step &step : steps)
      if (step.value == id)
        return &step;
    return nullptr;
  }

  Report &r;
  const Slices &s;
  const std::vector<Touch> &touches;
  std::vector<Step> steps;
  std::set<ValueId> taken;
};
} // namespace

void wf::explain::judgeAccumulators(Report &r, const Slices &s,
                                    const std::vector<Touch> &touches) {
  Finder(r, s, touches).run();
}
