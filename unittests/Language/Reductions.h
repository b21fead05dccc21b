//===- Reductions.h - Short ways to ASTs and programs -----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The tests' calls of parser and checker: a failure stops the test with the
// diagnostic's text.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_UNITTESTS_LANGUAGE_REDUCTIONS_H
#define WARPFOLD_UNITTESTS_LANGUAGE_REDUCTIONS_H

#include "Language/Checker.h"
#include "Language/Parser.h"

#include "gtest/gtest.h"

namespace wf::test {

/// The text of an error: excerpt or message, and hint.
std::string textOf(llvm::Error error);

/// The first reduction of a file's text.
ReductionAst parsed(llvm::StringRef text);
/// `reduction r(x) { BODY }`.
ReductionAst parsedBody(llvm::StringRef body);
/// `reduction r(x) { map = x  combine(a, b) = a  finish(s) = TEXT }`'s TEXT.
ExprPtr parsedExpr(llvm::StringRef text);

Program checked(const ReductionAst &ast, const CheckOptions &options);
/// One input of the type.
Program checked(const ReductionAst &ast, ScalarType input);
/// The error of checking `reduction r(x) { BODY }`; empty if there is none.
std::string errorOf(llvm::StringRef body, ScalarType input);

/// Every scalar type.
const std::vector<ScalarType> &allTypes();

} // namespace wf::test

#endif // WARPFOLD_UNITTESTS_LANGUAGE_REDUCTIONS_H
