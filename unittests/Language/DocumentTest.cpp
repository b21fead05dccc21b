//===- DocumentTest.cpp - The examples of docs/language.md ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Every ```fold block of the page is a reduction that checks under f32, and is
// laid out as the printer lays it out; the page knows every reserved word,
// type, function and built-in reduction.
//===----------------------------------------------------------------------===//
#include "Language/Catalogue.h"
#include "Language/ExprChecker.h"
#include "Language/Lexer.h"
#include "Language/Printer.h"
#include "Reductions.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace wf;
using namespace wf::test;

static std::string document() {
  auto buffer = llvm::MemoryBuffer::getFile(WF_LANGUAGE_DOCUMENT);
  if (!buffer) {
    ADD_FAILURE() << "cannot read " << WF_LANGUAGE_DOCUMENT;
    return "";
  }
  return (*buffer)->getBuffer().str();
}

TEST(Document, ExamplesCheck) {
  std::string text = document();
  llvm::StringRef rest = text;
  unsigned blocks = 0;
  while (true) {
    rest = rest.split("```fold\n").second;
    if (rest.empty())
      break;
    llvm::StringRef block = rest.split("```").first;
    ReductionAst ast = parsed(block);
    CheckOptions options;
    options.inputs.assign(ast.inputs.size(), ScalarType::F32);
    checked(ast, options);
    EXPECT_EQ(print(ast), block.str());
    ++blocks;
  }
  EXPECT_EQ(blocks, 2u);
}

TEST(Document, NothingIsLeftOut) {
  std::string text = document();
  auto has = [&](const std::string &word) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  };
#define X(W) has(#W);
  WF_RESERVED_WORDS(X)
#undef X
#define X(E, N, ...) has("\"" N "\"");
  WF_SCALAR_TYPES(X)
#undef X
  for (const CatalogueEntry &entry : catalogue())
    has(entry.name.str());
  for (const std::string &function : functionNames())
    if (!isReserved(function))
      has(function + "(");
}
