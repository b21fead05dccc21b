//===- PlanError.cpp - A mistake in a plan's text, with a caret -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/PlanError.h"

#include "Error/Error.h"

#include <algorithm>

using namespace wf;

llvm::Error wf::planMistake(llvm::StringRef text, llvm::StringRef word,
                            const llvm::Twine &message,
                            const llvm::Twine &hint) {
  size_t at = 0;
  if (word.data() >= text.data() && word.data() <= text.data() + text.size())
    at = size_t(word.data() - text.data());
  std::string said = message.str();
  std::string excerpt = "--plan:1:" + std::to_string(at + 1) +
                        ": error: " + said + "\n  " + text.str() + "\n  " +
                        std::string(at, ' ') + "^";
  return llvm::make_error<WarpfoldError>(ErrorKind::User, said, hint.str(),
                                         excerpt);
}

std::string wf::nearestWord(llvm::StringRef word,
                            llvm::ArrayRef<llvm::StringRef> known,
                            const llvm::Twine &otherwise) {
  // More than a third of the letters wrong is another word.
  unsigned limit = std::max<unsigned>(1, unsigned(word.size()) / 3) + 1;
  llvm::StringRef best;
  for (llvm::StringRef candidate : known) {
    unsigned distance = word.edit_distance(candidate, true, limit);
    if (distance < limit)
      limit = distance, best = candidate;
  }
  if (best.empty())
    return otherwise.str();
  return "did you mean '" + best.str() + "'?";
}
