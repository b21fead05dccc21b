//===- PlaceFacts.cpp - Where stores, loads and atomics go ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Patterns/Origins.h"
#include "Explain/Patterns/Pattern.h"

using namespace wf::explain;

namespace {
struct Name {
  const char *name, *says;
};
constexpr Name names[] = {
    {"stores_per_thread", "global stores to another place for each thread"},
    {"stores_per_block", "global stores to one place for each block"},
    {"stores_once", "global stores to a place that all blocks share"},
    {"stores_per_step",
     "global stores to another place in each step of a loop, "
     "the same for all threads"},
    {"stores_scattered", "global stores to a place that loaded data choose"},
    {"stores_carried", "global stores of a value that a loop carries"},
    {"loads_per_thread", "global loads from another place for each thread"},
    {"loads_by_block", "global loads whose place depends on the block"},
    {"atomics_scattered", "atomics on a place that loaded data choose"},
    {"atomics_once", "global atomics on a place that all threads share"},
    {"atomics_joined", "global atomics whose operand joins values of several "
                       "lanes"},
    {"last_tickets", "comparisons of what an atomic found with a number known "
                     "before: who comes last"},
};
} // namespace

std::vector<std::pair<std::string, std::string>> wf::explain::placeFactNames() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const Name &name : names)
    all.push_back({name.name, name.says});
  return all;
}

/// Marks the atomics that `tickets` were drawn from, through shuffles and sums.
static void markTickets(Report &report, const Origins &origins,
                        std::vector<ValueId> tickets) {
  const Analysis &a = report.analysis;
  std::set<ValueId> seen(tickets.begin(), tickets.end());
  std::set<size_t> drawn;
  for (size_t at = 0; at < tickets.size(); ++at) {
    if (tickets[at] >= a.values.size())
      continue;
    const Value &v = a.values[tickets[at]];
    if (v.op == Op::Atomic && v.kind == Value::Kind::Result)
      drawn.insert(v.instruction);
    else
      for (ValueId arg : v.args)
        if (origins.of(arg) & Origins::atomic && seen.insert(arg).second)
          tickets.push_back(arg);
  }
  for (Accumulator &acc : report.accumulators)
    acc.ticket = acc.through.count(Through::Atomic) && !acc.all.empty() &&
                 drawn.count(acc.all[0]);
}

void wf::explain::addPlaceFacts(Report &report) {
  const Analysis &a = report.analysis;
  Origins origins(a);
  for (const Name &name : names)
    report.facts[name.name] = {};
  auto add = [&](const char *name, size_t i) {
    Fact &fact = report.facts[name];
    ++fact.value;
    fact.proof.push_back(i);
  };
  std::vector<ValueId> tickets;
  size_t count = std::min(a.code.size(), a.program.code.size());
  for (size_t i = 0; i < count; ++i) {
    const Decoded &d = a.program.code[i];
    bool reachable = i >= a.blockOf.size() || a.blockOf[i] >= a.blocks.size() ||
                     a.blocks[a.blockOf[i]].reachable;
    if (d.never || !reachable)
      continue;
    for (size_t k = 0; k < d.effects.size() && k < a.code[i].effects.size();
         ++k) {
      const Effect &e = d.effects[k];
      const EffectValues &values = a.code[i].effects[k];
      if (e.op == Op::Compare && values.in.size() >= 2) {
        uint16_t x = origins.of(values.in[0]), y = origins.of(values.in[1]);
        if ((x & Origins::atomic && origins.freeOfData(values.in[1])) ||
            (y & Origins::atomic && origins.freeOfData(values.in[0]))) {
          add("last_tickets", i);
          tickets.push_back(values.in[x & Origins::atomic ? 0 : 1]);
        }
      }
      if (!e.memory)
        continue;
      uint16_t from = origins.of(values.address);
      bool global =
          e.memory->space == Space::Global || e.memory->space == Space::Generic;
      bool byData = from & (Origins::loaded | Origins::result);
      if (e.op == Op::Atomic) {
        if (byData)
          add("atomics_scattered", i);
        else if (global && !(from & ~uint16_t(Origins::block)))
          add("atomics_once", i);
        if (global && origins.of(values.data) & Origins::exchanged)
          add("atomics_joined", i);
      } else if (e.op == Op::Store && global) {
        add(byData                   ? "stores_scattered"
            : from & Origins::thread ? "stores_per_thread"
            : from & Origins::block  ? "stores_per_block"
            : from & Origins::looped ? "stores_per_step"
                                     : "stores_once",
            i);
        if (origins.of(values.data) & Origins::looped)
          add("stores_carried", i);
      } else if (e.op == Op::Load && global) {
        if (from & Origins::thread)
          add("loads_per_thread", i);
        if (from & Origins::block)
          add("loads_by_block", i);
      }
    }
  }
  markTickets(report, origins, tickets);
}
