//===- GuardedLines.cpp - Statements within the ifs of their guards -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/GuardedLines.h"

#include <algorithm>

using namespace wf::explain;

void GuardedLines::conjuncts(ValueId id, std::vector<ValueId> &parts,
                             int budget) const {
  if (id >= a.values.size())
    return;
  const Value &v = a.values[id];
  if (v.kind == Value::Kind::Operation && v.op == Op::And && budget > 0 &&
      v.args.size() == 2) {
    conjuncts(v.args[0], parts, budget - 1);
    conjuncts(v.args[1], parts, budget - 1);
    return;
  }
  if (v.kind == Value::Kind::Constant && v.imm != 0)
    return; // always
  // The lanes that are still in the loop.
  if (v.kind == Value::Kind::Phi && v.reg.cls == RegClass::Flag)
    return;
  if (std::find(parts.begin(), parts.end(), id) == parts.end() &&
      std::find(enclosing.begin(), enclosing.end(), id) == enclosing.end())
    parts.push_back(id);
}

std::vector<ValueId> GuardedLines::guardOf(size_t i) const {
  std::vector<ValueId> parts;
  if (i >= a.code.size())
    return parts;
  if (statements.isNamed(i, a.code[i].guard))
    return {a.code[i].guard};
  conjuncts(a.code[i].guard, parts, 4);
  return parts;
}

void GuardedLines::closeGuards(size_t keep) {
  while (guards.size() > keep) {
    guards.pop_back();
    line("}");
  }
  if (guards.empty()) {
    std::vector<size_t> now;
    now.swap(deferred);
    for (size_t i : now)
      line(statements.of(i) + ";");
  }
}

void GuardedLines::openGuards(size_t i,
                              const std::vector<ValueId> &wantedGuards) {
  // Conjunctions are sets; those already open stay if they are wanted.
  size_t keep = 0;
  while (keep < guards.size() &&
         std::find(wantedGuards.begin(), wantedGuards.end(), guards[keep]) !=
             wantedGuards.end())
    ++keep;
  closeGuards(keep);
  for (ValueId id : wantedGuards)
    if (std::find(guards.begin(), guards.end(), id) == guards.end()) {
      line("if (" +
           (id == a.code[i].guard ? statements.conditionOf(i, id)
                                  : condition(a, id)) +
           ") {");
      guards.push_back(id);
    }
}

bool GuardedLines::movable(size_t i) const {
  switch (r.roles[i].role) {
  case Role::Index:
  case Role::Stride:
  case Role::Compute:
  case Role::Convert:
  case Role::Initial:
    return true;
  default:
    return false;
  }
}

/// An unguarded statement between two of one guard goes behind them where
/// that changes nothing, so that the if is written once.
bool GuardedLines::defer(size_t i, size_t end) {
  if (guards.empty() || deferred.size() >= 4 || !movable(i))
    return false;
  for (size_t n = i + 1; n < end && n < i + 64; ++n) {
    if (statements.of(n).empty())
      continue;
    if (guardOf(n).empty())
      return false;
    if (!statements.commute(i, n))
      return false;
    deferred.push_back(i);
    return true;
  }
  return false;
}

void GuardedLines::blockStatements(size_t b) {
  const Block &block = a.blocks[b];
  for (size_t i = block.first; i < block.last; ++i) {
    const std::string &text = statements.of(i);
    if (text.empty())
      continue;
    std::vector<ValueId> guard = guardOf(i);
    if (guard.empty() && defer(i, block.last))
      continue;
    for (size_t d : deferred)
      if (!statements.commute(d, i)) {
        closeGuards(0);
        break;
      }
    openGuards(i, guard);
    line(text + ";");
  }
}

std::vector<std::string> wf::explain::finished(const Report &r,
                                               std::vector<std::string> text,
                                               bool complete) {
  auto bare = [](const std::string &line) {
    return std::string_view(line).substr(
        std::min(line.size(), line.find_first_not_of(' ')));
  };
  size_t end = text.size();
  while (end > 0 && bare(text[end - 1]) == "}")
    --end;
  if (end > 0 && bare(text[end - 1]) == "exit;" && complete)
    text.erase(text.begin() + long(end) - 1);
  std::vector<std::string> out;
  const Shorthand shorthand(r);
  bool defined = false, used = false;
  for (const std::string &line : text)
    used |= !line.ends_with(" = " + shorthand.meaning() + ";") &&
            shorthand.apply(line) != line;
  for (std::string &line : text) {
    if (bare(line) == "barrier.wait();" && !out.empty() &&
        bare(out.back()) == "barrier.arrive();") {
      out.back().replace(out.back().find("barrier."), std::string::npos,
                         "barrier();");
      continue;
    }
    bool defines = !shorthand.name().empty() && used &&
                   line.ends_with(" = " + shorthand.meaning() + ";");
    std::string shown =
        defines ? line + "  // " + shorthand.name() : shorthand.apply(line);
    // Where no statement says what the name is, the first line does.
    if (!defined && !defines && shown != line)
      out.insert(out.begin(),
                 shorthand.name() + " = " + shorthand.meaning() + ";");
    defined |= shown != line;
    out.push_back(std::move(shown));
  }
  return out;
}
