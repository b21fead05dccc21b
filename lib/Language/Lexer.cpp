//===- Lexer.cpp - Text to tokens -----------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Columns count bytes from 1. Everything is lexed at once: a text is small, and
// the parser looks two tokens ahead.
//===----------------------------------------------------------------------===//
#include "Language/Lexer.h"

#include "llvm/ADT/StringExtras.h"

using namespace wf;

// Longest first, so that the first that fits is the token.
static constexpr const char *punctuation[] = {
    "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "(",
    ")",  "{",  "}",  ",",  ":",  ".",  "=",  "+",  "-",  "*",
    "/",  "%",  "&",  "|",  "^",  "~",  "!",  "<",  ">"};

static constexpr const char *futureTypes[] = {"f16", "bf16", "f8e4m3fn",
                                              "f8e5m2"};

// Longer numbers say nothing that 128 characters cannot.
static constexpr size_t maxNumberLength = 128;

static bool isWordStart(char c) { return llvm::isAlpha(c) || c == '_'; }
static bool isWordPart(char c) { return llvm::isAlnum(c) || c == '_'; }

bool wf::isFutureType(llvm::StringRef word) {
  for (const char *t : futureTypes)
    if (word == t)
      return true;
  return false;
}

bool wf::isReserved(llvm::StringRef word) {
#define X(W)                                                                   \
  if (word == #W)                                                              \
    return true;
  WF_RESERVED_WORDS(X)
#undef X
  return scalarTypeNamed(word).has_value() || isFutureType(word);
}

std::string wf::allTypeNames() {
  std::string out;
#define X(E, N, ...) out += out.empty() ? N : ", " N;
  WF_SCALAR_TYPES(X)
#undef X
  return out;
}

TokenStream::TokenStream(std::shared_ptr<const SourceText> source)
    : text(std::move(source)) {
  lex();
}

/// Reads digits[.digits][e[+-]digits] or 0x…; returns its length and fails if
/// it runs into letters or lacks digits.
size_t TokenStream::lexNumber(llvm::StringRef rest, Token &token) {
  size_t n = 0;
  auto digits = [&](auto isDigit) {
    size_t first = n;
    while (n < rest.size() && isDigit(rest[n]))
      ++n;
    return n != first;
  };
  auto decimal = [](char c) { return llvm::isDigit(c); };
  bool good = true;
  if (rest.starts_with("0x") || rest.starts_with("0X")) {
    n = 2;
    good = digits([](char c) { return llvm::isHexDigit(c); });
  } else {
    digits(decimal);
    if (n < rest.size() && rest[n] == '.') {
      ++n;
      good = digits(decimal);
    }
    if (good && n < rest.size() && (rest[n] == 'e' || rest[n] == 'E')) {
      ++n;
      if (n < rest.size() && (rest[n] == '+' || rest[n] == '-'))
        ++n;
      good = digits(decimal);
    }
  }
  while (n < rest.size() && isWordPart(rest[n])) {
    good = false;
    ++n;
  }
  token.text = rest.take_front(n);
  if (!good || n > maxNumberLength)
    fail(Diag::BadNumber, token, {token.text.take_front(40).str()});
  return n;
}

void TokenStream::lex() {
  llvm::StringRef rest = text->text;
  uint32_t line = 1, column = 1;
  auto skip = [&](size_t n) {
    rest = rest.drop_front(n);
    column += uint32_t(n);
  };
  while (!rest.empty() && !failed()) {
    char c = rest.front();
    if (c == '\n') {
      skip(1);
      ++line;
      column = 1;
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\r') {
      skip(1);
      continue;
    }
    if (c == '#') {
      skip(std::min(rest.find('\n'), rest.size()));
      continue;
    }
    Token token{Token::Punctuation, rest.take_front(1), line, column};
    if (isWordStart(c)) {
      token.kind = Token::Word;
      token.text = rest.take_while(isWordPart);
    } else if (llvm::isDigit(c)) {
      token.kind = Token::Number;
      lexNumber(rest, token);
    } else {
      bool known = false;
      for (const char *p : punctuation)
        if (!known && rest.starts_with(p)) {
          token.text = rest.take_front(llvm::StringRef(p).size());
          known = true;
        }
      if (!known)
        fail(Diag::BadCharacter, token,
             {llvm::isPrint(c)
                  ? "'" + std::string(1, c) + "'"
                  : "with code 0x" + llvm::utohexstr((unsigned char)c)});
    }
    tokens.push_back(token);
    skip(token.text.size());
  }
  tokens.push_back({Token::End, "", line, column});
}

const Token &TokenStream::peek(unsigned ahead) const {
  return tokens[std::min(position + ahead, tokens.size() - 1)];
}

Token TokenStream::next() {
  Token token = peek();
  if (position + 1 < tokens.size())
    ++position;
  return token;
}

bool TokenStream::accept(llvm::StringRef what) {
  if (!at(what))
    return false;
  next();
  return true;
}

bool TokenStream::expect(llvm::StringRef what, llvm::StringRef context) {
  if (accept(what))
    return true;
  std::string wanted = "'" + what.str() + "'";
  if (!context.empty())
    wanted += " " + context.str();
  return fail(Diag::Expected, peek(), {wanted, shown(peek())});
}

bool TokenStream::expectName(NamedAt &out, llvm::StringRef what) {
  const Token &token = peek();
  if (token.kind != Token::Word)
    return fail(Diag::Expected, token, {what.str(), shown(token)});
  if (isReserved(token.text))
    return fail(Diag::ReservedWord, token, {token.text.str()});
  out = {token.text.str(), where(token)};
  next();
  return true;
}

SourceLocation TokenStream::where(const Token &token) const {
  return {text->file, token.line, token.column, ""};
}

std::string TokenStream::shown(const Token &token) {
  if (token.kind == Token::End)
    return "the end of the text";
  return "'" + token.text.take_front(40).str() + "'";
}

bool TokenStream::fail(Diag id, const Token &at,
                       std::vector<std::string> arguments) {
  if (!fault)
    fault = Fault{id, where(at), std::move(arguments)};
  return false;
}

llvm::Error TokenStream::takeError() const {
  if (!fault)
    return llvm::Error::success();
  return fault->error({text});
}
