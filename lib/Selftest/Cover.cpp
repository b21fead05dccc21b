//===- Cover.cpp - Few cases that meet every pair of traits ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Selftest/Cover.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <map>
#include <set>

using namespace wf;
using namespace wf::selftest;

/// Where a length stands against what kernels are made of: a lane's vector, a
/// row of 32 lanes, a chunk of 32 rows, several of them; and the rest.
static std::string lengthClass(int64_t n) {
  const char *size = n == 0      ? "none"
                     : n == 1    ? "one"
                     : n < 16    ? "few"
                     : n < 128   ? "row"
                     : n < 4096  ? "chunk"
                     : n < 65536 ? "chunks"
                                 : "many";
  return std::string(size) + (n % 32 == 0 ? "/whole" : "/ragged");
}

static std::string strideClass(const View &v) {
  int64_t expected = 1;
  bool rowMajor = true, negative = false, zero = false;
  for (size_t d = v.shape.size(); d-- > 0;) {
    rowMajor &= v.strides[d] == expected || v.shape[d] == 1;
    negative |= v.strides[d] < 0;
    zero |= v.strides[d] == 0 && v.shape[d] > 1;
    expected *= v.shape[d];
  }
  return rowMajor   ? "row-major"
         : negative ? "negative"
         : zero     ? "zero"
                    : "other";
}

std::vector<std::string> selftest::traitsOf(const Case &c) {
  std::vector<std::string> traits;
  auto add = [&](const char *what, const std::string &value) {
    traits.push_back(std::string(what) + "=" + value);
  };
  const CaseInput &first = c.inputs.front();
  llvm::StringRef source(c.source);
  add("reduction", source.split("reduction ").second.split('(').first.str());
  add("type", std::string(name(first.type)));
  add("inputs", std::to_string(c.inputs.size()));
  int64_t length = 1, outputs = 1;
  std::string axes = c.allAxes ? "all" : "";
  const View &view = first.view;
  for (size_t d = 0; d < view.shape.size(); ++d) {
    bool reduced =
        c.allAxes || llvm::is_contained(c.axes, int64_t(d)) ||
        llvm::is_contained(c.axes, int64_t(d) - int64_t(view.shape.size()));
    (reduced ? length : outputs) *= view.shape[d];
    if (!c.allAxes)
      axes += reduced ? 'r' : 'k';
  }
  add("length", lengthClass(length));
  add("outputs", lengthClass(outputs));
  add("axes", axes);
  add("strides", strideClass(view));
  add("skew", std::to_string(view.skew % 16));
  add("values", std::to_string(int(first.values)));
  add("order", c.order.value_or("default"));
  add("plan", c.plan.value_or("auto"));
  if (c.nanIgnore)
    add("nan", "ignore");
  if (c.acc)
    add("acc", std::string(name(*c.acc)));
  return traits;
}

std::vector<Case> selftest::pairwiseCover(const std::vector<Case> &all,
                                          int64_t most) {
  std::map<std::string, unsigned> numbers;
  std::vector<std::vector<unsigned>> traits(all.size());
  std::vector<size_t> bySize;
  for (size_t i = 0; i < all.size(); ++i) {
    if (elementsOf(all[i]) > most || all[i].closedForm)
      continue;
    for (const std::string &t : traitsOf(all[i]))
      traits[i].push_back(numbers.try_emplace(t, numbers.size()).first->second);
    bySize.push_back(i);
  }
  std::sort(bySize.begin(), bySize.end(), [&](size_t a, size_t b) {
    int64_t na = elementsOf(all[a]), nb = elementsOf(all[b]);
    return na != nb ? na < nb : a < b;
  });
  std::set<std::pair<unsigned, unsigned>> met;
  auto fresh = [&](size_t i, bool take) {
    unsigned n = 0;
    for (size_t a = 0; a < traits[i].size(); ++a)
      for (size_t b = a + 1; b < traits[i].size(); ++b) {
        std::pair<unsigned, unsigned> pair(traits[i][a], traits[i][b]);
        if (take)
          met.insert(pair);
        else
          n += !met.count(pair);
      }
    return n;
  };
  // Those that bring many new pairs first, so that fewer are needed.
  std::set<size_t> chosen;
  for (unsigned atLeast : {24u, 12u, 6u, 3u, 2u, 1u})
    for (size_t i : bySize)
      if (!chosen.count(i) && fresh(i, false) >= atLeast) {
        fresh(i, true);
        chosen.insert(i);
      }
  std::vector<Case> cover;
  for (size_t i : chosen)
    cover.push_back(all[i]);
  return cover;
}
