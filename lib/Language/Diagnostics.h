//===- Diagnostics.h - Errors with a caret ----------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// An id of Diagnostics.def, a place and the arguments of its message become
// the one WarpfoldError that the tool prints:
//
//   --combine:1:15: error: there is no 'c' here
//     (a, b) -> a + c
//                   ^
//   hint: the names here are a, b
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LANGUAGE_DIAGNOSTICS_H
#define WARPFOLD_LANGUAGE_DIAGNOSTICS_H

#include "Language/Ast.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace wf {

enum class Diag : uint8_t {
#define X(ID, ...) ID,
#include "Language/Diagnostics.def"
#undef X
};

struct DiagText {
  const char *id, *message, *hint;
};
/// All diagnostics, in the order of Diag.
llvm::ArrayRef<DiagText> diagTexts();

using Sources = llvm::ArrayRef<std::shared_ptr<const SourceText>>;

/// The user's error. A place with line 0, or in a file that `sources` does not
/// hold, gives no excerpt.
llvm::Error diagnose(Diag id, const SourceLocation &where, Sources sources,
                     std::vector<std::string> arguments = {});

/// The first fault a phase met. Phases go on returning "failed" and the caller
/// turns this into the error.
struct Fault {
  Diag id;
  SourceLocation where;
  std::vector<std::string> arguments;

  llvm::Error error(Sources sources) const {
    return diagnose(id, where, sources, arguments);
  }
};

/// "did you mean 'sum' or 'sub'?" from the names nearest to `name` by edit
/// distance; else `otherwise`.
std::string nearestHint(llvm::StringRef name,
                        llvm::ArrayRef<std::string> candidates,
                        std::string otherwise);

/// "one state", "two states", "12 states", "no states".
std::string counted(size_t n, llvm::StringRef noun);

} // namespace wf

#endif // WARPFOLD_LANGUAGE_DIAGNOSTICS_H
