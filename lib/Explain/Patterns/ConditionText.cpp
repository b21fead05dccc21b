//===- ConditionText.cpp - Reads conditions of a pattern ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Patterns/ConditionText.h"
#include "Explain/Patterns/Fields.h"
#include "Explain/Patterns/Words.h"

#include <algorithm>
#include <charconv>

using namespace wf::explain;

namespace {
/// The names that a `when` line may use.
const std::vector<std::string> &knownFacts() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (const auto &list : {factNames(), placeFactNames()})
      for (const auto &[name, says] : list)
        names.push_back(name);
    for (const char *kind : {"ldg", "stg"})
      for (const char *bits : {".8", ".16", ".32", ".64", ".128"})
        if (std::string name = std::string(kind) + bits;
            std::find(names.begin(), names.end(), name) == names.end())
          names.push_back(name);
    return names;
  }();
  return all;
}

class Reader {
public:
  Reader(std::string_view text, bool ofAccumulator)
      : text(text), ofAccumulator(ofAccumulator) {}
  ShapeFault fault;

  bool run(uint32_t group, bool none, std::vector<Condition> &conditions) {
    size_t at = 0;
    int depth = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
      if (i < text.size()) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (text[i] != ',' || depth > 0)
          continue;
      }
      Condition condition;
      condition.ofAccumulator = ofAccumulator;
      condition.group = group;
      condition.none = none;
      if (!one(at, text.substr(at, i - at), condition))
        return false;
      conditions.push_back(std::move(condition));
      at = i + 1;
    }
    return true;
  }

private:
  bool fail(std::string_view where, std::string message, std::string hint) {
    // `where` is a part of `text`, or empty at its end.
    size_t at =
        where.data() >= text.data() && where.data() <= text.data() + text.size()
            ? size_t(where.data() - text.data())
            : text.size();
    fault = {at, std::max<size_t>(where.size(), 1), std::move(message),
             std::move(hint)};
    return false;
  }

  bool one(size_t at, std::string_view part, Condition &c) {
    std::string_view whole = withoutBlanks(part);
    if (whole.empty())
      return fail(text.substr(std::min(at, text.size()), part.size()),
                  "a condition is missing here",
                  "write one such as `barriers >= 1`, `no shfl` or `halving`");
    c.text = std::string(whole);
    bool negated = whole.starts_with("no ");
    if (negated)
      whole = withoutBlanks(whole.substr(3));
    size_t sign = std::string_view::npos, length = 0;
    for (size_t i = 0; i < whole.size() && sign == std::string_view::npos; ++i)
      if (whole[i] == '=' || whole[i] == '<' || whole[i] == '>' ||
          whole[i] == '!') {
        sign = i;
        length = i + 1 < whole.size() && whole[i + 1] == '=' ? 2 : 1;
      } else if (whole.substr(i).starts_with(" has ")) {
        sign = i + 1;
        length = 3;
      }
    if (sign == std::string_view::npos) {
      c.name = std::string(whole);
      c.relation = negated ? "=" : ofAccumulator ? "!=" : ">=";
      c.wanted = {negated || ofAccumulator ? "0" : "1"};
      return name(whole, c, false);
    }
    if (negated)
      return fail(whole, "`no` stands before a name alone",
                  "write `no " +
                      std::string(withoutBlanks(whole.substr(0, sign))) +
                      "`, or turn the comparison");
    std::string_view left = withoutBlanks(whole.substr(0, sign));
    c.name = std::string(left);
    c.relation = std::string(whole.substr(sign, length));
    if (c.relation == "!")
      return fail(whole.substr(sign, 1), "'!' is no comparison",
                  "there are = != < <= > >= and has");
    if (!name(left, c, true))
      return false;
    return values(whole.substr(sign + length), c);
  }

  bool name(std::string_view left, const Condition &c, bool compared) {
    if (left.empty())
      return fail(left, "a name is missing before '" + c.relation + "'",
                  "write one such as `barriers >= 1`");
    if (ofAccumulator) {
      const Field *field = accumulatorField(left);
      if (!field) {
        std::vector<std::string_view> names;
        for (const Field &f : accumulatorFields())
          names.push_back(f.name);
        return fail(left,
                    "accumulators have no field '" + std::string(left) + "'",
                    suggestion(left, names));
      }
      bool alone = field->kind == FieldKind::Flag;
      if (!compared && !alone && field->kind != FieldKind::Count)
        return fail(left, "'" + std::string(left) + "' needs a value",
                    "write `" + std::string(left) + " = …`");
      bool ordered = c.relation[0] == '<' || c.relation[0] == '>';
      if (compared && ordered && field->kind != FieldKind::Count)
        return fail(left, "'" + std::string(left) + "' is no number",
                    "compare it with = or !=");
      if (c.relation == "has" && field->kind != FieldKind::Set)
        return fail(left, "'" + std::string(left) + "' is no set",
                    "`has` is for `through`; write `=`");
      return true;
    }
    // A sum: "atom + red".
    for (size_t at = 0; at <= left.size();) {
      size_t plus = std::min(left.find('+', at), left.size());
      std::string_view term = withoutBlanks(left.substr(at, plus - at));
      if (std::find(knownFacts().begin(), knownFacts().end(), term) ==
          knownFacts().end()) {
        std::vector<std::string_view> names(knownFacts().begin(),
                                            knownFacts().end());
        return fail(term.empty() ? left : term,
                    "no fact is called '" + std::string(term) + "'",
                    suggestion(term, names));
      }
      at = plus + 1;
    }
    if (c.relation == "has")
      return fail(left, "a fact is a number",
                  "compare it with = != < <= > or >=");
    return true;
  }

  bool values(std::string_view right, Condition &c) {
    const Field *field = ofAccumulator ? accumulatorField(c.name) : nullptr;
    int depth = 0;
    size_t at = 0;
    for (size_t i = 0; i <= right.size(); ++i) {
      if (i < right.size()) {
        depth += right[i] == '(' ? 1 : right[i] == ')' ? -1 : 0;
        if (right[i] != '|' || depth > 0)
          continue;
      }
      std::string_view value = withoutBlanks(right.substr(at, i - at));
      if (!fits(value.empty() ? right.substr(0, 0) : value, field))
        return false;
      c.wanted.push_back(std::string(value));
      at = i + 1;
    }
    return true;
  }

  bool fits(std::string_view value, const Field *field) {
    if (value.empty())
      return fail(value, "a value is missing after the comparison",
                  "write one such as `barriers >= 1`");
    if (!field || field->kind == FieldKind::Count ||
        field->kind == FieldKind::Flag) {
      double number = 0;
      auto [end, error] =
          std::from_chars(value.data(), value.data() + value.size(), number);
      if (error != std::errc() || end != value.data() + value.size())
        return fail(value, "'" + std::string(value) + "' is no number", "");
      return true;
    }
    if (field->kind == FieldKind::Shape) {
      Shape shape;
      if (auto wrong = readShape(value, shape))
        return fail(
            value.substr(std::min(wrong->at, value.size()), wrong->length),
            wrong->message, wrong->hint);
      return true;
    }
    if (field->kind == FieldKind::Set)
      for (size_t at = 0; at <= value.size();) {
        size_t plus = std::min(value.find('+', at), value.size());
        std::string_view word = withoutBlanks(value.substr(at, plus - at));
        std::vector<std::string_view> names(std::begin(throughWords),
                                            std::end(throughWords));
        if (std::find(names.begin(), names.end(), word) == names.end())
          return fail(word.empty() ? value : word,
                      "nothing passes through '" + std::string(word) + "'",
                      suggestion(word, names));
        at = plus + 1;
      }
    return true;
  }

  std::string_view text;
  bool ofAccumulator;
};
} // namespace

std::optional<ShapeFault>
wf::explain::readConditions(std::string_view text, bool ofAccumulator,
                            uint32_t group, bool none,
                            std::vector<Condition> &conditions) {
  Reader reader(text, ofAccumulator);
  if (reader.run(group, none, conditions))
    return std::nullopt;
  return reader.fault;
}
