//===- LanguageFuzzer.cpp - Any bytes through the language ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The bytes are a .fold file. What parses must print, parse again to the same
// AST, and print the same; checking it under f32, and what comes of that, must
// end. Errors are fine, crashes and hangs are not.
//===----------------------------------------------------------------------===//
#include "Language/Checker.h"
#include "Language/Parser.h"
#include "Language/Printer.h"

#include <cstdlib>

using namespace wf;

static void require(bool holds) {
  if (!holds)
    std::abort();
}

static void roundTrip(const ReductionAst &ast) {
  std::string text = print(ast);
  auto again = parseReductions(text, "printed.fold");
  require(bool(again));
  require(again->size() == 1 && sameReduction(ast, again->front()));
  require(print(again->front()) == text);
}

static void checkUnder(const ReductionAst &ast, ScalarType type, bool nan) {
  CheckOptions options;
  options.inputs.assign(ast.inputs.size(), type);
  options.nanIgnore = nan;
  auto program = check(ast, options);
  if (!program) {
    require(!llvm::toString(program.takeError()).empty());
    return;
  }
  require(!program->canonicalText().empty());
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  auto reductions = parseReductions(text, "fuzz.fold");
  if (!reductions) {
    require(!llvm::toString(reductions.takeError()).empty());
    return 0;
  }
  for (const ReductionAst &ast : *reductions) {
    roundTrip(ast);
    checkUnder(ast, ScalarType::F32, false);
    checkUnder(ast, ScalarType::F32, true);
    checkUnder(ast, ScalarType::U8, false);
  }
  return 0;
}
