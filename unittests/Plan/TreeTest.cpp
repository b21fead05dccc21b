//===- TreeTest.cpp - Trees of plans --------------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/Tree.h"
#include "Numerics/Order.h"
#include "Plan/Layout.h"
#include "Plan/TreePicture.h"
#include "Plans.h"
#include "Random.h"

#include "gtest/gtest.h"

#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace wf;
using namespace wf::test;

namespace {

/// A CPU plan of canonical/1 for a state as wide as the input.
Plan cpuPlan(PlanOrder order, int64_t bytes) {
  PlanFacts facts{};
  facts.kind = ProblemKind::Full;
  facts.order = order;
  facts.elements = -1;
  facts.outputs = 1;
  facts.widestInputBytes = facts.stateBytes = facts.widestMemberBytes = bytes;
  facts.simdBytes = 32;
  return choosePlan(facts);
}

template <typename T> T element(int64_t k) {
  uint32_t bits = uint32_t(uint64_t(k) * 2654435761u);
  return T(double(bits >> 8) / 16777216.0 - 0.5);
}

/// The sum on a tree, in T; nodes stand after their children.
template <typename T> T sumOn(const Tree &tree) {
  std::vector<T> values;
  for (const TreeNode &node : tree.nodes)
    values.push_back(node.leaf() ? element<T>(node.k)
                                 : T(values[size_t(node.left)] +
                                     values[size_t(node.right)]));
  return values[size_t(tree.root)];
}

std::string hex(uint64_t bits, int digits) {
  char text[17];
  std::snprintf(text, sizeof text, "%0*llx", digits, (unsigned long long)bits);
  return text;
}

TEST(Tree, SumsOnItHaveThePublishedBits) {
  std::ifstream file(WF_GOLDEN_FOLDER "/golden.csv");
  std::string line;
  std::getline(file, line);
  int rows = 0;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string type, op, order, count, bits;
    for (std::string *cell : {&type, &op, &order, &count})
      std::getline(cells, *cell, ',');
    std::getline(cells, bits);
    int64_t K = std::stoll(count);
    if (K > mostTreeElements)
      continue;
    Tree tree = planTree(cpuPlan(*orderNamed(order), type == "f32" ? 4 : 8), K);
    uint64_t got = 0;
    if (type == "f32") {
      float sum = sumOn<float>(tree);
      std::memcpy(&got, &sum, 4);
    } else {
      double sum = sumOn<double>(tree);
      std::memcpy(&got, &sum, 8);
    }
    EXPECT_EQ(hex(got, type == "f32" ? 8 : 16), bits) << line;
    ++rows;
  }
  EXPECT_EQ(rows, 90);
}

TEST(Tree, EveryFormHasTheTreeOfItsOrder) {
  for (const PlanCase &c : orderedCases()) {
    if (c.elements > 5000)
      continue;
    bool canonical = c.plan.order == PlanOrder::Canonical;
    OrderShape shape{c.plan.vector, c.plan.accumulators};
    EXPECT_EQ(planTree(c.plan, c.elements).text(),
              treeExpression(canonical ? Order::Canonical : Order::Ordered,
                             shape, c.elements))
        << c.plan.text();
  }
  for (int64_t K : {0, 1, 2, 5, 1000})
    EXPECT_EQ(planTree(cpuPlan(PlanOrder::Sequential, 4), K).text(),
              treeExpression(Order::Sequential, {4, 4}, K));
}

TEST(Tree, ExamplesOfTheContract) {
  Plan f32 = cpuPlan(PlanOrder::Canonical, 4);
  EXPECT_EQ(planTree(f32, 5).text(), "(((0 1) (2 3)) 4)");
  EXPECT_EQ(planTree(f32, 0).text(), "");
  EXPECT_EQ(planTree(f32, 1).text(), "0");
  std::string tree = planTree(f32, 4096).text(true);
  EXPECT_EQ(tree.substr(0, 41), "((((((([0 128 .. 3968] [1 129 .. 3969]) (");
  EXPECT_EQ(planTree(cpuPlan(PlanOrder::Sequential, 4), 4).text(true),
            "[0 1 2 3]");
  // Only update makes a run: these are joins of slots.
  EXPECT_EQ(planTree(f32, 7).text(true), "(((0 1) (2 3)) ((4 5) 6))");
}

/// The seed's tree in shared memory, as its kernel is written.
std::string seedHalving(std::vector<std::string> s) {
  for (size_t stride = s.size() / 2; stride > 0; stride /= 2)
    for (size_t t = 0; t < stride; ++t)
      if (!s[t + stride].empty())
        s[t] = "(" + s[t] + " " + s[t + stride] + ")";
  return s[0];
}

TEST(Tree, TheSeedsTrees) {
  EXPECT_EQ(planTree(rung("v0", 4), 4).text(), "{0 1 2 3}");
  EXPECT_EQ(planTree(rung("v1", 8), 8).text(), "(((0 4) (2 6)) ((1 5) (3 7)))");
  EXPECT_EQ(planTree(rung("v1:tree=pairs", 8), 8).text(),
            "(((0 1) (2 3)) ((4 5) (6 7)))");
  EXPECT_EQ(planTree(rung("v2", 8), 8).text(), "(((0 4) (2 6)) ((1 5) (3 7)))");
  for (int64_t K : {1, 100, 256, 300, 1000}) {
    std::string all;
    for (int64_t b = 0; b * 256 < K; ++b) {
      std::vector<std::string> shared(256);
      for (int64_t t = 0; t < 256 && b * 256 + t < K; ++t)
        shared[size_t(t)] = std::to_string(b * 256 + t);
      all += (all.empty() ? "" : " ") + seedHalving(shared);
    }
    EXPECT_EQ(planTree(rung("v1", K), K).text(),
              K > 256 ? "{" + all + "}" : all);
  }
}

TEST(Tree, TheSeedsGridStrideAndItsSecondLaunch) {
  // The seed's v4 with a block tree in shared memory; the second launch takes
  // any number of partials, as the seed's does not.
  for (int64_t grid : {1, 3, 40, 300})
    for (int64_t K : {1, 63, 64, 1000, 20000}) {
      const int64_t T = 32;
      std::string text =
          "v4:tree=halving,block=32,blocks=" + std::to_string(grid);
      int64_t blocks = std::min(grid, (K + T - 1) / T);
      auto reduce = [&](const std::vector<std::string> &in, int64_t of,
                        int64_t b) {
        std::vector<std::string> shared(size_t(T), "");
        for (int64_t t = 0; t < T; ++t)
          for (int64_t i = b * T + t; i < int64_t(in.size()); i += of * T)
            shared[size_t(t)] =
                shared[size_t(t)].empty()
                    ? in[size_t(i)]
                    : "(" + shared[size_t(t)] + " " + in[size_t(i)] + ")";
        return seedHalving(shared);
      };
      std::vector<std::string> elements, partials;
      for (int64_t k = 0; k < K; ++k)
        elements.push_back(std::to_string(k));
      for (int64_t b = 0; b < blocks; ++b)
        partials.push_back(reduce(elements, blocks, b));
      EXPECT_EQ(planTree(rung(text, K), K).text(), reduce(partials, 1, 0))
          << text << " K=" << K;
    }
}

TEST(Tree, RungsThatCountUpAreBalanced) {
  for (const char *text : {"v4:tree=up", "v4:tree=pairs", "v5:tree=up,block=64",
                           "v2:tree=up", "v1:tree=pairs,block=1024"})
    for (int64_t K : {1, 2, 7, 33, 100, 257, 1000, 4096}) {
      Plan p = rung(text, K);
      if (p.order == PlanOrder::Ordered)
        EXPECT_EQ(planTree(p, K).text(),
                  treeExpression(Order::Ordered, {4, 4}, K))
            << text << " " << K;
    }
  EXPECT_EQ(rung("v5:tree=up", 4096).order, PlanOrder::Ordered);
  EXPECT_EQ(rung("v2:tree=up", 256).order, PlanOrder::Ordered);
  EXPECT_EQ(rung("v2:tree=up", 257).order, PlanOrder::Any);
}

/// For every node its parent, and its depth from the root.
struct Ancestors {
  std::vector<int64_t> parent;
  std::vector<int64_t> leafOf;
  Ancestors(const Tree &tree, int64_t K)
      : parent(tree.nodes.size(), -1), leafOf(size_t(K), -1) {
    for (size_t i = 0; i < tree.nodes.size(); ++i) {
      const TreeNode &node = tree.nodes[i];
      if (node.leaf())
        leafOf[size_t(node.k)] = int64_t(i);
      for (int64_t child : {node.left, node.right})
        if (child >= 0)
          parent[size_t(child)] = int64_t(i);
      for (int64_t child : node.any)
        parent[size_t(child)] = int64_t(i);
    }
  }
  int64_t meet(int64_t i, int64_t j) const {
    int64_t a = leafOf[size_t(i)], b = leafOf[size_t(j)];
    // Children stand before parents.
    while (a != b)
      (a < b ? a : b) = parent[size_t(a < b ? a : b)];
    return a;
  }
};

using Key = std::tuple<int, int64_t, int64_t, int64_t, std::string>;
Key keyOf(const Meeting &m) {
  return {int(m.tier), m.level, m.block, m.thread, m.how};
}

/// Pairs that meet in one node must be told one meeting; on one node's way to
/// the root, tiers only rise.
void checkMeetings(const Plan &p, int64_t K, Random random) {
  SCOPED_TRACE(p.text() + " K=" + std::to_string(K));
  Tree tree = planTree(p, K);
  Ancestors ancestors(tree, K);
  std::map<int64_t, Key> told;
  std::map<int64_t, int> tier;
  for (int trial = 0; trial < 400 && K > 1; ++trial) {
    int64_t i = random.in(0, K - 1), j = random.in(0, K - 1);
    if (random.onceIn(2))
      j = std::min(K - 1, i + random.in(1, 300));
    if (i == j)
      continue;
    Meeting m = meeting(p, K, i, j);
    int64_t node = ancestors.meet(i, j);
    auto [at, fresh] = told.insert({node, keyOf(m)});
    ASSERT_TRUE(fresh || at->second == keyOf(m))
        << i << " and " << j << ": " << describe(m);
    tier[node] = int(m.tier);
    // The same node means the same tree: a parent joins in no earlier tier,
    // but that a column's block joins warps before its counter.
    for (int64_t up = ancestors.parent[size_t(node)]; up >= 0;
         up = ancestors.parent[size_t(up)])
      if (auto known = tier.find(up);
          known != tier.end() && p.form != Form::Column)
        ASSERT_GE(known->second, int(m.tier)) << i << " and " << j;
  }
}

TEST(Tree, MeetingsAreThoseOfTheTree) {
  int64_t number = 0;
  for (const std::string &text : rungs)
    for (int64_t K : {2, 5, 33, 256, 257, 1000, 5003, 30000})
      checkMeetings(rung(text, K), K, randomFor(31, ++number));
  for (const PlanCase &c : orderedCases())
    if (c.elements <= 12295)
      checkMeetings(c.plan, c.elements, randomFor(32, ++number));
}

// A tier reaches as far as the layout says its two elements are apart.
TEST(Tree, TiersReachAsFarAsTheLayout) {
  int64_t number = 0;
  std::set<Tier> met;
  for (const PlanCase &c : orderedCases()) {
    Random random = randomFor(33, ++number);
    Layout layout(c.plan, c.elements, 1);
    for (int trial = 0; trial < 200 && c.elements > 1; ++trial) {
      int64_t i = random.in(0, c.elements - 1);
      int64_t j = random.in(0, c.elements - 1);
      if (i == j)
        continue;
      Meeting m = meeting(c.plan, c.elements, i, j);
      Place a = layout.place(i), b = layout.place(j);
      met.insert(m.tier);
      ASSERT_EQ(m.tier == Tier::Grid, a.block != b.block)
          << c.plan.text() << " " << i << " and " << j << ": " << describe(m);
      if (m.tier == Tier::Grid)
        continue;
      ASSERT_EQ(m.block, a.block);
      if (c.plan.form != Form::Column)
        ASSERT_EQ(m.tier == Tier::Block, a.warp() != b.warp())
            << c.plan.text() << " " << i << " and " << j << ": " << describe(m);
      else if (m.how.find("shuffle") != std::string::npos)
        ASSERT_EQ(a.warp(), b.warp()) << c.plan.text();
      else if (m.how.find("shared") != std::string::npos)
        ASSERT_NE(a.warp(), b.warp()) << c.plan.text();
      if (m.tier == Tier::Rows)
        ASSERT_EQ(m.thread, b.thread);
    }
  }
  EXPECT_EQ(met.size(), 5u);
}

TEST(Tree, MeetingsSayWhere) {
  Plan p = gpuPlan(Form::Warp, 4, 4); // 4 warps, run 1
  int64_t K = int64_t(1) << 40;
  Meeting m = meeting(p, K, 0, 128);
  EXPECT_EQ(m.tier, Tier::Rows);
  EXPECT_EQ(m.level, 1);
  m = meeting(p, K, 1, 2);
  EXPECT_EQ(m.tier, Tier::Slots);
  EXPECT_EQ(m.level, 1);
  EXPECT_NE(m.how.find("one lane"), std::string::npos) << m.how;
  m = meeting(p, K, 5, 9);
  EXPECT_EQ(m.tier, Tier::Slots);
  EXPECT_EQ(m.level, 3);
  EXPECT_NE(m.how.find("lanes 2 apart"), std::string::npos) << m.how;
  m = meeting(p, K, 0, 4096);
  EXPECT_EQ(m.tier, Tier::Block);
  EXPECT_EQ(m.level, 0);
  m = meeting(p, K, 0, 5 * 4096);
  EXPECT_EQ(m.tier, Tier::Grid);
  EXPECT_EQ(m.level, 0);
  m = meeting(p, K, K - 1, 0);
  EXPECT_EQ(m.tier, Tier::Grid);
  EXPECT_EQ(m.level, 25); // 2^28 chunks, four of them a block
  p.run = 8;
  EXPECT_EQ(meeting(p, K, 0, 5 * 4096).tier, Tier::Chunks);
}

TEST(Tree, MeetingsOfTheLadder) {
  // v1, block 256: 0 and 4 meet in the sixth round (strides 128 … 4).
  Plan v1 = rung("v1", 1000);
  Meeting m = meeting(v1, 1000, 0, 4);
  EXPECT_EQ(m.tier, Tier::Block);
  EXPECT_EQ(m.level, 5);
  EXPECT_EQ(m.thread, 0);
  m = meeting(v1, 1000, 256, 259);
  EXPECT_EQ(m.level, 7);
  EXPECT_EQ(m.block, 1);
  EXPECT_EQ(meeting(v1, 1000, 0, 256).tier, Tier::Grid);
  Plan v4 = rung("v4:blocks=2", 5000);
  m = meeting(v4, 5000, 3, 3 + 512);
  EXPECT_EQ(m.tier, Tier::Rows);
  EXPECT_EQ(m.level, 1);
  EXPECT_EQ(m.thread, 3);
}

/// Occurrences of a text.
int64_t occurrences(const std::string &in, const std::string &of) {
  int64_t n = 0;
  for (size_t at = in.find(of); at != std::string::npos;
       at = in.find(of, at + 1))
    ++n;
  return n;
}

TEST(Tree, PicturesOfTheSeed) {
  // Figure 7.1: eight threads, three rounds, seven joins; four, two and one at
  // work.
  std::string svg = treePicture(rung("v1", 8), 8);
  EXPECT_EQ(occurrences(svg, "<circle"), 8 * 4);
  EXPECT_EQ(occurrences(svg, "class=\"busy\""), 8 + 4 + 2 + 1);
  EXPECT_EQ(occurrences(svg, "<line"), 2 * 7);
  for (const char *text : {"stride 4", "stride 2", "stride 1",
                           "4 joined, 4 idle", "1 joined, 7 idle", "</svg>"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  EXPECT_EQ(svg.find("stride 8"), std::string::npos);
  // Counting up through shuffles no lane is idle.
  EXPECT_NE(treePicture(rung("v2:tree=up", 8), 8).find("4 joined, 0 idle"),
            std::string::npos);
  // Figure 7.2: partial states, then the second launch.
  svg = treePicture(rung("v4", 1024), 1024);
  EXPECT_NE(svg.find("block 0 of 4"), std::string::npos);
  EXPECT_NE(svg.find("the second launch"), std::string::npos);
  EXPECT_NE(svg.find(">b3<"), std::string::npos);
}

TEST(Tree, PicturesOfEveryFormEnd) {
  for (const std::string &text : rungs)
    for (int64_t K : {1, 5, 1000, 100000}) {
      std::string svg = treePicture(rung(text, K), K);
      EXPECT_EQ(occurrences(svg, "<svg"), 1);
      EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
    }
  for (const PlanCase &c : orderedCases())
    EXPECT_EQ(occurrences(treePicture(c.plan, c.elements), "</svg>"), 1);
}

} // namespace
