//===- ChosenLayoutTest.cpp - Layouts and trees of the plans auto takes ---===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Random problems, and the GPU plans that are chosen for them: every element is
// held once, where place() says; the tree is the order's; pairs meet in the tier
// that their places ask for; the launch is the one divideGpu gives.
//===----------------------------------------------------------------------===//
#include "Numerics/Order.h"
#include "Plan/Explain.h"
#include "Plan/GpuPlan.h"
#include "Plan/Layout.h"
#include "Plan/TreePicture.h"
#include "Plans.h"
#include "Random.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <set>

using namespace wf;
using namespace wf::test;

namespace {

struct Chosen {
  Plan plan;
  Problem problem;
  ExplainFacts facts;
  int64_t columns() const {
    return plan.kind == ProblemKind::Column ? problem.kept.back().size : 0;
  }
};

void shape(Problem &p, Random &random, int64_t most) {
  p.kind = random.of({ProblemKind::Full, ProblemKind::Row, ProblemKind::Column,
                      ProblemKind::Column});
  // Few long folds, or many short ones.
  p.elements = int64_t(1) << random.in(0, 14);
  p.elements = random.onceIn(3) ? p.elements : random.in(1, 2 * p.elements);
  p.outputs = p.kind == ProblemKind::Full
                  ? 1
                  : random.in(1, std::max<int64_t>(1, most / p.elements));
  p.reduced.push_back({p.elements, {1}, {}});
  if (p.kind == ProblemKind::Row)
    p.kept.push_back({p.outputs, {p.elements}, {1}});
  if (p.kind == ProblemKind::Column) {
    int64_t columns = random.in(1, std::min<int64_t>(p.outputs, 300));
    p.outputs = p.outputs / columns * columns;
    p.reduced[0].inStrides[0] = columns;
    p.kept.push_back({p.outputs / columns, {p.elements * columns}, {columns}});
    p.kept.push_back({columns, {1}, {1}});
  }
}

Chosen choose(Random random, int64_t most) {
  Chosen c;
  shape(c.problem, random, most);
  int64_t input = random.of({1, 2, 4, 4, 8}), members = random.in(1, 3);
  PlanFacts f{};
  f.kind = c.problem.kind;
  f.order = random.of({PlanOrder::Canonical, PlanOrder::Canonical,
                       PlanOrder::Ordered, PlanOrder::Sequential});
  f.elements = f.innerLength = c.problem.elements;
  f.outputs = c.problem.outputs;
  f.target = "sm_90";
  f.multiprocessors = random.of({1, 4, 16, 132});
  f.widestInputBytes = f.inputBytes = input;
  for (int64_t m = 0; m < members; ++m)
    c.facts.members.push_back(random.of({4, 8}));
  f.memberCount = members;
  f.memberBytes = f.widestMemberBytes = 0;
  for (int64_t bytes : c.facts.members) {
    f.memberBytes += bytes;
    f.widestMemberBytes = std::max(f.widestMemberBytes, bytes);
  }
  f.stateBytes = f.memberBytes;
  c.facts.nearMembers = c.facts.members;
  // The position is the last member, an i64.
  f.nearIndex = c.facts.members.back() == 8 && random.onceIn(2);
  if (f.nearIndex)
    c.facts.nearMembers.back() = 4;
  f.aligned = !random.onceIn(3);
  f.addressBits = 32;
  if (f.kind == ProblemKind::Column) {
    f.columns = c.problem.kept.back().size;
    f.aligned &= f.columns % (16 / input) == 0;
  }
  c.facts.inputBytes = {input};
  c.facts.outputBytes = 4;
  c.plan = choosePlan(f);
  return c;
}

std::string describe(const Chosen &c) {
  return c.plan.text() + "\n" + c.problem.describe();
}

TEST(ChosenLayout, EveryElementIsHeldOnceWherePlaceSays) {
  std::set<std::pair<Form, bool>> forms;
  std::set<int64_t> items;
  for (int64_t n = 0; n < 200; ++n) {
    Chosen c = choose(randomFor(41, n), 10000);
    SCOPED_TRACE(describe(c));
    forms.insert({c.plan.form, c.plan.fill > 0});
    items.insert(c.plan.items);
    int64_t K = c.problem.elements, O = c.problem.outputs;
    Layout layout(c.plan, K, O, c.columns());
    auto division = divideGpu(c.plan, c.problem);
    ASSERT_TRUE(bool(division));
    ASSERT_EQ(layout.blocks(), division->blocks);
    ASSERT_EQ(layout.blocksAnOutput(), division->runs);
    std::vector<bool> seen(size_t(K * O), false);
    for (int64_t b = 0; b < layout.blocks(); ++b)
      for (int64_t t = 0; t < c.plan.threads(); ++t)
        for (HeldElement e : layout.elements(b, t)) {
          size_t at = size_t(e.output * K + e.k);
          ASSERT_TRUE(at < seen.size() && !seen[at]) << e.k;
          seen[at] = true;
          Place p = layout.place(e.k, e.output);
          ASSERT_TRUE(p.block == b && p.thread == t) << e.k;
        }
    ASSERT_EQ(std::count(seen.begin(), seen.end(), false), 0);
  }
  // What auto chooses is all there.
  EXPECT_EQ(forms.size(), 6u); // warp and column with fill and without
  EXPECT_GT(items.size(), 3u);
}

/// The tier in which two elements of one output have to meet.
void checkPair(const Chosen &c, const Layout &layout, int64_t i, int64_t j) {
  int64_t K = c.problem.elements;
  Meeting m = meeting(c.plan, K, i, j);
  Place a = layout.place(i), b = layout.place(j);
  std::string what = std::to_string(i) + " and " + std::to_string(j) + ": " +
                     wf::describe(m);
  if (c.plan.form == Form::Thread) {
    EXPECT_EQ(m.tier, Tier::Rows) << what;
    return;
  }
  EXPECT_EQ(m.tier == Tier::Grid, a.block != b.block) << what;
  EXPECT_EQ(m.tier == Tier::Rows, a.slot == b.slot) << what;
  if (m.tier == Tier::Grid) {
    int64_t size = std::max<int64_t>(1, c.plan.group);
    EXPECT_EQ(m.how.find("its group") != std::string::npos,
              a.block / size == b.block / size)
        << what;
    return;
  }
  EXPECT_EQ(m.block, a.block) << what;
  bool column = c.plan.form == Form::Column;
  auto says = [&](const char *text) {
    return m.how.find(text) != std::string::npos;
  };
  if (says("of one lane"))
    EXPECT_EQ(a.thread, b.thread) << what;
  if (says("shuffle")) {
    EXPECT_EQ(a.warp(), b.warp()) << what;
    EXPECT_NE(a.lane(), b.lane()) << what;
  }
  if (says("shared memory"))
    EXPECT_NE(a.warp(), b.warp()) << what;
  if (says("binary counter") && !column)
    EXPECT_EQ(a.warp(), b.warp()) << what;
  if (column && a.slot != b.slot && a.thread == b.thread)
    EXPECT_TRUE(says("of one lane") || says("binary counter")) << what;
}

TEST(ChosenLayout, PairsMeetWhereTheirPlacesAskFor) {
  std::set<Tier> met;
  for (int64_t n = 0; n < 600; ++n) {
    Random random = randomFor(42, n);
    Chosen c = choose(random, 40000);
    SCOPED_TRACE(describe(c));
    int64_t K = c.problem.elements;
    // Long folds too: all of one output's blocks.
    if (random.onceIn(2))
      c.plan.group = c.plan.grid == Grid::Ticket ? 4 : 0;
    Layout layout(c.plan, K);
    for (int trial = 0; trial < 60 && K > 1; ++trial) {
      int64_t i = random.in(0, K - 1), j = random.in(0, K - 1);
      if (random.onceIn(2))
        j = std::min(K - 1, i + (int64_t(1) << random.in(0, 12)));
      if (i == j)
        continue;
      checkPair(c, layout, std::min(i, j), std::max(i, j));
      met.insert(meeting(c.plan, K, i, j).tier);
    }
    if (HasFailure())
      return;
  }
  EXPECT_EQ(met.size(), 5u);
}

TEST(ChosenLayout, TreesAreTheOrders) {
  for (int64_t n = 0; n < 150; ++n) {
    Chosen c = choose(randomFor(43, n), 20000);
    if (c.problem.elements > 5000)
      continue;
    Order order = c.plan.order == PlanOrder::Canonical ? Order::Canonical
                  : c.plan.order == PlanOrder::Ordered ? Order::Ordered
                                                       : Order::Sequential;
    ASSERT_EQ(planTree(c.plan, c.problem.elements).text(),
              treeExpression(order, {c.plan.vector, c.plan.accumulators},
                             c.problem.elements))
        << describe(c);
  }
}

// Long folds, past what can be walked: nothing overflows or stops, and the
// counts add up.
TEST(ChosenLayout, LongFoldsAreExplained) {
  for (int64_t n = 0; n < 300; ++n) {
    Random random = randomFor(44, n);
    Chosen c = choose(random, int64_t(1) << 34);
    SCOPED_TRACE(describe(c));
    Work w = workOf(c.plan, c.problem, c.facts);
    auto division = divideGpu(c.plan, c.problem);
    ASSERT_TRUE(bool(division));
    ASSERT_EQ(w.blocks, division->blocks);
    ASSERT_EQ(w.block.tickets > 0, division->runs > 1);
    ASSERT_LE(w.block.shared, 49152);
    double merges = w.updates, all = double(c.problem.outputs) *
                                     double(c.problem.elements - 1);
    for (double m : w.merges)
      merges += m;
    if (c.plan.order != PlanOrder::Sequential)
      ASSERT_EQ(merges, all);
    std::string text = explainPlan(c.plan, c.problem, c.facts);
    EXPECT_NE(text.find("\nbarriers"), std::string::npos) << text;
    EXPECT_NE(treePicture(c.plan, c.problem.elements).find("</svg>"),
              std::string::npos);
  }
}

} // namespace
