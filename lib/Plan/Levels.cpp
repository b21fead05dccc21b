//===- Levels.cpp - Which levels of the tree a tier takes -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/Levels.h"

#include "Plan/Layout.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace wf;

static int64_t log2(int64_t powerOfTwo) {
  return llvm::Log2_64(uint64_t(powerOfTwo));
}

Levels wf::levelsOf(const Plan &p) {
  const int64_t all = 62;
  const int64_t chunk = log2(p.slots());
  Levels l;
  l.lane = log2(p.accumulators);
  if (!p.onGpu() || p.form == Form::Thread) {
    // One thread folds a chunk, and the chunks of an output.
    l.lane = l.shuffle = l.shared = chunk;
    l.registers = l.block = all;
    return l;
  }
  switch (p.form) {
  case Form::Warp:
    l.shuffle = l.shared = chunk;
    l.registers = p.fill > 0 ? all : chunk + log2(warpRun(p));
    l.block = p.fill > 0 ? all : l.registers + log2(p.warps);
    break;
  case Form::Lanes:
    l.shuffle = l.shared = l.registers = l.block = chunk;
    break;
  default: // Column: neighbouring slots a lane, neighbouring lanes a warp
    l.lane = log2(p.items);
    l.shuffle = l.lane + log2(32 / p.lanes);
    l.shared = l.shuffle + log2(p.warps);
    l.registers = l.block = l.shared + log2(p.run);
    break;
  }
  return l;
}

int64_t wf::slotsPresent(const Plan &p, int64_t elements) {
  if (elements == 0)
    return 0;
  if (p.order == PlanOrder::Sequential)
    return 1;
  int64_t full = elements / p.chunkElements() * p.slots();
  int64_t rest = elements % p.chunkElements();
  if (rest >= p.rowElements())
    return full + p.slots();
  return full + rest / p.vector * p.accumulators +
         std::min(rest % p.vector, p.accumulators);
}
