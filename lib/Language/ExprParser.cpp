//===- ExprParser.cpp - Tokens to expressions -----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// expr = if | let | operators. Operators by precedence climbing over the table
// of Ast.h. Both the recursion here and the depth of what is built are bounded,
// so that no text can exhaust the stack, here or in later walks.
//===----------------------------------------------------------------------===//
#include "Language/ExprParser.h"

#include <algorithm>

using namespace wf;

namespace {
/// The printer adds at most one pair of parentheses to a level of the AST, so
/// whatever was parsed can be printed and parsed again.
constexpr unsigned maxRecursion = 2 * MaxDepth;

class ExprParser {
public:
  explicit ExprParser(TokenStream &tokens) : tokens(tokens) {}

  ExprPtr expr();
  ExprPtr literal();

private:
  ExprPtr ifExpr();
  ExprPtr letExpr();
  ExprPtr binary(int minPrecedence);
  ExprPtr unary();
  ExprPtr postfix();
  ExprPtr primary();
  ExprPtr parenthesised();
  ExprPtr record(const Token &open);
  ExprPtr call();
  bool bitcastType(Expr &call);

  std::shared_ptr<Expr> make(ExprKind kind, const Token &at, std::string text,
                             std::vector<ExprPtr> operands = {});
  ExprPtr fail(Diag id, const Token &at, std::vector<std::string> arguments) {
    tokens.fail(id, at, std::move(arguments));
    return nullptr;
  }
  ExprPtr tooDeep(const Token &at) {
    return fail(Diag::TooDeep, at, {std::to_string(MaxDepth)});
  }

  TokenStream &tokens;
  unsigned level = 0;
};

struct LevelGuard {
  explicit LevelGuard(unsigned &level) : level(++level) {}
  ~LevelGuard() { --level; }
  unsigned &level;
};
} // namespace

/// Null if any operand is null or the result would be too deep.
std::shared_ptr<Expr> ExprParser::make(ExprKind kind, const Token &at,
                                       std::string text,
                                       std::vector<ExprPtr> operands) {
  auto e = std::make_shared<Expr>();
  e->kind = kind;
  e->where = tokens.where(at);
  e->text = std::move(text);
  for (const ExprPtr &operand : operands) {
    if (!operand)
      return nullptr;
    e->depth = std::max(e->depth, operand->depth + 1);
  }
  if (e->depth > MaxDepth) {
    tooDeep(at);
    return nullptr;
  }
  e->operands = std::move(operands);
  return e;
}

ExprPtr ExprParser::expr() {
  LevelGuard guard(level);
  if (level > maxRecursion)
    return tooDeep(tokens.peek());
  if (tokens.at("if"))
    return ifExpr();
  if (tokens.at("let"))
    return letExpr();
  return binary(1);
}

ExprPtr ExprParser::ifExpr() {
  Token start = tokens.next();
  ExprPtr condition = expr();
  if (!condition || !tokens.expect("then", "after the condition"))
    return nullptr;
  ExprPtr thenValue = expr();
  if (!thenValue || !tokens.expect("else", "after the value of then"))
    return nullptr;
  ExprPtr elseValue = expr();
  return make(ExprKind::If, start, "", {condition, thenValue, elseValue});
}

ExprPtr ExprParser::letExpr() {
  Token start = tokens.next();
  NamedAt bound;
  if (!tokens.expectName(bound, "a name after let") ||
      !tokens.expect("=", "after the name"))
    return nullptr;
  ExprPtr value = expr();
  if (!value || !tokens.expect("in", "after the value of let"))
    return nullptr;
  ExprPtr body = expr();
  return make(ExprKind::Let, start, bound.name, {value, body});
}

static std::optional<BinaryOp> binaryOpAt(const Token &token) {
  if (token.kind != Token::Punctuation)
    return std::nullopt;
#define X(E, S, ...)                                                           \
  if (token.text == S)                                                         \
    return BinaryOp::E;
  WF_BINARY_OPS(X)
#undef X
  return std::nullopt;
}

ExprPtr ExprParser::binary(int minPrecedence) {
  ExprPtr left = unary();
  bool leftIsComparison = false;
  while (left) {
    Token at = tokens.peek();
    std::optional<BinaryOp> op = binaryOpAt(at);
    if (!op || precedence(*op) < minPrecedence)
      return left;
    bool comparison = kindOf(*op) == 'c';
    if (comparison && leftIsComparison)
      return fail(Diag::ComparisonChain, at, {});
    tokens.next();
    ExprPtr right = binary(precedence(*op) + 1);
    auto e = make(ExprKind::Binary, at, "", {left, right});
    if (!e)
      return nullptr;
    e->binary = *op;
    left = e;
    leftIsComparison = comparison;
  }
  return nullptr;
}

ExprPtr ExprParser::unary() {
  Token at = tokens.peek();
  UnaryOp op;
  if (tokens.at("-"))
    op = UnaryOp::Neg;
  else if (tokens.at("!"))
    op = UnaryOp::LogicalNot;
  else if (tokens.at("~"))
    op = UnaryOp::BitNot;
  else
    return postfix();
  LevelGuard guard(level);
  if (level > maxRecursion)
    return tooDeep(at);
  tokens.next();
  auto e = make(ExprKind::Unary, at, "", {unary()});
  if (e)
    e->unary = op;
  return e;
}

ExprPtr ExprParser::postfix() {
  ExprPtr e = primary();
  while (e && tokens.accept(".")) {
    Token field = tokens.peek();
    NamedAt name;
    if (!tokens.expectName(name, "a field after '.'"))
      return nullptr;
    e = make(ExprKind::Member, field, name.name, {e});
  }
  return e;
}

ExprPtr ExprParser::primary() {
  Token at = tokens.peek();
  if (at.kind == Token::Number || tokens.at("inf") || tokens.at("nan")) {
    tokens.next();
    return make(ExprKind::Number, at, at.text.str());
  }
  if (tokens.at("true") || tokens.at("false")) {
    tokens.next();
    return make(ExprKind::Bool, at, at.text.str());
  }
  if (tokens.at("("))
    return parenthesised();
  if (at.kind != Token::Word)
    return fail(Diag::ExpectedExpression, at, {TokenStream::shown(at)});
  bool isType =
      scalarTypeNamed(std::string_view(at.text)) || isFutureType(at.text);
  bool isCall =
      tokens.peek(1).kind == Token::Punctuation && tokens.peek(1).text == "(";
  if (isCall && (isType || at.text == "count" || !isReserved(at.text)))
    return call();
  if (isReserved(at.text) && at.text != "index" && at.text != "count")
    return fail(Diag::ExpectedExpression, at, {TokenStream::shown(at)});
  tokens.next();
  return make(ExprKind::Name, at, at.text.str());
}

ExprPtr ExprParser::parenthesised() {
  Token open = tokens.next();
  if (tokens.peek().kind == Token::Word &&
      tokens.peek(1).kind == Token::Punctuation && tokens.peek(1).text == ":")
    return record(open);
  ExprPtr inner = expr();
  if (!inner)
    return nullptr;
  if (tokens.at(","))
    return fail(Diag::TupleWithoutNames, tokens.peek(), {});
  return tokens.expect(")") ? inner : nullptr;
}

ExprPtr ExprParser::record(const Token &open) {
  std::vector<std::string> names;
  std::vector<ExprPtr> values;
  do {
    Token at = tokens.peek();
    NamedAt name;
    if (!tokens.expectName(name, "a field's name") ||
        !tokens.expect(":", "after the field's name"))
      return nullptr;
    if (std::find(names.begin(), names.end(), name.name) != names.end())
      return fail(Diag::DuplicateName, at, {name.name});
    ExprPtr value = expr();
    if (!value)
      return nullptr;
    names.push_back(name.name);
    values.push_back(value);
  } while (tokens.accept(","));
  if (!tokens.expect(")", "or ',' after a field"))
    return nullptr;
  auto e = make(ExprKind::Record, open, "", std::move(values));
  if (e)
    e->fields = std::move(names);
  return e;
}

ExprPtr ExprParser::call() {
  Token callee = tokens.next();
  tokens.next(); // (
  std::vector<ExprPtr> arguments;
  Expr target;
  bool isBitcast = callee.text == "bitcast";
  if (!tokens.at(")"))
    do {
      if (isBitcast && arguments.size() == 1) {
        if (!bitcastType(target))
          return nullptr;
        break;
      }
      ExprPtr argument = expr();
      if (!argument)
        return nullptr;
      arguments.push_back(argument);
    } while (tokens.accept(","));
  if (isBitcast && target.text.empty()) {
    tokens.fail(
        Diag::Expected, tokens.peek(),
        {"', TYPE' as in bitcast(x, u32)", TokenStream::shown(tokens.peek())});
    return nullptr;
  }
  if (!tokens.expect(")", "or ',' after an argument"))
    return nullptr;
  auto e =
      make(ExprKind::Call, callee, callee.text.str(), std::move(arguments));
  if (e && isBitcast)
    e->type = target.type;
  return e;
}

bool ExprParser::bitcastType(Expr &target) {
  std::optional<ScalarType> type = parseType(tokens);
  if (!type)
    return false;
  target.type = *type;
  target.text = "type";
  return true;
}

ExprPtr ExprParser::literal() {
  Token at = tokens.peek();
  bool minus = tokens.at("-");
  const Token &first = tokens.peek(minus ? 1 : 0);
  bool number =
      first.kind == Token::Number || first.text == "inf" || first.text == "nan";
  bool truth = !minus && (first.text == "true" || first.text == "false");
  if (!number && !truth)
    return fail(Diag::ParamLiteral, first, {TokenStream::shown(first)});
  if (!minus)
    return primary();
  tokens.next();
  auto e = make(ExprKind::Unary, at, "", {primary()});
  return e;
}

ExprPtr wf::parseExpr(TokenStream &tokens) { return ExprParser(tokens).expr(); }

ExprPtr wf::parseLiteral(TokenStream &tokens) {
  return ExprParser(tokens).literal();
}

std::optional<ScalarType> wf::parseType(TokenStream &tokens) {
  const Token &at = tokens.peek();
  if (at.kind != Token::Word) {
    tokens.fail(Diag::Expected, at, {"a type", TokenStream::shown(at)});
    return std::nullopt;
  }
  if (isFutureType(at.text)) {
    tokens.fail(Diag::ComesLater, at,
                {at.text.str(), "the types are " + allTypeNames()});
    return std::nullopt;
  }
  auto type = scalarTypeNamed(std::string_view(at.text));
  if (!type) {
    tokens.fail(Diag::UnknownType, at, {at.text.str(), allTypeNames()});
    return std::nullopt;
  }
  tokens.next();
  return type;
}
