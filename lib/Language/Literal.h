//===- Literal.h - A literal's bits in a type -------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Literals have no type of their own: they adapt to the one the place needs.
// Decimals round once, to nearest even; a decimal with a whole value adapts to
// integers too (1e3 is 1000, -0.0 is 0).
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LANGUAGE_LITERAL_H
#define WARPFOLD_LANGUAGE_LITERAL_H

#include "Language/Ast.h"
#include "llvm/ADT/StringRef.h"

namespace wf {

enum class LiteralFit : uint8_t { Fits, NotWhole, OutOfRange, NotABool };

/// The stored bits (as in Node::payload) of the number `text`, negated if
/// `negative`, in `type`. `text` is a token of the lexer, or "inf" or "nan".
/// A value too large for a float type, or one that would round to zero without
/// being zero, is out of range.
LiteralFit literalBits(llvm::StringRef text, bool negative, ScalarType type,
                       uint64_t &bits);

/// The same for a literal expression: a number, a minus and one, or a bool.
LiteralFit literalBits(const Expr &literal, ScalarType type, uint64_t &bits);

/// Bits of the least and the greatest value: -inf and inf for floats.
uint64_t lowestBits(ScalarType type);
uint64_t highestBits(ScalarType type);

} // namespace wf

#endif // WARPFOLD_LANGUAGE_LITERAL_H
