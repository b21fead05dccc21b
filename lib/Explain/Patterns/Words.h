//===- Words.h - Small things on text ---------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_PATTERNS_WORDS_H
#define WARPFOLD_EXPLAIN_PATTERNS_WORDS_H

#include <string>
#include <string_view>
#include <vector>

namespace wf::explain {

std::string_view withoutBlanks(std::string_view text);

/// "did you mean `barriers`?" for the nearest of `names`, else all of them.
std::string suggestion(std::string_view name,
                       const std::vector<std::string_view> &names);

/// 3 → "3", 0.5 → "0.5".
std::string numberText(double value);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_PATTERNS_WORDS_H
