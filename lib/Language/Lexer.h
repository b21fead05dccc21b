//===- Lexer.h - Text to tokens ---------------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The text of one file or flag comes in; a stream of words, numbers and
// punctuation goes out, with places. The stream also keeps the first fault, so
// that the parsers above it return null and say why once.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LANGUAGE_LEXER_H
#define WARPFOLD_LANGUAGE_LEXER_H

#include "Language/Diagnostics.h"

#include <memory>
#include <string>
#include <vector>

namespace wf {

// Words that no input, state, param, let or field may be called. Type names
// are reserved too.
#define WF_RESERVED_WORDS(X)                                                   \
  X(reduction)                                                                 \
  X(map)                                                                       \
  X(combine)                                                                   \
  X(update)                                                                    \
  X(finish) X(neutral) X(empty) X(commutative) X(exact) X(param) X(pivot)      \
      X(shift) X(if) X(then) X(else) X(let) X(in) X(true) X(false) X(inf)      \
          X(nan) X(index) X(count)

/// Reserved words, type names, and the names of types to come.
bool isReserved(llvm::StringRef word);
/// "f16" and the other types the language will have: reserved already.
bool isFutureType(llvm::StringRef word);
/// "f64, f32, i8, …"
std::string allTypeNames();

struct Token {
  enum Kind : uint8_t { Word, Number, Punctuation, End } kind;
  llvm::StringRef text;
  uint32_t line, column;
};

/// The tokens of one source text and a position in them.
class TokenStream {
public:
  explicit TokenStream(std::shared_ptr<const SourceText> source);

  const Token &peek(unsigned ahead = 0) const;
  Token next();
  /// True if the next token is this punctuation or word.
  bool at(llvm::StringRef text) const { return isText(peek(), text); }
  bool accept(llvm::StringRef text);
  /// Takes the token, or fails with "expected 'text' CONTEXT, found …".
  bool expect(llvm::StringRef text, llvm::StringRef context = "");
  /// A word that is not reserved; fails otherwise. `what` is "a name", ….
  bool expectName(NamedAt &out, llvm::StringRef what);

  SourceLocation where(const Token &token) const;
  /// "'+'", "the end of the text".
  static std::string shown(const Token &token);

  /// Records a fault unless there is one; returns false.
  bool fail(Diag id, const Token &at, std::vector<std::string> arguments = {});
  bool failed() const { return fault.has_value(); }
  llvm::Error takeError() const;
  const std::shared_ptr<const SourceText> &source() const { return text; }

private:
  static bool isText(const Token &token, llvm::StringRef text) {
    return token.kind != Token::End && token.kind != Token::Number &&
           token.text == text;
  }
  void lex();
  size_t lexNumber(llvm::StringRef rest, Token &token);

  std::shared_ptr<const SourceText> text;
  std::vector<Token> tokens;
  size_t position = 0;
  std::optional<Fault> fault;
};

} // namespace wf

#endif // WARPFOLD_LANGUAGE_LEXER_H
