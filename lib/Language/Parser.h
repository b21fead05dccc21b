//===- Parser.h - Text to AST -----------------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Two ways in: the text of a .fold file, and the clauses of the command line
// and of the C++ API, each a text of its own. Both give the same AST. The
// grammar is in docs/language.md. Errors are the user's, with file (or flag),
// line, column, the source line and a caret.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LANGUAGE_PARSER_H
#define WARPFOLD_LANGUAGE_PARSER_H

#include "Language/Ast.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace wf {

/// All reductions of a .fold file, at least one. `fileName` is only shown.
llvm::Expected<std::vector<ReductionAst>>
parseReductions(llvm::StringRef text, llvm::StringRef fileName);

/// `--param p:f32=0.5` declares p with a type, `--param p=0.5` without one.
/// The value is not looked at here: it goes to CheckOptions::params.
struct ParamDecl {
  std::string name;
  std::optional<ScalarType> type;
};

/// (name or name:type) as in `--param` to a declaration; an error names what
/// is wrong with the name or the type.
llvm::Expected<ParamDecl> parseParamDecl(llvm::StringRef nameAndType);

/// Clauses as texts. Functions are written `(a, b) -> a + b`; neutral and empty
/// are expressions. The inputs take their names from map, else from update.
struct ClauseTexts {
  std::optional<std::string> map, combine, update, finish, neutral, empty;
  bool commutative = false;
  std::vector<ParamDecl> params;
};

/// The reduction, named "custom". Excerpts of errors name the flag:
/// "--combine:1:12".
llvm::Expected<ReductionAst> parseClauses(const ClauseTexts &texts);

} // namespace wf

#endif // WARPFOLD_LANGUAGE_PARSER_H
