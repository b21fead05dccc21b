//===- CallChecker.cpp - Functions of the language ------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The functions that are one node each are rows of a table; the others (casts,
// raw, like, real, acc, lowest, highest, count, bitcast) have a rule each.
//===----------------------------------------------------------------------===//
#include "Language/ExprChecker.h"

#include "Language/Lexer.h"
#include "Language/Literal.h"
#include "llvm/ADT/STLExtras.h"

using namespace wf;

// X(name, node, arguments, what they are, true if the result is a bool)
#define WF_NODE_FUNCTIONS(X)                                                   \
  X(min, Min, 2, Any, false)                                                   \
  X(max, Max, 2, Any, false)                                                   \
  X(abs, Abs, 1, Numbers, false)                                               \
  X(sqrt, Sqrt, 1, Floats, false)                                              \
  X(rsqrt, Rsqrt, 1, Floats, false)                                            \
  X(fma, Fma, 3, Floats, false)                                                \
  X(floor, Floor, 1, Floats, false)                                            \
  X(ceil, Ceil, 1, Floats, false)                                              \
  X(isnan, IsNan, 1, Floats, true)                                             \
  X(more, More, 2, Any, true)                                                  \
  X(less, Less, 2, Any, true)                                                  \
  X(same, Same, 2, Any, true)

// X(name, arguments)
#define WF_RULE_FUNCTIONS(X)                                                   \
  X(raw, 1)                                                                    \
  X(like, 1)                                                                   \
  X(real, 1) X(acc, 1) X(lowest, 1) X(highest, 1) X(count, 1) X(bitcast, 1)

static constexpr const char *laterFunctions[] = {"exp",  "exp2", "log", "log2",
                                                 "tanh", "pow",  "sin", "cos"};

namespace {
struct NodeFunction {
  llvm::StringRef name;
  NodeOp op;
  size_t arguments;
  OperandRule takes;
  bool givesBool;
};
} // namespace

static const NodeFunction nodeFunctions[] = {
#define X(N, OP, A, K, B) {#N, NodeOp::OP, A, OperandRule::K, B},
    WF_NODE_FUNCTIONS(X)
#undef X
};

std::vector<std::string> wf::functionNames() {
  std::vector<std::string> out;
  for (const NodeFunction &f : nodeFunctions)
    out.push_back(f.name.str());
#define X(N, A) out.push_back(#N);
  WF_RULE_FUNCTIONS(X)
#undef X
#define X(E, N, ...) out.push_back(N);
  WF_SCALAR_TYPES(X)
#undef X
  return out;
}

std::optional<Value> ExprChecker::unknownFunction(const Expr &e) {
  if (llvm::is_contained(laterFunctions, llvm::StringRef(e.text)))
    return context.fail(
        Diag::ComesLater, e.where,
        {e.text, "the functions now are min max abs sqrt rsqrt fma floor ceil "
                 "isnan more less same"});
  if (isFutureType(e.text))
    return context.fail(Diag::ComesLater, e.where,
                        {e.text, "the types are " + allTypeNames()});
  return context.fail(
      Diag::UnknownFunction, e.where,
      {e.text, nearestHint(e.text, functionNames(),
                           "the functions are in docs/language.md")});
}

std::optional<Value> ExprChecker::call(const Expr &e,
                                       const ValueType *expected) {
  llvm::StringRef name = e.text;
  auto type = scalarTypeNamed(std::string_view(name));
  const auto *row = llvm::find_if(
      nodeFunctions, [&](const NodeFunction &f) { return f.name == name; });
  bool isNode = row != std::end(nodeFunctions);
  size_t wanted = 0;
  if (type)
    wanted = 1;
  else if (isNode)
    wanted = row->arguments;
#define X(N, A) else if (name == #N) wanted = A;
  WF_RULE_FUNCTIONS(X)
#undef X
  else return unknownFunction(e);
  if (e.operands.size() != wanted)
    return context.fail(Diag::ArgumentCount, e.where,
                        {e.text, counted(wanted, "argument"),
                         counted(e.operands.size(), "argument")});
  if (isNode) {
    auto nodes =
        scalars(e, row->givesBool ? nullptr : expected, row->takes, e.text);
    if (!nodes)
      return std::nullopt;
    ScalarType result =
        row->givesBool ? ScalarType::Bool : typeOfNode(nodes->front());
    return Value(builder.add(row->op, result, *nodes, e.where));
  }
  if (type)
    return convert(e, *type);
  if (name == "raw")
    return raw(e);
  if (name == "count")
    return countOf(e);
  if (name == "bitcast")
    return bitcast(e);
  if (name == "lowest" || name == "highest")
    return extreme(e, name == "highest");
  context.accUsed = true;
  if (name == "acc")
    return acc(e, expected);
  return convert(e, name == "like" ? context.likeType() : context.realType());
}

std::optional<Value> ExprChecker::convert(const Expr &e, ScalarType target) {
  const Expr &operand = *e.operands[0];
  ValueType type = target;
  auto node = scalar(operand, takesTypeFromPlace(operand) ? &type : nullptr,
                     e.where, e.text);
  if (!node)
    return std::nullopt;
  return Value(cast(*node, target, e.where));
}

std::optional<Value> ExprChecker::acc(const Expr &e,
                                      const ValueType *expected) {
  if (context.acc)
    return convert(e, *context.acc);
  auto node = scalar(*e.operands[0], expected, e.where, e.text);
  if (!node)
    return std::nullopt;
  return Value(*node);
}

std::optional<Value> ExprChecker::raw(const Expr &e) {
  const Expr &operand = *e.operands[0];
  const Binding *binding =
      operand.kind == ExprKind::Name ? lookup(operand.text) : nullptr;
  bool isInput = binding && (binding->kind == Binding::Input ||
                             binding->kind == Binding::TypeOfInput);
  if (!isInput)
    return context.fail(Diag::RawOfInput, operand.where);
  if (binding->kind == Binding::TypeOfInput && !typeOnly)
    return context.fail(Diag::InputWithoutValue, operand.where,
                        {operand.text, functionName(kind)});
  return inputNode(*binding, /*stored=*/true, operand.where);
}

std::optional<Value> ExprChecker::countOf(const Expr &e) {
  const Expr &operand = *e.operands[0];
  const Binding *binding =
      operand.kind == ExprKind::Name ? lookup(operand.text) : nullptr;
  bool isState = binding && binding->kind == Binding::State &&
                 kind != FunctionKind::Finish;
  if (!isState)
    return context.fail(Diag::CountOfState, operand.where,
                        {kind == FunctionKind::Finish
                             ? "in finish write count, without parentheses"
                             : "write the name of a state: count(a)"});
  SourceLocation where = e.where;
  where.name = "count(" + operand.text + ")";
  bool isB = binding->role == ArgumentRole::StateB;
  return Value(builder.argument(
      isB ? ArgumentRole::CountB : ArgumentRole::CountA, 0, where));
}

std::optional<Value> ExprChecker::extreme(const Expr &e, bool highest) {
  ++typeOnly;
  auto node = scalar(*e.operands[0], nullptr, e.where, e.text);
  --typeOnly;
  if (!node)
    return std::nullopt;
  ScalarType type = typeOfNode(*node);
  return Value(builder.constant(
      type, highest ? highestBits(type) : lowestBits(type), e.where));
}

std::optional<Value> ExprChecker::bitcast(const Expr &e) {
  auto node = scalar(*e.operands[0], nullptr, e.where, e.text);
  if (!node)
    return std::nullopt;
  ScalarType from = typeOfNode(*node);
  bool fits = byteSize(from) == byteSize(e.type) &&
              (from == ScalarType::Bool) == (e.type == ScalarType::Bool);
  if (!fits)
    return context.fail(Diag::BitcastSize, e.where,
                        {shown(from), shown(e.type)});
  if (from == e.type)
    return Value(*node);
  return Value(builder.add(NodeOp::Bitcast, e.type, {*node}, e.where));
}
