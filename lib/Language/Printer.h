//===- Printer.h - AST to text ----------------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The language's one layout: a clause a line, the `=` signs in one column,
// parentheses only where the grammar needs them, long conditions and lets over
// several lines. Parsing what is printed gives the same AST. Comments are lost.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LANGUAGE_PRINTER_H
#define WARPFOLD_LANGUAGE_PRINTER_H

#include "Language/Ast.h"

#include <string>

namespace wf {

/// The whole reduction, with a newline at the end.
std::string print(const ReductionAst &ast);
/// One expression, on one line.
std::string print(const Expr &expr);

} // namespace wf

#endif // WARPFOLD_LANGUAGE_PRINTER_H
