//===- Words.cpp - Small things on text -----------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Patterns/Words.h"

#include <algorithm>
#include <charconv>

using namespace wf::explain;

std::string_view wf::explain::withoutBlanks(std::string_view text) {
  size_t from = text.find_first_not_of(" \t\r");
  if (from == std::string_view::npos)
    return {};
  return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

/// Letters to change, add or drop.
static size_t distance(std::string_view x, std::string_view y) {
  std::vector<size_t> row(y.size() + 1);
  for (size_t j = 0; j <= y.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= x.size(); ++i) {
    size_t corner = row[0];
    row[0] = i;
    for (size_t j = 1; j <= y.size(); ++j) {
      size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1,
                         corner + (x[i - 1] == y[j - 1] ? 0 : 1)});
      corner = above;
    }
  }
  return row[y.size()];
}

std::string
wf::explain::suggestion(std::string_view name,
                        const std::vector<std::string_view> &names) {
  std::string_view best;
  size_t least = 3;
  for (std::string_view other : names)
    if (name.size() < 64)
      if (size_t d = distance(name, other);
          d < least && d < std::max(name.size(), other.size())) {
        least = d;
        best = other;
      }
  if (!best.empty())
    return "did you mean `" + std::string(best) + "`?";
  std::string all = "there are:";
  for (std::string_view other : names)
    all += " " + std::string(other);
  return all;
}

std::string wf::explain::numberText(double value) {
  char text[32];
  auto end = std::to_chars(text, text + sizeof(text), value).ptr;
  return std::string(text, end);
}
