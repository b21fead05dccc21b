//===- Roles.cpp - What each instruction is there for ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// An opcode gives a role only where it can have no other (a store, a barrier).
// Arithmetic has the role of what its result is used for, followed through the
// value graph to the addresses, conditions and data at its ends.
//===----------------------------------------------------------------------===//
#include "Explain/Verdict/Parts.h"

#include <algorithm>

using namespace wf::explain;
using Kind = Value::Kind;

std::string_view wf::explain::roleName(Role role) {
  static const std::string_view names[] = {
      "setup",         "index",         "parameter",     "address",
      "constant",      "initial value", "condition",     "stride",
      "global load",   "global store",  "shared load",   "shared store",
      "local load",    "local store",   "constant load", "generic load",
      "generic store", "atomic",        "accumulate",    "compute",
      "convert",       "lane exchange", "barrier",       "fence",
      "wait",          "loop branch",   "skip branch",   "exit",
      "call",          "mask",          "matrix",        "texture",
      "hint",          "padding",       "never runs",    "unknown"};
  static_assert(std::size(names) == roleCount);
  return names[size_t(role)];
}

namespace {
class RoleJudge {
public:
  RoleJudge(Report &r, const Slices &s, const std::vector<Touch> &touches)
      : r(r), s(s), a(r.analysis) {
    for (const Accumulator &acc : r.accumulators)
      for (size_t i : acc.all)
        accumulates.insert(i);
    for (const Touch &t : touches)
      touchAt[t.instruction].push_back(t);
    findInductions();
  }

  void run() {
    for (size_t i = 0; i < a.program.code.size(); ++i)
      r.roles.push_back(roleOf(i));
  }

private:
  void findInductions() {
    for (ValueId id = 0; id < a.values.size(); ++id) {
      const Value &v = a.values[id];
      if (v.kind != Kind::Phi || isFloat(v.type) || v.block >= a.blocks.size())
        continue;
      int loop = a.blocks[v.block].loop;
      if (loop < 0 || a.loops[loop].header != v.block)
        continue;
      for (ValueId arg : v.args)
        for (ValueId origin : s.origins(arg))
          if (s.value(origin).kind == Kind::Operation &&
              s.restsOn(origin, id) &&
              (s.uses(id) & (usedInCondition | usedInAddress)))
            inductions.insert(origin);
    }
  }

  InstructionRole roleOf(size_t i) {
    const Decoded &d = a.program.code[i];
    if (d.never)
      return {Role::Never, "its guard is never true"};
    if (!s.reachable(i))
      return {Role::Padding, "not reached"};
    if (d.flow.kind != Flow::Kind::Next)
      return flowRole(i, d);
    if (!d.known)
      return {Role::Unknown, "an opcode this table does not have"};
    if (auto it = touchAt.find(i); it != touchAt.end())
      return memoryRole(i, it->second);
    InstructionRole best{Role::Hint, ""};
    for (size_t e = 0; e < d.effects.size(); ++e) {
      InstructionRole role = effectRole(i, e, d.effects[e]);
      if (best.role == Role::Hint)
        best.role = role.role;
      if (!role.says.empty())
        best.says += (best.says.empty() ? "" : "; ") + role.says;
    }
    return best;
  }

  std::string guardText(size_t i) const {
    ValueId g = a.code[i].guard;
    return g == noValue ? "" : "if (" + condition(a, g) + ") ";
  }

  InstructionRole flowRole(size_t i, const Decoded &d) {
    std::string when;
    if (d.flow.conditional && a.code[i].condition != noValue)
      when = "if (" + condition(a, a.code[i].condition) + ") ";
    switch (d.flow.kind) {
    case Flow::Kind::Exit:
      return {Role::Exit, when + "return"};
    case Flow::Kind::Trap:
      return {Role::Exit, when + "trap"};
    case Flow::Kind::Call:
      return {Role::Call, when + "call " + demangled(d.flow.callee)};
    case Flow::Kind::Return:
      return {Role::Call, when + "return to the caller"};
    default:
      break;
    }
    for (size_t target : d.flow.targets)
      if (target <= i)
        return {Role::LoopBranch, when + "goto the loop's start"};
    return {Role::SkipBranch, when + "skip"};
  }

  InstructionRole memoryRole(size_t i, const std::vector<Touch> &touches) {
    InstructionRole role;
    for (const Touch &t : touches) {
      Role one = roleOfTouch(t);
      if (role.says.empty())
        role.role = one;
      if (one == Role::Parameter) {
        role.says = resultText(i, t.effect);
        continue;
      }
      std::string where = place(a, t.address, t.space, t.bytes);
      const Effect &e = a.program.code[i].effects[t.effect];
      std::string text;
      if (t.load)
        text = (e.def ? registersOf(*e.def) + " = " : "") + where;
      else if (t.store)
        text = where + " = " + dataText(t.data);
      else
        text = "atomic " + e.memory->atomic + " of " + dataText(t.data) +
               " to " + where;
      role.says += (role.says.empty() ? "" : "; ") + text;
    }
    role.says = guardText(i) + role.says;
    return role;
  }

  Role roleOfTouch(const Touch &t) const {
    if (t.atomic)
      return Role::Atomic;
    switch (t.space) {
    case Space::Global:
      return t.load ? Role::LoadGlobal : Role::StoreGlobal;
    case Space::Shared:
    case Space::Cluster:
      return t.load ? Role::LoadShared : Role::StoreShared;
    case Space::Local:
      return t.load ? Role::LoadLocal : Role::StoreLocal;
    case Space::Parameter:
      return Role::Parameter;
    case Space::Constant: {
      if (t.result != noValue) {
        Kind kind = s.value(t.result).kind;
        if (kind == Kind::Parameter || kind == Kind::Symbol ||
            kind == Kind::Operation)
          return Role::Parameter;
      }
      return Role::LoadConstant;
    }
    default:
      return t.load ? Role::LoadGeneric : Role::StoreGeneric;
    }
  }

  std::string dataText(ValueId id) const {
    return id == noValue ? "…" : expression(a, id, 4);
  }

  std::string registersOf(const Def &def) const {
    std::string text = a.program.registerName(def.reg);
    if (def.count > 1)
      text += ":" + a.program.registerName(
                        {def.reg.cls, def.reg.index + def.count - 1});
    return text;
  }

  std::string resultText(size_t i, size_t e) const {
    const Effect &effect = a.program.code[i].effects[e];
    if (!effect.def || e >= a.code[i].effects.size() ||
        a.code[i].effects[e].result == noValue)
      return "";
    return registersOf(*effect.def) + " = " +
           expression(a, a.code[i].effects[e].result, 6);
  }

  InstructionRole effectRole(size_t i, size_t e, const Effect &effect) {
    std::string says = guardText(i) + resultText(i, e);
    if (says == guardText(i))
      says.clear();
    switch (effect.op) {
    case Op::Barrier:
    case Op::BarrierArrive:
    case Op::BarrierWait:
      return {Role::Barrier, effect.op == Op::BarrierArrive ? "barrier (arrive)"
                             : effect.op == Op::BarrierWait ? "barrier (wait)"
                                                            : "barrier()"};
    case Op::ClusterArrive:
    case Op::ClusterWait:
      return {Role::Barrier, "barrier of the cluster"};
    case Op::WarpSync:
      return {Role::Barrier, "warp barrier"};
    case Op::Fence:
      return {Role::Fence,
              "memory fence" +
                  (effect.detail.empty() ? "" : " (" + effect.detail + ")")};
    case Op::WaitCounter:
    case Op::AsyncCopyWait:
      return {Role::Wait, effect.detail.empty() ? "waits for memory"
                                                : "waits: " + effect.detail};
    case Op::AsyncCopyCommit:
    case Op::CacheControl:
    case Op::Prefetch:
      return {Role::Fence, "memory order or cache control"};
    case Op::Shuffle:
    case Op::Vote:
    case Op::Ballot:
    case Op::Match:
    case Op::WarpReduce:
    case Op::ReadLane:
    case Op::ReadFirstLane:
    case Op::WriteLane:
    case Op::Elect:
      return {Role::Exchange, says};
    case Op::Reconverge:
    case Op::ReconvergeSet:
      return {Role::Mask, "where lanes that parted meet again"};
    case Op::Matrix:
      return {Role::Matrix, says};
    case Op::Texture:
      return {Role::Texture, says};
    case Op::Nop:
    case Op::Hint:
    case Op::Sleep:
      return {Role::Hint, ""};
    case Op::Compare:
    case Op::PredicateLogic:
    case Op::ClassTest:
      return {masks(effect) ? Role::Mask : Role::Condition, says};
    case Op::ClusterAddress:
      return {Role::Setup, says};
    default:
      break;
    }
    if (masks(effect))
      return {Role::Mask, says};
    return {valueRole(i, e, effect), says};
  }

  static bool masks(const Effect &effect) {
    return effect.def && effect.def->reg.cls == RegClass::Flag &&
           (effect.def->reg.index == flags::exec ||
            effect.def->reg.index == flags::execHi);
  }

  Role valueRole(size_t i, size_t e, const Effect &effect) {
    ValueId id =
        e < a.code[i].effects.size() ? a.code[i].effects[e].result : noValue;
    if (id == noValue)
      return Role::Compute;
    const Value &v = s.value(id);
    // A restored or saved mask is a value, too.
    if (v.kind == Kind::Symbol) {
      if (v.name.starts_with("threadIdx") || v.name.starts_with("blockIdx") ||
          v.name.starts_with("lane"))
        return Role::Index;
      if (v.name.starts_with("blockDim") || v.name.starts_with("gridDim"))
        return Role::Parameter;
      return Role::Setup;
    }
    if (v.kind == Kind::Parameter)
      return Role::Parameter;
    uint8_t uses = s.uses(id);
    if (accumulates.count(i) && combines(effect.op))
      return Role::Accumulate;
    if (v.kind == Kind::Constant || v.kind == Kind::Float)
      return uses & usedAsData ? Role::Initial : Role::Constant;
    if (inductions.count(id))
      return Role::Stride;
    if (isFloat(effect.type))
      return effect.op == Op::Convert ? Role::Convert : Role::Compute;
    if ((uses & usedInAddress) && (uses & usedInCondition))
      return restsOnThread(id) ? Role::Index : Role::Stride;
    if (uses & usedInAddress)
      return Role::Address;
    if (uses & usedAsData)
      return effect.op == Op::Convert ? Role::Convert : Role::Compute;
    if (uses & usedInCondition)
      return Role::Condition;
    return Role::Setup;
  }

  bool restsOnThread(ValueId id) const { return s.varies(id); }

  Report &r;
  const Slices &s;
  const Analysis &a;
  std::set<size_t> accumulates;
  std::set<ValueId> inductions;
  std::map<size_t, std::vector<Touch>> touchAt;
};
} // namespace

void wf::explain::judgeRoles(Report &r, const Slices &s,
                             const std::vector<Touch> &touches) {
  RoleJudge(r, s, touches).run();
}
