//===- OpsCommand.cpp - The catalogue of reductions ----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// `warpfold ops` lists the catalogue, one a line; `warpfold ops argmax` prints
// the source of one, which is what a user reads to learn the language.
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Error/Error.h"
#include "Language/Catalogue.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace wf;

llvm::Error cli::runOps(const OpsArguments &args) {
  if (!args.name) {
    size_t width = 0;
    for (const CatalogueEntry &entry : catalogue())
      width = std::max(width, entry.name.size());
    for (const CatalogueEntry &entry : catalogue())
      llvm::outs() << llvm::left_justify(entry.name, unsigned(width) + 2)
                   << entry.description << '\n';
    return llvm::Error::success();
  }
  for (const CatalogueEntry &entry : catalogue())
    if (entry.name == *args.name) {
      llvm::outs() << entry.source;
      return llvm::Error::success();
    }
  // Its error names the nearest ops.
  return lookupOp(*args.name).takeError();
}
