//===- Meeting.cpp - Where two elements meet ------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Two positions meet at their highest differing bit (trees that count up), or
// at the largest stride that leaves them the same rest (trees that halve). An
// absent side never moves a meeting: both of ours are there.
//===----------------------------------------------------------------------===//
#include "Plan/Layout.h"
#include "Plan/Levels.h"
#include "Plan/Named.h"
#include "Plan/Tree.h"

#include "llvm/Support/MathExtras.h"

#include <cassert>

using namespace wf;

static int64_t highestDifferingBit(int64_t a, int64_t b) {
  return llvm::Log2_64(uint64_t(a ^ b));
}
static int64_t log2(int64_t powerOfTwo) {
  return llvm::Log2_64(uint64_t(powerOfTwo));
}
static std::string count(int64_t n) { return std::to_string(n); }

/// In a tree of halving strides over `width`: the stride at which t and u meet.
static int64_t meetingStride(int64_t t, int64_t u, int64_t width) {
  int64_t s = width / 2;
  while (t % s != u % s)
    s /= 2;
  return s;
}

/// Threads t != u of one block.
static Meeting inBlock(const Plan &p, int64_t t, int64_t u) {
  Meeting m;
  m.tier = Tier::Block;
  int64_t T = p.threads();
  if (p.exchange == Exchange::Halving) {
    int64_t s = meetingStride(t, u, T);
    m.level = log2(T / 2 / s);
    m.thread = t % s;
    m.how = "shared memory, round " + count(m.level + 1) + ": thread " +
            count(m.thread) + " takes thread " + count(m.thread + s);
    return m;
  }
  if (p.exchange == Exchange::Pairs) {
    m.level = highestDifferingBit(t, u);
    int64_t s = int64_t(1) << m.level;
    m.thread = t & ~(2 * s - 1);
    m.how = "shared memory, round " + count(m.level + 1) + ": thread " +
            count(m.thread) + " takes thread " + count(m.thread + s);
    return m;
  }
  bool warps = t / 32 != u / 32;
  int64_t a = warps ? t / 32 : t % 32, b = warps ? u / 32 : u % 32, left, s;
  if (p.exchange == Exchange::Up) {
    m.level = highestDifferingBit(a, b);
    s = int64_t(1) << m.level;
    left = a & ~(2 * s - 1);
  } else {
    s = meetingStride(a, b, 32);
    m.level = log2(16 / s);
    left = a % s;
  }
  m.tier = warps ? Tier::Block : Tier::Slots;
  m.thread = warps ? left : t / 32 * 32 + left;
  if (warps)
    m.how = "warp 0 joins the warps' states, a shuffle of stride " + count(s) +
            ": warp " + count(left) + " takes warp " + count(left + s);
  else
    m.how = "a shuffle of stride " + count(s) + ": lane " + count(left) +
            " takes lane " + count(left + s);
  return m;
}

static Meeting ladderMeeting(const Plan &p, int64_t K, int64_t i, int64_t j) {
  Layout layout(p, K);
  Place a = layout.place(i), b = layout.place(j);
  Meeting m;
  if (p.exchange == Exchange::None ||
      (a.block != b.block && p.grid == Grid::Atomic)) {
    m.tier = Tier::Grid;
    m.block = m.thread = -1;
    m.how = "atomics on the output, in the order they come";
    return m;
  }
  if (a.block == b.block) {
    if (a.thread == b.thread) {
      m.level = b.step;
      m.thread = a.thread;
      m.how = "the thread's own fold, at load " + count(b.step);
    } else {
      m = inBlock(p, a.thread, b.thread);
    }
    m.block = a.block;
    return m;
  }
  std::string where = p.grid == Grid::Launch ? "the second launch: "
                                             : "the block that comes last: ";
  int64_t t = a.block % p.threads(), u = b.block % p.threads();
  if (t == u) {
    m.thread = t;
    m.level = std::max(a.block, b.block) / p.threads();
    m.how = where + "a thread's own fold of partial states, at partial " +
            count(m.level);
  } else {
    m = inBlock(p, t, u);
    m.how = where + m.how;
  }
  m.tier = Tier::Grid;
  m.block = -1;
  return m;
}

/// Levels of the grid tier that groups of runs take.
static int64_t groupLevels(const Plan &p) {
  return p.group > 0 ? log2(p.group) : 0;
}

static Meeting slotMeeting(const Plan &p, int64_t K, int64_t i, int64_t j) {
  Meeting m;
  int64_t a = slotOf(p, i), b = slotOf(p, j), low = std::min(a, b);
  Place at;
  if (p.onGpu())
    at = Layout(p, K).place(a <= b ? i : j);
  m.block = at.block;
  m.thread = at.thread;
  if (a == b) {
    m.level = slotPosition(p, j);
    m.how = "slot " + count(low % p.slots()) + " folds its element " +
            count(m.level);
    return m;
  }
  int64_t bit = highestDifferingBit(a, b);
  int64_t first = low >> (bit + 1) << (bit + 1); // leftmost slot of the join
  int64_t chunkBits = log2(p.slots());
  Levels l = levelsOf(p);
  // Under ordered, whose chunk is a row, a column's warp reaches past it.
  bool inWarp = bit < std::max(chunkBits, l.shuffle);
  m.tier = inWarp ? Tier::Slots : Tier::Chunks;
  m.level = inWarp ? bit : bit - chunkBits;
  std::string runs =
      inWarp ? "runs of " + count(int64_t(1) << bit) + " slots"
             : "runs of " + count(int64_t(1) << m.level) + " chunks";
  if (p.onGpu() && bit < l.block)
    m.thread = Layout(p, K).place(slotElement(p, first, 0)).thread;
  if (bit < l.lane) {
    m.how = runs + (p.onGpu() ? " of one lane, in registers"
                              : ", lanes of SIMD registers");
  } else if (bit < l.shuffle) {
    int64_t apart = int64_t(1) << (bit - l.lane);
    if (p.form == Form::Column)
      apart *= p.lanes;
    m.how = runs + ", a shuffle between lanes " + count(apart) + " apart";
  } else if (bit < l.shared) {
    m.tier = Tier::Block;
    m.how = runs + ", through shared memory";
  } else if (bit < l.registers) {
    m.how = runs + ", a binary counter in " +
            (p.onGpu() ? "registers" : "the thread's memory");
  } else if (bit < l.block) {
    m.tier = Tier::Block;
    m.level = bit - l.registers;
    m.how = runs + ", warps through shared memory";
  } else {
    m.tier = Tier::Grid;
    m.level = bit - l.block;
    m.block = m.thread = -1;
    bool grouped = p.grid == Grid::Ticket && m.level < groupLevels(p);
    m.how = runs + (p.grid == Grid::Launch ? ", in the second launch"
                    : grouped ? ", in the block that comes last of its group"
                              : ", in the block that comes last");
  }
  return m;
}

Meeting wf::meeting(const Plan &plan, int64_t elements, int64_t i, int64_t j) {
  if (i > j)
    std::swap(i, j);
  assert(i >= 0 && i < j && j < elements && "a pair of two elements");
  if (plan.onGpu() && plan.form == Form::Ladder)
    return ladderMeeting(plan, elements, i, j);
  if (plan.order == PlanOrder::Sequential) {
    Meeting m;
    m.level = j;
    m.how = "the one chain, at element " + count(j);
    return m;
  }
  return slotMeeting(plan, elements, i, j);
}

std::string wf::describe(const Meeting &m) {
  std::string text = "tier " + std::string(name(m.tier)) + ", " +
                     (m.tier == Tier::Rows ? "step " : "level ") +
                     count(m.level) + ": " + m.how + "\n";
  if (m.block >= 0)
    text += "block " + count(m.block) + ", warp " + count(m.warp()) +
            ", thread " + count(m.thread) + "\n";
  return text;
}
