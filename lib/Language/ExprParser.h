//===- ExprParser.h - Tokens to expressions ---------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Recursive descent over the expression part of the grammar (docs/language.md).
// A null result means that the stream holds the fault.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LANGUAGE_EXPRPARSER_H
#define WARPFOLD_LANGUAGE_EXPRPARSER_H

#include "Language/Ast.h"
#include "Language/Lexer.h"

namespace wf {

/// One expression, as long as it goes.
ExprPtr parseExpr(TokenStream &tokens);

/// A literal or a minus and one: what a param may be set to.
ExprPtr parseLiteral(TokenStream &tokens);

/// The name of a scalar type.
std::optional<ScalarType> parseType(TokenStream &tokens);

} // namespace wf

#endif // WARPFOLD_LANGUAGE_EXPRPARSER_H
