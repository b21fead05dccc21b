//===- Reductions.cpp - Short ways to ASTs and programs -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Reductions.h"

#include "Error/Error.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace wf;

std::string wf::test::textOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}

[[noreturn]] static void stop(llvm::Error error) {
  llvm::errs() << llvm::toString(std::move(error)) << '\n';
  std::abort();
}

ReductionAst wf::test::parsed(llvm::StringRef text) {
  auto reductions = parseReductions(text, "t.fold");
  if (!reductions)
    stop(reductions.takeError());
  return reductions->front();
}

ReductionAst wf::test::parsedBody(llvm::StringRef body) {
  return parsed(("reduction r(x) {\n" + body + "\n}\n").str());
}

ExprPtr wf::test::parsedExpr(llvm::StringRef text) {
  return parsedBody(("combine(a, b) = a finish(s) = " + text).str())
      .finish->body;
}

Program wf::test::checked(const ReductionAst &ast,
                          const CheckOptions &options) {
  auto program = check(ast, options);
  if (!program)
    stop(program.takeError());
  return *program;
}

Program wf::test::checked(const ReductionAst &ast, ScalarType input) {
  CheckOptions options;
  options.inputs = {input};
  return checked(ast, options);
}

std::string wf::test::errorOf(llvm::StringRef body, ScalarType input) {
  CheckOptions options;
  options.inputs = {input};
  auto reductions =
      parseReductions(("reduction r(x) {\n" + body + "\n}\n").str(), "t.fold");
  if (!reductions)
    return textOf(reductions.takeError());
  auto program = check(reductions->front(), options);
  return program ? "" : textOf(program.takeError());
}

const std::vector<ScalarType> &wf::test::allTypes() {
  static const std::vector<ScalarType> types = {
#define X(E, ...) ScalarType::E,
      WF_SCALAR_TYPES(X)
#undef X
  };
  return types;
}
