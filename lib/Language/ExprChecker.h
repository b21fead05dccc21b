//===- ExprChecker.h - One clause's expression to nodes ---------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Types flow up from names and down to literals: an expression made only of
// literals takes the type its place expects, everything else has its own and
// must agree. Structure is in ExprChecker.cpp, operators in
// OperatorChecker.cpp, functions in CallChecker.cpp.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LANGUAGE_EXPRCHECKER_H
#define WARPFOLD_LANGUAGE_EXPRCHECKER_H

#include "Language/Ast.h"
#include "Language/Diagnostics.h"
#include "Language/FunctionBuilder.h"
#include "Language/ValueType.h"

#include <optional>

namespace wf {

/// What all clauses of one reduction share while it is checked.
struct CheckContext {
  const ReductionAst &ast;
  std::optional<ScalarType> acc;
  Program program; ///< inputs and params from the start, state after map
  bool accUsed = false;
  std::optional<Fault> fault = std::nullopt;

  /// The type an input's name has in map and update.
  ScalarType widened(ScalarType stored) const;
  /// The types that like(e) and real(e) convert to.
  ScalarType likeType() const;
  ScalarType realType() const;

  std::nullopt_t fail(Diag id, const SourceLocation &where,
                      std::vector<std::string> arguments = {}) {
    if (!fault)
      fault = Fault{id, where, std::move(arguments)};
    return std::nullopt;
  }
};

/// What an operator or function takes.
enum class OperandRule : uint8_t {
  Any,
  Numbers,
  Integers,
  IntegersOrBool,
  Floats,
  Bool
};

class ExprChecker {
public:
  ExprChecker(CheckContext &context, FunctionKind kind);

  /// Binds a state's name to its members, an input's name to the element, or
  /// (without value: only its type can be asked) to nothing.
  void bindState(const std::string &name, ArgumentRole role,
                 const ValueType &type);
  void bindInput(const std::string &name, uint32_t index, bool hasValue);

  /// Nodes for `e`; nothing if the context holds a fault. `expected` is what
  /// literals take; the caller compares the result's type.
  std::optional<Value> check(const Expr &e, const ValueType *expected);

  ValueType typeOf(const Value &value) const;
  Function finish(const Value &value) const {
    return builder.finish(flattened(value));
  }
  /// The element under its widened type: what map is by default.
  Value inputValue(uint32_t index, const SourceLocation &where);

private:
  struct Binding {
    enum Kind : uint8_t { Plain, State, Input, TypeOfInput } kind;
    std::string name;
    Value value;
    ArgumentRole role = ArgumentRole::StateA;
    uint32_t index = 0;
  };

  std::optional<Value> number(const Expr &e, const Expr &digits, bool negative,
                              const ValueType *expected);
  std::optional<Value> nameValue(const Expr &e);
  std::optional<Value> unknownName(const Expr &e);
  std::optional<Value> member(const Expr &e);
  std::optional<Value> ifValue(const Expr &e, const ValueType *expected);
  std::optional<Value> let(const Expr &e, const ValueType *expected);
  std::optional<Value> record(const Expr &e, const ValueType *expected);

  // OperatorChecker.cpp
  std::optional<Value> unary(const Expr &e, const ValueType *expected);
  std::optional<Value> binary(const Expr &e, const ValueType *expected);

  // CallChecker.cpp
  std::optional<Value> call(const Expr &e, const ValueType *expected);
  std::optional<Value> unknownFunction(const Expr &e);
  std::optional<Value> convert(const Expr &e, ScalarType target);
  std::optional<Value> raw(const Expr &e);
  std::optional<Value> countOf(const Expr &e);
  std::optional<Value> extreme(const Expr &e, bool highest);
  std::optional<Value> bitcast(const Expr &e);
  std::optional<Value> acc(const Expr &e, const ValueType *expected);

  /// All operands as nodes of one scalar type that `takes` allows. `what` is
  /// the operator or function for messages: "'+'", "min".
  std::optional<std::vector<uint32_t>> scalars(const Expr &e,
                                               const ValueType *expected,
                                               OperandRule takes,
                                               const std::string &what);
  /// One operand as a scalar.
  std::optional<uint32_t> scalar(const Expr &operand, const ValueType *expected,
                                 const SourceLocation &where,
                                 const std::string &what);
  Value select(uint32_t condition, const Value &a, const Value &b,
               const SourceLocation &where);
  Value inputNode(const Binding &binding, bool stored,
                  const SourceLocation &where);
  const Binding *lookup(llvm::StringRef name) const;
  void nameValueAs(const Value &value, const std::string &name);
  Value stateValue(const ValueType &type, ArgumentRole role, uint32_t &member,
                   const std::string &name);
  ScalarType typeOfNode(uint32_t node) const { return builder.node(node).type; }
  uint32_t cast(uint32_t node, ScalarType type, const SourceLocation &where);

  CheckContext &context;
  FunctionKind kind;
  FunctionBuilder builder;
  std::vector<Binding> bindings;
  /// Inside lowest(…) and highest(…): only types matter.
  unsigned typeOnly = 0;
};

/// True if every leaf that could give `e` a type is a literal, so that its
/// place must.
bool takesTypeFromPlace(const Expr &e);

/// Every function of the language, type names (casts) too.
std::vector<std::string> functionNames();

} // namespace wf

#endif // WARPFOLD_LANGUAGE_EXPRCHECKER_H
