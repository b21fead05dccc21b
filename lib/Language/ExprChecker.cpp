//===- ExprChecker.cpp - One clause's expression to nodes -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Names, literals, if, let and records. Depth is bounded by the parser, so
// recursion over expressions is safe.
//===----------------------------------------------------------------------===//
#include "Language/ExprChecker.h"

#include "Language/Literal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace wf;

ScalarType CheckContext::widened(ScalarType stored) const {
  if (acc)
    return *acc;
  if (isFloat(stored))
    return stored;
  return isUnsigned(stored) ? ScalarType::U64 : ScalarType::I64;
}

ScalarType CheckContext::likeType() const { return widened(program.inputs[0]); }

ScalarType CheckContext::realType() const {
  if (acc && isFloat(*acc))
    return *acc;
  return isFloat(program.inputs[0]) ? program.inputs[0] : ScalarType::F64;
}

ExprChecker::ExprChecker(CheckContext &context, FunctionKind kind)
    : context(context), kind(kind), builder(kind, context.program) {
  for (size_t i = 0; i != context.program.params.size(); ++i) {
    SourceLocation where = context.ast.params[i].where;
    where.name = context.program.params[i].name;
    uint32_t node = builder.argument(ArgumentRole::Param, uint32_t(i), where);
    bindings.push_back({Binding::Plain, where.name, node});
  }
}

Value ExprChecker::stateValue(const ValueType &type, ArgumentRole role,
                              uint32_t &member, const std::string &name) {
  if (!type.isRecord()) {
    SourceLocation where;
    where.name = name;
    return builder.argument(role, member++, where);
  }
  Value out;
  for (const auto &[field, fieldType] : type.fields)
    out.fields.emplace_back(
        field, stateValue(fieldType, role, member, name + "." + field));
  return out;
}

void ExprChecker::bindState(const std::string &name, ArgumentRole role,
                            const ValueType &type) {
  uint32_t member = 0;
  bindings.push_back(
      {Binding::State, name, stateValue(type, role, member, name), role});
}

void ExprChecker::bindInput(const std::string &name, uint32_t index,
                            bool hasValue) {
  bindings.push_back({hasValue ? Binding::Input : Binding::TypeOfInput, name,
                      Value(), ArgumentRole::Input, index});
}

const ExprChecker::Binding *ExprChecker::lookup(llvm::StringRef name) const {
  for (const Binding &binding : llvm::reverse(bindings))
    if (binding.name == name)
      return &binding;
  return nullptr;
}

uint32_t ExprChecker::cast(uint32_t node, ScalarType type,
                           const SourceLocation &where) {
  if (typeOfNode(node) == type)
    return node;
  return builder.add(NodeOp::Cast, type, {node}, where);
}

Value ExprChecker::inputNode(const Binding &binding, bool stored,
                             const SourceLocation &where) {
  ScalarType type = context.program.inputs[binding.index];
  if (!stored)
    context.accUsed = true;
  if (binding.kind == Binding::TypeOfInput)
    return builder.constant(stored ? type : context.widened(type), 0, where);
  SourceLocation named = where;
  named.name = binding.name;
  uint32_t node = builder.argument(ArgumentRole::Input, binding.index, named);
  return stored ? node : cast(node, context.widened(type), where);
}

Value ExprChecker::inputValue(uint32_t index, const SourceLocation &where) {
  Binding binding{Binding::Input, context.ast.inputs[index].name, Value(),
                  ArgumentRole::Input, index};
  return inputNode(binding, /*stored=*/false, where);
}

ValueType ExprChecker::typeOf(const Value &value) const {
  if (!value.isRecord())
    return typeOfNode(value.node);
  ValueType out;
  for (const auto &[field, fieldValue] : value.fields)
    out.fields.emplace_back(field, typeOf(fieldValue));
  return out;
}

bool wf::takesTypeFromPlace(const Expr &e) {
  auto takes = [](const ExprPtr &operand) {
    return takesTypeFromPlace(*operand);
  };
  switch (e.kind) {
  case ExprKind::Number:
    return true;
  case ExprKind::Name:
  case ExprKind::Bool:
  case ExprKind::Member:
    return false;
  case ExprKind::Unary:
    return e.unary != UnaryOp::LogicalNot && takes(e.operands[0]);
  case ExprKind::Binary:
    return kindOf(e.binary) != 'c' && kindOf(e.binary) != 'l' &&
           llvm::all_of(e.operands, takes);
  case ExprKind::If:
    return takes(e.operands[1]) && takes(e.operands[2]);
  case ExprKind::Let:
    return takes(e.operands[1]);
  case ExprKind::Record:
    return llvm::any_of(e.operands, takes);
  case ExprKind::Call:
    break;
  }
  static constexpr const char *transparent[] = {
      "min", "max", "abs", "sqrt", "rsqrt", "fma", "floor", "ceil", "acc"};
  return llvm::is_contained(transparent, llvm::StringRef(e.text)) &&
         !e.operands.empty() && llvm::all_of(e.operands, takes);
}

std::optional<Value> ExprChecker::check(const Expr &e,
                                        const ValueType *expected) {
  switch (e.kind) {
  case ExprKind::Number:
    return number(e, e, /*negative=*/false, expected);
  case ExprKind::Bool:
    return Value(builder.constant(ScalarType::Bool, e.text == "true", e.where));
  case ExprKind::Name:
    return nameValue(e);
  case ExprKind::Member:
    return member(e);
  case ExprKind::Unary:
    return unary(e, expected);
  case ExprKind::Binary:
    return binary(e, expected);
  case ExprKind::If:
    return ifValue(e, expected);
  case ExprKind::Let:
    return let(e, expected);
  case ExprKind::Record:
    return record(e, expected);
  case ExprKind::Call:
    return call(e, expected);
  }
  return std::nullopt;
}

std::optional<Value> ExprChecker::number(const Expr &e, const Expr &digits,
                                         bool negative,
                                         const ValueType *expected) {
  std::string text = (negative ? "-" : "") + digits.text;
  if (!expected)
    return context.fail(Diag::NoTypeForLiteral, e.where);
  if (expected->isRecord())
    return context.fail(Diag::LiteralForRecord, e.where,
                        {text, shown(*expected)});
  uint64_t bits = 0;
  std::string typeName(wf::name(expected->scalar));
  switch (literalBits(digits.text, negative, expected->scalar, bits)) {
  case LiteralFit::Fits:
    return Value(builder.constant(expected->scalar, bits, e.where));
  case LiteralFit::NotWhole:
    return context.fail(Diag::LiteralNotWhole, e.where, {text, typeName});
  case LiteralFit::OutOfRange:
    return context.fail(Diag::LiteralOutOfRange, e.where, {text, typeName});
  case LiteralFit::NotABool:
    return context.fail(Diag::LiteralForBool, e.where, {text});
  }
  return std::nullopt;
}

std::optional<Value> ExprChecker::nameValue(const Expr &e) {
  if (e.text == "index") {
    if (kind != FunctionKind::Map && kind != FunctionKind::Update)
      return context.fail(Diag::IndexElsewhere, e.where);
    SourceLocation where = e.where;
    where.name = e.text;
    return Value(builder.argument(ArgumentRole::Index, 0, where));
  }
  if (e.text == "count") {
    if (kind != FunctionKind::Finish)
      return context.fail(Diag::CountElsewhere, e.where);
    SourceLocation where = e.where;
    where.name = e.text;
    return Value(builder.argument(ArgumentRole::CountA, 0, where));
  }
  const Binding *binding = lookup(e.text);
  if (!binding)
    return unknownName(e);
  if (binding->kind == Binding::TypeOfInput && !typeOnly)
    return context.fail(Diag::InputWithoutValue, e.where,
                        {e.text, functionName(kind)});
  if (binding->kind == Binding::Input || binding->kind == Binding::TypeOfInput)
    return inputNode(*binding, /*stored=*/false, e.where);
  return binding->value;
}

std::optional<Value> ExprChecker::unknownName(const Expr &e) {
  std::vector<std::string> names;
  for (const Binding &binding : bindings)
    if (binding.kind != Binding::TypeOfInput)
      names.push_back(binding.name);
  std::string all = names.empty()
                        ? "there are no names in this clause"
                        : "the names here are " + llvm::join(names, ", ");
  return context.fail(Diag::UnknownName, e.where,
                      {e.text, nearestHint(e.text, names, all)});
}

std::optional<Value> ExprChecker::member(const Expr &e) {
  std::optional<Value> value = check(*e.operands[0], nullptr);
  if (!value)
    return std::nullopt;
  if (!value->isRecord())
    return context.fail(Diag::NotARecord, e.where,
                        {e.text, shown(typeOf(*value))});
  std::vector<std::string> names;
  for (const auto &[field, fieldValue] : value->fields) {
    if (field == e.text)
      return fieldValue;
    names.push_back(field);
  }
  return context.fail(Diag::UnknownField, e.where,
                      {e.text, llvm::join(names, ", ")});
}

Value ExprChecker::select(uint32_t condition, const Value &a, const Value &b,
                          const SourceLocation &where) {
  if (!a.isRecord())
    return builder.add(NodeOp::Select, typeOfNode(a.node),
                       {condition, a.node, b.node}, where);
  Value out;
  for (size_t i = 0; i != a.fields.size(); ++i)
    out.fields.emplace_back(
        a.fields[i].first,
        select(condition, a.fields[i].second, b.fields[i].second, where));
  return out;
}

std::optional<Value> ExprChecker::ifValue(const Expr &e,
                                          const ValueType *expected) {
  const Expr &test = *e.operands[0];
  ValueType boolType = ScalarType::Bool;
  auto condition = scalar(test, &boolType, test.where, "a condition");
  if (!condition)
    return std::nullopt;
  if (typeOfNode(*condition) != ScalarType::Bool)
    return context.fail(Diag::ConditionNotBool, test.where,
                        {shown(typeOfNode(*condition))});
  // The branch with a type of its own gives it to the other's literals.
  bool thenTakes = takesTypeFromPlace(*e.operands[1]);
  bool elseTakes = takesTypeFromPlace(*e.operands[2]);
  size_t first = thenTakes && !elseTakes ? 2 : 1;
  std::optional<Value> values[2];
  values[first - 1] = check(*e.operands[first], expected);
  if (!values[first - 1])
    return std::nullopt;
  ValueType firstType = typeOf(*values[first - 1]);
  values[2 - first] = check(*e.operands[3 - first], &firstType);
  if (!values[2 - first])
    return std::nullopt;
  ValueType a = typeOf(*values[0]), b = typeOf(*values[1]);
  if (a != b)
    return context.fail(Diag::BranchTypes, e.where, {shown(a), shown(b)});
  return select(*condition, *values[0], *values[1], e.where);
}

void ExprChecker::nameValueAs(const Value &value, const std::string &name) {
  if (!value.isRecord())
    builder.nameNode(value.node, name);
  for (const auto &[field, fieldValue] : value.fields)
    nameValueAs(fieldValue, name + "." + field);
}

std::optional<Value> ExprChecker::let(const Expr &e,
                                      const ValueType *expected) {
  std::optional<Value> value = check(*e.operands[0], nullptr);
  if (!value)
    return std::nullopt;
  nameValueAs(*value, e.text);
  bindings.push_back({Binding::Plain, e.text, *value});
  std::optional<Value> body = check(*e.operands[1], expected);
  bindings.pop_back();
  return body;
}

std::optional<Value> ExprChecker::record(const Expr &e,
                                         const ValueType *expected) {
  Value out;
  for (size_t i = 0; i != e.fields.size(); ++i) {
    const ValueType *fieldExpected = nullptr;
    if (expected)
      for (const auto &[field, fieldType] : expected->fields)
        if (field == e.fields[i])
          fieldExpected = &fieldType;
    std::optional<Value> value = check(*e.operands[i], fieldExpected);
    if (!value)
      return std::nullopt;
    out.fields.emplace_back(e.fields[i], std::move(*value));
  }
  if (flattened(out).size() > MaxRecordScalars || levels(out) > MaxRecordLevels)
    return context.fail(
        Diag::RecordTooLarge, e.where,
        {std::to_string(MaxRecordScalars), std::to_string(MaxRecordLevels)});
  return out;
}
