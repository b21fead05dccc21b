//===- Conditions.cpp - Does a condition hold, and by what ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Patterns/Conditions.h"
#include "Explain/Patterns/Fields.h"
#include "Explain/Patterns/Words.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace wf::explain;

static bool compares(double found, const std::string &relation, double wanted) {
  return relation == "="    ? found == wanted
         : relation == "!=" ? found != wanted
         : relation == "<"  ? found < wanted
         : relation == "<=" ? found <= wanted
         : relation == ">"  ? found > wanted
                            : found >= wanted;
}

/// `!=` holds where no alternative is met, others where any is.
template <typename Test> static bool anyWanted(const Condition &c, Test test) {
  bool negative = c.relation == "!=";
  for (const std::string &wanted : c.wanted)
    if (test(wanted) != negative)
      return !negative;
  return negative;
}

static bool numberHolds(double found, const Condition &c) {
  return anyWanted(c, [&](const std::string &wanted) {
    return compares(found, c.relation, std::strtod(wanted.c_str(), nullptr));
  });
}

std::string Tester::addressText(size_t instruction) const {
  const std::vector<Instruction> &code = report.kernel().code;
  if (instruction >= code.size())
    return "?";
  char text[32];
  std::snprintf(text, sizeof(text), "0x%04llx",
                (unsigned long long)code[instruction].address);
  return text;
}

Held Tester::fact(const Condition &c) const {
  double found = 0;
  Held held;
  for (size_t at = 0; at <= c.name.size();) {
    size_t plus = std::min(c.name.find('+', at), c.name.size());
    std::string name(
        withoutBlanks(std::string_view(c.name).substr(at, plus - at)));
    if (auto it = report.facts.find(name); it != report.facts.end()) {
      found += it->second.value;
      held.proof.insert(held.proof.end(), it->second.proof.begin(),
                        it->second.proof.end());
    }
    at = plus + 1;
  }
  held.holds = numberHolds(found, c);
  held.says = c.text;
  bool zero = c.relation == "=" && c.wanted.size() == 1 && found == 0;
  if (!held.holds || !zero)
    held.says += ": " + c.name + " is " + numberText(found);
  if (!held.holds && !held.proof.empty())
    held.says += ", at " + addressText(held.proof[0]);
  return held;
}

/// "shared + register" as a set.
static std::set<std::string> wordsOf(const std::string &text) {
  std::set<std::string> words;
  for (size_t at = 0; at <= text.size();) {
    size_t plus = std::min(text.find('+', at), text.size());
    words.insert(std::string(
        withoutBlanks(std::string_view(text).substr(at, plus - at))));
    at = plus + 1;
  }
  return words;
}

/// Does an instruction of a step make a value of the form?
bool Tester::stepHas(const Accumulator &acc, const std::string &shapeText) {
  auto [it, isNew] = shapes.try_emplace(shapeText);
  if (isNew)
    readShape(shapeText, it->second);
  const Analysis &a = report.analysis;
  for (const std::vector<size_t> *list : {&acc.step, &acc.all})
    for (size_t k = 0; k < list->size() && k < 64; ++k) {
      size_t i = (*list)[k];
      if (i >= a.code.size())
        continue;
      for (const EffectValues &values : a.code[i].effects)
        if (values.result != noValue &&
            matcher.matches(values.result, it->second))
          return true;
    }
  return false;
}

bool Tester::field(const Accumulator &acc, const Condition &c) {
  const Field *known = accumulatorField(c.name);
  if (!known)
    return false;
  switch (known->kind) {
  case FieldKind::Flag:
  case FieldKind::Count:
    return numberHolds(countOf(acc, c.name), c);
  case FieldKind::Text:
    return anyWanted(c, [&](const std::string &wanted) {
      return (wordOf(acc, c.name) == wanted) == (c.relation != "!=");
    });
  case FieldKind::Set: {
    std::set<std::string> found = setOf(acc, c.name);
    return anyWanted(c, [&](const std::string &wanted) {
      std::set<std::string> words = wordsOf(wanted);
      if (c.relation == "has")
        return std::includes(found.begin(), found.end(), words.begin(),
                             words.end());
      return (found == words) == (c.relation != "!=");
    });
  }
  case FieldKind::Shape:
    return anyWanted(c, [&](const std::string &wanted) {
      return stepHas(acc, wanted) == (c.relation != "!=");
    });
  }
  return false;
}

bool Tester::continues(size_t x, size_t y) const {
  const Accumulator &a = report.accumulators[x], &b = report.accumulators[y];
  if (a.op != b.op || a.type != b.type || a.through != b.through ||
      a.through.count(Through::Shared) || a.through.count(Through::Atomic))
    return false;
  return feeds(a, b) || feeds(b, a);
}

/// Follows joins and the operation itself backwards from `to`'s results.
bool Tester::feeds(const Accumulator &from, const Accumulator &to) const {
  const Analysis &a = report.analysis;
  auto resultsOf = [&](const Accumulator &acc) {
    std::set<ValueId> results;
    for (size_t i : acc.all)
      if (i < a.code.size())
        for (const EffectValues &values : a.code[i].effects)
          if (values.result < a.values.size() &&
              a.values[values.result].op == acc.op)
            results.insert(values.result);
    return results;
  };
  std::set<ValueId> wanted = resultsOf(from), seen = resultsOf(to);
  std::vector<ValueId> work(seen.begin(), seen.end());
  for (size_t at = 0; at < work.size() && at < 2048; ++at)
    for (ValueId arg : a.values[work[at]].args) {
      if (wanted.count(arg))
        return true;
      if (arg >= a.values.size() || !seen.insert(arg).second)
        continue;
      const Value &v = a.values[arg];
      bool exchange = v.op == Op::Shuffle && to.through.count(Through::Lanes);
      if (v.kind == Value::Kind::Phi || v.kind == Value::Kind::Gamma ||
          exchange ||
          (v.kind == Value::Kind::Operation &&
           (v.op == to.op || v.op == Op::Select)))
        work.push_back(arg);
    }
  return false;
}

std::vector<StoredValue> Tester::globalStores() const {
  const Analysis &a = report.analysis;
  std::vector<StoredValue> stores;
  for (size_t i = 0; i < a.code.size() && i < a.program.code.size(); ++i) {
    const Decoded &d = a.program.code[i];
    bool reachable = i >= a.blockOf.size() || a.blockOf[i] >= a.blocks.size() ||
                     a.blocks[a.blockOf[i]].reachable;
    if (d.never || !reachable)
      continue;
    for (size_t k = 0; k < d.effects.size() && k < a.code[i].effects.size();
         ++k) {
      const Effect &e = d.effects[k];
      if (e.op == Op::Store && e.memory &&
          (e.memory->space == Space::Global ||
           e.memory->space == Space::Generic)) {
        StoredValue stored{i, {}};
        const EffectValues &values = a.code[i].effects[k];
        stored.parts = {values.data};
        if (values.data < a.values.size())
          if (const Value &v = a.values[values.data];
              v.kind == Value::Kind::Operation && v.op == Op::Pack)
            stored.parts = v.args;
        stores.push_back(std::move(stored));
      }
    }
  }
  return stores;
}

std::string Tester::expressionOf(const StoredValue &stored) const {
  std::string text = addressText(stored.instruction) + " stores ";
  ValueId id = stored.parts.empty() ? noValue : stored.parts[0];
  if (id >= report.analysis.values.size())
    return text + "what is not known";
  return text + expression(report.analysis, id, 5);
}

std::string Tester::accumulatorText(const Accumulator &acc) const {
  std::string through;
  for (const std::string &word : setOf(acc, "through"))
    through += (through.empty() ? "" : " + ") + word;
  std::string text = acc.source.empty() ? acc.operation : acc.source;
  return text + " through " + (through.empty() ? "nothing" : through);
}

std::string Tester::detail(const std::vector<size_t> &accumulators) const {
  std::string text;
  std::set<std::string> said;
  for (size_t i : accumulators) {
    const Accumulator &acc = report.accumulators[i];
    std::string one = acc.operation;
    if (acc.copies > 1)
      one += (acc.loop ? ", unrolled ×" : ", ×") + std::to_string(acc.copies);
    if (said.insert(one).second)
      text += (text.empty() ? "" : "; ") + one;
  }
  return text;
}
