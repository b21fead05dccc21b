//===- Shorthand.cpp - A name for the thread's index ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/Statements.h"

#include <algorithm>

using namespace wf::explain;

static bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (c >= '0' && c <= '9');
}

static bool isWord(std::string_view text, std::string_view word) {
  return text == word;
}

Shorthand::Shorthand(const Report &report) {
  const Analysis &a = report.analysis;
  // Only where an instruction computes it, so that the text can point there.
  bool found = false;
  longName = "blockIdx.x * blockDim.x + threadIdx.x";
  for (size_t i = 0; i < report.roles.size() && !found; ++i)
    if (i < a.code.size() &&
        report.roles[i].says.find(longName) != std::string::npos)
      found = true;
  if (!found) {
    longName.clear();
    return;
  }
  std::set<std::string> taken;
  for (const Value &v : a.values)
    if (v.kind == Value::Kind::Phi)
      taken.insert(v.name);
  for (const Web &web : a.webs)
    taken.insert(web.role);
  for (const Parameter &p : report.kernel().parameters)
    taken.insert(p.name);
  for (const char *name : {"i", "index", "global_index"})
    if (shortName.empty() &&
        std::none_of(taken.begin(), taken.end(),
                     [&](const std::string &t) { return isWord(t, name); }))
      shortName = name;
  if (shortName.empty())
    return;
  const std::string other = "threadIdx.x + blockIdx.x * blockDim.x";
  spellings = {"(" + longName + ")", "(" + other + ")", longName, other};
}

std::string Shorthand::apply(std::string text) const {
  for (const std::string &spelling : spellings) {
    size_t at = 0;
    while ((at = text.find(spelling, at)) != std::string::npos) {
      size_t end = at + spelling.size();
      // Not a part of a longer word, of a product or of a call's argument list.
      bool parenthesised = spelling[0] == '(';
      std::string_view before = std::string_view(text).substr(0, at);
      std::string_view after = std::string_view(text).substr(end);
      bool bound = !parenthesised &&
                   (before.ends_with("* ") || after.starts_with(" *") ||
                    before.ends_with("- ") || before.ends_with("] "));
      bool inWord = !before.empty() && letter(before.back());
      bool inWordAfter = !parenthesised && !after.empty() &&
                         (letter(after[0]) || after[0] == '.');
      if (bound || inWord || inWordAfter) {
        at = end;
        continue;
      }
      text.replace(at, spelling.size(), shortName);
      at += shortName.size();
    }
  }
  return text;
}
