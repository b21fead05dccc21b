//===- Parser.cpp - Text to AST -------------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The clause part of the grammar, for files and for the command line. The
// rules that need no types are checked here: every clause once, names that
// differ, the right number of names, combine present.
//===----------------------------------------------------------------------===//
#include "Language/Parser.h"

#include "Language/ExprParser.h"
#include "Language/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace wf;

namespace {
/// What a clause takes, for messages: "combine takes two states".
struct ClauseForm {
  llvm::StringRef word;
  std::optional<Clause> ReductionAst::*member;
  llvm::StringRef fileForm, lambdaForm;
};
} // namespace

static const ClauseForm clauseForms[] = {
    {"map", &ReductionAst::map, "map = x*x", "(x) -> x*x"},
    {"combine", &ReductionAst::combine, "combine(a, b) = a + b",
     "(a, b) -> a + b"},
    {"update", &ReductionAst::update, "update(s, x) = s + x",
     "(s, x) -> s + x"},
    {"finish", &ReductionAst::finish, "finish(s) = sqrt(s)", "(s) -> sqrt(s)"},
    {"neutral", &ReductionAst::neutral, "neutral = 0", "0"},
    {"empty", &ReductionAst::empty, "empty = 0", "0"},
};

static const ClauseForm *clauseForm(llvm::StringRef word) {
  for (const ClauseForm &form : clauseForms)
    if (form.word == word)
      return &form;
  return nullptr;
}

static SourceLocation noPlace() { return {}; }

/// ( NAME, NAME, … ) with names that differ.
static bool parseNames(TokenStream &tokens, std::vector<NamedAt> &out) {
  if (!tokens.expect("("))
    return false;
  do {
    Token at = tokens.peek();
    NamedAt name;
    if (!tokens.expectName(name, "a name"))
      return false;
    for (const NamedAt &other : out)
      if (other.name == name.name)
        return tokens.fail(Diag::DuplicateName, at, {name.name});
    out.push_back(std::move(name));
  } while (tokens.accept(","));
  return tokens.expect(")", "or ',' after a name");
}

/// The number of names a clause needs; map's are the inputs and checked there.
static bool checkNameCount(TokenStream &tokens, const Token &at,
                           const ClauseForm &form, size_t given, size_t inputs,
                           llvm::StringRef example) {
  auto wrong = [&](std::string takes) {
    return tokens.fail(Diag::WrongNameCount, at,
                       {form.word.str(), std::move(takes),
                        counted(given, "name"), example.str()});
  };
  if (form.word == "combine" && given != 2)
    return wrong("two states");
  if (form.word == "finish" && given != 1)
    return wrong("one state");
  if (form.word == "update" && given != inputs + 1)
    return wrong("a state and " + counted(inputs, "element"));
  return true;
}

static bool parseParam(TokenStream &tokens, ReductionAst &ast) {
  tokens.next();
  Token at = tokens.peek();
  NamedAt name;
  if (!tokens.expectName(name, "a param's name"))
    return false;
  ParamAst param{name.name, name.where, std::nullopt, nullptr};
  if (tokens.accept(":")) {
    param.type = parseType(tokens);
    if (!param.type)
      return false;
  }
  if (tokens.accept("=")) {
    param.value = parseLiteral(tokens);
    if (!param.value)
      return false;
  }
  auto sameName = [&](const auto &other) { return other.name == name.name; };
  if (llvm::any_of(ast.params, sameName) || llvm::any_of(ast.inputs, sameName))
    return tokens.fail(Diag::DuplicateName, at, {name.name});
  ast.params.push_back(std::move(param));
  return true;
}

static bool parseFact(TokenStream &tokens, bool &fact) {
  Token at = tokens.next();
  if (fact)
    return tokens.fail(Diag::DuplicateClause, at, {at.text.str()});
  fact = true;
  return true;
}

/// One clause, param or fact of a reduction in a file.
static bool parseItem(TokenStream &tokens, ReductionAst &ast) {
  Token at = tokens.peek();
  if (tokens.at("commutative"))
    return parseFact(tokens, ast.commutative);
  if (tokens.at("exact"))
    return parseFact(tokens, ast.exact);
  if (tokens.at("param"))
    return parseParam(tokens, ast);
  if (tokens.at("pivot") || tokens.at("shift"))
    return tokens.fail(Diag::ComesLater, at,
                       {at.text.str(), "its place in the grammar is reserved"});
  const ClauseForm *form =
      at.kind == Token::Word ? clauseForm(at.text) : nullptr;
  if (!form)
    return tokens.fail(Diag::UnknownClause, at, {TokenStream::shown(at)});
  std::optional<Clause> &slot = ast.*form->member;
  if (slot)
    return tokens.fail(Diag::DuplicateClause, at, {form->word.str()});
  tokens.next();
  Clause clause{tokens.where(at), {}, nullptr};
  bool hasNames = form->word == "combine" || form->word == "update" ||
                  form->word == "finish";
  if (hasNames && (!parseNames(tokens, clause.names) ||
                   !checkNameCount(tokens, at, *form, clause.names.size(),
                                   ast.inputs.size(), form->fileForm)))
    return false;
  if (!tokens.expect("=",
                     hasNames ? "after the names" : "after the clause's name"))
    return false;
  clause.body = parseExpr(tokens);
  if (!clause.body)
    return false;
  slot = std::move(clause);
  return true;
}

static bool parseReduction(TokenStream &tokens, ReductionAst &ast) {
  Token start = tokens.peek();
  if (!tokens.expect("reduction", "at the start of a reduction"))
    return false;
  NamedAt name;
  if (!tokens.expectName(name, "the reduction's name"))
    return false;
  ast.name = name.name;
  ast.where = name.where;
  if (!parseNames(tokens, ast.inputs))
    return false;
  if (ast.inputs.size() > 4)
    return tokens.fail(Diag::TooManyInputs, start,
                       {std::to_string(ast.inputs.size())});
  if (!tokens.expect("{", "after the inputs"))
    return false;
  while (!tokens.at("}"))
    if (!parseItem(tokens, ast))
      return false;
  if (!ast.combine)
    return tokens.fail(Diag::MissingCombine, start, {"combine(a, b) = a + b"});
  tokens.next();
  ast.sources = {tokens.source()};
  return true;
}

llvm::Expected<std::vector<ReductionAst>>
wf::parseReductions(llvm::StringRef text, llvm::StringRef fileName) {
  TokenStream tokens(
      std::make_shared<SourceText>(SourceText{fileName.str(), text.str()}));
  std::vector<ReductionAst> out;
  while (!tokens.failed() && tokens.peek().kind != Token::End) {
    ReductionAst ast;
    if (!parseReduction(tokens, ast))
      break;
    for (const ReductionAst &other : out)
      if (other.name == ast.name)
        return diagnose(Diag::DuplicateReduction, ast.where, ast.sources,
                        {ast.name});
    out.push_back(std::move(ast));
  }
  if (tokens.failed())
    return tokens.takeError();
  if (out.empty()) {
    tokens.fail(Diag::NoReduction, tokens.peek());
    return tokens.takeError();
  }
  return out;
}

llvm::Expected<ParamDecl> wf::parseParamDecl(llvm::StringRef nameAndType) {
  TokenStream tokens(
      std::make_shared<SourceText>(SourceText{"--param", nameAndType.str()}));
  NamedAt name;
  ParamDecl out;
  if (!tokens.failed() && tokens.expectName(name, "a param's name")) {
    out.name = name.name;
    if (tokens.accept(":"))
      out.type = parseType(tokens);
    if (!tokens.failed() && tokens.peek().kind != Token::End)
      tokens.fail(
          Diag::Expected, tokens.peek(),
          {"name=value or name:type=value", TokenStream::shown(tokens.peek())});
  }
  if (tokens.failed())
    return tokens.takeError();
  return out;
}

/// One clause of the command line, from its own text.
static bool parseClauseText(TokenStream &tokens, const ClauseForm &form,
                            ReductionAst &ast) {
  if (tokens.failed())
    return false;
  Token at = tokens.peek();
  Clause clause{tokens.where(at), {}, nullptr};
  bool isFunction = form.word != "neutral" && form.word != "empty";
  if (isFunction) {
    if (!tokens.at("("))
      return tokens.fail(Diag::ExpectedFunction, at,
                         {TokenStream::shown(at), form.lambdaForm.str()});
    if (!parseNames(tokens, clause.names))
      return false;
    if (!tokens.expect("->", "after the names"))
      return false;
  }
  size_t given = clause.names.size();
  bool setsInputs = form.word == "map" ||
                    (form.word == "update" && ast.inputs.empty() && given > 1);
  if (setsInputs) {
    ast.inputs.assign(clause.names.begin() + (form.word == "update"),
                      clause.names.end());
    if (ast.inputs.size() > 4)
      return tokens.fail(Diag::TooManyInputs, at,
                         {std::to_string(ast.inputs.size())});
  }
  size_t inputs = ast.inputs.empty() ? 1 : ast.inputs.size();
  if (!checkNameCount(tokens, at, form, given, inputs, form.lambdaForm))
    return false;
  if (form.word == "map")
    clause.names.clear();
  clause.body = parseExpr(tokens);
  if (!clause.body)
    return false;
  if (tokens.peek().kind != Token::End)
    return tokens.fail(
        Diag::Expected, tokens.peek(),
        {"an operator or the end", TokenStream::shown(tokens.peek())});
  ast.*form.member = std::move(clause);
  return true;
}

llvm::Expected<ReductionAst> wf::parseClauses(const ClauseTexts &texts) {
  ReductionAst ast;
  ast.name = "custom";
  ast.commutative = texts.commutative;
  // map before update: its names are the inputs'.
  const std::optional<std::string> *given[] = {&texts.map,     &texts.combine,
                                               &texts.update,  &texts.finish,
                                               &texts.neutral, &texts.empty};
  for (size_t i = 0; i != std::size(given); ++i) {
    if (!*given[i])
      continue;
    const ClauseForm &form = clauseForms[i];
    TokenStream tokens(std::make_shared<SourceText>(
        SourceText{"--" + form.word.str(), **given[i]}));
    ast.sources.push_back(tokens.source());
    if (!parseClauseText(tokens, form, ast))
      return tokens.takeError();
  }
  if (!ast.combine)
    return diagnose(Diag::MissingCombine, noPlace(), {},
                    {"--combine '(a, b) -> a + b'"});
  if (ast.inputs.empty())
    ast.inputs.push_back({"x", noPlace()});
  for (const ParamDecl &param : texts.params) {
    auto sameName = [&](const auto &other) { return other.name == param.name; };
    if (llvm::any_of(ast.params, sameName))
      return diagnose(Diag::ParamTwice, noPlace(), {}, {param.name});
    if (llvm::any_of(ast.inputs, sameName))
      return diagnose(Diag::DuplicateName, noPlace(), {}, {param.name});
    ast.params.push_back({param.name, noPlace(), param.type, nullptr});
  }
  return ast;
}
