//===- NoteMemory.cpp - Stores, barriers, exchanges, atomics --------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/NoteParts.h"
#include "Explain/Write/Summaries.h"
#include "Explain/Write/Words.h"

#include <algorithm>

using namespace wf::explain;

/// "R7 = threadIdx.x", one for each register operand of a memory access.
static std::vector<std::string> operandsOf(const Report &r,
                                           const Statements &statements,
                                           const Shorthand &names, size_t i) {
  const Analysis &a = r.analysis;
  std::vector<std::string> lines;
  auto say = [&](const Source &source) {
    if (source.kind != Source::Kind::Register)
      return;
    const Web *web = statements.lives().use(i, source.reg);
    if (!web)
      return;
    std::string name = a.program.registerName(source.reg);
    std::string what = holds(statements, r, *web, names);
    lines.push_back(name + " = " + what);
    if (source.scale > 1) {
      bool bound = what.find(' ') != std::string::npos;
      lines.push_back(name + ".X" + std::to_string(source.scale) + " = " +
                      (bound ? "(" + what + ")" : what) + " * " +
                      std::to_string(source.scale));
    }
  };
  for (const Effect &e : a.program.code[i].effects) {
    if (!e.memory)
      continue;
    if (e.memory->base)
      say(*e.memory->base);
    if (e.memory->data)
      say(*e.memory->data);
    break;
  }
  return lines;
}

static std::string conflictText(const Access &x) {
  if (x.conflicts == 1 && x.uniform)
    return "All lanes use one address, so that the banks do not conflict.";
  if (x.conflicts == 1)
    return "The lanes of a warp use different banks: there is no conflict.";
  if (x.conflicts > 1)
    return "The access conflicts " + std::to_string(x.conflicts) +
           "-way in the banks: the hardware serves it in " +
           words::number(size_t(x.conflicts)) + " turns.";
  return "";
}

void Note::sharedStores(std::vector<Section> &out) const {
  std::set<size_t> steps;
  for (const Accumulator &acc : r.accumulators)
    steps.insert(acc.all.begin(), acc.all.end());
  size_t told = 0, more = 0;
  for (const Access &x : r.accesses) {
    if (x.space != Space::Shared || !x.store || inLoop(x.instruction) ||
        steps.count(x.instruction))
      continue;
    if (told == 2) {
      ++more;
      continue;
    }
    size_t i = x.instruction;
    std::string body = words::fenced(r, {i});
    std::vector<std::string> operands = operandsOf(r, statements, names, i);
    if (!operands.empty())
      body += "\nHere\n\n" + words::fenced(operands);
    body += "\nso that it says\n\n" + meaning({i});
    if (std::string text = conflictText(x); !text.empty())
      body += "\n" + text + "\n";
    // What it stores was loaded before: the way from memory to memory.
    const Access *from = nullptr;
    for (size_t s : statements.lives().slice({i}, 12))
      if (const Access *load = access(s, false);
          load && load->load && load->space == Space::Global)
        from = load;
    if (told == 0 && from && !r.accumulators.empty()) {
      std::string data;
      for (const Effect &e : a.program.code[i].effects)
        if (e.memory && e.memory->data &&
            e.memory->data->kind == Source::Kind::Register)
          data = a.program.registerName(e.memory->data->reg);
      body += "\nThis is the first boundary at which a value is "
              "materialised:\n\n" +
              words::fenced(std::vector<std::string>{
                  "global memory, " + brief(from->what), "→ register " + data,
                  "→ shared memory, " + brief(x.what)}) +
              "\nWhat was loaded is not accumulated at once; it is put into "
              "shared memory first, where the other threads of the block can "
              "read it.\n";
    }
    out.push_back({"What `" + r.kernel().code[i].text + "` means", body});
    ++told;
  }
  if (more)
    out.back().body += "\n" + words::capital(words::counted(more, "store")) +
                       " to shared memory " + (more == 1 ? "is" : "are") +
                       " of the same kind.\n";
}

Section Note::barriers() const {
  std::vector<size_t> all = withRole(Role::Barrier);
  if (all.empty())
    return {"", ""};
  std::string out = fenced(all, 12);
  bool block = false, cluster = false, warp = false;
  for (size_t i : all)
    for (const Effect &e : a.program.code[i].effects) {
      block |= e.op == Op::Barrier || e.op == Op::BarrierWait ||
               e.op == Op::BarrierArrive;
      cluster |= e.op == Op::ClusterArrive || e.op == Op::ClusterWait;
      warp |= e.op == Op::WarpSync;
    }
  if (block)
    out += "\nThis is `__syncthreads()`: no thread of the block goes on before "
           "all have come here, and what they stored in shared memory before "
           "is seen after.\n";
  if (cluster)
    out += "\nThe barrier of the cluster does the same for all blocks of a "
           "cluster.\n";
  if (warp)
    out += "\nA warp barrier brings the lanes of one warp together, no more.\n";
  if (r.kernel().isa == Isa::Sass)
    for (size_t i : all)
      if (r.kernel().code[i].mnemonic.find("DEFER_BLOCKING") !=
          std::string::npos) {
        out += "\n`.DEFER_BLOCKING` is how newer chips spell it; the role is "
               "that of a plain `BAR.SYNC`.\n";
        break;
      }
  if (r.barriers.empty())
    return {"What the barriers mean", out};
  out += "\nWhat each is there for:\n\n";
  // Those of one reason together, in the order of the first.
  std::vector<std::pair<std::string, std::vector<size_t>>> reasons;
  for (const BarrierFact &b : r.barriers) {
    std::string why = (b.redundant ? "looks redundant, since " : "") +
                      words::marked(brief(b.why));
    auto it = std::find_if(reasons.begin(), reasons.end(),
                           [&](const auto &one) { return one.first == why; });
    if (it != reasons.end())
      it->second.push_back(b.instruction);
    else if (reasons.size() < 16)
      reasons.push_back({why, {b.instruction}});
  }
  for (const auto &[why, where] : reasons)
    out += "- " + at(where) +
           (where.size() == 1 && inLoop(where[0]) ? ", in the loop" : "") +
           ": " + why + ".\n";
  bool needed = std::any_of(r.barriers.begin(), r.barriers.end(),
                            [](const BarrierFact &b) { return !b.redundant; });
  bool through = std::any_of(
      r.accumulators.begin(), r.accumulators.end(), [](const Accumulator &acc) {
        return acc.handedOver || acc.through.count(Through::Shared);
      });
  if (needed && through)
    out += "\nIn a reduction through shared memory they cannot be left out: "
           "before every thread has stored its value, none may load a "
           "neighbour's.\n";
  return {all.size() == 1 ? "What the barrier means" : "What the barriers mean",
          out};
}

/// By how many lanes each exchange of a run moves, where that is a constant.
static std::vector<int64_t> distances(const Report &r,
                                      const std::vector<size_t> &exchanges) {
  std::vector<int64_t> out;
  for (size_t i : exchanges)
    for (const Effect &e : r.analysis.program.code[i].effects) {
      if (e.op != Op::Shuffle || e.in.size() < 2)
        continue;
      if (e.in[1].kind == Source::Kind::Immediate)
        out.push_back(e.in[1].imm);
      break;
    }
  return out;
}

/// "The distances are 16, 8, 4, 2 and 1, twice over: they halve …".
static std::string distanceText(const Report &r,
                                const std::vector<size_t> &exchanges) {
  std::vector<int64_t> by = distances(r, exchanges);
  if (by.empty() || by.size() > 64)
    return "";
  std::vector<std::vector<int64_t>> runs;
  for (int64_t n : by)
    if (!runs.empty() && runs.back().back() == 2 * n)
      runs.back().push_back(n);
    else
      runs.push_back({n});
  bool alike = std::all_of(runs.begin(), runs.end(),
                           [&](const auto &run) { return run == runs[0]; });
  const std::vector<int64_t> &said = alike ? runs[0] : by;
  std::vector<std::string> texts;
  for (int64_t n : said)
    texts.push_back(std::to_string(n));
  std::string out =
      (said.size() == 1 ? "The distance is " : "The distances are ") +
      words::listed(texts);
  if (alike && runs.size() > 1)
    out += runs.size() == 2 ? ", twice over"
                            : ", " + words::number(runs.size()) + " times over";
  bool each = false;
  for (size_t i : exchanges)
    for (const Effect &e : r.analysis.program.code[i].effects)
      each |= e.shuffle == ShuffleKind::Xor;
  if (alike && runs[0].size() > 2)
    out += ": they halve, so that after " + words::number(runs[0].size()) +
           " exchanges " + (each ? "each lane" : "one lane") + " has joined " +
           std::to_string(2 * runs[0][0]) + " lanes";
  return out + ".\n";
}

Section Note::exchanges() const {
  std::vector<size_t> all = withRole(Role::Exchange);
  std::set<size_t> steps;
  for (const Accumulator &acc : r.accumulators)
    if (acc.through.count(Through::Lanes))
      steps.insert(acc.all.begin(), acc.all.end());
  std::vector<size_t> lines = all;
  for (size_t i : steps)
    if (r.roles[i].role == Role::Accumulate)
      lines.push_back(i);
  lines = words::sorted(lines);
  if (lines.empty())
    return {"", ""};
  std::string out = fenced(lines, 32);
  if (std::string text = meaning(lines); !text.empty())
    out += "\nThey say:\n\n" + text;
  if (std::string text = distanceText(r, all); !text.empty())
    out += "\n" + text;
  out += "\nAn exchange moves a register of one lane into a register of "
         "another. No memory is read or written, no barrier is needed, and "
         "nothing is materialised.\n";
  for (const Accumulator &acc : r.accumulators)
    if (acc.handedOver) {
      out += "\nBetween two levels the warps' results pass through shared "
             "memory once. That is a handing over, one value a warp, and not "
             "an accumulation that lives there.\n";
      break;
    }
  return {"The exchange between lanes", out};
}

Section Note::atomics() const {
  std::vector<size_t> all = withRole(Role::Atomic);
  if (all.empty())
    return {"", ""};
  std::string out = fenced(all, 16);
  if (std::string text = meaning(all); !text.empty())
    out += "\nThey say:\n\n" + text;
  size_t returning = 0, shared = 0;
  bool floats = false;
  for (size_t i : all)
    for (const Effect &e : a.program.code[i].effects)
      if (e.memory) {
        floats |= isFloat(e.type) && e.memory->atomic == "add";
        returning += e.memory->returns;
        shared += e.memory->space == Space::Shared;
        break;
      }
  out += "\n" + words::capital(words::counted(all.size(), "atomic operation")) +
         ", " +
         (shared == all.size() ? "on shared memory"
          : shared             ? "some on shared memory"
                               : "on global memory") +
         "; " +
         (returning == 0 ? "the old value is not asked for, so that no thread "
                           "waits for one"
                         : words::number(returning) +
                               (returning == 1 ? " gives" : " give") +
                               " the old value back") +
         "." +
         (floats ? " The order in which threads come is open: a sum of floats "
                   "may differ from run to run."
                 : "") +
         "\n";
  auto aggregated = r.facts.find("aggregated");
  if (aggregated != r.facts.end() && aggregated->second.value > 0)
    out += "\nThe operand joins the elements of a whole warp first, so that "
           "one lane does the atomic operation for all of them.\n";
  return {"The atomic operations", out};
}

Section Note::finalStore() const {
  std::vector<size_t> stores;
  for (const Access &x : r.accesses)
    if (x.space == Space::Global && x.store)
      stores.push_back(x.instruction);
  std::vector<size_t> straight = inStraightCode(stores);
  if (straight.empty())
    straight = stores;
  if (straight.empty())
    return {"", ""};
  size_t last = straight.back();
  std::vector<size_t> slice = statements.lives().slice({last}, 16);
  // From the last loop or barrier before it; where nothing is accumulated, from
  // the last load, which has its own section.
  size_t from = 0, guard = SIZE_MAX;
  for (size_t i : living)
    if (i < last && i < r.roles.size()) {
      Role role = r.roles[i].role;
      if (role == Role::Barrier || role == Role::LoopBranch ||
          role == Role::SkipBranch ||
          (role == Role::LoadGlobal && r.accumulators.empty()))
        from = i + 1;
      if (role == Role::Exit && a.program.code[i].flow.kind == Flow::Kind::Exit)
        guard = i;
    }
  std::vector<size_t> lines;
  for (size_t i : slice)
    if (i >= from)
      lines.push_back(i);
  for (size_t i : living)
    if (i >= from && i < last && r.roles[i].role == Role::Exit)
      lines.push_back(i);
  std::string out = fenced(lines, 20) + "\nThey say:\n\n";
  std::vector<std::string> said =
      excerpt(r, statements, names, words::sorted(lines));
  if (guard != SIZE_MAX && guard < a.code.size() && guard >= from) {
    ValueId when = a.code[guard].guard < a.values.size()
                       ? a.code[guard].guard
                       : a.code[guard].condition;
    if (when < a.values.size())
      said.insert(said.begin(), "if (" + brief(condition(a, when)) + ") exit;");
  }
  out += words::fenced(said);
  if (guard != SIZE_MAX)
    for (uint32_t w : statements.lives().used(guard)) {
      const Web &web = a.webs[w];
      if (web.defs.size() != 1)
        continue;
      out += "\n" + words::code(a.program.registerName(web.reg)) + " = (" +
             brief(web.role) + ") was made at " + at(web.defs[0]) +
             (web.defs[0] + 8 < guard ? ", long before" : "") +
             ". Where it holds the thread is done; the others go on to the "
             "store.\n";
      break;
    }
  for (size_t i : lines)
    if (const Access *load = access(i, false);
        load && load->load && load->space == Space::Shared) {
      out += "\nThe result is loaded from shared memory once more (" +
             code(load->what) + " at " + at(i) +
             ") before it goes to global memory.\n";
      break;
    }
  if (straight.size() > 1)
    out += "\nThere are " + words::counted(straight.size(), "such store") +
           " in all, at " + at(straight) + ".\n";
  return {"The final store", out};
}
