//===- Judge.cpp - All verdicts, and the words that sum them up -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Verdict/Parts.h"

#include <algorithm>

using namespace wf::explain;

std::string_view wf::explain::throughName(Through through) {
  static const std::string_view names[throughCount] = {
      "register", "lanes", "shared", "local", "global", "atomic"};
  return names[size_t(through)];
}

static std::string joined(const std::set<Through> &through) {
  std::string text;
  for (Through t : through)
    text += (text.empty() ? "" : " + ") + std::string(throughName(t));
  return text;
}

/// Does it leave the registers of a warp at each step?
static bool inMemory(const Accumulator &acc) {
  for (Through t :
       {Through::Shared, Through::Local, Through::Global, Through::Atomic})
    if (acc.through.count(t))
      return true;
  return false;
}

static std::string verdictOf(const Accumulator &acc) {
  std::string steps =
      acc.loop         ? "each step of the loop"
      : acc.copies > 1 ? "each of the " + std::to_string(acc.copies) + " steps"
                       : "the one step";
  if (acc.through.count(Through::Shared)) {
    std::string text =
        "the partial result is materialised in shared memory: " + steps +
        " loads " + std::to_string(acc.bytesRead) + " bytes a lane, stores " +
        std::to_string(acc.bytesWritten) + " and passes " +
        std::to_string(acc.barriers) +
        (acc.barriers == 1 ? " barrier" : " barriers");
    if (acc.through.count(Through::Register))
      text += "; mixed: each thread's own partial stays in a register and is "
              "stored all the same";
    return text;
  }
  if (acc.through.count(Through::Local))
    return "the partial result is materialised in local memory (a spill, or an "
           "array that is indexed at run time)";
  if (acc.through.count(Through::Global))
    return "the partial result is materialised in global memory at " + steps;
  if (acc.through.count(Through::Atomic))
    return "the partial result lives in memory and is joined by atomics: every "
           "executed atomic is a step";
  if (acc.warpWide)
    return "one instruction joins the warp's elements: no intermediate exists";
  if (acc.through.count(Through::Lanes))
    return "the partial result stays in registers and is exchanged between "
           "lanes at " +
           steps +
           (acc.handedOver ? "; its first operands come out of shared memory, "
                             "where an earlier level handed them over once"
                           : "") +
           ": not materialised";
  if (acc.matrix)
    return "the accumulator tile stays in registers: not materialised";
  return "the partial result stays in a register at " + steps +
         ": not materialised";
}

static void materialisation(Report &r) {
  std::set<Through> all;
  bool mixed = false;
  for (Accumulator &acc : r.accumulators) {
    acc.verdict = verdictOf(acc);
    if (inMemory(acc))
      all.insert(acc.through.begin(), acc.through.end());
    mixed |= inMemory(acc) && acc.through.size() > 1;
  }
  r.materialised =
      all.empty() ? "none" : joined(all) + (mixed ? " (mixed)" : "");
}

/// "global x[i] → register → shared → …" in the order of the code.
static void path(Report &r) {
  std::map<size_t, const Access *> at;
  for (const Access &access : r.accesses)
    at[access.instruction] = &access;
  auto push = [&](std::string step) {
    if (r.memoryPath.empty() || r.memoryPath.back() != step)
      r.memoryPath.push_back(std::move(step));
  };
  for (const auto &[i, access] : at) {
    if (access->space == Space::Constant || access->space == Space::Parameter ||
        access->space == Space::None)
      continue;
    std::string name =
        std::string(spaceName(access->space)) + " " + access->what;
    if (access->atomic) {
      push("atomic on " + name);
      continue;
    }
    if (access->load) {
      push(name);
      push("register");
    } else {
      push("register");
      push(name);
    }
  }
}

void wf::explain::judgeSummary(Report &r) {
  materialisation(r);
  path(r);
  if (r.accumulators.empty()) {
    r.summary = "No value is accumulated: each thread computes what it stores "
                "from what it loads.";
    return;
  }
  r.summary.clear();
  for (const Accumulator &acc : r.accumulators) {
    if (!r.summary.empty())
      r.summary += ' ';
    std::string text = acc.operation + ": " + acc.verdict + ".";
    text[0] = char(std::toupper(text[0]));
    r.summary += text;
  }
}

Report wf::explain::judge(Analysis analysis) {
  Report r;
  r.analysis = std::move(analysis);
  Slices s(r.analysis);
  std::vector<Touch> touches = touchesOf(s);
  judgeAccesses(r, s, touches);
  judgeAccumulators(r, s, touches);
  judgeBarriers(r, s, touches);
  judgeRoles(r, s, touches);
  judgeBuild(r, s);
  judgeOccupancy(r);
  judgeFacts(r, s, touches);
  judgeSummary(r);
  return r;
}
