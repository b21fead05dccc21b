//===- Printer.cpp - AST to text ------------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Expressions print with the fewest parentheses, but for && inside ||, where
// readers want them. A body goes on lines of its own where it starts with let
// or is long.
//===----------------------------------------------------------------------===//
#include "Language/Printer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace wf;

namespace {
// Columns of a clause on one line; the design's own argmax needs 86.
constexpr size_t lineLength = 100;

// Above the binary operators of Ast.h (1 to 9).
constexpr int unaryPrecedence = 10, postfixPrecedence = 11;

class ExprPrinter {
public:
  /// Prints on one line, in parentheses if `e` binds less tightly than `least`.
  void inlineExpr(const Expr &e, int least);
  /// Prints over several lines, each `indent` spaces in.
  void block(const Expr &e, unsigned indent);

  std::string out;

private:
  void body(const Expr &e);
  void list(const Expr &e);
  void newLine(unsigned indent) { out += "\n" + std::string(indent, ' '); }
};
} // namespace

static int precedenceOf(const Expr &e) {
  switch (e.kind) {
  case ExprKind::If:
  case ExprKind::Let:
    return 0;
  case ExprKind::Binary:
    return precedence(e.binary);
  case ExprKind::Unary:
    return unaryPrecedence;
  default:
    return postfixPrecedence;
  }
}

void ExprPrinter::inlineExpr(const Expr &e, int least) {
  bool parentheses = precedenceOf(e) < least;
  if (parentheses)
    out += '(';
  body(e);
  if (parentheses)
    out += ')';
}

/// The operands between commas, with their names in a record.
void ExprPrinter::list(const Expr &e) {
  out += '(';
  for (size_t i = 0; i != e.operands.size(); ++i) {
    if (i)
      out += ", ";
    if (e.kind == ExprKind::Record)
      out += e.fields[i] + ": ";
    inlineExpr(*e.operands[i], 0);
  }
  if (e.kind == ExprKind::Call && e.text == "bitcast")
    out += ", " + std::string(name(e.type));
  out += ')';
}

void ExprPrinter::body(const Expr &e) {
  switch (e.kind) {
  case ExprKind::Number:
  case ExprKind::Name:
  case ExprKind::Bool:
    out += e.text;
    return;
  case ExprKind::Member: {
    const Expr &record = *e.operands[0];
    // 1.v would read as a malformed number.
    bool digits = record.kind == ExprKind::Number &&
                  llvm::all_of(record.text, llvm::isDigit);
    inlineExpr(record, digits ? postfixPrecedence + 1 : postfixPrecedence);
    out += "." + e.text;
    return;
  }
  case ExprKind::Unary:
    out += spelling(e.unary);
    inlineExpr(*e.operands[0], unaryPrecedence);
    return;
  case ExprKind::Binary: {
    int own = precedence(e.binary);
    // Comparisons do not chain, the others group to the left.
    int least[] = {kindOf(e.binary) == 'c' ? own + 1 : own, own + 1};
    for (size_t i : {0, 1}) {
      const Expr &operand = *e.operands[i];
      bool andInOr = e.binary == BinaryOp::Or &&
                     operand.kind == ExprKind::Binary &&
                     operand.binary == BinaryOp::And;
      inlineExpr(operand, andInOr ? unaryPrecedence : least[i]);
      if (i == 0)
        out += std::string(" ") + spelling(e.binary) + " ";
    }
    return;
  }
  case ExprKind::If:
    out += "if ";
    inlineExpr(*e.operands[0], 0);
    out += " then ";
    inlineExpr(*e.operands[1], 0);
    out += " else ";
    inlineExpr(*e.operands[2], 0);
    return;
  case ExprKind::Let:
    out += "let " + e.text + " = ";
    inlineExpr(*e.operands[0], 0);
    out += " in ";
    inlineExpr(*e.operands[1], 0);
    return;
  case ExprKind::Call:
    out += e.text;
    [[fallthrough]];
  case ExprKind::Record:
    list(e);
    return;
  }
}

void ExprPrinter::block(const Expr &e, unsigned indent) {
  std::string line = print(e);
  bool fits = line.size() + indent <= lineLength;
  if (e.kind == ExprKind::Let) {
    out += "let " + e.text + " = ";
    inlineExpr(*e.operands[0], 0);
    out += " in";
    newLine(indent);
    block(*e.operands[1], indent);
    return;
  }
  if (e.kind == ExprKind::If && !fits) {
    out += "if ";
    inlineExpr(*e.operands[0], 0);
    newLine(indent);
    out += "then ";
    block(*e.operands[1], indent + 5);
    newLine(indent);
    out += "else ";
    block(*e.operands[2],
          e.operands[2]->kind == ExprKind::If ? indent : indent + 5);
    return;
  }
  if (e.kind == ExprKind::Record && !fits) {
    out += '(';
    for (size_t i = 0; i != e.fields.size(); ++i) {
      if (i) {
        out += ',';
        newLine(indent + 1);
      }
      out += e.fields[i] + ": ";
      inlineExpr(*e.operands[i], 0);
    }
    out += ')';
    return;
  }
  out += line;
}

std::string wf::print(const Expr &expr) {
  ExprPrinter printer;
  printer.inlineExpr(expr, 0);
  return std::move(printer.out);
}

namespace {
struct PrintedClause {
  std::string head;
  const Expr *body;
  std::string line; ///< the body on one line, if it is to stay on one
};
} // namespace

static std::string joinNames(const std::vector<NamedAt> &names) {
  std::string out = "(";
  for (size_t i = 0; i != names.size(); ++i)
    out += (i ? ", " : "") + names[i].name;
  return out + ")";
}

static std::vector<PrintedClause> clausesOf(const ReductionAst &ast) {
  std::vector<PrintedClause> out;
  auto add = [&](const char *word, const std::optional<Clause> &clause) {
    if (!clause)
      return;
    std::string head = word;
    if (!clause->names.empty())
      head += joinNames(clause->names);
    std::string line = print(*clause->body);
    bool oneLine = clause->body->kind != ExprKind::Let &&
                   head.size() + line.size() + 5 <= lineLength;
    out.push_back({head, clause->body.get(), oneLine ? line : ""});
  };
  add("map", ast.map);
  add("combine", ast.combine);
  add("update", ast.update);
  add("neutral", ast.neutral);
  add("finish", ast.finish);
  add("empty", ast.empty);
  return out;
}

static std::string printParam(const ParamAst &param) {
  std::string out = "  param " + param.name;
  if (param.type)
    out += ": " + std::string(name(*param.type));
  if (param.value)
    out += " = " + print(*param.value);
  return out + "\n";
}

std::string wf::print(const ReductionAst &ast) {
  std::string out = "reduction " + ast.name + joinNames(ast.inputs) + " {\n";
  if (ast.commutative)
    out += "  commutative\n";
  if (ast.exact)
    out += "  exact\n";
  for (const ParamAst &param : ast.params)
    out += printParam(param);
  std::vector<PrintedClause> clauses = clausesOf(ast);
  size_t width = 0;
  for (const PrintedClause &clause : clauses)
    if (!clause.line.empty())
      width = std::max(width, clause.head.size());
  for (const PrintedClause &clause : clauses) {
    out += "  " + clause.head;
    if (!clause.line.empty()) {
      out += std::string(width - clause.head.size(), ' ') + " = " + clause.line;
    } else {
      ExprPrinter printer;
      printer.block(*clause.body, 4);
      out += " =\n    " + printer.out;
    }
    out += '\n';
  }
  return out + "}\n";
}
