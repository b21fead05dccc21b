//===- Waits.cpp - NVIDIA's scheduling field in words ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Who set a scoreboard is looked up in the order of the code: the instructions
// that set it since it was last waited for. Across a loop's back edge that
// names the ones before the wait, which is where a first step gets them from.
//===----------------------------------------------------------------------===//
#include "Explain/Write/Words.h"

#include <array>

using namespace wf::explain;

namespace {
struct Scoreboard {
  std::vector<size_t> results, operands; ///< who set it, and for what
  bool stale = false;                    ///< waited for: the next one replaces
};
} // namespace

static std::string waitFor(const Report &r, const Scoreboard &board,
                           int index) {
  std::vector<std::string> parts;
  if (!board.results.empty())
    parts.push_back("the result of " + words::at(r, board.results, 3));
  if (!board.operands.empty())
    parts.push_back(words::at(r, board.operands, 3) +
                    " to have read its operands");
  if (parts.empty())
    return "SB" + std::to_string(index);
  return "SB" + std::to_string(index) + ": " + words::listed(parts);
}

static void set(std::array<Scoreboard, 6> &boards, int8_t index, size_t by,
                bool result) {
  if (index < 0 || index > 5)
    return;
  Scoreboard &board = boards[index];
  if (board.stale)
    board = {};
  auto &setters = result ? board.results : board.operands;
  if (setters.size() < 16)
    setters.push_back(by);
}

static bool loads(const Decoded &d) {
  for (const Effect &e : d.effects)
    if (e.op == Op::Load && !d.never)
      return true;
  return false;
}

std::vector<std::string> words::waitsOf(const Report &r) {
  const Kernel &k = r.kernel();
  // Loads of one kind come back in order: one that sets no scoreboard is there
  // when a later one that does is.
  std::map<std::string, std::vector<size_t>> unmarked;
  std::vector<std::string> out(k.code.size());
  std::array<Scoreboard, 6> boards;
  for (size_t i = 0; i < k.code.size(); ++i) {
    if (!k.code[i].control)
      continue;
    const Control &c = *k.code[i].control;
    std::vector<std::string> parts, waits;
    for (int b = 0; b < 6; ++b)
      if (c.waits >> b & 1) {
        waits.push_back(waitFor(r, boards[b], b));
        boards[b].stale = true;
      }
    if (!waits.empty())
      parts.push_back("waits for " + listed(waits));
    if (loads(r.analysis.program.code[i])) {
      std::vector<size_t> &before = unmarked[opcode(k, i)];
      if (c.writeBarrier < 0) {
        if (before.size() < 16)
          before.push_back(i);
      } else {
        for (size_t load : before)
          set(boards, c.writeBarrier, load, true);
        before.clear();
      }
    }
    set(boards, c.writeBarrier, i, true);
    set(boards, c.readBarrier, i, false);
    if (c.writeBarrier >= 0)
      parts.push_back("SB" + std::to_string(c.writeBarrier) +
                      " when the result is there");
    if (c.readBarrier >= 0)
      parts.push_back("SB" + std::to_string(c.readBarrier) +
                      " when the operands are read");
    if (c.stall > 1)
      parts.push_back("stall " + std::to_string(c.stall));
    for (size_t n = 0; n < parts.size(); ++n)
      out[i] += (n ? "; " : "") + parts[n];
  }
  return out;
}
