//===- LaneOrder.cpp - In which order lanes meet --------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Patterns/LaneOrder.h"

#include <cstdlib>

using namespace wf::explain;

static int numberAfter(const std::string &text, const char *word) {
  size_t at = text.find(word);
  return at == std::string::npos
             ? 0
             : std::atoi(text.c_str() + at + std::string_view(word).size());
}

int wf::explain::laneDistance(const Effect &e) {
  switch (e.shuffle) {
  case ShuffleKind::Up:
  case ShuffleKind::Down:
  case ShuffleKind::Xor:
    return e.in.size() > 1 && e.in[1].kind == Source::Kind::Immediate &&
                   e.in[1].imm > 0 && e.in[1].imm < 64
               ? int(e.in[1].imm)
               : 0;
  case ShuffleKind::QuadPerm:
    return e.detail.find("[1,0,3,2]") != std::string::npos   ? 1
           : e.detail.find("[2,3,0,1]") != std::string::npos ? 2
                                                             : 0;
  case ShuffleKind::RowXor:
    return numberAfter(e.detail, "row_xmask:");
  case ShuffleKind::RowShift:
    return numberAfter(e.detail, "row_shr:") +
           numberAfter(e.detail, "row_shl:");
  case ShuffleKind::Swizzle:
    return numberAfter(e.detail, "SWAP,");
  case ShuffleKind::PermLaneX16:
    return 16;
  case ShuffleKind::PermLane64:
    return 32;
  default:
    return 0;
  }
}

/// Three distances or more, 1, 2, 4 …, and no other.
static bool ascends(const Program &program, const Accumulator &acc) {
  int next = 1, steps = 0;
  for (size_t i : acc.all) {
    if (i >= program.code.size())
      return false;
    for (const Effect &e : program.code[i].effects) {
      if (e.op != Op::Shuffle && e.shuffle == ShuffleKind::None)
        continue;
      if (laneDistance(e) != next)
        return false;
      next *= 2;
      ++steps;
    }
  }
  return steps >= 3;
}

void wf::explain::markLaneOrder(Report &report) {
  for (Accumulator &acc : report.accumulators)
    acc.ascending = acc.through.count(Through::Lanes) && !acc.loop &&
                    ascends(report.analysis.program, acc);
}
