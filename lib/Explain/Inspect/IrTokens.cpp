//===- IrTokens.cpp - MLIR and LLVM IR cut into tokens --------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Inspect/IrTokens.h"

#include <algorithm>

namespace wf::explain::ir {

static bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '$';
}
static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isName(char c) { return isLetter(c) || isDigit(c) || c == '.'; }

namespace {
class Cutter {
public:
  Cutter(std::string_view text, bool llvm) : text(text), llvm(llvm) {}
  std::vector<Token> cut();

private:
  std::string_view text;
  bool llvm;
  size_t at = 0;
  uint32_t line = 1;
  std::vector<Token> out;
  size_t wasted = 0; ///< characters looked at for a ">" that never came

  size_t nameEnd(size_t from) const;
  size_t angleEnd(size_t from);
  void push(Token::Kind kind, size_t end);
  void sigil(char c);
  void number();
  void string();
  void word();
};
} // namespace

size_t Cutter::nameEnd(size_t from) const {
  while (from < text.size() && isName(text[from]))
    ++from;
  return from;
}

/// Behind the ">" that closes the "<" at `from`; `from` where none does within
/// reason: a type is short, and a text may be cut.
size_t Cutter::angleEnd(size_t from) {
  if (from >= text.size() || text[from] != '<' || wasted > 4 * text.size())
    return from;
  constexpr size_t longest = 4096;
  size_t end = std::min(text.size(), from + longest);
  int depth = 0;
  size_t i = from;
  for (; i < end; ++i) {
    if (text[i] == '<')
      ++depth;
    else if (text[i] == '>' && text[i - 1] != '-' && --depth == 0)
      return i + 1;
    else if (text[i] == ';' || text[i] == '%')
      break; // an operation: the bracket was no type's
  }
  wasted += i - from;
  return from;
}

void Cutter::push(Token::Kind kind, size_t end) {
  out.push_back({kind, text.substr(at, end - at), line});
  line += static_cast<uint32_t>(
      std::count(text.begin() + at, text.begin() + end, '\n'));
  at = end;
}

/// %value, @symbol, #attribute, !type, ^block.
void Cutter::sigil(char c) {
  size_t end = at + 1;
  if (end < text.size() && text[end] == '"' && c != '^') { // @"quoted"
    size_t close = text.find_first_of("\"\n", end + 1);
    end = close == std::string_view::npos ? text.size() : close + 1;
  } else {
    end = nameEnd(end);
    while (c == '%' && end < text.size() && text[end] == '-' &&
           end + 1 < text.size() && isName(text[end + 1]))
      end = nameEnd(end + 1);
  }
  if (end == at + 1) {
    push(Token::Kind::Mark, end);
    return;
  }
  switch (c) {
  case '%':
    if (end + 1 < text.size() && text[end] == '#' && isDigit(text[end + 1]))
      end = nameEnd(end + 1);
    push(Token::Kind::Value, end);
    break;
  case '@':
    push(Token::Kind::Symbol, end);
    break;
  case '#':
    push(Token::Kind::Attribute, llvm ? end : angleEnd(end));
    break;
  case '!':
    push(Token::Kind::Type, llvm ? end : angleEnd(end));
    break;
  default:
    push(Token::Kind::Block, end);
    break;
  }
}

void Cutter::number() {
  size_t end = at;
  if (text[end] == '-' || text[end] == '+')
    ++end;
  bool hex = text.substr(end, 2) == "0x";
  while (end < text.size() &&
         (isDigit(text[end]) || text[end] == '.' || isLetter(text[end]) ||
          (!hex && (text[end] == '-' || text[end] == '+') && end > at &&
           (text[end - 1] == 'e' || text[end - 1] == 'E'))))
    ++end;
  push(Token::Kind::Number, end);
}

void Cutter::string() {
  size_t end = at + 1;
  while (end < text.size() && text[end] != '"' && text[end] != '\n')
    end += text[end] == '\\' && end + 1 < text.size() ? 2 : 1;
  end = std::min(end, text.size());
  out.push_back({Token::Kind::String, text.substr(at + 1, end - at - 1), line});
  at = end < text.size() && text[end] == '"' ? end + 1 : end;
}

void Cutter::word() {
  size_t end = nameEnd(at);
  std::string_view name = text.substr(at, end - at);
  if (!llvm && (name == "tensor" || name == "memref" || name == "vector" ||
                name == "dense"))
    end = angleEnd(end);
  push(Token::Kind::Word, end);
}

std::vector<Token> Cutter::cut() {
  while (at < text.size()) {
    char c = text[at];
    char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (c == '\n') {
      ++line;
      ++at;
    } else if ((c == '/' && next == '/') || (llvm && c == ';')) {
      size_t end = text.find('\n', at);
      at = end == std::string_view::npos ? text.size() : end;
    } else if (c == '%' || c == '@' || c == '#' || c == '!' || c == '^') {
      sigil(c);
    } else if (isLetter(c)) {
      word();
    } else if (isDigit(c) || (c == '-' && isDigit(next))) {
      number();
    } else if (c == '"') {
      string();
    } else if (c == '-' && next == '>') {
      push(Token::Kind::Mark, at + 2);
    } else if (c > ' ' && c < 127) {
      push(Token::Kind::Mark, at + 1);
    } else {
      ++at; // blanks, and whatever prose holds
    }
  }
  return std::move(out);
}

/// Brackets of one kind open and close in order; what stays open is left so.
static std::vector<uint32_t> closings(const std::vector<Token> &all) {
  std::vector<uint32_t> close(all.size());
  std::vector<uint32_t> open;
  auto opener = [](char c) { return c == ')' ? '(' : c == ']' ? '[' : '{'; };
  for (uint32_t i = 0; i < all.size(); ++i) {
    close[i] = i;
    if (all[i].kind != Token::Kind::Mark)
      continue;
    char c = all[i].text[0];
    if (c == '(' || c == '[' || c == '{') {
      open.push_back(i);
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty() || all[open.back()].text[0] != opener(c))
        continue;
      close[open.back()] = i;
      open.pop_back();
    }
  }
  return close;
}

Tokens cutTokens(std::string_view text, bool llvm) {
  Tokens result;
  result.all = Cutter(text, llvm).cut();
  result.close = closings(result.all);
  return result;
}

/// An operation's name, and no attribute's: "ttg.target = …" is one.
bool Tokens::isOperationName(size_t at) const {
  if (at >= size() || !all[at].dotted() || all[at].text.back() == '.')
    return false;
  if (is(at + 1, "="))
    return false;
  if (all[at].kind == Token::Kind::String)
    return is(at + 1, "(") && at > 0 && !all[at - 1].is("(");
  return true;
}

bool Tokens::startsOperation(size_t at) const {
  if (at >= size())
    return false;
  if (all[at].kind == Token::Kind::Value) {
    size_t next = at + 1;
    if (is(next, ":") && kind(next + 1, Token::Kind::Number))
      next += 2; // %5:2
    bool assigned = is(next, "=");
    next += assigned ? 1 : 0;
    return isOperationName(next) || (assigned && word(next, "call"));
  }
  if (!isOperationName(at))
    return false;
  // Not the name of what "%x =" starts, nor an attribute's value.
  return at == 0 ||
         !(all[at - 1].is("=") || all[at - 1].is(",") || all[at - 1].is("<") ||
           all[at - 1].kind == Token::Kind::Value);
}

} // namespace wf::explain::ir
