//===- NoteEnd.cpp - What follows from it all -----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/NoteParts.h"
#include "Explain/Write/Summaries.h"
#include "Explain/Write/Words.h"

#include <algorithm>
#include <utility>

using namespace wf::explain;

namespace {
struct Elementwise {
  const char *name, *nvidia, *amd, *ptx;
};
} // namespace

static const Elementwise elementwise[] = {
    {"copy", "LDG → STG", "global_load → global_store",
     "ld.global → st.global"},
    {"add", "LDG → LDG → FADD → STG",
     "global_load → global_load → v_add → global_store",
     "ld.global → ld.global → add → st.global"},
    {"relu", "LDG → FMNMX → STG", "global_load → v_max → global_store",
     "ld.global → max → st.global"},
    {"clamp", "LDG → FSETP/FSEL → FSETP/FSEL → STG",
     "global_load → v_cndmask → v_cndmask → global_store",
     "ld.global → selp → selp → st.global"},
};

Section Note::comparison() const {
  std::vector<std::string> mine = skeleton(r);
  if (mine.empty())
    return {"", ""};
  if (mine.size() > 60) {
    mine.resize(60);
    mine.push_back("…");
  }
  if (r.accumulators.empty()) {
    std::string out = "An element-wise kernel loads, computes and stores:\n\n" +
                      words::fenced({std::vector<std::string>{
                          r.kernel().isa == Isa::Sass ? "LDG → primitive → STG"
                          : r.kernel().isa == Isa::Amdgcn
                              ? "global_load → primitive → global_store"
                              : "ld.global → primitive → st.global"}}) +
                      "\nThis one goes\n\n" + words::fenced(mine);
    return {"Beside the element-wise kernels", out};
  }
  std::vector<std::string> lines;
  for (const Elementwise &e : elementwise) {
    lines.push_back(std::string(e.name) + ":");
    lines.push_back(std::string("    ") +
                    (r.kernel().isa == Isa::Sass     ? e.nvidia
                     : r.kernel().isa == Isa::Amdgcn ? e.amd
                                                     : e.ptx));
  }
  std::vector<std::string> own{words::shortName(r.kernel()) + ":"};
  for (const std::string &line : mine)
    own.push_back("    " + line);
  std::string out = "Element-wise kernels have about this form:\n\n" +
                    words::fenced(lines) + "\nThis one is different:\n\n" +
                    words::fenced(own);
  if (!r.memoryPath.empty())
    out += "\nThe way of the data through memory is\n\n" +
           words::fenced(std::vector<std::string>{brief(pathLine(r))});
  return {"Beside the element-wise kernels", out};
}

static std::string rewriteOf(const Accumulator &acc) {
  if (acc.warpWide)
    return "one instruction that reduces a whole warp";
  if (acc.matrix)
    return "matrix instructions on tiles of registers";
  std::string out;
  if (acc.through.count(Through::Shared))
    out = acc.halving ? "a tree in shared memory" : "steps in shared memory";
  else if (acc.through.count(Through::Lanes))
    out = "exchanges between the lanes of a warp";
  else if (acc.through.count(Through::Atomic))
    out = "atomic operations";
  else if (acc.through.count(Through::Global))
    out = "steps in global memory";
  else if (acc.through.count(Through::Local))
    out = "steps in local memory";
  else
    out = acc.gridStride ? "a loop over elements a grid apart, in a register"
                         : "a chain in a register";
  if (acc.loop)
    out += acc.gridStride ? "" : ", as a loop";
  if (acc.copies > 1)
    out += acc.loop
               ? ", unrolled ×" + std::to_string(acc.copies)
               : ", its " + std::to_string(acc.copies) + " steps written out";
  return out;
}

/// As the source might say it; a step's own words where the value's expression
/// is too long to be read.
std::string Note::sourceOf(const Accumulator &acc) const {
  std::string text = brief(acc.source);
  if (!text.empty() && text.size() <= 110 &&
      text.find("…") == std::string::npos)
    return text;
  bool add = acc.operation == "add";
  if (acc.through.count(Through::Lanes))
    return add ? "v += v of another lane"
               : "v = " + acc.operation + "(v, v of another lane)";
  return add ? "v += the next element"
             : "v = " + acc.operation + "(v, the next element)";
}

std::vector<size_t> Note::stepOf(const Accumulator &acc) const {
  std::vector<size_t> step = acc.step.empty() ? acc.all : acc.step;
  if (!acc.loop || acc.loopIndex < 0)
    return step;
  const auto &blocks = a.loops[size_t(acc.loopIndex)].blocks;
  std::vector<size_t> within;
  for (size_t i : step)
    if (std::binary_search(blocks.begin(), blocks.end(), a.blockOf[i]))
      within.push_back(i);
  return within.empty() ? step : within;
}

std::string Note::frame(const Accumulator &acc) const {
  std::vector<std::string> lines{"source expression:", "    " + sourceOf(acc),
                                 "compiler rewrite:", "    " + rewriteOf(acc),
                                 "primitive:"};
  std::vector<size_t> step = stepOf(acc);
  // A loop's barriers and branch belong to the step.
  if (acc.loop && acc.loopIndex >= 0)
    for (size_t b : a.loops[size_t(acc.loopIndex)].blocks)
      for (size_t i = a.blocks[b].first; i < a.blocks[b].last; ++i)
        if (i < r.roles.size() && (r.roles[i].role == Role::Barrier ||
                                   r.roles[i].role == Role::LoopBranch))
          step.push_back(i);
  step = words::sorted(step);
  for (size_t n = 0; n < step.size() && n < 16; ++n)
    lines.push_back("    " + r.kernel().code[step[n]].mnemonic);
  if (step.size() > 16)
    lines.push_back("    …");
  lines.push_back("is the intermediate materialised?");
  std::vector<size_t> stores;
  for (size_t i : acc.all)
    if (const Access *x = access(i, true); x && (x->store || x->atomic))
      stores.push_back(i);
  if (materialises(acc))
    lines.push_back(
        "    yes: " + std::string("the partial result is stored in ") +
        (acc.through.count(Through::Shared)  ? "shared memory"
         : acc.through.count(Through::Local) ? "local memory"
                                             : "global memory") +
        " at each step" + (stores.empty() ? "" : " (" + at(stores) + ")") +
        (acc.through.count(Through::Register)
             ? ", and kept in a register as well (mixed)"
             : ""));
  else if (acc.through.count(Through::Atomic))
    lines.push_back("    in memory, by the atomic operation itself (" +
                    at(acc.all) + ")");
  else
    lines.push_back("    no: it stays in " + throughText(acc));
  return words::fenced(lines);
}

Section Note::materialisation() const {
  std::string out;
  if (r.accumulators.empty()) {
    std::vector<size_t> primitive = withRole(Role::Compute);
    std::vector<std::string> lines{"source expression:"};
    size_t told = 0;
    for (const Access &x : r.accesses)
      if (x.space == Space::Global && x.store && told++ < 4) {
        std::string says = brief(r.roles[x.instruction].says);
        size_t cut =
            says.starts_with("if (") ? says.find(") ") : std::string::npos;
        if (cut != std::string::npos && says.size() > 90)
          says = says.substr(cut + 2);
        lines.push_back("    " + says);
      }
    if (told == 0)
      return {"", ""};
    lines.push_back("compiler rewrite:");
    lines.push_back("    none to speak of: loads, operations, stores");
    lines.push_back("primitive:");
    std::set<std::string> seen;
    for (size_t i : primitive)
      if (seen.insert(opcode(i)).second && seen.size() <= 8)
        lines.push_back("    " + r.kernel().code[i].mnemonic);
    if (primitive.empty())
      lines.push_back("    none");
    lines.push_back("is the intermediate materialised?");
    bool local = !withRole(Role::StoreLocal).empty();
    bool shared = !withRole(Role::StoreShared).empty();
    lines.push_back(
        local    ? "    in local memory, which is a spill or an array: see the "
                   "remarks"
        : shared ? "    what is loaded passes shared memory; nothing is "
                   "accumulated there"
                 : "    no: from load to store it is in registers");
    out = words::fenced(lines);
    return {"Materialisation", out};
  }
  size_t told = 0;
  for (const Accumulator &acc : r.accumulators) {
    if (++told > 8)
      break;
    out += (out.empty() ? "" : "\n") + frame(acc);
  }
  bool shared = false, any = false;
  std::string stores;
  for (const Accumulator &acc : r.accumulators) {
    any |= materialises(acc);
    if (!acc.through.count(Through::Shared) || shared)
      continue;
    shared = true;
    out += "\nThese instructions above all,\n\n" + fenced(stepOf(acc), 12) +
           "\nare " + words::code(sourceOf(acc)) +
           ". Because of the store among them the intermediate result is not "
           "one of registers alone: it is materialised in shared memory.\n";
  }
  if (!any)
    out += "\nNo store stands between one step and the next: nothing is "
           "materialised.\n";
  return {"Materialisation", out};
}

Section Note::patterns() const {
  std::string out;
  std::set<std::string> told;
  for (const PatternMatch &match : r.patterns) {
    if (!told.insert(match.name).second)
      continue;
    size_t times = size_t(std::count_if(
        r.patterns.begin(), r.patterns.end(),
        [&](const PatternMatch &m) { return m.name == match.name; }));
    out += (out.empty() ? "" : "\n");
    out += "**" + (match.title.empty() ? match.name : match.title) + "** (" +
           words::code(match.name) +
           (match.detail.empty() ? "" : ", " + match.detail) + ")" +
           (times > 1 ? ", " + words::number(times) + " times" : "") + ".\n";
    for (const Pattern &pattern : builtinPatterns()) {
      if (pattern.name != match.name)
        continue;
      if (!pattern.roles.empty()) {
        std::vector<std::string> lines;
        std::string line;
        for (char c : pattern.roles + "\n") {
          if (c != '\n') {
            line += c;
            continue;
          }
          lines.push_back(std::exchange(line, ""));
        }
        while (!lines.empty() && lines.back().empty())
          lines.pop_back();
        out += "\nIts roles in general:\n\n" + words::fenced(lines);
      }
    }
    if (!match.evidence.empty()) {
      out += "\nIt matches because:\n\n";
      for (const std::string &one : match.evidence)
        out += "- " + one + "\n";
    }
  }
  if (r.patterns.empty()) {
    out = "None of the known patterns matches.";
    if (r.nearest) {
      out += " The nearest is " + words::code(r.nearest->name);
      if (!r.nearest->failed.empty())
        out += ", but " + words::listed(r.nearest->failed);
      out += ".";
    }
    out += "\n";
  }
  return {r.patterns.size() > 1 ? "The patterns" : "The pattern", out};
}

Section Note::compiler() const {
  std::string out;
  for (const BuildFact &fact : r.build) {
    if (fact.name == "read-only")
      continue; // said with the load
    out += "- " + words::sentence(fact.says);
    if (!fact.proof.empty()) {
      out.pop_back();
      out += " (" + words::at(r, fact.proof, 4) + ").";
    }
    out += "\n";
  }
  return {"What the compiler did", out};
}

Section Note::remarks() const {
  std::string out;
  for (const Finding &f : r.findings)
    out += std::string("- ") +
           (f.kind == Finding::Kind::Warning ? "**Warning:** " : "") +
           words::marked(brief(f.says)) +
           (f.proof.empty() ? "" : " (" + words::at(r, f.proof, 4) + ")") +
           ".\n";
  std::vector<size_t> unknown = withRole(Role::Unknown);
  if (!unknown.empty())
    out += "- No table has the opcode at " + at(unknown) +
           "; what is said of values that rest on it is a guess.\n";
  return {"Remarks", out};
}

Section Note::conclusion() const {
  std::string form = skeletonLine(r);
  std::string out;
  if (!form.empty() && !r.accumulators.empty())
    out += "An element-wise kernel has the form "
           "*load → primitive → store*. This one has\n\n" +
           words::fenced(std::vector<std::string>{form}) + "\n";
  else if (!form.empty())
    out += "The kernel has the form\n\n" +
           words::fenced(std::vector<std::string>{form}) + "\n";
  out += "> " + headline() + "\n";
  bool tree = std::any_of(
      r.accumulators.begin(), r.accumulators.end(), [](const Accumulator &acc) {
        return acc.through.count(Through::Shared) && acc.halving;
      });
  if (tree)
    out += "\nKernels that reduce within a block, a softmax with its maximum "
           "and its sum among them, are likely to rest on the same skeleton; "
           "this one is the base line to hold them against.\n";
  return {"Conclusion", out};
}
