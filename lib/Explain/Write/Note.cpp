//===- Note.cpp - A kernel's note, as a colleague would write it ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/NoteParts.h"
#include "Explain/Write/Summaries.h"
#include "Explain/Write/Words.h"

#include <algorithm>

using namespace wf::explain;

Note::Note(const Report &r, const WriteOptions &options)
    : r(r), a(r.analysis), options(options), statements(r), names(r),
      living(words::living(r)) {}

std::string Note::code(const std::string &text) const {
  return words::code(brief(text));
}
std::string Note::at(size_t i) const { return words::at(r, i); }
std::string Note::at(const std::vector<size_t> &i) const {
  return words::at(r, i);
}
std::string Note::opcode(size_t i) const {
  return words::opcode(r.kernel(), i);
}

std::string Note::guardText(size_t i) const {
  const Instruction &in = r.kernel().code[i];
  if (in.guard.empty())
    return "";
  return std::string("@") + (in.guardNegated ? "!" : "") + in.guard + " ";
}

std::string Note::fenced(std::vector<size_t> instructions, size_t most) const {
  instructions = words::sorted(std::move(instructions));
  std::vector<std::string> lines;
  size_t left = instructions.size() > most ? most : instructions.size();
  for (size_t n = 0; n < left; ++n)
    lines.push_back(words::line(r, instructions[n]));
  if (left < instructions.size())
    lines.push_back("… " + words::number(instructions.size() - left) + " more");
  return words::fenced(lines);
}

std::string Note::meaning(const std::vector<size_t> &instructions) const {
  std::vector<std::string> lines =
      excerpt(r, statements, names, words::sorted(instructions));
  if (lines.size() > 60) {
    lines.resize(60);
    lines.push_back("…");
  }
  return lines.empty() ? "" : words::fenced(lines);
}

bool Note::inLoop(size_t i) const {
  return i < a.blockOf.size() && a.blocks[a.blockOf[i]].loop >= 0;
}

std::vector<size_t> Note::withRole(Role role) const {
  std::vector<size_t> out;
  for (size_t i : living)
    if (i < r.roles.size() && r.roles[i].role == role)
      out.push_back(i);
  return out;
}

std::vector<size_t>
Note::inStraightCode(std::vector<size_t> instructions) const {
  std::erase_if(instructions, [&](size_t i) { return inLoop(i); });
  return instructions;
}

std::string Note::headline() const {
  std::set<Through> memory, all;
  bool mixed = false, exchanged = false;
  for (const Accumulator &acc : r.accumulators) {
    all.insert(acc.through.begin(), acc.through.end());
    mixed |= materialises(acc) && acc.through.size() > 1;
    exchanged |= acc.through.count(Through::Lanes) != 0;
    if (materialises(acc))
      memory.insert(acc.through.begin(), acc.through.end());
  }
  if (r.accumulators.empty())
    return "Nothing is accumulated: each thread computes what it stores from "
           "what it loads, and no intermediate leaves its registers.";
  auto has = [&](Through t) { return memory.count(t) != 0; };
  std::string where = has(Through::Shared)   ? "shared memory"
                      : has(Through::Global) ? "global memory"
                      : has(Through::Local)  ? "local memory"
                                             : "";
  if (!where.empty())
    return "The accumulation is not one of registers: the kernel reduces by "
           "materialising its partial results in " +
           where + ", step after step." +
           (mixed ? " The case is mixed, since each thread keeps its own "
                    "partial result in a register as well."
                  : "");
  if (all == std::set<Through>{Through::Atomic})
    return "The result is accumulated in memory by atomic operations; no "
           "partial result is stored and loaded again by the threads "
           "themselves.";
  std::string text = "No partial result is materialised: it stays in registers";
  if (exchanged)
    text += " and goes from lane to lane";
  bool handed =
      std::any_of(r.accumulators.begin(), r.accumulators.end(),
                  [](const Accumulator &acc) { return acc.handedOver; });
  if (handed)
    text += "; between two levels it is handed over once in shared memory";
  if (all.count(Through::Atomic))
    text += "; what is left at the end is joined by atomic operations";
  return text + ".";
}

namespace {
struct Word {
  Role role;
  const char *says;
};
} // namespace

// In the order in which data pass them.
static const Word wordsOfRoles[] = {
    {Role::LoadGlobal, "load from global memory"},
    {Role::LoadGeneric, "load from a space not known"},
    {Role::LoadLocal, "load from local memory"},
    {Role::StoreLocal, "store to local memory"},
    {Role::StoreShared, "store to shared memory"},
    {Role::LoadShared, "load from shared memory"},
    {Role::Exchange, "exchange between lanes"},
    {Role::Accumulate, "accumulation"},
    {Role::Matrix, "matrix multiply-add"},
    {Role::Barrier, "synchronisation of the block"},
    {Role::LoopBranch, "the loop's branch"},
    {Role::Atomic, "atomic operation"},
    {Role::StoreGeneric, "store to a space not known"},
    {Role::StoreGlobal, "store to global memory"},
};

std::string Note::sequence() const {
  std::vector<std::string> lines;
  size_t widest = 0;
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Word &word : wordsOfRoles) {
    std::map<std::string, size_t> count;
    std::vector<std::string> order;
    for (size_t i : withRole(word.role)) {
      std::string name = opcode(i);
      if (count[name]++ == 0)
        order.push_back(name);
    }
    for (const std::string &name : order) {
      widest = std::max(widest, name.size());
      rows.push_back(
          {name,
           std::string(word.says) +
               (count[name] > 1 ? ", ×" + std::to_string(count[name]) : "")});
    }
  }
  if (rows.size() > 24)
    rows.resize(24);
  for (auto &[name, says] : rows) {
    name.resize(widest + 2, ' ');
    lines.push_back(name + says);
  }
  if (lines.empty())
    return "";
  return "The instructions that matter:\n\n" + words::fenced(lines);
}

std::string Note::head() const {
  const Kernel &k = r.kernel();
  std::string out = "# " + words::shortName(k) + "\n\n";
  out += words::code(demangled(k.name));
  if (!k.entry)
    out += ", a device function,";
  out += " is " + std::string(words::isaName(k.isa)) +
         (k.target.empty() ? "" : " for " + k.target) +
         (k.targetInferred ? " (inferred from its opcodes)" : "");
  if (!options.file.empty())
    out += ", read from " + words::code(options.file);
  out += ": " + resourceLine(r) + ".";
  for (const Occupancy &o : r.occupancy)
    out += " " + words::sentence(occupancyLine(o));
  out += "\n\nThe conclusion first:\n\n> " + headline() + "\n";
  if (std::string list = sequence(); !list.empty())
    out += "\n" + list;
  return out;
}

std::string Note::write() {
  std::vector<Section> sections;
  sections.push_back(source());
  sections.push_back(roles());
  sections.push_back(load());
  sharedStores(sections);
  sections.push_back(barriers());
  loops(sections);
  accumulators(sections);
  sections.push_back(exchanges());
  sections.push_back(atomics());
  sections.push_back(strides());
  sections.push_back(predicates());
  sections.push_back(masks());
  sections.push_back(finalStore());
  sections.push_back(registers());
  sections.push_back(comparison());
  sections.push_back(materialisation());
  sections.push_back(patterns());
  sections.push_back(compiler());
  sections.push_back(remarks());
  sections.push_back(conclusion());
  std::string out = head();
  size_t n = 0;
  for (const Section &section : sections)
    if (!section.body.empty())
      out += "\n## " + std::to_string(++n) + ". " + section.title + "\n\n" +
             section.body;
  return out;
}

std::string wf::explain::markdownOf(const Report &report,
                                    const WriteOptions &options) {
  return Note(report, options).write();
}
