//===- Nearest.h - The name that the user may have meant --------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// nearest("--axs", {"--axis", "--acc"}) is "--axis"; a name that is not close
// to any (more than a third of its letters differ) has none.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TOOLS_NEAREST_H
#define WARPFOLD_TOOLS_NEAREST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <optional>
#include <string>

namespace wf::cli {

inline std::optional<std::string> nearest(llvm::StringRef name,
                                          llvm::ArrayRef<std::string> known) {
  std::optional<std::string> best;
  unsigned limit = std::max<unsigned>(1, unsigned(name.size()) / 3);
  for (const std::string &candidate : known) {
    unsigned distance = name.edit_distance(candidate, true, limit);
    if (distance <= limit) {
      best = candidate;
      if (distance == 0)
        break;
      limit = distance - 1;
    }
  }
  return best;
}

} // namespace wf::cli

#endif // WARPFOLD_TOOLS_NEAREST_H
