//===- Builtin.cpp - The patterns that are built in -----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Patterns/Pattern.h"

using namespace wf::explain;

namespace {
struct File {
  const char *name, *text;
};
constexpr File files[] = {
#include "Explain/PatternData.inc"
};
} // namespace

const std::vector<Pattern> &wf::explain::builtinPatterns() {
  static const std::vector<Pattern> all = [] {
    std::vector<Pattern> patterns;
    for (const File &file : files) {
      auto read = readPatterns(file.text, file.name);
      if (!read)
        continue; // a test reads each, and says what is wrong
      for (Pattern &pattern : *read)
        patterns.push_back(std::move(pattern));
    }
    return patterns;
  }();
  return all;
}
