//===- Catalogue.cpp - The built-in reductions ----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// In: the rows that EmbedOps.cmake makes of the .fold files, sorted by name.
// Out: names, descriptions, sources, parsed reductions.
//===----------------------------------------------------------------------===//
#include "Language/Catalogue.h"

#include "Error/Error.h"
#include "Language/Diagnostics.h"
#include "Language/Parser.h"
#include "llvm/ADT/StringExtras.h"

using namespace wf;

namespace {
struct EmbeddedFile {
  const char *name, *text;
};
} // namespace

static const EmbeddedFile files[] = {
#include "Language/CatalogueData.inc"
};

static std::vector<CatalogueEntry> makeEntries() {
  std::vector<CatalogueEntry> out;
  for (const EmbeddedFile &file : files) {
    llvm::StringRef text = file.text;
    llvm::StringRef first = text.split('\n').first;
    first.consume_front("#");
    out.push_back({file.name, first.trim(), text});
  }
  return out;
}

llvm::ArrayRef<CatalogueEntry> wf::catalogue() {
  static const std::vector<CatalogueEntry> entries = makeEntries();
  return entries;
}

llvm::Expected<ReductionAst> wf::lookupOp(llvm::StringRef name) {
  std::vector<std::string> names;
  for (const CatalogueEntry &entry : catalogue()) {
    names.push_back(entry.name.str());
    if (entry.name != name)
      continue;
    auto reductions = parseReductions(entry.source, (name + ".fold").str());
    if (!reductions)
      return reductions.takeError();
    for (ReductionAst &ast : *reductions)
      if (ast.name == name)
        return std::move(ast);
    return internalError("the file of '" + name + "' does not define it");
  }
  return diagnose(
      Diag::UnknownOp, {}, {},
      {name.str(),
       nearestHint(name, names, "there are " + llvm::join(names, ", "))});
}
