//===- NoteRegisters.cpp - The lives of each register ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/NoteParts.h"
#include "Explain/Write/Words.h"

#include <algorithm>

using namespace wf::explain;

static bool counts(const Web &web) {
  return (web.reg.cls == RegClass::Vector || web.reg.cls == RegClass::Uniform ||
          web.reg.cls == RegClass::Accumulator) &&
         !web.defs.empty();
}

/// From the first definition to the last use.
static std::pair<size_t, size_t> extent(const Web &web) {
  size_t first = web.defs.front(), last = web.defs.back();
  if (!web.uses.empty()) {
    first = std::min(first, web.uses.front());
    last = std::max(last, web.uses.back());
  }
  return {first, last};
}

/// Registers whose names differ only in their file.
std::string Note::registerNotes() const {
  std::map<uint32_t, std::vector<const Web *>> uniform, vector;
  for (const Web &web : a.webs)
    if (counts(web)) {
      if (web.reg.cls == RegClass::Uniform && r.kernel().isa == Isa::Sass)
        uniform[web.reg.index].push_back(&web);
      else if (web.reg.cls == RegClass::Vector)
        vector[web.reg.index].push_back(&web);
    }
  std::string out;
  size_t told = 0;
  auto all = [&](const std::vector<const Web *> &lives) {
    std::vector<std::string> parts;
    for (const Web *web : lives)
      if (parts.size() < 4)
        parts.push_back(words::code(holds(statements, r, *web, names)) +
                        " (from " + at(web->defs.front()) + ")");
    return words::listed(parts, "then");
  };
  for (const auto &[index, lives] : uniform) {
    auto it = vector.find(index);
    if (it == vector.end() || told == 4)
      continue;
    // Only where the two could be taken for one.
    const Web *interesting = nullptr;
    for (const Web *web : lives)
      if (!interesting && (web->role.find("Dim") != std::string::npos ||
                           web->role.find("stride") != std::string::npos))
        interesting = web;
    if (!interesting)
      continue;
    ++told;
    std::string u = a.program.registerName(lives[0]->reg);
    std::string v = a.program.registerName(it->second[0]->reg);
    std::string first = holds(statements, r, *interesting, names);
    bool never =
        std::none_of(it->second.begin(), it->second.end(), [&](const Web *web) {
          return holds(statements, r, *web, names) == first;
        });
    out +=
        "\n" + words::code(u) + " and " + words::code(v) +
        " are two registers, of two files: " + words::code(u) + " holds " +
        all(lives) +
        (it->second.size() <= 3
             ? ", " + words::code(v) + " holds " + all(it->second)
             : "") +
        "." +
        (never ? " " + words::code(v) + " is never " + words::code(first) + "."
               : "") +
        "\n";
  }
  return out;
}

Section Note::registers() const {
  if (r.kernel().isa == Isa::Ptx)
    return {"", ""}; // each is written once, or nearly
  std::map<Reg, std::vector<const Web *>> byRegister;
  for (const Web &web : a.webs)
    if (counts(web))
      byRegister[web.reg].push_back(&web);
  if (byRegister.empty())
    return {"", ""};
  std::vector<std::string> most;
  size_t top = 0;
  for (const auto &[reg, lives] : byRegister) {
    if (lives.size() > top) {
      top = lives.size();
      most.clear();
    }
    if (lives.size() == top)
      most.push_back(words::code(a.program.registerName(reg)));
  }
  std::string out = "A register is a place, and in the course of the kernel it "
                    "holds one thing after another. ";
  if (top > 1 && most.size() <= 4)
    out += "The meaning of " + words::listed(most) + " changes most, " +
           words::number(top) + " times over. ";
  out += "Each row is one life, from the first instruction that defines it to "
         "the last that uses it; the last column says why it may be written "
         "again after that.\n\n"
         "| register | from – to | holds | why it may be reused |\n"
         "|---|---|---|---|\n";
  size_t rows = 0, left = 0;
  for (const auto &[reg, lives] : byRegister)
    for (const Web *web : lives) {
      if (rows == 96) {
        ++left;
        continue;
      }
      ++rows;
      auto [first, last] = extent(*web);
      std::string reuse = web->reuse;
      bool sole = web == lives.back();
      out += "| " + words::code(a.program.registerName(reg)) + " | " +
             at(first) + (last != first ? " – " + at(last) : "") +
             (web->uses.empty() ? ", never read by name" : "") + " | " +
             words::cell(words::code(holds(statements, r, *web, names))) +
             " | " +
             words::cell(reuse.empty() ? (sole ? "–" : "not proved") : reuse) +
             " |\n";
    }
  if (left)
    out += "\n" + words::capital(words::counted(left, "more life")) +
           " are not listed.\n";
  std::string pairs;
  for (const auto &[reg, lives] : byRegister) {
    for (const Web *web : lives) {
      std::string what = holds(statements, r, *web, names);
      if (!what.starts_with("the upper half of the address of ") &&
          !what.starts_with("upper half of"))
        continue;
      Reg low = reg;
      if (low.index == 0)
        continue;
      --low.index;
      pairs += (pairs.empty() ? "" : ", ") +
               words::code(a.program.registerName(low) + ":" +
                           a.program.registerName(reg)) +
               " from " + at(web->defs.front());
    }
  }
  if (!pairs.empty() && pairs.size() < 400)
    out += "\nAddresses of 64 bits take a pair: " + pairs +
           ". There the second register holds the upper half and nothing of "
           "its own.\n";
  return {"The registers, life by life", out + registerNotes()};
}
