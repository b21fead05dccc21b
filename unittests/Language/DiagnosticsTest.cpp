//===- DiagnosticsTest.cpp - Every diagnostic's exact text ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// One or more cases for each id of Diagnostics.def: what is wrong, and the
// whole text a user sees. An id without a case fails the last test.
//===----------------------------------------------------------------------===//
#include "DiagnosticCases.h"
#include "Language/Catalogue.h"
#include "Reductions.h"

#include "Error/Error.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace wf;
using namespace wf::test;
using T = ScalarType;

std::string wf::test::body(const std::string &clauses) {
  return "reduction r(x) {\n" + clauses + "\n}";
}

Case wf::test::inFile(Diag id, std::string file, std::string text) {
  Case out{id};
  out.file = std::move(file);
  out.text = std::move(text);
  return out;
}

Case wf::test::inBody(Diag id, const std::string &clauses, std::string text) {
  return inFile(id, body(clauses), std::move(text));
}

Case wf::test::inCombine(Diag id, std::string combine, std::string text) {
  Case out{id};
  out.clauses.combine = std::move(combine);
  out.text = std::move(text);
  return out;
}

Case wf::test::inOp(Diag id, std::string op, CheckOptions options,
                    std::string text) {
  Case out{id};
  out.op = std::move(op);
  out.options = std::move(options);
  out.text = std::move(text);
  return out;
}

Case wf::test::with(Case out, CheckOptions options) {
  out.options = std::move(options);
  return out;
}

Case wf::test::withClauses(Diag id, ClauseTexts clauses, std::string text) {
  Case out{id};
  out.clauses = std::move(clauses);
  out.text = std::move(text);
  return out;
}

ClauseTexts wf::test::withParam(std::string combine, ParamDecl param) {
  ClauseTexts out;
  out.combine = std::move(combine);
  out.params = {std::move(param)};
  return out;
}

CheckOptions wf::test::types(std::vector<T> inputs) {
  return {inputs, {}, false, {}};
}

CheckOptions wf::test::param(std::string name, std::string value) {
  return {{T::F32}, {}, false, {{std::move(name), std::move(value)}}};
}

static llvm::Expected<ReductionAst> parseCase(const Case &c) {
  if (!c.op.empty())
    return lookupOp(c.op);
  if (c.file.empty())
    return parseClauses(c.clauses);
  auto reductions = parseReductions(c.file, "t.fold");
  if (!reductions)
    return reductions.takeError();
  return reductions->front();
}

static llvm::Error errorOfCase(const Case &c) {
  auto ast = parseCase(c);
  if (!ast)
    return ast.takeError();
  auto program = check(*ast, c.options);
  return program ? llvm::Error::success() : program.takeError();
}

/// True if `text` is `form` with something for every {n}.
static bool hasForm(llvm::StringRef text, llvm::StringRef form) {
  while (true) {
    size_t hole = form.find('{');
    llvm::StringRef literal = form.take_front(hole);
    if (!text.consume_front(literal))
      return false;
    if (hole == llvm::StringRef::npos)
      return text.empty();
    form = form.drop_front(hole + 3);
    llvm::StringRef after = form.take_front(form.find('{'));
    size_t next = after.empty() ? text.size() : text.find(after);
    if (next == llvm::StringRef::npos)
      return false;
    text = text.drop_front(next);
  }
}

static std::vector<Case> cases() {
  std::vector<Case> out = syntaxCases;
  out.insert(out.end(), typeCases.begin(), typeCases.end());
  return out;
}

TEST(Diagnostics, ExactText) {
  for (const Case &c : cases()) {
    const DiagText &form = diagTexts()[unsigned(c.id)];
    SCOPED_TRACE(form.id);
    llvm::Error error = errorOfCase(c);
    ASSERT_TRUE(bool(error));
    std::string message;
    ErrorKind kind = ErrorKind::Internal;
    llvm::handleAllErrors(std::move(error), [&](const WarpfoldError &e) {
      kind = e.kind;
      message = e.message;
      std::string text;
      llvm::raw_string_ostream os(text);
      e.log(os);
      EXPECT_EQ(text, c.text);
    });
    EXPECT_EQ(kind, ErrorKind::User);
    EXPECT_TRUE(hasForm(message, form.message)) << message;
  }
}

TEST(Diagnostics, EveryIdHasACase) {
  std::set<Diag> covered;
  for (const Case &c : cases())
    covered.insert(c.id);
  for (size_t i = 0; i != diagTexts().size(); ++i)
    EXPECT_TRUE(covered.count(Diag(i))) << diagTexts()[i].id;
}

static llvm::Error parseAndCheck(const ClauseTexts &clauses) {
  auto ast = parseClauses(clauses);
  if (!ast)
    return ast.takeError();
  return check(*ast, types({T::F32})).takeError();
}

TEST(Diagnostics, CaretUnderTabsAndUtf8) {
  std::string text = errorOf("\tcombine(a, b) = a + c", T::F32);
  EXPECT_NE(text.find("\n  \tcombine(a, b) = a + c\n  \t                    ^"),
            std::string::npos)
      << text;
  ClauseTexts clauses;
  clauses.combine = "(a, b) -> a + \xc3\xa9";
  text = textOf(parseClauses(clauses).takeError());
  EXPECT_NE(text.find("\xc3\xa9\n                ^"), std::string::npos)
      << text;
  // A long line is cut to what is near the caret.
  clauses.combine =
      "(a, b) -> a" + std::string(1000, ' ') + "+ c" + std::string(1000, ' ');
  text = textOf(parseAndCheck(clauses));
  EXPECT_NE(text.find("--combine:1:1014: error: there is no 'c' here\n  ... "),
            std::string::npos)
      << text;
  size_t line = text.find("\n  ...") + 3;
  size_t caret = text.find("\n  ", line) + 3;
  EXPECT_EQ(text.find('c', line) - line, text.find('^') - caret) << text;
  // Bytes that are no text are not shown as they are.
  clauses.combine = "(a, b) -> a + \xff\x01";
  text = textOf(parseClauses(clauses).takeError());
  EXPECT_NE(text.find("a + ??\n"), std::string::npos) << text;
}
