//===- FunctionBuilder.h - Nodes in, one tidy function out ------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Makes a Function: equal nodes are made once, a finished function holds only
// nodes its results need, in an order that depends on the results alone. That
// is what makes Program::canonicalText canonical.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LANGUAGE_FUNCTIONBUILDER_H
#define WARPFOLD_LANGUAGE_FUNCTIONBUILDER_H

#include "Language/Program.h"
#include "llvm/ADT/ArrayRef.h"

#include <map>
#include <tuple>

namespace wf {

/// The argument lists of Program.h.
enum class FunctionKind : uint8_t {
  Map,
  Combine,
  Update,
  Finish,
  Neutral,
  Empty
};
const char *functionName(FunctionKind kind);
/// Uses the program's inputs, state and params; `map` needs no state yet.
std::vector<Argument> signatureOf(FunctionKind kind, const Program &program);

class FunctionBuilder {
public:
  FunctionBuilder(FunctionKind kind, const Program &program)
      : arguments(signatureOf(kind, program)), name(functionName(kind)) {}

  uint32_t argument(ArgumentRole role, uint32_t index,
                    SourceLocation where = {});
  uint32_t constant(ScalarType type, uint64_t bits, SourceLocation where = {});
  uint32_t add(NodeOp op, ScalarType type, std::vector<uint32_t> operands,
               SourceLocation where = {});
  /// The nodes of `callee` with its arguments replaced; returns its results.
  std::vector<uint32_t> inlineCall(const Function &callee,
                                   llvm::ArrayRef<uint32_t> values);
  const Node &node(uint32_t index) const { return nodes[index]; }
  /// Gives a node the user's name for it, unless it has one.
  void nameNode(uint32_t index, const std::string &userName) {
    if (nodes[index].where.name.empty())
      nodes[index].where.name = userName;
  }
  Function finish(llvm::ArrayRef<uint32_t> results) const;

private:
  uint32_t intern(Node node);

  using Key = std::tuple<NodeOp, ScalarType, std::vector<uint32_t>, uint64_t>;
  std::vector<Argument> arguments;
  std::string name;
  std::vector<Node> nodes;
  std::map<Key, uint32_t> known;
};

} // namespace wf

#endif // WARPFOLD_LANGUAGE_FUNCTIONBUILDER_H
