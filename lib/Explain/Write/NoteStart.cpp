//===- NoteStart.cpp - Source, roles and the first load -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/NoteParts.h"
#include "Explain/Write/Summaries.h"
#include "Explain/Write/Words.h"

#include <algorithm>
#include <array>

using namespace wf::explain;

static std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string line(text.substr(0, end));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
      line.pop_back();
    lines.push_back(std::move(line));
    if (end == std::string_view::npos)
      break;
    text.remove_prefix(end + 1);
  }
  while (!lines.empty() && lines.back().empty())
    lines.pop_back();
  return lines;
}

/// Which threads run instruction `i`: " where `i < n`"; "" for all.
static std::string where(const Analysis &a, size_t i, const Shorthand &names) {
  if (i >= a.code.size() || a.code[i].guard >= a.values.size())
    return "";
  std::string text = names.apply(condition(a, a.code[i].guard));
  return text.size() > 60 ? "" : " where " + words::code(text);
}

/// Which threads an exit before `i` leaves: " where `threadIdx.x == 0`".
std::string Note::remaining(size_t i) const {
  std::string out;
  for (size_t exit : living) {
    if (exit >= i)
      break;
    if (a.program.code[exit].flow.kind != Flow::Kind::Exit ||
        exit >= a.code.size())
      continue;
    ValueId when = a.code[exit].guard < a.values.size()
                       ? a.code[exit].guard
                       : a.code[exit].condition;
    if (when < a.values.size())
      out = " where " + code(condition(a, when, true));
  }
  return out.size() > 80 ? "" : out;
}

std::string Note::reaching(size_t i) const {
  std::string guard = where(a, i, names);
  return guard.empty() ? remaining(i) : guard;
}

/// Short enough to be read within a sentence.
static bool readable(const std::string &text) {
  return !text.empty() && text.size() <= 48 &&
         text.find("…") == std::string::npos && text[0] != '{';
}

/// What the kernel is for, from its first load to its last store.
std::string Note::gist() const {
  std::vector<std::string> parts;
  std::set<std::string> told;
  std::string condition;
  for (const Access &x : r.accesses) {
    if (x.space != Space::Global || !x.load || !readable(brief(x.what)) ||
        !told.insert(brief(x.what)).second || told.size() > 3)
      continue;
    if (parts.empty())
      condition = reaching(x.instruction);
    parts.push_back("reads " + code(x.what) + (parts.empty() ? condition : ""));
  }
  bool loads =
      std::any_of(r.accesses.begin(), r.accesses.end(), [](const Access &x) {
        return x.space == Space::Global && x.load;
      });
  if (parts.empty() && loads)
    parts.push_back("loads from global memory");
  for (const Access &x : r.accesses)
    if (x.space == Space::Shared && x.store && !inLoop(x.instruction) &&
        readable(brief(x.what))) {
      parts.push_back("puts what it has into " + code(x.what));
      break;
    }
  for (const Accumulator &acc : r.accumulators) {
    if (parts.size() > 7)
      break;
    std::string how =
        acc.halving ? ", in a tree whose distance halves at each step," : "";
    std::string by = " by " + operationNoun(acc);
    if (acc.through.count(Through::Shared))
      parts.push_back("reduces with the others of its block" + by +
                      " in shared memory" + how);
    else if (acc.through.count(Through::Lanes))
      parts.push_back(
          "reduces with its warp" + by +
          (acc.warpWide ? " in one instruction" : ", lane to lane,"));
    else if (acc.through.count(Through::Atomic))
      parts.push_back("joins its part to memory by an atomic " +
                      operationNoun(acc));
    else
      parts.push_back("accumulates" + by + " in a register" +
                      (acc.gridStride ? " over elements a grid apart" : ""));
  }
  std::string store;
  for (const Access &x : r.accesses)
    if (x.space == Space::Global && x.store && readable(brief(x.what)))
      store =
          "stores " + code(x.what) +
          (reaching(x.instruction) == condition ? "" : reaching(x.instruction));
  if (!store.empty())
    parts.push_back(store);
  if (parts.empty())
    return "";
  std::vector<std::string> unique;
  for (std::string &part : parts)
    if (std::find(unique.begin(), unique.end(), part) == unique.end())
      unique.push_back(std::move(part));
  std::string out = "Each thread " + words::listed(unique) + ".";
  for (size_t n; (n = out.find(",,")) != std::string::npos;)
    out.erase(n, 1);
  if (out.ends_with(",."))
    out.erase(out.size() - 2, 1);
  return out;
}

Section Note::source() const {
  std::string out;
  if (!options.source.empty()) {
    if (!options.sourceName.empty())
      out += "The kernel as it was written (" +
             words::code(options.sourceName) + "):\n\n";
    out += words::fenced(linesOf(options.source), "cpp");
  } else {
    out += "The source is not at hand; what follows is read from the machine "
           "code alone.\n";
  }
  const auto &parameters = r.kernel().parameters;
  if (!parameters.empty()) {
    out += "\nThe parameters, by their offset from the first one:\n\n"
           "| offset | parameter |\n|---|---|\n";
    for (size_t n = 0; n < parameters.size() && n < 32; ++n)
      out += "| " + std::to_string(parameters[n].offset) + " | " +
             words::code(parameters[n].type +
                         (parameters[n].type.empty() ||
                                  parameters[n].type.ends_with("*")
                              ? ""
                              : " ") +
                         parameters[n].name) +
             " |\n";
  }
  if (std::string text = gist(); !text.empty())
    out += "\nWhat it is for:\n\n> " + text + "\n";
  return {"The source", out};
}

/// What is there beside the statements of the pseudo-code.
static std::string besides(const Report &r, const Shorthand &names) {
  struct Group {
    std::vector<size_t> at;
  };
  std::array<Group, roleCount> groups;
  for (size_t i = 0; i < r.roles.size(); ++i)
    groups[size_t(r.roles[i].role)].at.push_back(i);
  std::vector<std::string> lines;
  auto add = [&](Role role, const char *what) {
    const auto &all = groups[size_t(role)].at;
    if (all.empty())
      return;
    std::string line = words::capital(words::counted(all.size(), what)) + " (";
    std::vector<std::string> each;
    for (size_t i : all) {
      std::string says = names.apply(r.roles[i].says);
      each.push_back(words::at(r, i) +
                     (says.size() > 48 || says.find(" = ") == std::string::npos
                          ? ""
                          : ": " + words::code(says)));
      if (each.size() == 4 && all.size() > 5) {
        each.push_back(words::number(all.size() - 4) + " more");
        break;
      }
    }
    lines.push_back(line + words::listed(each) + ")");
  };
  add(Role::Setup, "instruction of setup");
  add(Role::Parameter, "fetch of a parameter or of the launch's sizes");
  add(Role::LoadConstant, "load of a constant");
  add(Role::Constant, "constant");
  add(Role::Address, "address");
  add(Role::Condition, "condition");
  add(Role::Mask, "change of the lane mask");
  add(Role::Wait, "wait");
  add(Role::Hint, "hint to the scheduler");
  add(Role::Never, "instruction that never runs, its guard being false");
  add(Role::Unknown, "instruction whose opcode no table has");
  std::string out;
  for (const std::string &line : lines)
    out += "- " + line + ".\n";
  return out;
}

/// The branch to itself behind the code.
static std::string trapLine(const Report &r) {
  const Analysis &a = r.analysis;
  for (size_t i = 0; i < r.roles.size(); ++i) {
    if (r.roles[i].role != Role::Padding)
      continue;
    for (size_t t : a.program.code[i].flow.targets)
      if (t == i)
        return "- The branch at " + words::at(r, i) +
               " jumps to itself. It is no loop but a trap behind the last "
               "exit, and nothing reaches it.\n";
  }
  return "";
}

Section Note::roles() const {
  std::vector<std::string> lines = pseudoCode(r);
  if (lines.empty())
    return {"", ""};
  constexpr size_t most = 400;
  if (lines.size() > most) {
    lines.resize(most);
    lines.push_back("…");
  }
  std::string out = "Reduced to what each instruction is there for, the code "
                    "reads:\n\n" +
                    words::fenced(lines);
  bool inShared = false;
  for (const Accumulator &acc : r.accumulators)
    inShared |= acc.through.count(Through::Shared) != 0;
  if (inShared)
    out += "\nWhat sets it apart from an element-wise kernel is that the "
           "intermediate result does not just stay in a register: it is stored "
           "in shared memory again and again.\n";
  std::string rest = besides(r, names) + trapLine(r);
  if (!rest.empty())
    out += "\nThe code has " + resourceLine(r) +
           ". Of these the lines above leave out:\n\n" + rest;
  return {"The whole code, by role", out};
}

/// The instruction that first waits for the result of `load`, and how many
/// others issue between.
std::string Note::waitingFor(size_t load) const {
  const auto &code = r.kernel().code;
  if (!code[load].control || code[load].control->writeBarrier < 0)
    return "";
  int board = code[load].control->writeBarrier;
  for (size_t i = load + 1; i < code.size() && i < load + 400; ++i) {
    if (!code[i].control || !(code[i].control->waits >> board & 1))
      continue;
    std::string name = "SB" + std::to_string(board);
    size_t between = i - load - 1;
    return "The load sets the scoreboard " + name +
           " when its data arrive, "
           "and the first to wait for " +
           name + " is the " + words::code(opcode(i)) + " at " + at(i) +
           ": this is where the kernel stands still for global memory" +
           (between ? ", " + words::counted(between, "instruction") +
                          " after the load"
                    : "") +
           ".\n";
  }
  return "";
}

/// A register that holds an initial value and is loaded under a guard.
std::string Note::guardedLoad(size_t load) const {
  if (load >= a.code.size() || a.code[load].guard >= a.values.size())
    return "";
  for (uint32_t w : statements.lives().defined(load)) {
    const Web &web = a.webs[w];
    size_t first = web.defs.empty() ? load : web.defs.front();
    if (first >= load)
      continue;
    std::vector<size_t> lines{first, load};
    for (size_t use : web.uses)
      if (use > load && lines.size() < 3 && !statements.of(use).empty())
        lines.push_back(use);
    std::string name = a.program.registerName(web.reg);
    std::string when = brief(condition(a, a.code[load].guard));
    std::string guard = guardText(load);
    std::string out =
        words::code(name) + " is the register to watch:\n\n" + meaning(lines) +
        "\nA thread for which " + words::code(when) +
        " does not hold never loads; it goes on with the initial value of " +
        at(first) + ".";
    if (!guard.empty())
      out += " There is no branch: the load itself is predicated (" +
             words::code(guard + opcode(load)) + ").";
    else if (r.kernel().isa == Isa::Amdgcn)
      out += " The lanes that do not load are masked off in EXEC, and keep "
             "what the register held.";
    if (lines.size() > 2)
      out += " A guarded write does not end what the register held before, so "
             "that at " +
             at(lines[2]) + " " + words::code(name) + " is either of the two.";
    return out + "\n";
  }
  return "";
}

/// Vector width, coalescing, loads in flight.
static std::string widthText(const Report &r,
                             const std::vector<const Access *> &loads) {
  std::string out;
  std::map<uint32_t, size_t> widths;
  for (const Access *x : loads)
    ++widths[x->bytes];
  std::vector<std::string> parts;
  for (auto [bytes, n] : widths)
    parts.push_back(words::number(n) + " of " + std::to_string(bytes) +
                    " bytes a lane");
  if (loads.size() > 1 && widths.size() == 1)
    out += "There are " + words::counted(loads.size(), "global load") +
           ", each of " + std::to_string(loads[0]->bytes) + " bytes a lane. ";
  else if (loads.size() > 1)
    out += "There are " + words::counted(loads.size(), "global load") + ", " +
           words::listed(parts) + ". ";
  else if (loads[0]->bytes > 4)
    out += "The load brings " + std::to_string(loads[0]->bytes) +
           " bytes a lane at once. ";
  const Access &x = *loads[0];
  if (x.uniform)
    out += "All lanes read the same address. ";
  else if (x.laneStride && uint64_t(std::abs(*x.laneStride)) == x.bytes)
    out += "Neighbouring lanes read neighbouring elements, so that a warp's "
           "load is contiguous. ";
  else if (x.laneStride)
    out += "Neighbouring lanes read " + std::to_string(*x.laneStride) +
           " bytes apart, so that a warp's load is spread over more memory "
           "than it uses. ";
  auto it = r.facts.find("loads_in_flight");
  if (it != r.facts.end() && it->second.value > 1)
    out += "Up to " + words::number(size_t(it->second.value)) +
           " loads are in flight before the first one is waited for.";
  while (!out.empty() && out.back() == ' ')
    out.pop_back();
  return out;
}

/// Without an exchange or an accumulation on the way.
bool Note::storesWhatWasLoaded(const Access &store) const {
  for (size_t i : statements.lives().slice({store.instruction}, 32))
    if (r.roles[i].role == Role::Exchange ||
        r.roles[i].role == Role::Accumulate)
      return false;
  return true;
}

Section Note::load() const {
  std::vector<const Access *> loads;
  for (const Access &x : r.accesses)
    if (x.load && (x.space == Space::Global || x.space == Space::Generic))
      loads.push_back(&x);
  if (loads.empty())
    return {"", ""};
  size_t first = loads[0]->instruction;
  // With it what rests on it and is stored in shared memory, up to a barrier.
  std::vector<size_t> roots;
  for (size_t n = 0; n < loads.size() && n < 4; ++n)
    if (!inLoop(loads[n]->instruction) || n == 0)
      roots.push_back(loads[n]->instruction);
  size_t end = first;
  bool stored = false;
  for (const Access &x : r.accesses)
    if (x.space == Space::Shared && x.store && x.instruction > first &&
        !inLoop(x.instruction) && !stored && storesWhatWasLoaded(x)) {
      roots.push_back(x.instruction);
      end = x.instruction;
      stored = true;
    }
  std::vector<size_t> lines = statements.lives().slice(roots, 28);
  std::erase_if(lines, [&](size_t i) {
    return (inLoop(i) && !inLoop(first)) || i > std::max(end, roots.back()) ||
           (r.roles[i].role == Role::Setup && r.kernel().isa == Isa::Sass);
  });
  std::vector<size_t> barrier = withRole(Role::Barrier);
  if (stored)
    for (size_t b : barrier)
      if (b > end && b < end + 8 && !inLoop(b)) {
        lines.push_back(b);
        break;
      }
  std::string out = "The lines that matter:\n\n" + fenced(lines, 28);
  if (std::string text = meaning(lines); !text.empty())
    out += "\nThey say:\n\n" + text;
  for (const Access *x : loads)
    if (std::string text = guardedLoad(x->instruction); !text.empty()) {
      out += "\n" + text;
      break;
    }
  if (std::string text = widthText(r, loads); !text.empty())
    out += "\n" + text + "\n";
  for (const BuildFact &fact : r.build)
    if (fact.name == "read-only")
      out += "\n" + words::sentence(fact.says) + "\n";
  if (std::string text = waitingFor(first); !text.empty())
    out += "\n" + text;
  bool shared = stored && !r.accumulators.empty();
  return {shared             ? "The first load, and where its value goes"
          : loads.size() > 1 ? "The loads"
                             : "The load",
          out};
}
