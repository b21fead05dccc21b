//===- NotePredicates.cpp - Conditions, guards, lane masks ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/NoteParts.h"
#include "Explain/Write/Words.h"

#include <algorithm>

using namespace wf::explain;

static bool isPredicate(const Web &web) {
  return web.reg.cls == RegClass::Predicate ||
         web.reg.cls == RegClass::UniformPredicate;
}

/// "guards the instructions at 0x0140 and 0x0150", "is the exit's condition".
static std::string usesOf(const Report &r, const Web &web) {
  std::vector<size_t> guards, branches, exits, others;
  for (size_t use : web.uses) {
    if (use >= r.roles.size())
      continue;
    const Flow &flow = r.analysis.program.code[use].flow;
    if (flow.kind == Flow::Kind::Exit)
      exits.push_back(use);
    else if (flow.kind != Flow::Kind::Next)
      branches.push_back(use);
    else if (r.analysis.program.code[use].guard &&
             r.analysis.program.code[use].guard->reg == web.reg)
      guards.push_back(use);
    else
      others.push_back(use);
  }
  std::vector<std::string> parts;
  auto range = [&](const std::vector<size_t> &all) {
    return all.size() > 3
               ? words::at(r, all.front()) + " to " + words::at(r, all.back())
               : words::at(r, all);
  };
  if (!guards.empty())
    parts.push_back("guard of " + range(guards));
  if (!branches.empty())
    parts.push_back("branch at " + range(branches));
  if (!exits.empty())
    parts.push_back("exit at " + range(exits));
  if (!others.empty())
    parts.push_back("operand at " + range(others));
  return parts.empty() ? "not used" : words::listed(parts);
}

/// The comparison that code makes against the one that the source asks for.
std::string Note::sourcePolarity() const {
  // Of a step of an accumulation, or else of the first guard that is negated.
  std::vector<size_t> candidates;
  for (const Accumulator &acc : r.accumulators)
    candidates.insert(candidates.end(), acc.step.begin(), acc.step.end());
  candidates.insert(candidates.end(), living.begin(), living.end());
  for (size_t i : candidates) {
    const Instruction &in = r.kernel().code[i];
    if (!in.guardNegated || !a.program.code[i].guard ||
        a.code[i].guard >= a.values.size() ||
        a.program.code[i].flow.kind != Flow::Kind::Next)
      continue;
    const Web *web = statements.lives().use(i, a.program.code[i].guard->reg);
    if (!web || web->defs.size() != 1)
      continue;
    size_t def = web->defs[0];
    std::string name = a.program.registerName(web->reg);
    std::string wanted = brief(condition(a, a.code[i].guard));
    std::string computed = brief(condition(a, a.code[i].guard, true));
    std::vector<std::string> lines{words::line(r, def)};
    std::vector<size_t> guarded;
    for (size_t use : web->uses)
      if (a.program.code[use].guard && use > def && lines.size() < 7) {
        lines.push_back(words::line(r, use));
        guarded.push_back(use);
      }
    return "The source's condition is\n\n" +
           words::fenced(std::vector<std::string>{"if (" + wanted + ")"},
                         "cpp") +
           "\nand the code computes the opposite:\n\n" + words::fenced(lines) +
           "\nThat is\n\n" +
           words::fenced(
               std::vector<std::string>{name + " = (" + computed + ")"}) +
           "\nand all that depends on it carries " + words::code("@!" + name) +
           ": it runs where " + words::code(computed) +
           " does not hold, which is " + words::code("if (" + wanted + ")") +
           " again.\n";
  }
  return "";
}

Section Note::predicates() const {
  std::map<Reg, std::vector<const Web *>> byRegister;
  size_t count = 0;
  for (const Web &web : a.webs)
    if (isPredicate(web) && !web.defs.empty()) {
      byRegister[web.reg].push_back(&web);
      ++count;
    }
  if (count == 0)
    return {"", ""};
  std::string out = sourcePolarity();
  if (r.kernel().isa == Isa::Ptx)
    return {"The predicates", out};
  std::vector<std::string> renamed;
  for (const auto &[reg, lives] : byRegister)
    if (lives.size() > 1 && renamed.size() < 8)
      renamed.push_back(words::code(a.program.registerName(reg)) + " has " +
                        words::number(lives.size()) + " meanings");
  if (!renamed.empty())
    out += std::string(out.empty() ? "" : "\n") +
           "A predicate's name says little, since it is used again with "
           "another meaning: " +
           words::listed(renamed) + ".\n";
  out += std::string(out.empty() ? "" : "\n") +
         "| predicate | set at | means | used as |\n|---|---|---|---|\n";
  size_t told = 0;
  for (const auto &[reg, lives] : byRegister)
    for (const Web *web : lives) {
      if (++told > 32)
        break;
      out += "| " + words::code(a.program.registerName(reg)) + " | " +
             words::at(r, web->defs, 2) + " | " +
             words::cell(code(web->role.size() > 80 ? "…" : web->role)) +
             " | " + usesOf(r, *web) + " |\n";
    }
  if (told > 32)
    out += "\n" + words::capital(words::counted(count - 32, "more life")) +
           " of predicates are not listed.\n";
  // One that is set early and asked late.
  for (const auto &[reg, lives] : byRegister)
    for (const Web *web : lives)
      for (size_t use : web->uses)
        if (a.program.code[use].flow.kind == Flow::Kind::Exit &&
            web->defs.size() == 1 && use > web->defs[0] + 12) {
          out += "\n" + words::code(a.program.registerName(reg)) + " of " +
                 at(web->defs[0]) + " is asked only at " + at(use) + ", " +
                 words::number(use - web->defs[0]) +
                 " instructions further on: in between it has to be kept.\n";
          return {"The predicates", out};
        }
  return {"The predicates", out};
}

/// AMD: conditions are masks of lanes, kept in scalar registers and in EXEC.
Section Note::masks() const {
  if (r.kernel().isa != Isa::Amdgcn)
    return {"", ""};
  std::vector<size_t> lines;
  std::vector<size_t> conditions = withRole(Role::Condition);
  for (size_t i : withRole(Role::Mask))
    lines.push_back(i);
  if (lines.empty())
    return {"", ""};
  for (size_t i : conditions)
    lines.push_back(i);
  std::string out =
      "A wave runs its lanes together, and the lanes that an `if` leaves out "
      "are switched off in the mask EXEC. A comparison writes one bit a lane; "
      "the mask is saved, narrowed and put back:\n\n" +
      fenced(lines, 28);
  std::vector<std::string> said;
  std::set<std::string> told;
  for (size_t i : living)
    if (i < a.code.size() && a.code[i].guard < a.values.size()) {
      std::string text = brief(condition(a, a.code[i].guard));
      if (text.size() < 90 && told.insert(text).second && said.size() < 8)
        said.push_back(at(i) + ": if (" + text + ")");
    }
  if (!said.empty())
    out += "\nThe conditions under which instructions run, each with the first "
           "of them:\n\n" +
           words::fenced(said);
  std::vector<size_t> jumps;
  for (size_t i : withRole(Role::SkipBranch))
    if (r.kernel().code[i].mnemonic.find("execz") != std::string::npos)
      jumps.push_back(i);
  if (!jumps.empty())
    out += "\n`s_cbranch_execz` at " + at(jumps) +
           (jumps.size() == 1 ? " is" : " are each") +
           " only a short cut past code that no lane would run; the masks "
           "alone decide what happens.\n";
  return {"The lane masks", out};
}
