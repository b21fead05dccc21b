//===- Measure.cpp - What one step of an accumulation costs ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Verdict/Steps.h"

#include <algorithm>

using namespace wf::explain;
using Kind = Value::Kind;

bool wf::explain::combines(Op op) {
  switch (op) {
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Fma:
  case Op::Mad:
  case Op::Min:
  case Op::Max:
  case Op::And:
  case Op::Or:
  case Op::Xor:
  case Op::Lop3:
  case Op::Select:
  case Op::Dot:
    return true;
  default:
    return false;
  }
}

std::string wf::explain::operationName(Op op) {
  switch (op) {
  case Op::Add:
  case Op::Sub:
    return "add";
  case Op::Mul:
    return "multiply";
  case Op::Fma:
  case Op::Mad:
    return "fma";
  case Op::Min:
    return "min";
  case Op::Max:
    return "max";
  case Op::Select:
    return "select";
  default:
    return std::string(opName(op));
  }
}

/// What a reader calls the operation: the larger of two chosen by their
/// comparison is their max.
static std::string nameOf(const Slices &s, ValueId id) {
  const Value &v = s.value(id);
  if (v.op != Op::Select || v.args.size() != 3 ||
      v.args[0] >= s.analysis().values.size())
    return operationName(v.op);
  const Value &c = s.value(v.args[0]);
  if (c.op != Op::Compare || c.args.size() != 2)
    return operationName(v.op);
  bool same = c.args[0] == v.args[1] && c.args[1] == v.args[2];
  bool swapped = c.args[0] == v.args[2] && c.args[1] == v.args[1];
  bool greater = c.cmp == Cmp::Gt || c.cmp == Cmp::Ge;
  bool less = c.cmp == Cmp::Lt || c.cmp == Cmp::Le;
  if ((!same && !swapped) || (!greater && !less))
    return operationName(v.op);
  return greater == same ? "max" : "min";
}

/// The barriers among instructions [from, to).
static int barriersBetween(const Report &r, const Slices &s, size_t from,
                           size_t to) {
  int count = 0;
  for (size_t i = from; i < to && i < r.analysis.program.code.size(); ++i)
    if (s.reachable(i) && !r.analysis.program.code[i].never)
      for (const Effect &e : r.analysis.program.code[i].effects)
        count += e.op == Op::Barrier || e.op == Op::BarrierWait;
  return count;
}

void wf::explain::measure(Report &r, const Slices &s, Accumulator &acc,
                          const std::vector<const Step *> &steps,
                          const std::vector<Touch> &touches) {
  const Step &first = *steps.front();
  int copies = int(steps.size());
  acc.op = s.value(first.value).op;
  acc.type = s.value(first.value).type;
  acc.operation = nameOf(s, first.value);
  acc.copies = copies;
  std::set<size_t> all, one;
  for (const Step *step : steps) {
    for (size_t i : step->instructions(touches))
      all.insert(i);
  }
  for (size_t i : first.instructions(touches))
    one.insert(i);
  if (acc.loop) {
    // What a loop repeats is a step's, or `copies` steps'.
    int barriers = 0;
    for (size_t b : r.analysis.loops[acc.loopIndex].blocks)
      if (r.analysis.blocks[b].loop == acc.loopIndex)
        barriers += barriersBetween(r, s, r.analysis.blocks[b].first,
                                    r.analysis.blocks[b].last);
    acc.barriers = acc.through.count(Through::Shared)
                       ? (barriers + copies - 1) / std::max(copies, 1)
                       : barriers;
  } else if (acc.through.count(Through::Shared) && copies > 1) {
    acc.barriers = barriersBetween(r, s, first.at, steps[1]->at);
  }
  for (size_t t : first.loads)
    acc.bytesRead += touches[t].bytes;
  for (size_t t : first.stores)
    acc.bytesWritten += touches[t].bytes;
  acc.exchanges = int(first.shuffles.size());
  acc.step.assign(one.begin(), one.end());
  acc.all.assign(all.begin(), all.end());
}

/// Does the distance between the two elements halve from step to step?
bool wf::explain::halves(const Report &r, const Slices &s,
                         const std::vector<const Step *> &steps,
                         const std::vector<Touch> &touches) {
  const Analysis &a = r.analysis;
  std::vector<int64_t> distances;
  for (const Step *step : steps) {
    int64_t most = 0, least = INT64_MAX;
    for (size_t t : step->stores)
      least = std::min(
          least, splitAddress(a, touches[t].address, touches[t].space).offset);
    for (size_t t : step->loads) {
      Address split = splitAddress(a, touches[t].address, touches[t].space);
      most = std::max(most, split.offset - (least == INT64_MAX ? 0 : least));
      for (auto [term, factor] : split.terms)
        for (ValueId origin : s.origins(term)) {
          const Value &v = a.values[origin];
          if (v.kind == Kind::Operation &&
              (v.op == Op::ShrLogical || v.op == Op::ShrArith))
            return true;
        }
    }
    distances.push_back(most);
  }
  for (size_t i = 1; i < distances.size(); ++i)
    if (distances[i] <= 0 || distances[i - 1] != 2 * distances[i])
      return false;
  return distances.size() > 1;
}

std::string wf::explain::sourceOf(const Report &r, const Accumulator &acc,
                                  const Step &step,
                                  const std::vector<Touch> &touches) {
  const Analysis &a = r.analysis;
  auto placeOf = [&](size_t t) {
    return place(a, touches[t].address, touches[t].space, touches[t].bytes);
  };
  if (step.stores.empty() || step.loads.empty())
    return expression(a, step.value, 5);
  std::string target = placeOf(step.stores[0]);
  std::vector<std::string> others;
  bool self = false;
  for (size_t t : step.loads) {
    std::string from = placeOf(t);
    if (from == target && !self)
      self = true;
    else
      others.push_back(from);
  }
  std::string other = others.empty() ? "…" : others[0];
  if (acc.op == Op::Add)
    return self ? target + " += " + other : target + " = partial + " + other;
  return target + " = " + acc.operation + "(" +
         (self ? target : std::string("partial")) + ", " + other + ")";
}
