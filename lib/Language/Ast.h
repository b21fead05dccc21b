//===- Ast.h - A reduction as the user wrote it -----------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What the parser makes and the printer and the checker read: names, params
// and clauses, none of them typed yet. A value type: copying one shares its
// expressions, which never change. Not in it: types (Checker.h) and anything
// about the arrays a reduction will meet.
//
//   reduction norm2(x) {          name norm2, inputs [x]
//     map = f64(x) * f64(x)       map     = Binary(Mul, Call f64, Call f64)
//     combine(a, b) = a + b       combine = [a, b], Binary(Add, a, b)
//   }
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LANGUAGE_AST_H
#define WARPFOLD_LANGUAGE_AST_H

#include "Language/Program.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wf {

// X(enumerator, spelling, precedence: a higher one binds tighter, kind:
//   'a'rithmetic, 'b'its, 's'hift, 'c'omparison, 'l'ogic)
#define WF_BINARY_OPS(X)                                                       \
  X(Or, "||", 1, 'l')                                                          \
  X(And, "&&", 2, 'l')                                                         \
  X(Eq, "==", 3, 'c')                                                          \
  X(Ne, "!=", 3, 'c')                                                          \
  X(Lt, "<", 3, 'c')                                                           \
  X(Le, "<=", 3, 'c')                                                          \
  X(Gt, ">", 3, 'c')                                                           \
  X(Ge, ">=", 3, 'c')                                                          \
  X(BitOr, "|", 4, 'b')                                                        \
  X(BitXor, "^", 5, 'b')                                                       \
  X(BitAnd, "&", 6, 'b')                                                       \
  X(Shl, "<<", 7, 's')                                                         \
  X(Shr, ">>", 7, 's')                                                         \
  X(Add, "+", 8, 'a')                                                          \
  X(Sub, "-", 8, 'a')                                                          \
  X(Mul, "*", 9, 'a')                                                          \
  X(Div, "/", 9, 'a')                                                          \
  X(Rem, "%", 9, 'a')

enum class BinaryOp : uint8_t {
#define X(E, ...) E,
  WF_BINARY_OPS(X)
#undef X
};

enum class UnaryOp : uint8_t { Neg, LogicalNot, BitNot };

/// "+", "<<", …
const char *spelling(BinaryOp op);
/// 1 (||) to 9 (* / %).
int precedence(BinaryOp op);
/// 'a'rithmetic, 'b'its, 's'hift, 'c'omparison or 'l'ogic.
char kindOf(BinaryOp op);
/// "-", "!" or "~".
const char *spelling(UnaryOp op);

enum class ExprKind : uint8_t {
  Number, ///< text: the digits as written; inf and nan too
  Name,   ///< text: an input, a state, a param, a let; index and count too
  Bool,   ///< text: "true" or "false"
  Member, ///< operands [record], text: the field
  Unary,  ///< operands [e]
  Binary, ///< operands [left, right]
  If,     ///< operands [condition, then, else]
  Let,    ///< operands [value, body], text: the bound name
  Record, ///< operands: the fields' values, fields: their names
  Call,   ///< text: function or type; operands: arguments (bitcast: one)
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

/// One expression. `where` is its most telling token: the operator of a
/// binary, the field of a member, else the first.
struct Expr {
  ExprKind kind;
  SourceLocation where;
  std::string text;
  std::vector<ExprPtr> operands;
  std::vector<std::string> fields;
  BinaryOp binary = BinaryOp::Add;
  UnaryOp unary = UnaryOp::Neg;
  ScalarType type = ScalarType::F32; ///< bitcast: the target type
  /// Levels of expressions below and including this one; at most MaxDepth.
  unsigned depth = 1;
};

/// Deeper expressions are refused by the parser, so that everything that walks
/// them may recurse.
constexpr unsigned MaxDepth = 256;

/// A name with its place.
struct NamedAt {
  std::string name;
  SourceLocation where;
};

/// `combine(a, b) = body`: names [a, b]. map, neutral and empty have no names
/// of their own.
struct Clause {
  SourceLocation where;
  std::vector<NamedAt> names;
  ExprPtr body;
};

/// `param p: f32 = 0.5`. Without a type it has the type `like` converts to.
struct ParamAst {
  std::string name;
  SourceLocation where;
  std::optional<ScalarType> type;
  ExprPtr value; ///< the default: a literal, or a minus and one; may be null
};

/// A text that locations point into. `file` is a file name or a flag.
struct SourceText {
  std::string file, text;
};

struct ReductionAst {
  std::string name;
  SourceLocation where;
  std::vector<NamedAt> inputs; ///< one to four
  std::vector<ParamAst> params;
  std::optional<Clause> map, combine, update, finish, neutral, empty;
  bool commutative = false, exact = false; ///< declared
  std::vector<std::shared_ptr<const SourceText>> sources;
};

/// Equality of everything but locations and source texts.
bool sameExpr(const Expr &a, const Expr &b);
bool sameReduction(const ReductionAst &a, const ReductionAst &b);

} // namespace wf

#endif // WARPFOLD_LANGUAGE_AST_H
