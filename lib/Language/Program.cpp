//===- Program.cpp - A checked reduction as scalar functions --------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// In: a Program. Out: what its functions read, and the text that two programs
// share exactly when they compute the same thing the same way.
//===----------------------------------------------------------------------===//
#include "Language/Program.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace wf;

static const char *opName(NodeOp op) {
  switch (op) {
#define X(E, N, C)                                                             \
  case NodeOp::E:                                                              \
    return N;
    WF_NODE_OPS(X)
#undef X
  }
  return "?";
}

static const char *roleName(ArgumentRole role) {
  switch (role) {
  case ArgumentRole::StateA:
    return "a";
  case ArgumentRole::StateB:
    return "b";
  case ArgumentRole::Input:
    return "input";
  case ArgumentRole::Index:
    return "index";
  case ArgumentRole::CountA:
    return "count-a";
  case ArgumentRole::CountB:
    return "count-b";
  case ArgumentRole::Param:
    return "param";
  }
  return "?";
}

bool Function::uses(ArgumentRole role) const {
  // Operands come before their users, so one walk backwards finds every node
  // that the results need.
  std::vector<bool> needed(nodes.size());
  for (uint32_t result : results)
    needed[result] = true;
  for (size_t i = nodes.size(); i-- > 0;) {
    if (!needed[i])
      continue;
    const Node &node = nodes[i];
    if (node.op == NodeOp::Argument && arguments[node.payload].role == role)
      return true;
    for (uint32_t operand : node.operands)
      needed[operand] = true;
  }
  return false;
}

static void printFunction(llvm::raw_ostream &os, llvm::StringRef name,
                          const Function &function) {
  os << name << '\n';
  for (size_t i = 0; i != function.nodes.size(); ++i) {
    const Node &node = function.nodes[i];
    os << "  %" << i << " = " << opName(node.op);
    if (node.op == NodeOp::Argument) {
      const Argument &argument = function.arguments[node.payload];
      os << ' ' << roleName(argument.role) << ' ' << argument.index;
    } else if (node.op == NodeOp::Constant) {
      os << " 0x" << llvm::utohexstr(node.payload);
    }
    for (size_t k = 0; k != node.operands.size(); ++k)
      os << (k ? ", %" : " %") << node.operands[k];
    os << " : " << wf::name(node.type) << '\n';
  }
  os << "  results";
  for (uint32_t result : function.results)
    os << " %" << result;
  os << '\n';
}

std::string Program::canonicalText() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "inputs";
  for (ScalarType type : inputs)
    os << ' ' << wf::name(type);
  auto fields = [&](llvm::StringRef title, const auto &list) {
    os << '\n' << title;
    for (const auto &field : list)
      os << ' ' << wf::name(field.type);
  };
  fields("state", state);
  fields("results", results);
  fields("params", params);
  os << "\nfacts" << (commutative ? " commutative" : "")
     << (exact ? " exact" : "") << (nanIgnore ? " nan-ignore" : "")
     << (reportsAbsence ? " reports-absence" : "") << '\n';
  printFunction(os, "map", map);
  printFunction(os, "combine", combine);
  printFunction(os, "update", update);
  printFunction(os, "finish", finish);
  if (neutral)
    printFunction(os, "neutral", *neutral);
  if (empty)
    printFunction(os, "empty", *empty);
  return text;
}
