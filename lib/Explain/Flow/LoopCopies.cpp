//===- LoopCopies.cpp - Steps that a compiler wrote out -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Flow/LoopSteps.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace wf::explain;

/// Copies of the step: as many as stores of one kind, where there are some;
/// else as many as an accumulator's chain is long, or loads of one kind. A
/// counter, where one is constant, has to say so, too.
int LoopSteps::copiesOf(const Loop &loop) const {
  int64_t chain = 1;
  std::vector<int64_t> counted;
  for (ValueId phi : phis(loop)) {
    Step step = stepOf(loop, phi);
    if (step.kind == Step::Kind::Accumulate)
      chain = std::max(chain, step.by);
    if (step.kind == Step::Kind::Count && step.next == noValue)
      counted.push_back(step.by < 0 ? -step.by : step.by);
  }
  int64_t stores = repeated(loop, Op::Store), loads = repeated(loop, Op::Load);
  int64_t copies = stores                                         ? stores
                   : chain > 1 && loads > 1 && chain % loads == 0 ? loads
                   : chain > 1                                    ? chain
                                                                  : loads;
  if (copies < 2)
    return 1;
  bool agrees = counted.empty();
  for (int64_t by : counted)
    agrees = agrees || by % copies == 0;
  return agrees ? int(std::min<int64_t>(copies, 1 << 16)) : 1;
}

/// How often each access of the loop's own blocks is written out: the common
/// divisor over those that differ in more than a constant; 0: none.
int64_t LoopSteps::repeated(const Loop &loop, Op op) const {
  using Shape = std::vector<int64_t>;
  std::map<Shape, std::map<int64_t, int64_t>> exact; // counts by offset
  std::map<Shape, int64_t> byPointer;
  const int self = int(&loop - a.loops.data());
  for (size_t b : loop.blocks) {
    if (a.blocks[b].loop != self)
      continue;
    for (size_t i = a.blocks[b].first; i < a.blocks[b].last; ++i)
      for (size_t k = 0; k < a.code[i].effects.size(); ++k) {
        const Effect &e = a.program.code[i].effects[k];
        ValueId address = a.code[i].effects[k].address;
        if (address == noValue || !e.memory || e.op != op)
          continue;
        Address parts = splitAddress(a, address, e.memory->space);
        Shape shape = {int64_t(e.memory->space), int64_t(e.memory->bytes),
                       int64_t(parts.base)};
        if (parts.base != noValue)
          ++byPointer[shape];
        for (const auto &[id, factor] : parts.terms) {
          shape.push_back(id);
          shape.push_back(factor);
        }
        ++exact[shape][parts.offset];
      }
  }
  // The same place again is a copy; other places are copies where there is
  // one of each.
  int64_t found = 0, coarse = 0;
  for (const auto &[shape, offsets] : exact) {
    int64_t again = 0;
    for (const auto &[offset, count] : offsets)
      again = std::gcd(again, count);
    found = std::gcd(found, again > 1 ? again : int64_t(offsets.size()));
  }
  for (const auto &[shape, count] : byPointer)
    coarse = std::gcd(coarse, count);
  return found == 1 ? std::max<int64_t>(1, coarse) : found;
}
