//===- Names.cpp - What loops count, and when they go on ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Internal.h"
#include "Explain/Flow/LoopSteps.h"
#include "Explain/Flow/Printer.h"

#include <algorithm>
#include <set>

using namespace wf::explain;
using Kind = Value::Kind;

namespace {
class LoopNames {
public:
  explicit LoopNames(Analysis &a) : a(a), steps(a) {}

  void run() {
    for (Loop &loop : a.loops)
      namePhis(loop);
    for (Loop &loop : a.loops) {
      loop.condition = conditionOf(loop);
      loop.induction = inductionOf(loop);
      loop.unrolled = steps.copiesOf(loop);
    }
  }

private:
  /// A name that no loop around has; sums outlive their loops, and theirs are
  /// the kernel's.
  std::string unique(const Loop &loop, const std::string &wanted,
                     bool outlives) {
    auto clashes = [&](const std::string &name) {
      if (outlives)
        return !outliving.insert(name).second;
      for (int up = int(&loop - a.loops.data()); up >= 0;
           up = a.loops[up].parent)
        if (taken.count({up, name}))
          return true;
      return false;
    };
    std::string name = wanted;
    for (int k = 2; clashes(name); ++k)
      name = wanted + std::to_string(k);
    taken.insert({int(&loop - a.loops.data()), name});
    return name;
  }

  void namePhis(Loop &loop) {
    static constexpr const char *counters[] = {"i", "j", "k", "l"};
    for (ValueId phi : steps.phis(loop)) {
      if (isPredicate(a.value(phi)))
        continue;
      Step step = steps.stepOf(loop, phi);
      std::string name;
      if (step.kind == Step::Kind::Shift && step.op != Op::Mul)
        nameHalved(loop, phi);
      else if (step.kind == Step::Kind::Shift)
        name = "stride";
      else if (step.kind == Step::Kind::Count)
        name = isWide(a.value(phi)) && isPointer(loop, phi) ? "p"
               : step.by < 0 ? "left"
                             : counters[std::clamp(loop.depth - 1, 0, 3)];
      if (!name.empty())
        a.values[phi].name = unique(loop, name, false);
      if (step.kind == Step::Kind::Accumulate)
        a.values[phi].name = unique(loop, accumulatorName(step.op), true);
    }
  }

  static const char *accumulatorName(Op op) {
    switch (op) {
    case Op::Max:
      return "max";
    case Op::Min:
      return "min";
    case Op::Mul:
      return "product";
    case Op::Add:
    case Op::Fma:
      return "sum";
    default:
      return "bits";
    }
  }

  bool isPointer(const Loop &loop, ValueId phi) const {
    ValueId from = steps.entered(loop, phi);
    return from != noValue &&
           splitAddress(a, from, Space::Global).base != noValue;
  }

  /// Where the body works with the phi already halved, that is the stride.
  void nameHalved(const Loop &loop, ValueId phi) {
    ValueId next = steps.stepped(loop, phi);
    bool nextWorks = false;
    for (size_t b : loop.blocks)
      for (size_t i = a.blocks[b].first; i < a.blocks[b].last && !nextWorks;
           ++i)
        for (const EffectValues &e : a.code[i].effects)
          nextWorks =
              nextWorks || (e.address != noValue && reads(e.address, next));
    if (nextWorks) {
      a.values[phi].name = unique(loop, "span", false);
      if (is(a.value(next), Op::ShrLogical))
        a.values[next].name = unique(loop, "stride", false);
    } else {
      a.values[phi].name = unique(loop, "stride", false);
    }
  }

  bool reads(ValueId id, ValueId wanted) const {
    Address sum = splitSum(a, id);
    for (const auto &term : sum.terms)
      if (term.first == wanted)
        return true;
    return false;
  }

  Printer printer(const Loop &loop) const {
    Printer p{a, 120};
    for (ValueId phi : steps.phis(loop))
      if (!a.value(phi).name.empty())
        // The step's result, and what it is for the lanes that do the step.
        for (ValueId next = steps.stepped(loop, phi);
             next != noValue && next != phi && a.value(next).name.empty();) {
          p.names.push_back({next, a.value(phi).name});
          const Value &v = a.value(next);
          bool keeps =
              v.kind == Kind::Gamma && (v.args[1] == phi || v.args[2] == phi);
          next = keeps ? v.args[v.args[1] == phi ? 2 : 1] : noValue;
        }
    return p;
  }

  /// " + blockDim.x * gridDim.x": what a step adds.
  std::string stepText(ValueId phi, ValueId next) const {
    Address sum = splitSum(a, next);
    std::string out;
    for (const auto &[id, factor] : sum.terms) {
      if (id == phi)
        continue;
      uint64_t size = factor < 0 ? 0 - uint64_t(factor) : uint64_t(factor);
      Printer p{a, 60};
      out += (factor < 0 ? " - " : " + ") + p.text(id, 5, size == 1 ? 10 : 11);
      if (size != 1)
        out += " * " + std::to_string(size);
    }
    if (sum.offset > 0)
      out += " + " + std::to_string(sum.offset);
    else if (sum.offset < 0)
      out += " - " + std::to_string(0 - uint64_t(sum.offset));
    return out;
  }

  std::string inductionOf(const Loop &loop) const {
    std::string counts, halves;
    for (ValueId phi : steps.phis(loop)) {
      const Value &v = a.value(phi);
      if (v.name.empty())
        continue;
      Step step = steps.stepOf(loop, phi);
      if (step.kind == Step::Kind::Shift && halves.empty())
        halves = v.name + " = " + v.name +
                 (step.op == Op::Mul ? " * " : " >> ") +
                 std::to_string(step.by);
      // Of several counters the one that ends the loop.
      bool decides = loop.condition.find(v.name + " ") != std::string::npos;
      if (step.kind != Step::Kind::Count || (!counts.empty() && !decides))
        continue;
      bool down = step.by < 0;
      counts = v.name + " = ";
      if (step.next != noValue)
        counts += v.name + stepText(phi, step.next);
      else
        counts +=
            v.name + (down ? " - " : " + ") +
            std::to_string(down ? 0 - uint64_t(step.by) : uint64_t(step.by));
    }
    return halves.empty() ? counts : halves;
  }

  /// The condition under which the loop goes on: of a latch that may leave,
  /// else of the first block that may.
  std::string conditionOf(const Loop &loop) const {
    auto inside = [&](size_t b) {
      return std::binary_search(loop.blocks.begin(), loop.blocks.end(), b);
    };
    std::vector<size_t> candidates = loop.latches;
    candidates.push_back(loop.header);
    candidates.insert(candidates.end(), loop.blocks.begin(), loop.blocks.end());
    for (size_t b : candidates) {
      const Block &block = a.blocks[b];
      size_t last = block.last - 1;
      Leaving how = leaving(a.program, last);
      ValueId taken = a.code[last].condition;
      bool skips = how.kind == Flow::Kind::Jump || how.kind == Flow::Kind::Exit;
      if (!skips || !how.conditional || taken == noValue || block.next.empty())
        continue;
      // The way on comes first; an exit has no other.
      bool onStays = inside(block.next[0]);
      bool jumpStays = block.next.size() > 1 && inside(block.next[1]);
      if (onStays == jumpStays)
        continue;
      return goesOn(loop, taken, onStays);
    }
    return "true";
  }

  std::string goesOn(const Loop &loop, ValueId taken, bool negated) const {
    const Value *v = &a.value(taken);
    // A truth value of the step before: look at what makes it.
    if (is(*v, Op::Not) && a.value(v->args[0]).kind == Kind::Phi) {
      negated = !negated;
      taken = v->args[0];
      v = &a.value(taken);
    }
    if (v->kind == Kind::Phi && v->block == loop.header)
      if (ValueId next = steps.stepped(loop, taken); next != noValue)
        taken = next;
    taken = withoutMasks(loop, taken, negated);
    return printer(loop).truth(taken, negated, 8, 0);
  }

  /// Lanes leave one by one: exec & !(done | broken) goes on where !done.
  ValueId withoutMasks(const Loop &loop, ValueId id, bool &negated) const {
    auto isMask = [&](ValueId part) {
      if (is(a.value(part), Op::Not))
        part = a.value(part).args[0];
      const Value &v = a.value(part);
      return v.kind == Kind::Phi && v.block == loop.header && isPredicate(v);
    };
    for (int k = 0; k < 8; ++k) {
      const Value &v = a.value(id);
      if (is(v, Op::Not) && v.type == Type::Pred) {
        negated = !negated;
        id = v.args[0];
        continue;
      }
      if (v.kind != Kind::Operation || v.type != Type::Pred ||
          (v.op != Op::And && v.op != Op::Or))
        return id;
      if (isMask(v.args[0]))
        id = v.args[1];
      else if (isMask(v.args[1]))
        id = v.args[0];
      else
        return id;
    }
    return id;
  }

  Analysis &a;
  LoopSteps steps;
  std::set<std::pair<int, std::string>> taken;
  std::set<std::string> outliving;
};

} // namespace

void wf::explain::describeLoops(Analysis &a) { LoopNames(a).run(); }
