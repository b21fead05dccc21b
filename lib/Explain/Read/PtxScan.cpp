//===- PtxScan.cpp - PTX cut into statements ------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Read/PtxScan.h"

#include <algorithm>
#include <iterator>

namespace wf::explain::ptx {

static bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' ||
         c == '\v';
}

bool isIdentifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '%' || c == '.';
}

void Scanner::advance(size_t count) {
  size_t to = std::min(text.size(), at + count);
  line += static_cast<uint32_t>(
      std::count(text.begin() + at, text.begin() + to, '\n'));
  at = to;
}

void Scanner::skipLine() {
  size_t end = text.find('\n', at);
  advance((end == std::string_view::npos ? text.size() : end + 1) - at);
}

void Scanner::skipBlanks() {
  while (at < text.size()) {
    if (isBlank(text[at])) {
      advance(1);
    } else if (text.substr(at, 2) == "//") {
      skipLine();
    } else if (text.substr(at, 2) == "/*") {
      size_t end = text.find("*/", at + 2);
      advance((end == std::string_view::npos ? text.size() : end + 2) - at);
    } else {
      return;
    }
  }
}

size_t Scanner::identifierEnd(size_t from) const {
  while (from < text.size() && isIdentifier(text[from]))
    ++from;
  return from;
}

/// One argument of a directive, on the same line; "" where there is none.
std::string Scanner::word() {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
    ++at;
  size_t start = at;
  if (at < text.size() && text[at] == '"') {
    size_t end = text.find_first_of("\"\n", at + 1);
    at = end == std::string_view::npos ? text.size() : end;
    std::string quoted(text.substr(start + 1, at - start - 1));
    if (at < text.size() && text[at] == '"')
      ++at;
    return quoted;
  }
  while (at < text.size() && !isBlank(text[at]) && text[at] != ',' &&
         text[at] != ';' && text[at] != '{' && text[at] != '}' &&
         text.substr(at, 2) != "//")
    ++at;
  return std::string(text.substr(start, at - start));
}

namespace {
/// A directive without a semicolon, and how many words it takes before commas.
struct Taken {
  std::string_view name;
  int words;
};
} // namespace

static constexpr Taken directives[] = {
    {".version", 1},
    {".target", 1},
    {".address_size", 1},
    {".file", 2},
    {".loc", 3},
    {".maxntid", 1},
    {".reqntid", 1},
    {".minnctapersm", 1},
    {".maxnctapersm", 1},
    {".maxnreg", 1},
    {".noreturn", 0},
    {".explicitcluster", 0},
    {".maxclusterrank", 1},
    {".reqnctapercluster", 1},
    {".section", 1},
};

/// A section is data of a debugger, up to its closing brace.
void Scanner::skipSection() {
  skipBlanks();
  if (at < text.size() && text[at] == '{') {
    size_t end = text.find('}', at);
    advance((end == std::string_view::npos ? text.size() : end + 1) - at);
  }
}

Statement Scanner::directive(std::string name) {
  Statement s;
  s.kind = Statement::Kind::Directive;
  s.line = line;
  const Taken *taken =
      std::find_if(std::begin(directives), std::end(directives),
                   [&](const Taken &t) { return t.name == name; });
  advance(name.size());
  int left = taken->words;
  s.text = std::move(name);
  while (true) {
    for (; left > 0; --left)
      if (std::string w = word(); !w.empty())
        s.words.push_back(std::move(w));
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
      ++at;
    if (at >= text.size() || text[at] != ',')
      break;
    ++at;
    std::string w = word();
    left = 0;
    if (s.text == ".loc") {
      // .loc 1 85 22, function_name $L__info_string0, inlined_at 1 91 17
      left = w == "inlined_at" ? 3 : 1;
    }
    s.words.push_back(std::move(w));
  }
  if (s.text == ".section")
    skipSection();
  return s;
}

/// Appends text[from, to) with its comments cut out and blanks made single.
static void appendClean(std::string &out, std::string_view piece) {
  for (char c : piece) {
    if (!isBlank(c))
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
}

/// Reads up to a semicolon, or of a header up to its body's brace.
Statement Scanner::until(bool header) {
  Statement s;
  s.kind = header ? Statement::Kind::Header : Statement::Kind::Other;
  s.line = line;
  s.complete = false;
  int braces = 0;
  while (at < text.size()) {
    size_t stop = text.find_first_of(";{}/\"", at);
    stop = stop == std::string_view::npos ? text.size() : stop;
    appendClean(s.text, text.substr(at, stop - at));
    advance(stop - at);
    if (at >= text.size())
      break;
    char c = text[at];
    if (c == '/') {
      size_t before = at;
      skipBlanks();
      if (at == before) // a lone slash
        advance(1);
      appendClean(s.text, " ");
      continue;
    }
    if (c == '"') {
      size_t end = text.find_first_of("\"\n", at + 1);
      end = end == std::string_view::npos ? text.size() : end + 1;
      s.text += text.substr(at, end - at);
      advance(end - at);
      continue;
    }
    if (c == ';') {
      advance(1);
      s.complete = true;
      if (header)
        s.words.push_back(";"); // a declaration
      break;
    }
    if (c == '{' && header) {
      s.complete = true;
      break;
    }
    if (c == '}' && --braces < 0) // the body ends first: leave it its brace
      break;
    if (c == '{')
      ++braces;
    s.text += c;
    advance(1);
  }
  while (!s.text.empty() && s.text.back() == ' ')
    s.text.pop_back();
  return s;
}

static bool startsVariable(std::string_view word) {
  for (std::string_view known :
       {".global", ".shared", ".const", ".tex", ".alias", ".pragma", ".reg",
        ".local", ".param", ".branchtargets", ".callprototype", ".common"})
    if (word == known)
      return true;
  return false;
}

Statement Scanner::next(bool inBody) {
  while (true) {
    skipBlanks();
    Statement s;
    s.line = line;
    if (at >= text.size())
      return s;
    char c = text[at];
    if (c == '{' || c == '}') {
      s.kind = c == '{' ? Statement::Kind::Open : Statement::Kind::Close;
      advance(1);
      return s;
    }
    size_t end = identifierEnd(at);
    std::string_view name = text.substr(at, end - at);
    if (std::find_if(std::begin(directives), std::end(directives),
                     [&](const Taken &t) { return t.name == name; }) !=
        std::end(directives))
      return directive(std::string(name));
    if (name == ".entry" || name == ".func")
      return until(/*header=*/true);
    if (name == ".visible" || name == ".weak" || name == ".extern") {
      // What it is follows: a function's header, or a variable.
      size_t second = end;
      while (second < text.size() && isBlank(text[second]))
        ++second;
      std::string_view what =
          text.substr(second, identifierEnd(second) - second);
      return until(what == ".entry" || what == ".func");
    }
    if (startsVariable(name))
      return until(false);
    size_t colon = end;
    while (colon < text.size() && (text[colon] == ' ' || text[colon] == '\t'))
      ++colon;
    if (inBody && end > at && colon < text.size() && text[colon] == ':' &&
        text.substr(colon, 2) != "::") {
      s.kind = Statement::Kind::Label;
      s.text = std::string(name);
      advance(colon + 1 - at);
      return s;
    }
    if (inBody) {
      if (c == ';') {
        advance(1);
        continue;
      }
      return until(false);
    }
    skipLine();
  }
}

std::vector<std::string> splitOperands(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  size_t start = 0;
  auto push = [&](size_t end) {
    std::string_view part = text.substr(start, end - start);
    while (!part.empty() && isBlank(part.front()))
      part.remove_prefix(1);
    while (!part.empty() && isBlank(part.back()))
      part.remove_suffix(1);
    parts.emplace_back(part);
  };
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if (c == ')' || c == ']' || c == '}')
      depth = std::max(0, depth - 1);
    else if (c == ',' && depth == 0) {
      push(i);
      start = i + 1;
    }
  }
  push(text.size());
  if (parts.size() == 1 && parts[0].empty())
    parts.clear();
  return parts;
}

std::string tightened(std::string_view text) {
  std::string out;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (isBlank(c)) {
      char next = i + 1 < text.size() ? text[i + 1] : '\0';
      bool joins =
          !out.empty() && (out.back() == '|' || out.back() == '!' ||
                           out.back() == '+' || next == '|' || next == '+');
      if (joins || (depth > 0 && (out.empty() || out.back() != ',')))
        continue;
    }
    if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if (c == ')' || c == ']' || c == '}')
      --depth;
    out += c;
    if (c == ',' && depth > 0 && i + 1 < text.size() && !isBlank(text[i + 1]))
      out += ' ';
  }
  return out;
}

} // namespace wf::explain::ptx
