//===- Evaluate.cpp - The oracle of scalar functions ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// One pass over a function's nodes in execution order, keeping every value.
//===----------------------------------------------------------------------===//
#include "Numerics/Evaluate.h"
#include "Error/Error.h"
#include "Numerics/Operation.h"
#include "Numerics/Value.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace wf;

llvm::Error wf::verify(const Function &function) {
  for (auto [i, node] : llvm::enumerate(function.nodes)) {
    const std::string where = function.name + ": node " + std::to_string(i) +
                              " (" + std::string(operationName(node.op)) +
                              " : " + std::string(name(node.type)) + ")";
    llvm::SmallVector<ScalarType, 3> types;
    for (uint32_t operand : node.operands) {
      if (operand >= i)
        return internalError(where + " uses node " + llvm::Twine(operand) +
                             ", which comes no earlier");
      types.push_back(function.nodes[operand].type);
    }
    if (!isDefined(node.op, node.type, types))
      return internalError(where + " is not defined on its operands");
    if (node.op != NodeOp::Argument)
      continue;
    if (node.payload >= function.arguments.size() ||
        function.arguments[node.payload].type != node.type)
      return internalError(where + " does not match the argument list");
  }
  for (uint32_t result : function.results)
    if (result >= function.nodes.size())
      return internalError(function.name + ": result " + llvm::Twine(result) +
                           " is no node");
  return llvm::Error::success();
}

/// The type that the program says an argument has, or nothing where there is
/// no such argument.
static std::optional<ScalarType> typeOf(const Argument &argument,
                                        const Program &program) {
  auto at = [&](const auto &list) -> std::optional<ScalarType> {
    if (argument.index >= list.size())
      return std::nullopt;
    return list[argument.index].type;
  };
  switch (argument.role) {
  case ArgumentRole::StateA:
  case ArgumentRole::StateB:
    return at(program.state);
  case ArgumentRole::Param:
    return at(program.params);
  case ArgumentRole::Input:
    if (argument.index >= program.inputs.size())
      return std::nullopt;
    return program.inputs[argument.index];
  case ArgumentRole::Index:
  case ArgumentRole::CountA:
  case ArgumentRole::CountB:
    return ScalarType::I64;
  }
  return std::nullopt;
}

static llvm::Error verifyPart(const Program &program, const Function &function,
                              llvm::ArrayRef<Field> fields) {
  if (llvm::Error e = verify(function))
    return e;
  for (auto [i, argument] : llvm::enumerate(function.arguments))
    if (typeOf(argument, program) != argument.type)
      return internalError(function.name + ": argument " + llvm::Twine(i) +
                           " does not match the program");
  if (function.results.size() != fields.size())
    return internalError(function.name + " gives " +
                         llvm::Twine(function.results.size()) + " values for " +
                         llvm::Twine(fields.size()) + " fields");
  for (auto [result, field] : llvm::zip_equal(function.results, fields))
    if (function.nodes[result].type != field.type)
      return internalError(function.name + " gives " +
                           std::string(name(function.nodes[result].type)) +
                           " for '" + field.name + "' of type " +
                           std::string(name(field.type)));
  return llvm::Error::success();
}

llvm::Error wf::verify(const Program &program) {
  if (program.inputs.empty() || program.widestInputBytes <= 0 ||
      program.stateBytes <= 0)
    return internalError("reduction '" + program.name +
                         "' has no input or no state");
  for (const Function *f : {&program.map, &program.combine, &program.update})
    if (llvm::Error e = verifyPart(program, *f, program.state))
      return e;
  if (llvm::Error e = verifyPart(program, program.finish, program.results))
    return e;
  if (program.neutral)
    if (llvm::Error e = verifyPart(program, *program.neutral, program.state))
      return e;
  if (program.empty)
    return verifyPart(program, *program.empty, program.results);
  return llvm::Error::success();
}

static uint64_t argumentValue(const Argument &argument, const Operands &in) {
  switch (argument.role) {
  case ArgumentRole::StateA:
    return in.stateA[argument.index];
  case ArgumentRole::StateB:
    return in.stateB[argument.index];
  case ArgumentRole::Input:
    return in.inputs[argument.index];
  case ArgumentRole::Index:
    return payloadOf(in.index);
  case ArgumentRole::CountA:
    return payloadOf(in.countA);
  case ArgumentRole::CountB:
    return payloadOf(in.countB);
  case ArgumentRole::Param:
    return in.params[argument.index];
  }
  llvm_unreachable("unknown argument role");
}

Scalars wf::evaluate(const Function &function, const Operands &in) {
  llvm::SmallVector<uint64_t, 32> values;
  for (const Node &node : function.nodes) {
    if (node.op == NodeOp::Constant) {
      values.push_back(node.payload);
      continue;
    }
    if (node.op == NodeOp::Argument) {
      values.push_back(argumentValue(function.arguments[node.payload], in));
      continue;
    }
    llvm::SmallVector<uint64_t, 3> operands;
    for (uint32_t operand : node.operands)
      operands.push_back(values[operand]);
    const ScalarType from = function.nodes[node.operands[0]].type;
    values.push_back(apply(node.op, node.type, from, operands));
  }
  Scalars results;
  for (uint32_t result : function.results)
    results.push_back(values[result]);
  return results;
}
