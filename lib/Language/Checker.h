//===- Checker.h - AST and types to a program -------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A reduction and the types it meets come in; a Program goes out: every name
// resolved, every scalar typed, records taken apart, equal nodes shared, dead
// ones dropped, update and finish derived where the user gave none, the facts
// recognised, `--nan ignore` woven in. Or an error with a caret.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LANGUAGE_CHECKER_H
#define WARPFOLD_LANGUAGE_CHECKER_H

#include "Language/Ast.h"
#include "Language/Program.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wf {

struct CheckOptions {
  std::vector<ScalarType> inputs; ///< stored types, one per input
  std::optional<ScalarType> acc;  ///< --acc
  bool nanIgnore = false;         ///< --nan ignore; without float inputs: no-op
  /// (name or name:type, value text), as given by --param. They set the params
  /// the reduction declares; an unknown name or a type that differs from the
  /// declared one is an error. A param that nobody set has no value.
  std::vector<std::pair<std::string, std::string>> params;
};

/// Types the reduction. Errors are the user's.
llvm::Expected<Program> check(const ReductionAst &ast,
                              const CheckOptions &options);

} // namespace wf

#endif // WARPFOLD_LANGUAGE_CHECKER_H
