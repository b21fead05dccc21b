//===- Roles.cpp - What a life is for, and why it may end -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Flow/Printer.h"
#include "Explain/Flow/Webs.h"

#include <algorithm>
#include <cstdio>

using namespace wf::explain;

using Kind = Value::Kind;

static std::string addressText(const Analysis &a, size_t i) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%04llx",
                (unsigned long long)a.program.kernel.code[i].address);
  return text;
}

namespace {

class Roles {
public:
  explicit Roles(const Analysis &a) : a(a) {
    for (ValueId id = 0; id < a.values.size(); ++id) {
      const Value &v = a.value(id);
      if (v.kind == Kind::Phi && !v.name.empty())
        named[{v.block, v.reg}] = id;
    }
  }

  void describe(FoundWeb &found) const {
    Web &web = found.web;
    for (const FoundWeb::Place &place : found.places) {
      // What a life's first definition keeps of the register is not its own.
      const EffectValues &e = a.code[place.instruction].effects[place.effect];
      ValueId id = web.values.empty() ? e.result : e.written;
      if (id != noValue && (web.values.empty() || web.values.back() != id))
        web.values.push_back(id);
    }
    web.role = roleOf(found);
  }

private:
  std::string roleOf(const FoundWeb &found) const {
    const Web &web = found.web;
    if (web.reg == Reg{RegClass::Flag, flags::exec} ||
        web.reg == Reg{RegClass::Flag, flags::execHi})
      return "the lanes that run";
    for (size_t block : found.joins)
      if (auto at = named.find({block, web.reg}); at != named.end())
        return a.value(at->second).name;
    if (web.values.empty())
      return entryName(web.reg);
    if (savesExec(found))
      return "exec, saved";
    if (std::string pair = pointerText(found); !pair.empty())
      return pair;
    // The last definitions stand for the life: they keep what older ones wrote
    // where their guard is false.
    std::vector<std::string> said;
    for (size_t k = web.values.size(); k-- > 0 && said.size() < 3;) {
      if (isPartOfLater(web, k))
        continue;
      std::string text = valueText(web.values[k]);
      if (std::find(said.begin(), said.end(), text) == said.end())
        said.push_back(text);
    }
    std::string out = said.empty() ? "" : said[0];
    for (size_t k = 1; k < said.size(); ++k)
      out += " or " + said[k];
    const FoundWeb::Place &last = found.places.back();
    const Effect &e = a.program.code[last.instruction].effects[last.effect];
    if (last.word == 0 || !e.def || isPredicate(a.value(web.values.back())))
      return out;
    return (e.def->count == 2 ? "upper half of "
                              : "word " + std::to_string(last.word) + " of ") +
           out;
  }

  /// One of the two registers of an address reads as the address.
  std::string pointerText(const FoundWeb &found) const {
    const Web &web = found.web;
    if (isPtx(a) || web.defs.size() != 1 || web.values.size() != 1)
      return "";
    for (size_t use : web.uses) {
      const Decoded &d = a.program.code[use];
      for (size_t e = 0; e < d.effects.size(); ++e) {
        const auto &memory = d.effects[e].memory;
        ValueId address = a.code[use].effects[e].address;
        if (!memory || !memory->base || memory->uniform || memory->offset ||
            address == noValue || memory->base->count != 2 ||
            memory->base->reg.cls != web.reg.cls)
          continue;
        if (memory->base->reg.index == web.reg.index)
          return expression(a, address, 6);
        if (memory->base->reg.index + 1 == web.reg.index)
          return "upper half of " + expression(a, address, 6);
      }
    }
    return "";
  }

  std::string entryName(Reg reg) const {
    for (const EntryValue &entry : a.program.entry)
      if (entry.reg.cls == reg.cls && reg.index >= entry.reg.index &&
          reg.index < entry.reg.index + entry.count)
        return reg.index == entry.reg.index ? entry.name
                                            : "upper half of " + entry.name;
    return a.program.kernel.entry ? "not set before" : "from the caller";
  }

  bool savesExec(const FoundWeb &found) const {
    const FoundWeb::Place &first = found.places.front();
    const Effect &e = a.program.code[first.instruction].effects[first.effect];
    return e.op == Op::Move && e.in.size() == 1 &&
           e.in[0].kind == Source::Kind::Register &&
           e.in[0].reg.cls == RegClass::Flag &&
           (e.in[0].reg.index == flags::exec ||
            e.in[0].reg.index == flags::execHi);
  }

  /// Whether a later value of the life is a Gamma of the k-th.
  bool isPartOfLater(const Web &web, size_t k) const {
    for (size_t l = k + 1; l < web.values.size() && l < k + 8; ++l) {
      const Value &v = a.value(web.values[l]), &w = a.value(web.values[k]);
      if (v.kind != Kind::Gamma)
        continue;
      if (v.args[1] == web.values[k] || v.args[2] == web.values[k] ||
          (w.kind == Kind::Gamma && w.args[0] == v.args[0]))
        return true;
    }
    return false;
  }

  std::string valueText(ValueId id) const {
    const Value &v = a.value(id);
    if (v.kind == Kind::Symbol && v.name == "stack")
      return "stack pointer";
    if (v.kind == Kind::Symbol && v.name == "globalDescriptor")
      return "descriptor of global memory";
    if (v.kind != Kind::Gamma)
      return isPredicate(v) ? condition(a, id) : expression(a, id, 6);
    Printer printer{a, 100};
    printer.reals =
        printer.looksReal(v.args[1]) || printer.looksReal(v.args[2]);
    std::string yes = printer.text(v.args[1], 6, 0);
    std::string no = printer.text(v.args[2], 6, 0);
    return yes + " or " + no;
  }

  const Analysis &a;
  std::map<std::pair<size_t, Reg>, ValueId> named;
};

/// The instruction that waits for scoreboard `barrier`, after `from`.
size_t waiterFor(const Analysis &a, int barrier, size_t from, size_t to) {
  for (size_t i = from + 1; i <= to && i < a.program.kernel.code.size(); ++i) {
    const auto &control = a.program.kernel.code[i].control;
    if (control && (control->waits >> barrier & 1))
      return i;
  }
  return SIZE_MAX;
}

std::string reuseText(const Analysis &a, const Web &web, const Web &next) {
  if (next.defs.empty())
    return "";
  const size_t written = next.defs[0];
  const std::string again = "written again at " + addressText(a, written);
  if (web.uses.empty())
    return "never read; " + again;
  // The last read before that in the text; a loop may have later ones, which
  // the next life does not reach.
  auto after = std::upper_bound(web.uses.begin(), web.uses.end(), written);
  if (after == web.uses.begin())
    return "its reads at " + addressText(a, web.uses[0]) +
           " and after are on other paths; " + again;
  const size_t read = *(after - 1);
  const Instruction &reader = a.program.kernel.code[read];
  std::string text =
      "last read at " + addressText(a, read) + " by " + reader.mnemonic;
  if (read == written)
    return text + ", which writes it after reading";
  if (!reader.control)
    return text + "; " + again;
  // Guards are read as an instruction issues, whatever it does then.
  bool late =
      web.reg.cls == RegClass::Vector || web.reg.cls == RegClass::Uniform;
  int barrier = late ? reader.control->readBarrier : -1;
  const char *says = " when it has read; ";
  if (late && barrier < 0 && reader.control->writeBarrier >= 0) {
    barrier = reader.control->writeBarrier;
    says = " when its result is there; ";
  }
  size_t waiter = barrier < 0 ? SIZE_MAX : waiterFor(a, barrier, read, written);
  if (barrier < 0 || (waiter == SIZE_MAX && reader.control->readBarrier < 0))
    return text + ", which reads as it issues; " + again;
  const std::string name = "SB" + std::to_string(barrier);
  text += ", which sets " + name + says;
  if (waiter == SIZE_MAX)
    return text + again + " without a wait for it";
  return text + addressText(a, waiter) + " waits for " + name +
         (waiter == written ? " and writes it again" : "; " + again);
}

} // namespace

void wf::explain::describeWebs(const Analysis &a, std::vector<FoundWeb> &webs) {
  Roles roles(a);
  for (FoundWeb &found : webs)
    roles.describe(found);
  for (size_t k = 0; k + 1 < webs.size(); ++k)
    if (webs[k].web.reg == webs[k + 1].web.reg)
      webs[k].web.reuse = reuseText(a, webs[k].web, webs[k + 1].web);
}
