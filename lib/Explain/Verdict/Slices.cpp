//===- Slices.cpp - Where values come from and go to ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Verdict/Slices.h"

#include <algorithm>
#include <unordered_set>

using namespace wf::explain;
using Kind = Value::Kind;

Slices::Slices(const Analysis &analysis)
    : a(analysis), use(a.values.size()), made(a.values.size(), SIZE_MAX),
      vary(a.values.size()) {
  for (size_t i = 0; i < a.code.size(); ++i)
    for (const EffectValues &ev : a.code[i].effects)
      if (ev.result < made.size() && made[ev.result] == SIZE_MAX)
        made[ev.result] = i;
  markUses();
  markVarying();
}

void Slices::mark(ValueId id, uint8_t bits) {
  std::vector<ValueId> work{id};
  while (!work.empty()) {
    ValueId at = work.back();
    work.pop_back();
    if (at >= use.size() || (use[at] & bits) == bits)
      continue;
    use[at] |= bits;
    const Value &v = a.values[at];
    // A load's address is not what its value is used for.
    if (v.kind == Kind::Load || v.kind == Kind::Result)
      continue;
    for (size_t i = 0; i < v.args.size(); ++i) {
      if (v.kind == Kind::Gamma && i == 0)
        continue;
      if (v.op == Op::Select && v.kind == Kind::Operation && i == 0)
        continue;
      work.push_back(v.args[i]);
    }
  }
}

void Slices::markUses() {
  for (size_t i = 0; i < a.code.size() && i < a.program.code.size(); ++i) {
    const InstructionValues &iv = a.code[i];
    mark(iv.guard, usedInCondition);
    mark(iv.condition, usedInCondition);
    const auto &effects = a.program.code[i].effects;
    for (size_t e = 0; e < iv.effects.size() && e < effects.size(); ++e) {
      const EffectValues &ev = iv.effects[e];
      mark(ev.address, usedInAddress);
      mark(ev.data, usedAsData);
      switch (effects[e].op) {
      case Op::Compare:
      case Op::PredicateLogic:
      case Op::ClassTest:
        for (ValueId in : ev.in)
          mark(in, usedInCondition);
        break;
      case Op::Atomic:
      case Op::Matrix:
      case Op::WarpReduce:
        for (ValueId in : ev.in)
          mark(in, usedAsData);
        break;
      case Op::Shuffle:
        if (!ev.in.empty())
          mark(ev.in[0], usedAsData);
        break;
      default:
        break;
      }
    }
  }
}

void Slices::markVarying() {
  // To a fixed point, since a phi may come before what it joins.
  std::vector<std::vector<ValueId>> users(a.values.size());
  std::vector<ValueId> work;
  auto raise = [&](ValueId id) {
    if (!vary[id]) {
      vary[id] = true;
      work.push_back(id);
    }
  };
  for (ValueId id = 0; id < a.values.size(); ++id) {
    const Value &v = a.values[id];
    for (ValueId arg : v.args)
      if (arg < a.values.size())
        users[arg].push_back(id);
    if (v.kind == Kind::Symbol &&
        (v.name.starts_with("threadIdx") || v.name.starts_with("lane")))
      raise(id);
    if (v.kind == Kind::Result &&
        (v.op == Op::Shuffle || v.op == Op::Atomic || v.op == Op::LaneCount))
      raise(id);
  }
  while (!work.empty()) {
    ValueId id = work.back();
    work.pop_back();
    for (ValueId user : users[id]) {
      const Value &v = a.values[user];
      if (v.kind == Kind::Result &&
          (v.op == Op::Ballot || v.op == Op::Vote || v.op == Op::WarpReduce ||
           v.op == Op::ReadLane || v.op == Op::ReadFirstLane))
        continue;
      raise(user);
    }
  }
}

std::vector<ValueId> Slices::origins(ValueId id) const {
  std::vector<ValueId> found, work{id};
  std::unordered_set<ValueId> seen;
  while (!work.empty() && seen.size() < 256) {
    ValueId at = work.back();
    work.pop_back();
    if (at >= a.values.size() || !seen.insert(at).second)
      continue;
    const Value &v = a.values[at];
    switch (v.kind) {
    case Kind::Phi:
    case Kind::High:
    case Kind::Low:
      for (ValueId arg : v.args)
        work.push_back(arg);
      break;
    case Kind::Gamma:
      for (size_t i = 1; i < v.args.size(); ++i)
        work.push_back(v.args[i]);
      break;
    case Kind::Operation:
      // max(x, x) only quiets a NaN.
      if (((v.op == Op::Move || v.op == Op::Convert) && !v.args.empty()) ||
          ((v.op == Op::Max || v.op == Op::Min) && v.args.size() == 2 &&
           v.args[0] == v.args[1])) {
        work.push_back(v.args[0]);
        break;
      }
      found.push_back(at);
      break;
    default:
      found.push_back(at);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool Slices::restsOn(ValueId id, ValueId phi) const {
  std::vector<ValueId> work{id};
  std::unordered_set<ValueId> seen;
  while (!work.empty() && seen.size() < 4096) {
    ValueId at = work.back();
    work.pop_back();
    if (at == phi)
      return true;
    if (at >= a.values.size() || !seen.insert(at).second)
      continue;
    const Value &v = a.values[at];
    if (v.kind == Kind::Load || v.kind == Kind::Result)
      continue;
    size_t first = v.kind == Kind::Gamma ||
                           (v.kind == Kind::Operation && v.op == Op::Select)
                       ? 1
                       : 0;
    for (size_t i = first; i < v.args.size(); ++i)
      work.push_back(v.args[i]);
  }
  return false;
}

bool Slices::reaches(size_t from, size_t to) const {
  if (from >= a.blockOf.size() || to >= a.blockOf.size())
    return false;
  size_t b = a.blockOf[from], end = a.blockOf[to];
  if (b >= a.blocks.size() || end >= a.blocks.size())
    return false;
  if (b == end && from < to)
    return true;
  auto [it, fresh] = reachedFrom.try_emplace(b);
  if (fresh) {
    it->second.assign(a.blocks.size(), 0);
    std::vector<size_t> work(a.blocks[b].next);
    while (!work.empty()) {
      size_t at = work.back();
      work.pop_back();
      if (at >= a.blocks.size() || it->second[at])
        continue;
      it->second[at] = 1;
      for (size_t next : a.blocks[at].next)
        work.push_back(next);
    }
  }
  return it->second[end];
}

int Slices::loopOf(size_t instruction) const {
  if (instruction >= a.blockOf.size() ||
      a.blockOf[instruction] >= a.blocks.size())
    return -1;
  return a.blocks[a.blockOf[instruction]].loop;
}

bool Slices::within(size_t instruction, int loop) const {
  for (int at = loopOf(instruction); at >= 0; at = a.loops[at].parent)
    if (at == loop)
      return true;
  return false;
}

int Slices::depthOf(size_t instruction) const {
  int loop = loopOf(instruction);
  return loop < 0 ? 0 : a.loops[loop].depth;
}

bool Slices::reachable(size_t instruction) const {
  return instruction < a.blockOf.size() &&
         a.blockOf[instruction] < a.blocks.size() &&
         a.blocks[a.blockOf[instruction]].reachable;
}
