//===- Counters.cpp - What a simulated launch did -------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Simulator/Counters.h"

using namespace wf;
using namespace wf::sim;

const char *sim::instKindName(InstKind kind) {
  static const char *const names[] = {
      "arithmetic",    "global loads",   "global stores", "shared loads",
      "shared stores", "private memory", "atomics",       "exchanges",
      "barriers",      "branches",       "other"};
  return names[size_t(kind)];
}

void Counters::add(const Counters &other) {
#define X(F, L) F += other.F;
  WF_SIMULATED_COUNTS(X)
#undef X
  for (int k = 0; k < instKinds; ++k)
    kinds[k] += other.kinds[k];
  if (other.hottest > hottest) {
    hottest = other.hottest;
    hottestName = other.hottestName;
  }
  for (const auto &[kernel, blocks] : other.byBlock) {
    auto &mine = byBlock[kernel];
    if (mine.empty())
      mine = blocks;
    else
      for (size_t b = 0; b < blocks.size(); ++b) {
        mine[b].second.warps += blocks[b].second.warps;
        mine[b].second.lanes += blocks[b].second.lanes;
      }
  }
}
