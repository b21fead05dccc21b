//===- Statements.cpp - One instruction as a line of pseudo-code ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/Statements.h"
#include "Explain/Write/Words.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>

using namespace wf::explain;
using Kind = Value::Kind;

static bool isName(std::string_view text) {
  if (text.empty() || text.size() > 24)
    return false;
  for (char c : text)
    if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
        !(c >= '0' && c <= '9') && c != '_')
      return false;
  return !(text[0] >= '0' && text[0] <= '9');
}

Statements::Statements(const Report &report)
    : r(report), a(report.analysis), webs(report.analysis) {
  for (uint32_t n = 0; n < r.accesses.size(); ++n)
    accesses[r.accesses[n].instruction].push_back(n);
  chooseNames();
  texts.resize(a.program.code.size());
  printing.resize(texts.size());
  for (size_t i = 0; i < texts.size(); ++i)
    printing[i] = printsByRole(i);
  for (size_t i = texts.size(); i-- > 0;)
    if (printing[i] && saidByUses(i))
      printing[i] = false;
  for (size_t i = 0; i < texts.size(); ++i)
    if (prints(i))
      texts[i] = write(i);
}

constexpr size_t longCondition = 64;

/// A comparison of floats or loads whose operands would have to be written out
/// in each condition that uses it.
bool Statements::printsPredicate(size_t i) const {
  for (uint32_t w : webs.defined(i)) {
    const Web &web = a.webs[w];
    if (web.reg.cls != RegClass::Predicate || web.defs.size() != 1)
      continue;
    for (size_t use : web.uses)
      if (use < a.code.size() && a.program.code[use].guard &&
          a.program.code[use].guard->reg == web.reg) {
        ValueId id = a.code[use].guard < a.values.size()
                         ? a.code[use].guard
                         : a.code[use].condition;
        return id < a.values.size() && condition(a, id).size() > longCondition;
      }
  }
  return false;
}

bool Statements::isNamed(size_t i, ValueId id) const {
  if (i >= a.code.size() || id >= a.values.size() || !a.program.code[i].guard)
    return false;
  const Web *web = webs.use(i, a.program.code[i].guard->reg);
  return web && web->defs.size() == 1 && prints(web->defs[0]);
}

std::string Statements::conditionOf(size_t i, ValueId id, bool negated) const {
  if (!isNamed(i, id))
    return id < a.values.size() ? condition(a, id, negated) : "…";
  const Source &guard = *a.program.code[i].guard;
  return (guard.invert != negated ? "!" : "") +
         a.program.registerName(guard.reg);
}

/// A constant, or a value that only moves into other registers, where each
/// statement that uses it writes the value itself.
bool Statements::saidByUses(size_t i) const {
  if (i >= a.code.size() || webs.defined(i).size() != 1)
    return false;
  const Web &web = a.webs[webs.defined(i).front()];
  if (web.defs.size() != 1 || a.code[i].effects.empty())
    return false;
  ValueId id = a.code[i].effects.front().result;
  Kind kind = id < a.values.size() ? a.values[id].kind : Kind::Undefined;
  if (kind == Kind::Constant || kind == Kind::Float || kind == Kind::Parameter)
    return true;
  // Thread and block indices are worth a line at the kernel's start.
  if (kind == Kind::Symbol)
    return a.blockOf[i] != 0;
  if (r.roles[i].role != Role::Stride || names.count(&web))
    return false;
  bool moved = false;
  for (size_t use : web.uses) {
    bool moves = false;
    for (size_t e = 0; e < a.code[use].effects.size(); ++e)
      moves |= a.code[use].effects[e].result == id;
    moved |= moves;
    if (!moves && prints(use))
      return false;
  }
  return moved;
}

/// A role that is a name, and one register's alone, stands for the register.
void Statements::chooseNames() {
  std::map<std::string, std::vector<const Web *>> byRole;
  for (const Web &web : a.webs)
    if (isName(web.role) && !web.defs.empty() &&
        web.reg.cls != RegClass::Predicate)
      byRole[web.role].push_back(&web);
  for (const auto &[role, those] : byRole) {
    bool one = std::all_of(those.begin(), those.end(), [&](const Web *web) {
      return web->reg == those[0]->reg;
    });
    for (const Web *web : those)
      if (one)
        names[web] = role;
  }
}

std::string Statements::name(const Web &web) const {
  auto it = names.find(&web);
  return it == names.end() ? a.program.registerName(web.reg) : it->second;
}

bool Statements::printsByRole(size_t i) const {
  if (i >= r.roles.size() || a.program.code[i].never)
    return false;
  // What has a name is said, since other lines use the name.
  Role role = r.roles[i].role;
  if (role == Role::Address || role == Role::Parameter || role == Role::Setup)
    for (uint32_t w : webs.defined(i))
      if (names.count(&a.webs[w]) && a.webs[w].defs.size() > 1)
        return true;
  switch (role) {
  case Role::Condition:
    return printsPredicate(i);
  case Role::Setup:
  case Role::Parameter:
  case Role::Address:
  case Role::Constant:
  case Role::LoadConstant:
  case Role::Wait:
  case Role::LoopBranch:
  case Role::SkipBranch:
  case Role::Exit:
  case Role::Mask:
  case Role::Hint:
  case Role::Padding:
  case Role::Never:
    return false;
  default:
    return true;
  }
}

const Access *Statements::accessAt(size_t i, bool store) const {
  auto it = accesses.find(i);
  if (it == accesses.end())
    return nullptr;
  for (uint32_t n : it->second)
    if (store ? r.accesses[n].store : r.accesses[n].load)
      return &r.accesses[n];
  return &r.accesses[it->second.front()];
}

std::string Statements::target(size_t i, const Effect &e) const {
  if (!e.def)
    return "";
  const Web *web = webs.definition(i, e.def->reg);
  std::string text = web ? name(*web) : a.program.registerName(e.def->reg);
  if (e.def->count > 1 && !(web && names.count(web))) {
    Reg last = e.def->reg;
    last.index += e.def->count - 1u;
    text += (e.def->count == 2 ? ":" : "..") + a.program.registerName(last);
  }
  return text;
}

std::string Statements::operand(size_t i, const Source &source,
                                ValueId id) const {
  if (source.kind == Source::Kind::Register) {
    const Web *web = webs.use(i, source.reg);
    bool shown = false;
    for (size_t d = 0; web && d < web->defs.size() && !shown; ++d)
      shown = prints(web->defs[d]);
    Kind kind = id < a.values.size() ? a.values[id].kind : Kind::Undefined;
    bool plain = kind == Kind::Constant || kind == Kind::Float ||
                 kind == Kind::Symbol || kind == Kind::Parameter;
    if (plain || (!shown && id < a.values.size() && kind != Kind::Undefined))
      return expression(a, id, 4);
    std::string text = web ? name(*web) : a.program.registerName(source.reg);
    if (source.absolute)
      text = "abs(" + text + ")";
    return (source.negate ? "-" : source.invert ? "!" : "") + text;
  }
  if (id < a.values.size())
    return expression(a, id, 4);
  if (source.kind == Source::Kind::Immediate)
    return std::to_string(source.imm);
  if (source.kind == Source::Kind::Constant)
    return "c[" + std::to_string(source.bank) + "][" +
           words::hex(uint64_t(source.imm)) + "]";
  return source.name.empty() ? "?" : source.name;
}

std::string Statements::source(size_t i, const Effect &e,
                               const EffectValues *values, size_t n) const {
  if (n >= e.in.size())
    return "?";
  ValueId id = values && n < values->in.size() ? values->in[n] : noValue;
  return operand(i, e.in[n], id);
}

/// An operation's argument: the register that brings it, where there is one.
std::string Statements::argument(size_t i, const Effect &e,
                                 const EffectValues *values, ValueId id) const {
  for (size_t n = 0; values && n < values->in.size() && n < e.in.size(); ++n)
    if (values->in[n] == id && !e.in[n].negate && !e.in[n].absolute &&
        !e.in[n].invert)
      return operand(i, e.in[n], id);
  return expression(a, id, 4);
}

std::string Statements::memoryStatement(size_t i, const Effect &e,
                                        const EffectValues *values) const {
  const Memory &m = *e.memory;
  bool store = e.op == Op::Store;
  const Access *where = accessAt(i, store);
  std::string what = where && !where->what.empty()
                         ? where->what
                         : std::string(spaceName(m.space)) + "[?]";
  std::string data = m.data
                         ? operand(i, *m.data, values ? values->data : noValue)
                         : std::string("?");
  if (m.data && m.data->count > 1 && m.data->kind == Source::Kind::Register) {
    Reg last = m.data->reg;
    last.index += m.data->count - 1u;
    data = a.program.registerName(m.data->reg) +
           (m.data->count == 2 ? ":" : "..") + a.program.registerName(last);
  }
  if (store) {
    if (m.async)
      data = accessAt(i, false) ? accessAt(i, false)->what : data;
    return what + " = " + data + (m.async ? "  // asynchronous copy" : "");
  }
  if (e.op == Op::Load)
    return e.def ? target(i, e) + " = " + what : "";
  std::string text = "atomic_" + (m.atomic.empty() ? "op" : m.atomic) + "(&" +
                     what + ", " + data + ")";
  return e.def && m.returns ? target(i, e) + " = " + text : text;
}

static const char *shuffleName(ShuffleKind kind) {
  switch (kind) {
  case ShuffleKind::Up:
    return "shuffle_up";
  case ShuffleKind::Down:
    return "shuffle_down";
  case ShuffleKind::Xor:
  case ShuffleKind::RowXor:
    return "shuffle_xor";
  default:
    return "shuffle";
  }
}

std::string Statements::laneStatement(size_t i, const Effect &e,
                                      const EffectValues *values) const {
  std::string what = source(i, e, values, 0), from;
  if (e.op == Op::WarpReduce)
    return target(i, e) + " = warp_" + (e.detail.empty() ? "add" : e.detail) +
           "(" + what + ")";
  if (e.in.size() > 1)
    from = source(i, e, values, 1);
  else
    from = e.detail;
  std::string name =
      e.op == Op::Shuffle ? shuffleName(e.shuffle) : std::string(opName(e.op));
  std::replace(name.begin(), name.end(), ' ', '_');
  return target(i, e) + " = " + name + "(" + what +
         (from.empty() ? "" : ", " + from) + ")";
}

/// Do other definitions of the register's life say that it is a float?
static bool holdsFloats(const Analysis &a, const Web &web) {
  if (web.role.find("0.0") != std::string::npos)
    return true;
  for (size_t def : web.defs)
    for (const Effect &e : a.program.code[def].effects)
      if (e.def && e.def->reg == web.reg && isFloat(e.type))
        return true;
  return false;
}

/// AMD's DPP: the first operand comes out of another lane.
std::string Statements::fromLane(size_t i, const Effect &e,
                                 const EffectValues *values) const {
  std::vector<std::string> args;
  for (size_t n = 0; n < e.in.size(); ++n)
    args.push_back(source(i, e, values, n));
  if (!args.empty())
    args[0] = "from_lane(" + args[0] +
              (e.detail.empty() ? "" : ", " + e.detail) + ")";
  return operationText(e.op, e.type, e.cmp, args);
}

/// A constant that joins floats is one itself.
std::string Statements::constantText(size_t i, const Effect &e,
                                     const Value &v) const {
  const Web *web = e.def ? webs.definition(i, e.def->reg) : nullptr;
  // Where the kernel accumulates nothing but floats an initial value is one.
  bool floats =
      r.roles[i].role == Role::Initial && !r.accumulators.empty() &&
      std::all_of(r.accumulators.begin(), r.accumulators.end(),
                  [](const Accumulator &acc) { return isFloat(acc.type); });
  if (!web || !(floats || holdsFloats(a, *web)) || e.def->count != 1)
    return expression(a, a.code[i].effects.front().result, 8);
  float number = 0;
  uint32_t bits = uint32_t(v.imm);
  std::memcpy(&number, &bits, sizeof number);
  char text[32];
  auto [end, error] = std::to_chars(text, text + sizeof text, number);
  std::string out(text, error == std::errc() ? end : text);
  return out.find_first_of(".eni") == std::string::npos ? out + ".0" : out;
}

std::string Statements::computation(size_t i, const Effect &e,
                                    const EffectValues *values) const {
  ValueId id = values ? values->result : noValue;
  std::string left = target(i, e) + " = ";
  Role role = r.roles[i].role;
  if (e.shuffle != ShuffleKind::None)
    return left + fromLane(i, e, values);
  if (e.op == Op::Move && e.in.size() == 1 &&
      e.in[0].kind == Source::Kind::Register)
    if (const Web *from = webs.use(i, e.in[0].reg); from && names.count(from))
      return left + source(i, e, values, 0);
  if (id < a.values.size()) {
    const Value &v = a.values[id];
    if (v.kind == Kind::Constant)
      return left + constantText(i, e, v);
    if (role == Role::Index || role == Role::Initial ||
        v.kind == Kind::Constant || v.kind == Kind::Float ||
        v.kind == Kind::Symbol || v.kind == Kind::Parameter)
      return left + expression(a, id, 8);
    if (v.kind == Kind::Operation) {
      std::vector<std::string> args;
      for (ValueId arg : v.args)
        args.push_back(argument(i, e, values, arg));
      return left + operationText(v.op, v.type, v.cmp, args);
    }
  }
  std::vector<std::string> args;
  for (size_t n = 0; n < e.in.size(); ++n)
    args.push_back(source(i, e, values, n));
  return left + operationText(e.op, e.type, e.cmp, args);
}

std::string Statements::called(const Decoded &d) const {
  if (!d.flow.callee.empty())
    return "call " + demangled(d.flow.callee);
  return d.flow.targets.empty() ? "call a function not known"
                                : "call " + words::at(r, d.flow.targets[0]);
}

std::string Statements::write(size_t i) const {
  const Decoded &d = a.program.code[i];
  const InstructionValues *v = i < a.code.size() ? &a.code[i] : nullptr;
  for (size_t n = 0; n < d.effects.size(); ++n) {
    const Effect &e = d.effects[n];
    const EffectValues *values =
        v && n < v->effects.size() ? &v->effects[n] : nullptr;
    switch (e.op) {
    case Op::Load:
      // A copy is written where it stores.
      if (e.memory && e.memory->async)
        continue;
      [[fallthrough]];
    case Op::Store:
    case Op::Atomic:
      if (e.memory)
        return memoryStatement(i, e, values);
      continue;
    case Op::Barrier:
      return "barrier()";
    case Op::BarrierArrive:
      return "barrier.arrive()";
    case Op::BarrierWait:
      return "barrier.wait()";
    case Op::ClusterArrive:
      return "cluster.arrive()";
    case Op::ClusterWait:
      return "cluster.wait()";
    case Op::Fence:
      return "fence()";
    case Op::WarpSync:
      return "warp_sync()";
    case Op::Trap:
      return "trap()";
    case Op::Call:
      return called(d);
    case Op::Shuffle:
    case Op::WarpReduce:
    case Op::Vote:
    case Op::Ballot:
    case Op::Match:
    case Op::ReadLane:
    case Op::ReadFirstLane:
    case Op::WriteLane:
    case Op::Elect:
      if (e.def)
        return laneStatement(i, e, values);
      continue;
    case Op::Unknown:
      return "unknown: " + r.kernel().code[i].text;
    case Op::CarryOut:
    case Op::BorrowOut:
    case Op::Nop:
      continue;
    default:
      if (e.def && e.def->reg.cls != RegClass::UniformPredicate &&
          (e.def->reg.cls != RegClass::Predicate ||
           r.roles[i].role == Role::Condition) &&
          e.def->reg.cls != RegClass::Flag)
        return computation(i, e, values);
    }
  }
  if (d.flow.kind == Flow::Kind::Call)
    return called(d);
  return d.known ? "" : "unknown: " + r.kernel().code[i].text;
}

bool Statements::commute(size_t first, size_t second) const {
  auto overlap = [](const std::vector<uint32_t> &x,
                    const std::vector<uint32_t> &y, const Analysis &a) {
    for (uint32_t p : x)
      for (uint32_t q : y)
        if (a.webs[p].reg == a.webs[q].reg)
          return true;
    return false;
  };
  return !overlap(webs.defined(first), webs.used(second), a) &&
         !overlap(webs.defined(first), webs.defined(second), a) &&
         !overlap(webs.used(first), webs.defined(second), a);
}
