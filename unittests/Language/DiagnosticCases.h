//===- DiagnosticCases.h - Faults and what they say -------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A case is a fault and the whole text a user sees: excerpt or message, hint.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_UNITTESTS_LANGUAGE_DIAGNOSTICCASES_H
#define WARPFOLD_UNITTESTS_LANGUAGE_DIAGNOSTICCASES_H

#include "Language/Checker.h"
#include "Language/Diagnostics.h"
#include "Language/Parser.h"

namespace wf::test {

/// The text of a file, or the clauses of the command line, or the name of a
/// built-in reduction; and what it is checked with.
struct Case {
  Diag id;
  std::string file = "";
  ClauseTexts clauses = {};
  std::string op = "";
  CheckOptions options = {{ScalarType::F32}, std::nullopt, false, {}};
  std::string text = "";
};

/// Characters, tokens and grammar; names, types, clauses, params and catalogue.
extern const std::vector<Case> syntaxCases, typeCases;

/// `reduction r(x) { CLAUSES }`, a line for each brace.
std::string body(const std::string &clauses);

Case inFile(Diag id, std::string file, std::string text);
Case inBody(Diag id, const std::string &clauses, std::string text);
Case inCombine(Diag id, std::string combine, std::string text);
Case inOp(Diag id, std::string op, CheckOptions options, std::string text);
Case withClauses(Diag id, ClauseTexts clauses, std::string text);
/// A combine that may read a param.
ClauseTexts withParam(std::string combine, ParamDecl param);
/// The case under other options.
Case with(Case out, CheckOptions options);
CheckOptions types(std::vector<ScalarType> inputs);
CheckOptions param(std::string name, std::string value);

} // namespace wf::test

#endif // WARPFOLD_UNITTESTS_LANGUAGE_DIAGNOSTICCASES_H
