//===- LayoutTest.cpp - The laws of layouts, at every index ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/Layout.h"
#include "Numerics/Order.h"
#include "Plans.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace wf;
using namespace wf::test;

namespace {

std::vector<PlanCase> allCases() {
  std::vector<PlanCase> cases = orderedCases();
  for (const std::string &text : rungs)
    for (int64_t K : {1, 5, 255, 256, 257, 1000, 1024, 5003, 100003})
      cases.push_back({rung(text, K), K, 2});
  for (int64_t K : {1, 7, 100}) {
    Plan thread = gpuPlan(Form::Thread, 1, 1, PlanOrder::Sequential);
    thread.rows = 0;
    cases.push_back({thread, K, 300});
  }
  return cases;
}

std::string describe(const PlanCase &c) {
  return c.plan.text() + " K=" + std::to_string(c.elements) +
         " outputs=" + std::to_string(c.outputs);
}

// Every element of every fold is held once, where place() says.
TEST(Layout, EveryElementIsHeldOnceAndPlaceIsTheInverse) {
  for (const PlanCase &c : allCases()) {
    SCOPED_TRACE(describe(c));
    Layout layout(c.plan, c.elements, c.outputs, c.columns);
    std::vector<bool> seen(size_t(c.elements * c.outputs), false);
    for (int64_t b = 0; b < layout.blocks(); ++b)
      for (int64_t t = 0; t < c.plan.threads(); ++t) {
        int64_t output = -1, step = -1;
        for (HeldElement e : layout.elements(b, t)) {
          size_t at = size_t(e.output * c.elements + e.k);
          if (at >= seen.size() || seen[at])
            FAIL() << "element " << e.k << " is held twice";
          seen[at] = true;
          Place p = layout.place(e.k, e.output);
          if (p.block != b || p.thread != t)
            FAIL() << "element " << e.k << " is elsewhere";
          // Loads come in the order that steps say.
          if (e.output == output && p.step < step)
            FAIL() << "element " << e.k << " comes too late";
          output = e.output, step = p.step;
        }
      }
    ASSERT_EQ(size_t(std::count(seen.begin(), seen.end(), true)), seen.size());
  }
}

TEST(Layout, SlotsAreThePublishedOnes) {
  for (const PlanCase &c : orderedCases()) {
    if (c.plan.order != PlanOrder::Canonical || c.plan.form != Form::Warp)
      continue;
    OrderShape shape{c.plan.vector, c.plan.accumulators};
    for (int64_t k = 0; k < c.elements; ++k) {
      int64_t slot = slotOf(c.plan, k), i = slotPosition(c.plan, k);
      if (slot != k / shape.chunk() * shape.slots() +
                      shape.slotOf(k % shape.chunk()) ||
          slotElement(c.plan, slot, i) != k || i >= slotLength(c.plan) ||
          (i > 0 && slotElement(c.plan, slot, i - 1) >= k))
        FAIL() << "element " << k << " of " << describe(c);
    }
  }
}

TEST(Layout, OrderedSlotsAreElements) {
  Plan p = gpuPlan(Form::Warp, 4, 4, PlanOrder::Ordered);
  for (int64_t k = 0; k < 5000; ++k)
    ASSERT_EQ(slotOf(p, k), k);
}

// What a warp loads at once lies side by side: along k, or along outputs.
/// Is q, the place of the element (or output) after p's, beside it?
bool beside(const PlanCase &c, const Place &p, const Place &q) {
  bool sameLoad = p.block == q.block && p.step == q.step;
  if (c.plan.form == Form::Column && c.plan.load == Load::Element)
    return sameLoad && q.item == p.item && q.thread == p.thread + 1;
  int64_t width = c.plan.form == Form::Column ? c.plan.outputs : c.plan.vector;
  bool last = p.item + 1 == width;
  return sameLoad && q.item == (last ? 0 : p.item + 1) &&
         q.thread == p.thread + last;
}

TEST(Layout, AWarpsLoadIsDense) {
  int64_t checked = 0;
  for (const PlanCase &c : allCases()) {
    if (c.plan.form == Form::Thread)
      continue;
    SCOPED_TRACE(describe(c));
    Layout layout(c.plan, c.elements, c.outputs, c.columns);
    bool column = c.plan.form == Form::Column,
         ladder = c.plan.form == Form::Ladder;
    int64_t lanes = c.plan.lanes;
    for (int64_t o = 0; o < c.outputs; ++o)
      for (int64_t k = 0; k < c.elements; ++k) {
        // Where a warp's load ends, the next element is another load's.
        if (column) {
          int64_t at = o % c.columns % (lanes * c.plan.outputs);
          int64_t width =
              c.plan.load == Load::Element ? lanes : lanes * c.plan.outputs;
          if (o % c.columns + 1 == c.columns || (at + 1) % width == 0)
            continue;
        } else if (k + 1 == c.elements || (k + 1) % c.plan.rowElements() == 0) {
          continue;
        }
        Place p = layout.place(k, o);
        Place q = column ? layout.place(k, o + 1) : layout.place(k + 1, o);
        ++checked;
        if (!beside(c, p, q))
          FAIL() << "k=" << k << " output " << o << (ladder ? " ladder" : "");
      }
  }
  EXPECT_GT(checked, 100000);
}

TEST(Layout, TheHeadersExample) {
  Plan p = gpuPlan(Form::Warp, 4, 4);
  Place at = Layout(p, 5000).place(4999);
  EXPECT_EQ(at.block, 0);
  EXPECT_EQ(at.warp(), 1);
  EXPECT_EQ(at.lane(), 1);
  EXPECT_EQ(at.step, 7);
  EXPECT_EQ(at.item, 3);
  EXPECT_EQ(at.slot, 128 + 7);
}

TEST(Layout, LongFoldsDoNotOverflow) {
  int64_t K = (int64_t(1) << 62) + 12345;
  for (const char *text : {"v4", "v5:vec=4"}) {
    Plan p = rung(text, 1000);
    Layout layout(p, K);
    EXPECT_EQ(layout.blocksAnOutput(), 1024);
    Place at = layout.place(K - 1);
    int64_t load = (at.step * 1024 + at.block) * p.threads() + at.thread;
    EXPECT_EQ(load * p.vector + at.item, K - 1);
  }
}

} // namespace
