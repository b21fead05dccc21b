//===- IrTokens.h - MLIR and LLVM IR cut into tokens ------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Internal to inspect. Lines mean nothing here, so that a block on one line
// reads as one on twenty. What is no token (prose around IR) is skipped.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_INSPECT_IRTOKENS_H
#define WARPFOLD_EXPLAIN_INSPECT_IRTOKENS_H

#include <cstdint>
#include <string_view>
#include <vector>

namespace wf::explain::ir {

struct Token {
  enum class Kind : uint8_t {
    Word,      ///< arith.addf, tensor<4xf32>, loc
    Value,     ///< %x, %5#1
    Symbol,    ///< @name
    Attribute, ///< #blocked, #ttg.slice<{…}>
    Type,      ///< !tt.ptr<f32>
    Block,     ///< ^bb0
    Number,
    String, ///< without its quotes
    Mark    ///< one character of punctuation, or "->"
  };
  Kind kind = Kind::Mark;
  std::string_view text;
  uint32_t line = 0;

  bool is(std::string_view mark) const {
    return kind == Kind::Mark && text == mark;
  }
  bool dotted() const {
    return (kind == Kind::Word || kind == Kind::String) &&
           text.find('.') != std::string_view::npos &&
           text.find('<') == std::string_view::npos; // tensor<…> is a type
  }
};

/// A text's tokens, views of it, and which brackets belong together.
struct Tokens {
  std::vector<Token> all;
  /// For "(", "[" and "{": the index of what closes it, or its own where
  /// nothing does. For other tokens their own.
  std::vector<uint32_t> close;

  size_t size() const { return all.size(); }
  const Token &operator[](size_t i) const { return all[i]; }
  bool is(size_t i, std::string_view mark) const {
    return i < all.size() && all[i].is(mark);
  }
  bool word(size_t i, std::string_view text) const {
    return i < all.size() && all[i].kind == Token::Kind::Word &&
           all[i].text == text;
  }
  bool kind(size_t i, Token::Kind kind) const {
    return i < all.size() && all[i].kind == kind;
  }
  /// Whether an operation starts at `at`: "%x = op", "op", or as articles print
  /// it, "%x op".
  bool startsOperation(size_t at) const;

private:
  bool isOperationName(size_t at) const;
};
Tokens cutTokens(std::string_view text, bool llvm);

} // namespace wf::explain::ir

#endif // WARPFOLD_EXPLAIN_INSPECT_IRTOKENS_H
