//===- Catalogue.h - The built-in reductions --------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The files of lib/Language/ops, embedded when the library is built. A new op
// is a new file there and nothing else.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LANGUAGE_CATALOGUE_H
#define WARPFOLD_LANGUAGE_CATALOGUE_H

#include "Language/Ast.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace wf {

struct CatalogueEntry {
  llvm::StringRef name;        ///< "argmax"
  llvm::StringRef description; ///< the file's first comment line, without "# "
  llvm::StringRef source;      ///< the file's text
};

/// Every built-in reduction, by name.
llvm::ArrayRef<CatalogueEntry> catalogue();

/// The reduction called `name`; the user's error proposes the nearest names.
llvm::Expected<ReductionAst> lookupOp(llvm::StringRef name);

} // namespace wf

#endif // WARPFOLD_LANGUAGE_CATALOGUE_H
