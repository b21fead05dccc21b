//===- SampleTest.cpp - A grid by a few of its blocks ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Support.h"

using namespace wf::sim;

/// Counts of 1000 blocks of one warp. %b is the block's number, %g the thread's
/// in the grid.
struct Grid {
  SimulatedRun run;

  Grid(const std::string &text, bool sample, size_t words) {
    run.options.schedule = Schedule::InStep;
    run.options.count = true;
    run.options.hazards = false;
    run.options.sample = sample;
    run.grid = 1000;
    run.in.resize(words);
    run.out.resize(words);
    EXPECT_TRUE(
        run.body("  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                 "  %first = mul i32 %b, 32\n  %g = add i32 %first, %t\n" +
                 text + "\n  ret void"))
        << run.error;
  }
};

/// Every count, by name.
static std::string allCounts(const Outcome &outcome) {
  const Counters &c = outcome.counters;
  std::string text;
#define X(F, L) text += std::string(L) + " " + std::to_string(c.F) + "\n";
  WF_SIMULATED_COUNTS(X)
#undef X
  for (int k = 0; k < instKinds; ++k)
    text += std::to_string(c.kinds[k]) + " ";
  for (const auto &[name, count] : c.byBlock.at("k"))
    text += name + " " + std::to_string(count.warps) + "/" +
            std::to_string(count.lanes) + "\n";
  return text + "hottest " + std::to_string(c.hottest);
}

/// The counters by sample, if that is what becomes of it, are all blocks'.
/// `why` not, if it is not.
static Counters expectSame(const std::string &text, const std::string &why = "",
                           size_t words = 32 * 1000) {
  bool sampled = why.empty();
  Grid some(text, true, words), all(text, false, words);
  EXPECT_EQ(some.run.outcome.sampled, sampled);
  EXPECT_EQ(some.run.outcome.whyAll, why);
  EXPECT_EQ(all.run.outcome.simulatedBlocks, 1000u);
  // Three windows of 34.
  EXPECT_EQ(some.run.outcome.simulatedBlocks, sampled ? 102u : 1000u);
  EXPECT_EQ(allCounts(some.run.outcome), allCounts(all.run.outcome));
  return some.run.outcome.counters;
}

static const std::string load =
    "  %pg = getelementptr i32, ptr addrspace(1) %in, i32 %g\n"
    "  %v = load i32, ptr addrspace(1) %pg\n";
static const std::string addTo =
    "  %x = atomicrmw add ptr addrspace(1) %q, i32 1 monotonic\n";

// All blocks change one word: 32 lanes of 1000 blocks.
TEST(Sample, OneAddressForAll) {
  const std::string text =
      load + "  %q = getelementptr i32, ptr addrspace(1) %out, i32 0\n" + addTo;
  Counters c = expectSame(text);
  EXPECT_EQ(c.fetched, 128u * 1000 + 32);
  EXPECT_EQ(c.written, 32u);
  EXPECT_EQ(c.hottest, 32000u);
}

// Eight blocks share a granule of the output, so every eighth differs; no two
// change the same word.
TEST(Sample, AnAddressForEach) {
  const std::string text =
      load + "  %q = getelementptr i32, ptr addrspace(1) %out, i32 %b\n" +
      addTo;
  Counters c = expectSame(text);
  EXPECT_EQ(c.written, 4000u);
  EXPECT_EQ(c.hottest, 32u);
}

// The blocks read 300 rows again and again: each window sees rows of its own,
// and memory has no 1000.
TEST(Sample, RowsThatComeAgain) {
  Counters c =
      expectSame("  %row = urem i32 %b, 300\n  %at = mul i32 %row, 32\n"
                 "  %e = add i32 %at, %t\n"
                 "  %pe = getelementptr i32, ptr addrspace(1) %in, i32 %e\n"
                 "  %v = load i32, ptr addrspace(1) %pe\n",
                 "blocks come back to the same memory", 32 * 300);
  EXPECT_EQ(c.fetched, 300u * 128);
}

// Every block does as many rounds as its number says.
TEST(Sample, BlocksThatDiffer) {
  expectSame("  br label %head\nhead:\n"
             "  %i = phi i32 [ 0, %entry ], [ %j, %head ]\n"
             "  %j = add i32 %i, 1\n  %more = icmp ult i32 %j, %b\n"
             "  br i1 %more, label %head, label %done\ndone:\n",
             "blocks differ");
}

// The last to come does more: who that is depends on all.
TEST(Sample, BlocksThatTakeATicket) {
  expectSame("  %q = getelementptr i32, ptr addrspace(1) %in, i32 0\n" + addTo +
                 "  %l = icmp eq i32 %x, 31999\n"
                 "  br i1 %l, label %last, label %done\nlast:\n"
                 "  store i32 %x, ptr addrspace(1) %pout\n"
                 "  br label %done\ndone:\n",
             "blocks depend on each other's atomics");
}
