//===- Liveness.cpp - Registers that matter at a block's start ------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A guarded write does not end the old value's life; but a use under the same
// guard does not begin one. Without this a kernel seems to need at its first
// instruction registers that it always writes before.
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Internal.h"

#include <algorithm>

using namespace wf::explain;

static uint64_t keyOf(Reg reg) { return uint64_t(reg.cls) << 32 | reg.index; }

static void
visitMemory(const Memory &m, size_t effect,
            const std::function<void(const Source &, size_t)> &visit) {
  for (const auto *source : {&m.base, &m.uniform, &m.data, &m.compare})
    if (*source)
      visit(**source, effect);
}

void wf::explain::forEachSource(
    const Decoded &d,
    const std::function<void(const Source &, size_t)> &visit) {
  if (d.guard)
    visit(*d.guard, SIZE_MAX);
  for (size_t e = 0; e < d.effects.size(); ++e) {
    for (const Source &source : d.effects[e].in)
      visit(source, e);
    if (d.effects[e].memory)
      visitMemory(*d.effects[e].memory, e, visit);
  }
  if (d.flow.condition)
    visit(*d.flow.condition, SIZE_MAX);
}

RegisterTable::RegisterTable(const Program &program) {
  auto addAll = [&](Reg reg, uint32_t count) {
    for (uint32_t k = 0; k < count; ++k)
      add({reg.cls, reg.index + k});
  };
  // exec is read by every masked effect, named or not.
  addAll({RegClass::Flag, flags::exec}, 2);
  for (const EntryValue &entry : program.entry)
    addAll(entry.reg, entry.count);
  for (const Decoded &d : program.code) {
    forEachSource(d, [&](const Source &source, size_t) {
      if (source.kind == Source::Kind::Register)
        addAll(source.reg, source.count);
    });
    for (const Effect &effect : d.effects)
      if (effect.def)
        addAll(effect.def->reg, effect.def->count);
  }
}

uint32_t RegisterTable::add(Reg reg) {
  auto [at, isNew] =
      numbers.try_emplace(keyOf(reg), uint32_t(registers.size()));
  if (isNew)
    registers.push_back(reg);
  return at->second;
}

uint32_t RegisterTable::number(Reg reg) const {
  auto at = numbers.find(keyOf(reg));
  return at == numbers.end() ? UINT32_MAX : at->second;
}

namespace {

/// What a block does to registers, as far as its neighbours can see.
class LocalUses {
public:
  LocalUses(const Analysis &a, const RegisterTable &registers)
      : a(a), registers(registers), state(registers.size()),
        version(registers.size(), 0),
        exec(registers.number({RegClass::Flag, flags::exec})) {}

  /// Lists registers read before they are written, and those written always.
  void scan(const Block &block, std::vector<uint32_t> &exposed,
            std::vector<uint32_t> &killed) {
    ++round;
    for (size_t i = block.first; i < block.last; ++i) {
      const Decoded &d = a.program.code[i];
      if (d.never)
        continue;
      forEachSource(d, [&](const Source &source, size_t effect) {
        if (source.kind != Source::Kind::Register)
          return;
        uint64_t guard = guardOf(d, effect);
        for (uint32_t k = 0; k < source.count; ++k)
          use(registers.number({source.reg.cls, source.reg.index + k}), guard,
              exposed);
      });
      for (size_t e = 0; e < d.effects.size(); ++e) {
        const Effect &effect = d.effects[e];
        if (effect.masked) {
          use(exec, 0, exposed);
          use(exec + 1, 0, exposed);
        }
        if (!effect.def)
          continue;
        uint64_t guard = guardOf(d, e);
        for (uint32_t k = 0; k < effect.def->count; ++k)
          define(registers.number(
                     {effect.def->reg.cls, effect.def->reg.index + k}),
                 guard, killed);
      }
      for (uint32_t written : pending)
        ++version[written];
      pending.clear();
    }
  }

private:
  struct State {
    uint32_t round = 0;
    bool exposed = false, whole = false;
    uint64_t guard = 0; ///< under which it was written, where not whole
  };

  State &of(uint32_t r) {
    if (state[r].round != round)
      state[r] = {round, false, false, 0};
    return state[r];
  }

  /// A guard as a number: register, its version in the block, polarity; 0 is
  /// always.
  uint64_t guardOf(const Decoded &d, size_t effect) {
    if (d.guard && d.guard->kind == Source::Kind::Register &&
        effect != SIZE_MAX) {
      uint64_t r = registers.number(d.guard->reg);
      return ((r + 1) << 32 | version[r] << 1 | (d.guard->invert ? 1 : 0));
    }
    if (effect < d.effects.size() && d.effects[effect].masked)
      return (uint64_t(exec) + 1) << 32 | version[exec] << 1;
    return 0;
  }

  void use(uint32_t r, uint64_t guard, std::vector<uint32_t> &exposed) {
    State &s = of(r);
    bool covered = s.whole || (s.guard && s.guard == guard);
    if (covered || s.exposed)
      return;
    s.exposed = true;
    exposed.push_back(r);
  }

  void define(uint32_t r, uint64_t guard, std::vector<uint32_t> &killed) {
    State &s = of(r);
    if (!guard && !s.whole) {
      s.whole = true;
      killed.push_back(r);
    }
    if (guard)
      s.guard = guard;
    pending.push_back(r);
  }

  const Analysis &a;
  const RegisterTable &registers;
  std::vector<State> state;
  std::vector<uint32_t> version, pending;
  uint32_t round = 0;
  uint32_t exec;
};

} // namespace

Liveness wf::explain::liveness(const Analysis &a,
                               const RegisterTable &registers) {
  // So many places in all; a listing that needs more is no kernel.
  constexpr size_t most = size_t(1) << 20;
  const size_t count = a.blocks.size();
  Liveness result;
  result.in.resize(count);
  result.untracked.assign(registers.size(), false);
  std::vector<std::vector<uint32_t>> usedIn(registers.size()),
      killedIn(registers.size());
  LocalUses local(a, registers);
  std::vector<uint32_t> exposed, killed;
  for (size_t b = 0; b < count; ++b) {
    if (!a.blocks[b].reachable)
      continue;
    exposed.clear();
    killed.clear();
    local.scan(a.blocks[b], exposed, killed);
    for (uint32_t r : exposed)
      usedIn[r].push_back(uint32_t(b));
    for (uint32_t r : killed)
      killedIn[r].push_back(uint32_t(b));
  }
  std::vector<uint32_t> live(count, UINT32_MAX), kills(count, UINT32_MAX);
  std::vector<uint32_t> work;
  size_t total = 0;
  for (uint32_t r = 0; r < registers.size(); ++r) {
    if (total > most) {
      result.untracked[r] = !usedIn[r].empty();
      continue;
    }
    for (uint32_t b : killedIn[r])
      kills[b] = r;
    auto enter = [&](uint32_t b) {
      if (live[b] == r)
        return;
      live[b] = r;
      result.in[b].push_back(r);
      ++total;
      work.push_back(b);
    };
    for (uint32_t b : usedIn[r])
      enter(b);
    while (!work.empty()) {
      uint32_t b = work.back();
      work.pop_back();
      for (size_t p : a.blocks[b].previous)
        if (kills[p] != r)
          enter(uint32_t(p));
    }
  }
  return result;
}

bool wf::explain::isPtx(const Analysis &a) {
  return a.program.kernel.isa == Isa::Ptx;
}

bool wf::explain::isPredicate(const Value &v) {
  if (v.kind == Value::Kind::Operation &&
      (v.op == Op::Compare || v.op == Op::ClassTest || v.op == Op::CarryOut ||
       v.op == Op::BorrowOut))
    return true;
  return v.type == Type::Pred;
}

bool wf::explain::isWide(const Value &v) {
  return !isPredicate(v) && bitsOf(v.type) == 64;
}
