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
    ExplainFacts facts = sumFacts();
    facts.columns = c.columns;
    check(c.plan, problemOf(c.elements, c.outputs), facts);
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
  EXPECT_EQ(w.shuffles, 256 * 5);
  EXPECT_EQ(w.barriers, 1);
  EXPECT_EQ(w.shared, 4 * 4);
  EXPECT_EQ(w.blocks, 64);
  EXPECT_TRUE(w.ticket);
  EXPECT_EQ(w.scratch, 64 * 4 + 4);
  EXPECT_EQ(w.launches, 1);
  // The state of an argmax: two members, three words.
  ExplainFacts arg = sumFacts();
  arg.members = {4, 8};
  EXPECT_EQ(workOf(p, problemOf(1 << 20), arg).words, 3);
  EXPECT_EQ(workOf(p, problemOf(1 << 20), arg).shuffles, 256 * 5 * 3);

  w = workOf(rung("v1", 1 << 20), problemOf(1 << 20), sumFacts());
  EXPECT_EQ(w.atomics, 4096);
  EXPECT_EQ(w.barriers, 9); // one a round, and one after the stores
  EXPECT_EQ(w.shared, 1024);
  w = workOf(rung("v4", 1 << 20), problemOf(1 << 20), sumFacts());
  EXPECT_EQ(w.launches, 2);
  EXPECT_EQ(w.partials, 1024);
  EXPECT_EQ(w.barriers, 1);
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
        "  grid      blocks, by the one that comes last: 63 combines",
        "launch      1 launch, 64 blocks of 128 threads\n",
        "barriers    1 a block, and those of the ticket\n",
        "shuffles    5 levels of 1 32-bit word (1 member): 1280 in all\n",
        "shared      16 bytes a block\n",
        "scratch     260 bytes: 64 partial states and a ticket an output\n",
        "bytes       4 MiB read, 4 bytes written\n",
        "on H200 SXM, bound by launching\n", "belongs into map",
        "the left state's v times 2\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\nin\n" << text;
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
