//===- CostTest.cpp - Counts and predictions ------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/Cost.h"
#include "Plan/Explain.h"
#include "Plans.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace wf;
using namespace wf::test;

namespace {

ExplainFacts sumFacts() {
  ExplainFacts facts;
  facts.orderReason = "the default of a commutative combine";
  facts.members = {4};
  facts.inputBytes = {4};
  facts.outputBytes = 4;
  return facts;
}

Problem problemOf(int64_t elements, int64_t outputs = 1) {
  Problem p;
  p.kind = outputs == 1 ? ProblemKind::Full : ProblemKind::Row;
  p.elements = elements;
  p.outputs = outputs;
  p.reduced.push_back({elements, {1}, {}});
  if (outputs > 1)
    p.kept.push_back({outputs, {elements}, {1}});
  return p;
}

/// Folds over the rows of matrices of so many columns.
Problem columnsOf(int64_t elements, int64_t outputs, int64_t columns) {
  Problem p;
  p.kind = ProblemKind::Column;
  p.elements = elements;
  p.outputs = outputs;
  p.reduced.push_back({elements, {columns}, {}});
  p.kept.push_back({outputs / columns, {elements * columns}, {columns}});
  p.kept.push_back({columns, {1}, {1}});
  return p;
}

// Every element but the first of an output is merged exactly once.
TEST(Cost, MergesAddUp) {
  auto check = [](const Plan &plan, const Problem &problem,
                  ExplainFacts facts) {
    Work w = workOf(plan, problem, facts);
    double merges = 0, O = double(problem.outputs);
    for (double m : w.merges)
      merges += m;
    EXPECT_EQ(w.maps + w.updates, O * double(problem.elements));
    EXPECT_EQ(w.updates + merges, O * double(problem.elements - 1))
        << plan.text() << " K=" << problem.elements;
    for (size_t t = 0; t < w.merges.size(); ++t)
      EXPECT_GE(w.calls[t], w.merges[t]) << plan.text();
  };
  for (const PlanCase &c : orderedCases()) {
    check(c.plan,
          c.columns > 0 ? columnsOf(c.elements, c.outputs, c.columns)
                        : problemOf(c.elements, c.outputs),
          sumFacts());
  }
  for (const std::string &text : rungs)
    for (int64_t K : {1, 5, 255, 256, 257, 1000, 1024, 5003, 100003})
      check(rung(text, K), problemOf(K, 3), sumFacts());
  Plan cpu = choosePlan([] {
    PlanFacts f{};
    f.kind = ProblemKind::Full;
    f.order = PlanOrder::Canonical;
    f.widestInputBytes = f.stateBytes = f.widestMemberBytes = 4;
    f.simdBytes = 32;
    return f;
  }());
  for (int64_t K : {1, 130, 5000})
    check(cpu, problemOf(K), sumFacts());
}

TEST(Cost, CountsOfKnownPlans) {
  // 2^20 f32: 256 chunks of 128 slots of 32; 4 warps a block.
  Plan p = gpuPlan(Form::Warp, 4, 4);
  p.grid = Grid::Ticket;
  Work w = workOf(p, problemOf(1 << 20), sumFacts());
  EXPECT_EQ(w.maps, 32768);
  EXPECT_EQ(w.merges[int(Tier::Slots)], 256 * 127);
  EXPECT_EQ(w.merges[int(Tier::Chunks)], 0);
  EXPECT_EQ(w.merges[int(Tier::Block)], 64 * 3);
  EXPECT_EQ(w.merges[int(Tier::Grid)], 63);
  EXPECT_EQ(w.levels, 5);
  EXPECT_EQ(w.block.chunk, 5);
  EXPECT_EQ(w.block.tail, 5);
  EXPECT_EQ(w.block.block, 2);
  EXPECT_EQ(w.block.join, 7);
  // Every chunk, every block, and the last block's four warps and first warp.
  EXPECT_EQ(w.shuffles, 256 * 5 + 64 * 2 + 4 * 5 + 2);
  EXPECT_EQ(w.block.barriers, 1);
  EXPECT_EQ(w.block.tickets, 1);
  EXPECT_EQ(w.block.ticketBarriers, 1);
  EXPECT_EQ(w.block.joinBarriers, 1);
  EXPECT_EQ(w.block.shared, 2 * 4 * 4 + 4);
  EXPECT_EQ(w.blocks, 64);
  EXPECT_EQ(w.tickets, 1);
  EXPECT_EQ(w.scratch, 64 * 4 + 4);
  EXPECT_EQ(w.launches, 1);
  // The state of an argmax: two members, three words.
  ExplainFacts arg = sumFacts();
  arg.members = {4, 8};
  arg.nearMembers = {4, 4};
  EXPECT_EQ(workOf(p, problemOf(1 << 20), arg).block.chunk, 5 * 3);
  p.nearIndex = true;
  EXPECT_EQ(workOf(p, problemOf(1 << 20), arg).block.chunk, 5 * 2);
  EXPECT_EQ(workOf(p, problemOf(1 << 20), arg).block.block, 2 * 3);
  p.nearIndex = false;
  // Groups of 16 blocks: four, and the one of all.
  p.group = 16;
  w = workOf(p, problemOf(1 << 20), sumFacts());
  EXPECT_EQ(w.tickets, 5);
  EXPECT_EQ(w.partials, 64 + 4);
  EXPECT_EQ(w.scratch, 68 * 4 + 5 * 4);
  EXPECT_EQ(w.block.tickets, 2);
  EXPECT_EQ(w.block.shared, 3 * 4 * 4 + 2 * 4);
  EXPECT_EQ(w.shuffles, 256 * 5 + 64 * 2 + 5 * (4 * 5 + 2));

  w = workOf(rung("v1", 1 << 20), problemOf(1 << 20), sumFacts());
  EXPECT_EQ(w.atomics, 4096);
  EXPECT_EQ(w.block.barriers, 9); // one a round, and one after the stores
  EXPECT_EQ(w.block.shared, 1024);
  w = workOf(rung("v4", 1 << 20), problemOf(1 << 20), sumFacts());
  EXPECT_EQ(w.launches, 2);
  EXPECT_EQ(w.partials, 1024);
  EXPECT_EQ(w.block.barriers, 1);
}

TEST(Cost, CountsOfColumns) {
  // 4 lanes of 4 outputs: a warp has 8 lanes along the slots, 2 slots each, so
  // that 4 warps fold 64 of a chunk's 128 slots a step, and two steps of them.
  Plan p = gpuPlan(Form::Column, 4, 4);
  p.kind = ProblemKind::Column;
  p.lanes = p.outputs = 4;
  p.items = p.run = 2;
  p.grid = Grid::Ticket;
  Work w = workOf(p, columnsOf(4096 * 3, 64, 16), sumFacts());
  EXPECT_EQ(w.blocks, 4 * 3);
  EXPECT_EQ(w.block.steps, 2);
  EXPECT_EQ(w.block.barriers, 2);
  EXPECT_EQ(w.block.chunk, 4 * 3);
  EXPECT_EQ(w.shuffles, 4 * 6 * 4 * 12); // tiles, steps, warps
  EXPECT_EQ(w.tickets, 4);
  EXPECT_EQ(w.partials, 3 * 64);
  // 16 outputs a warp, 16 a group of threads, and twice 8 groups that join.
  EXPECT_EQ(w.block.shared, 16 * (4 + 4 + 8 + 8) * 4 + 4);
  // Slots, of 3 chunks: 2 a lane, 16 a warp, 64 a step and 128 a block.
  EXPECT_EQ(w.merges[int(Tier::Slots)], 64 * (384 - 384 / 16));
  EXPECT_EQ(w.merges[int(Tier::Block)], 64 * (24 - 6));
  EXPECT_EQ(w.merges[int(Tier::Chunks)], 64 * (6 - 3));
  EXPECT_EQ(w.merges[int(Tier::Grid)], 64 * 2);
}

// Medians of device time of the hand-written ladder on one H200, f32, cold
// and clean, in microseconds: the model's claim is a tenth.
TEST(Cost, PredictsTheHandWrittenLadder) {
  const Hardware *h200 = findHardware("sm_90");
  struct {
    const char *plan;
    int log;
    double us;
    const char *bound;
  } rows[] = {{"v0", 20, 1852.3, "atomics on one address"},
              {"v0", 24, 29467.7, "atomics on one address"},
              {"v1", 26, 489.1, "atomics on one address"},
              {"v1", 28, 2003.8, "atomics on one address"},
              {"v2", 28, 2002.4, "atomics on one address"},
              {"v2", 10, 4.7, "launching"},
              {"v4", 10, 7.5, "launching"},
              {"v4", 26, 70.0, "reading memory"},
              {"v4", 28, 252.3, "reading memory"},
              {"v4", 30, 987.9, "reading memory"}};
  for (auto row : rows) {
    int64_t K = int64_t(1) << row.log;
    Cost cost =
        costOf(workOf(rung(row.plan, K), problemOf(K), sumFacts()), *h200);
    EXPECT_LT(std::abs(cost.total() - row.us), 0.1 * row.us)
        << row.plan << " 2^" << row.log << ": " << cost.total();
    EXPECT_STREQ(cost.bound(), row.bound) << row.plan << " 2^" << row.log;
  }
}

TEST(Explain, SaysWhatTheIssueAsks) {
  Plan p = gpuPlan(Form::Warp, 4, 4);
  p.grid = Grid::Ticket;
  ExplainFacts facts = sumFacts();
  facts.unmixed = {"the left state's v times 2"};
  std::string text = explainPlan(p, problemOf(1 << 20), facts);
  for (const char *line :
       {"problem     full: 1 output of 1048576\n",
        "order       canonical/1: the default of a commutative combine\n",
        "  rows      elements into 128 slots a chunk of 4096: 32768 maps, "
        "1015808 updates, 0.969 an element\n",
        "  slots     slots of a lane, then lanes by 5 levels of shuffles: "
        "32512 combines, 0.031 an element",
        "  block     warps of a block, through shared memory: 192 combines",
        "  grid      blocks, by the last block: 63 combines",
        "launch      1 launch, 64 blocks of 128 threads\n",
        "barriers    1 a block, 1 for a ticket, 1 to join behind it\n",
        "shuffles    5 a warp for a chunk (5 levels, 1 member), 2 for a block's "
        "warps, 7 to join behind a ticket: 1430 in all, of 32 bits\n",
        "            the code has a second copy, for a short last one: 5\n",
        "shared      36 bytes a block\n",
        "scratch     260 bytes: 64 partial states and 1 ticket\n",
        "bytes       4 MiB read, 4 bytes written\n",
        "on H200 SXM, bound by launching\n", "belongs into map",
        "the left state's v times 2\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\nin\n" << text;
  p.group = 16;
  text = explainPlan(p, problemOf(1 << 20), facts);
  for (const char *line :
       {"blocks, by the last block of a group of 16, and groups by the last "
        "block: 63 combines",
        "two tickets: the last block of a group of 16 draws another",
        "scratch     292 bytes: 68 partial states and 5 tickets\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\nin\n" << text;
  p.group = 0;
  facts.unmixed.clear();
  EXPECT_EQ(explainPlan(p, problemOf(1 << 20), facts).find("advice"),
            std::string::npos);
}

TEST(Explain, CpuPlansToo) {
  PlanFacts f{};
  f.kind = ProblemKind::Full;
  f.order = PlanOrder::Canonical;
  f.widestInputBytes = f.stateBytes = f.widestMemberBytes = 4;
  f.simdBytes = 32;
  std::string text = explainPlan(choosePlan(f), problemOf(8192), sumFacts());
  EXPECT_NE(text.find("chunks into the result, a binary counter: 1 combine,"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("barriers"), std::string::npos);
  EXPECT_NE(text.find("read rate was not measured"), std::string::npos);
  ExplainFacts measured = sumFacts();
  measured.readRate = 20;
  text = explainPlan(choosePlan(f), problemOf(1 << 20), measured);
  EXPECT_NE(text.find("210 us at the measured 20 GB/s"), std::string::npos)
      << text;
}

} // namespace
