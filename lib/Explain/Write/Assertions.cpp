//===- Assertions.cpp - What a build may ask of its machine code ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/Words.h"
#include "Explain/Write/Write.h"

#include <algorithm>
#include <charconv>
#include <cmath>

using namespace wf::explain;

namespace {
struct Assertion {
  std::string text, name, relation, wanted;
};
} // namespace

static std::string trimmed(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    return "";
  return std::string(
      text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

static std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (true) {
    size_t end = text.find(at);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

static Result<Assertion> readAssertion(const std::string &text) {
  Assertion a;
  a.text = text;
  size_t at = text.find_first_of("=!<>");
  const char *form = "an assertion is a name, one of = != <= >= < > and a "
                     "value: materialised=none, shfl=5, barriers<=1";
  if (at == std::string::npos)
    return Fault{"'" + text + "' compares nothing", form};
  a.name = trimmed(std::string_view(text).substr(0, at));
  size_t end = text.find_first_not_of("=!<>", at);
  if (end == std::string::npos)
    end = text.size();
  a.relation = text.substr(at, end - at);
  a.wanted = trimmed(std::string_view(text).substr(end));
  if (a.relation == "==")
    a.relation = "=";
  static const char *relations[] = {"=", "!=", "<=", ">=", "<", ">"};
  if (std::find(std::begin(relations), std::end(relations), a.relation) ==
      std::end(relations))
    return Fault{"'" + text + "' has the relation '" + a.relation +
                     "', which is none",
                 form};
  if (a.name.empty() || a.wanted.empty())
    return Fault{
        "'" + text + "' lacks a " + (a.name.empty() ? "name" : "value"), form};
  return a;
}

static bool holds(double found, std::string_view relation, double wanted) {
  if (relation == "=")
    return found == wanted;
  if (relation == "!=")
    return found != wanted;
  if (relation == "<=")
    return found <= wanted;
  if (relation == ">=")
    return found >= wanted;
  return relation == "<" ? found < wanted : found > wanted;
}

static std::string numberText(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15)
    return std::to_string(int64_t(value));
  char buffer[32];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return error == std::errc() ? std::string(buffer, end) : "?";
}

/// "shared + register (mixed)" → its words without what is between them.
static std::vector<std::string> spacesOf(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (char c : std::string(text) + " ") {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter)
      word += char(c | 32);
    else if (!word.empty())
      words.push_back(std::exchange(word, ""));
  }
  std::sort(words.begin(), words.end());
  return words;
}

/// Steps that keep a partial result in memory.
static std::vector<size_t> materialising(const Report &r) {
  std::vector<size_t> proof;
  for (const Accumulator &acc : r.accumulators)
    for (Through t :
         {Through::Shared, Through::Local, Through::Global, Through::Atomic})
      if (acc.through.count(t))
        proof.insert(proof.end(), acc.step.begin(), acc.step.end());
  if (proof.empty())
    for (const Accumulator &acc : r.accumulators)
      proof.insert(proof.end(), acc.step.begin(), acc.step.end());
  return words::sorted(std::move(proof));
}

static Result<std::vector<AssertionFailure>>
checkWord(const Assertion &a, const std::vector<std::string> &known, bool found,
          std::string foundText, std::vector<size_t> proof) {
  if (a.relation != "=" && a.relation != "!=")
    return Fault{
        "'" + a.text + "' asks for an order, and " + a.name + " is a word",
        "write " + a.name + "=" + a.wanted + " or " + a.name + "!=" + a.wanted};
  for (const std::string &word : split(a.wanted, '|'))
    if (!known.empty() &&
        std::find(known.begin(), known.end(), word) == known.end())
      return Fault{"'" + a.text + "' asks for '" + word + "', which " + a.name +
                       " never is",
                   "one or more, between |, of: " + words::listed(known)};
  std::vector<AssertionFailure> failures;
  if (found != (a.relation == "="))
    failures.push_back({a.text, std::move(foundText), std::move(proof)});
  return failures;
}

static Result<std::vector<AssertionFailure>>
checkMaterialised(const Report &r, const Assertion &a) {
  // Spaces joined by + must all be there, and no others: shared+register.
  std::vector<std::string> found = spacesOf(r.materialised);
  bool mixed = std::erase(found, "mixed") > 0 || found.size() > 1;
  bool any = false;
  std::vector<std::string> asked;
  static const std::vector<std::string> known = {"none",   "register", "lanes",
                                                 "shared", "local",    "global",
                                                 "atomic", "mixed"};
  for (const std::string &one : split(a.wanted, '|')) {
    std::vector<std::string> parts = spacesOf(one);
    if (parts.empty())
      parts = {one};
    for (const std::string &part : parts)
      asked.push_back(part);
    any |=
        parts == found || (mixed && parts == std::vector<std::string>{"mixed"});
  }
  Assertion spelled = a;
  spelled.wanted.clear();
  for (const std::string &part : asked)
    spelled.wanted += (spelled.wanted.empty() ? "" : "|") + part;
  return checkWord(spelled, known, any,
                   r.materialised.empty() ? "none" : r.materialised,
                   materialising(r));
}

static Result<std::vector<AssertionFailure>> checkPattern(const Report &r,
                                                          const Assertion &a) {
  bool any = false;
  std::vector<std::string> names;
  std::vector<size_t> proof;
  for (const PatternMatch &match : r.patterns) {
    names.push_back(match.name);
    for (const std::string &wanted : split(a.wanted, '|'))
      if (wanted == match.name) {
        any = true;
        proof.insert(proof.end(), match.instructions.begin(),
                     match.instructions.end());
      }
  }
  for (const std::string &wanted : split(a.wanted, '|'))
    any |= wanted == "none" && r.patterns.empty();
  return checkWord(a, {}, any, names.empty() ? "none" : words::listed(names),
                   words::sorted(std::move(proof)));
}

static Fault unknownFact(const Report &r, const Assertion &a) {
  std::set<std::string> known{"materialised", "pattern"};
  for (const auto &[name, says] : factNames())
    known.insert(name);
  for (const auto &[name, fact] : r.facts)
    known.insert(name);
  return {"'" + a.text + "' asks for '" + a.name + "', which is not known",
          "known are " + words::listed(std::vector<std::string>(known.begin(),
                                                                known.end()))};
}

static Result<std::vector<AssertionFailure>> check(const Report &r,
                                                   const Assertion &a) {
  if (a.name == "materialised" || a.name == "materialized")
    return checkMaterialised(r, a);
  if (a.name == "pattern")
    return checkPattern(r, a);
  Fact fact;
  auto it = r.facts.find(a.name);
  if (it != r.facts.end()) {
    fact = it->second;
  } else {
    auto names = factNames();
    if (std::none_of(names.begin(), names.end(),
                     [&](const auto &n) { return n.first == a.name; }))
      return unknownFact(r, a);
  }
  std::vector<AssertionFailure> failures;
  bool any = false;
  for (const std::string &text : split(a.wanted, '|')) {
    double wanted = 0;
    auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), wanted);
    if (error != std::errc() || end != text.data() + text.size() ||
        text.empty() || !std::isfinite(wanted))
      return Fault{"'" + a.text + "' compares with '" + text +
                       "', which is no number",
                   "write a number, as in " + a.name + a.relation + "4"};
    any |= a.relation == "!=" ? fact.value == wanted
                              : holds(fact.value, a.relation, wanted);
  }
  if (any == (a.relation == "!="))
    failures.push_back({a.text, numberText(fact.value), fact.proof});
  return failures;
}

Result<std::vector<AssertionFailure>>
wf::explain::checkAssertions(const Report &report, std::string_view text) {
  std::vector<AssertionFailure> failures;
  for (const std::string &part : split(text, ',')) {
    if (part.empty()) {
      if (split(text, ',').size() == 1)
        return Fault{"there is no assertion",
                     "as in materialised=none, shfl=5"};
      continue;
    }
    Result<Assertion> assertion = readAssertion(part);
    if (!assertion)
      return assertion.fault();
    auto one = check(report, *assertion);
    if (!one)
      return one.fault();
    for (AssertionFailure &failure : *one)
      failures.push_back(std::move(failure));
  }
  return failures;
}
