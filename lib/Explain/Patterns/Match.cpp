//===- Match.cpp - Which patterns a report has ----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Patterns/Conditions.h"
#include "Explain/Patterns/LaneOrder.h"
#include "Explain/Patterns/Words.h"

#include <algorithm>

using namespace wf::explain;

namespace {
/// What became of one pattern.
struct Trial {
  std::vector<PatternMatch> matches;
  std::vector<std::string> failed;
  int missed = 0, held = 0; ///< by weight
};

class Matcher {
public:
  explicit Matcher(Report &report)
      : report(report), tester(report), stores(tester.globalStores()) {}

  Trial attempt(const Pattern &pattern) {
    Trial trial;
    PatternMatch match;
    match.name = pattern.name;
    match.title = pattern.title;
    auto note = [&](const Held &held, int weight) {
      (held.holds ? trial.held : trial.missed) += weight;
      if (held.holds) {
        match.evidence.push_back(held.says);
        match.instructions.insert(match.instructions.end(), held.proof.begin(),
                                  held.proof.end());
      } else {
        trial.failed.push_back(held.says);
      }
    };
    for (const Condition &c : pattern.conditions)
      if (!c.ofAccumulator) {
        bool positive = wantsSome(c);
        note(tester.fact(c), positive ? 3 : 1);
      }
    if (!pattern.stores.empty())
      note(storesFit(pattern), 3);
    for (const std::string &text : pattern.storesSome)
      note(someStoreFits(text), 3);
    accumulators(pattern, match, trial, note);
    return trial;
  }

private:
  static void tidy(std::vector<size_t> &list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }

  static bool wantsSome(const Condition &c) {
    return c.relation == ">=" || c.relation == ">" ||
           (c.relation == "=" && !c.wanted.empty() && c.wanted[0] != "0") ||
           (c.relation == "!=" && !c.wanted.empty() && c.wanted[0] == "0");
  }

  Held storesFit(const Pattern &pattern) {
    std::vector<Shape> shapes(pattern.stores.size());
    for (size_t i = 0; i < shapes.size(); ++i)
      readShape(pattern.stores[i], shapes[i]);
    std::string wanted;
    for (const std::string &text : pattern.stores)
      wanted += (wanted.empty() ? "" : " or ") + text;
    Held held;
    held.says = "stores " + wanted;
    if (stores.empty()) {
      held.says += ": nothing is stored to global memory";
      return held;
    }
    for (const StoredValue &stored : stores) {
      bool fits = false;
      for (ValueId part : stored.parts) {
        fits = std::any_of(shapes.begin(), shapes.end(), [&](const Shape &s) {
          return tester.shape(part, s);
        });
        if (!fits)
          break;
      }
      if (!fits) {
        held.says += ": found " + tester.expressionOf(stored);
        held.proof = {stored.instruction};
        return held;
      }
      held.proof.push_back(stored.instruction);
    }
    held.holds = true;
    held.says += ": " + tester.expressionOf(stores[0]);
    return held;
  }

  Held someStoreFits(const std::string &text) {
    Shape shape;
    readShape(text, shape);
    for (const StoredValue &stored : stores)
      if (std::any_of(stored.parts.begin(), stored.parts.end(),
                      [&](ValueId part) { return tester.shape(part, shape); }))
        return {true,
                "stores some " + text + ": " + tester.expressionOf(stored),
                {stored.instruction}};
    return {false, "stores some " + text + ": no store does", {}};
  }

  /// Conditions that share a line are of one accumulator; lines are of
  /// different ones.
  struct Line {
    std::vector<const Condition *> conditions;
    bool none = false, each = false;
    std::vector<size_t> fitting;
    std::string text;
  };

  std::vector<Line> linesOf(const Pattern &pattern) {
    std::map<uint32_t, Line> byGroup;
    for (const Condition &c : pattern.conditions)
      if (c.ofAccumulator) {
        Line &line = byGroup[c.group];
        line.conditions.push_back(&c);
        line.none = c.none;
        line.each = pattern.perAccumulator && c.group == 0;
        line.text += (line.text.empty() ? "" : ", ") + c.text;
      }
    std::vector<Line> lines;
    for (auto &[group, line] : byGroup)
      lines.push_back(std::move(line));
    return lines;
  }

  template <typename Note>
  void accumulators(const Pattern &pattern, PatternMatch &match, Trial &trial,
                    Note note) {
    std::vector<Line> lines = linesOf(pattern), wanted;
    for (Line &line : lines) {
      for (size_t i = 0; i < report.accumulators.size(); ++i)
        if (std::all_of(line.conditions.begin(), line.conditions.end(),
                        [&](const Condition *c) {
                          return tester.field(report.accumulators[i], *c);
                        }))
          line.fitting.push_back(i);
      if (line.none)
        note(Held{line.fitting.empty(), "no accumulator with " + line.text, {}},
             1);
      else
        wanted.push_back(std::move(line));
    }
    bool all = true;
    for (const Line &line : wanted)
      if (line.fitting.empty()) {
        all = false;
        note(Held{false, unmet(line), {}}, 3);
      } else {
        trial.held += 3;
      }
    if (!all || !trial.failed.empty())
      return;
    const Line *each = nullptr;
    for (const Line &line : wanted)
      if (line.each)
        each = &line;
    if (!each) {
      finish(wanted, SIZE_MAX, match, trial);
      return;
    }
    // A main loop and the tails behind it are one accumulation.
    std::vector<std::pair<size_t, size_t>> leaders; // accumulator, match
    for (size_t i : each->fitting) {
      size_t leader = SIZE_MAX;
      for (size_t k = 0; k < leaders.size() && k < 16; ++k)
        if (tester.continues(leaders[k].first, i))
          leader = k;
      if (leader == SIZE_MAX) {
        size_t before = trial.matches.size();
        finish(wanted, i, match, trial);
        if (trial.matches.size() > before)
          leaders.push_back({i, before});
        continue;
      }
      PatternMatch &joined = trial.matches[leaders[leader].second];
      const std::vector<size_t> &more = report.accumulators[i].all;
      joined.instructions.insert(joined.instructions.end(), more.begin(),
                                 more.end());
      tidy(joined.instructions);
      if (report.accumulators[i].copies >
          report.accumulators[leaders[leader].first].copies) {
        joined.detail = tester.detail({i});
        leaders[leader].first = i;
      }
    }
    if (trial.matches.empty())
      trial.failed.push_back("accumulator " + each->text);
  }

  /// Gives each line an accumulator of its own; `first` is the `each` line's.
  void finish(const std::vector<Line> &wanted, size_t first, PatternMatch match,
              Trial &trial) {
    std::vector<size_t> chosen;
    int budget = 4096;
    if (!choose(wanted, first, chosen, budget)) {
      if (first == SIZE_MAX) {
        trial.failed.push_back("an accumulator for each of its lines");
        trial.missed += 3;
      }
      return;
    }
    for (size_t i = 0; i < wanted.size(); ++i) {
      const Accumulator &acc = report.accumulators[chosen[i]];
      match.evidence.push_back("accumulator " + wanted[i].text + ": " +
                               tester.accumulatorText(acc));
      match.instructions.insert(match.instructions.end(), acc.all.begin(),
                                acc.all.end());
    }
    match.detail = tester.detail(chosen);
    tidy(match.instructions);
    trial.matches.push_back(std::move(match));
  }

  bool choose(const std::vector<Line> &wanted, size_t first,
              std::vector<size_t> &chosen, int &budget) {
    size_t at = chosen.size();
    if (at == wanted.size())
      return true;
    for (size_t i : wanted[at].fitting) {
      if (--budget < 0)
        return false;
      if (wanted[at].each && first != SIZE_MAX && i != first)
        continue;
      if (std::find(chosen.begin(), chosen.end(), i) != chosen.end())
        continue;
      chosen.push_back(i);
      if (choose(wanted, first, chosen, budget))
        return true;
      chosen.pop_back();
    }
    return false;
  }

  std::string unmet(const Line &line) {
    std::string says = "accumulator " + line.text;
    if (report.accumulators.empty())
      return says + ": nothing is accumulated";
    // The one that comes nearest, and what it lacks.
    size_t most = 0;
    std::string lacks;
    for (const Accumulator &acc : report.accumulators) {
      size_t held = 0;
      std::string missing;
      for (const Condition *c : line.conditions)
        if (tester.field(acc, *c))
          ++held;
        else
          missing += (missing.empty() ? "" : ", ") + c->text;
      if (lacks.empty() || held > most) {
        most = held;
        lacks = tester.accumulatorText(acc) + " is not " + missing;
      }
    }
    return says + ": " + lacks;
  }

  Report &report;
  Tester tester;
  std::vector<StoredValue> stores;
};
} // namespace

static bool overlap(const PatternMatch &x, const PatternMatch &y) {
  std::vector<size_t> common;
  std::set_intersection(x.instructions.begin(), x.instructions.end(),
                        y.instructions.begin(), y.instructions.end(),
                        std::back_inserter(common));
  return !common.empty() || x.instructions.empty() || y.instructions.empty();
}

void wf::explain::matchPatterns(Report &report,
                                const std::vector<Pattern> &patterns) {
  addPlaceFacts(report);
  markLaneOrder(report);
  report.patterns.clear();
  report.nearest.reset();
  Matcher matcher(report);
  std::vector<std::pair<PatternMatch, const Pattern *>> found;
  std::optional<Trial> best;
  std::string bestName;
  for (const Pattern &pattern : patterns) {
    Trial trial = matcher.attempt(pattern);
    for (PatternMatch &match : trial.matches)
      found.push_back({std::move(match), &pattern});
    if (trial.matches.empty() && !trial.failed.empty() &&
        (!best || trial.missed < best->missed ||
         (trial.missed == best->missed && trial.held > best->held))) {
      bestName = pattern.name;
      best = std::move(trial);
    }
  }
  for (const auto &[match, pattern] : found) {
    bool hidden = false;
    for (const auto &[other, by] : found)
      hidden |= by != pattern &&
                std::find(by->hides.begin(), by->hides.end(), match.name) !=
                    by->hides.end() &&
                (!by->perAccumulator || overlap(match, other));
    if (!hidden)
      report.patterns.push_back(match);
  }
  // Those of the whole kernel first, then those of an accumulator in order.
  std::sort(report.patterns.begin(), report.patterns.end(),
            [&](const PatternMatch &x, const PatternMatch &y) {
              auto key = [&](const PatternMatch &m) {
                for (const Pattern &p : patterns)
                  if (p.name == m.name)
                    return std::pair(p.perAccumulator, m.instructions.empty()
                                                           ? size_t(0)
                                                           : m.instructions[0]);
                return std::pair(true, SIZE_MAX);
              };
              auto kx = key(x), ky = key(y);
              return kx.first != ky.first ? !kx.first
                     : kx.first           ? kx.second < ky.second
                                          : false;
            });
  if (report.patterns.empty() && best)
    report.nearest = NearestPattern{bestName, best->failed};
}
