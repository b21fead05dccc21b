//===- NamedTest.cpp - What --plan takes ----------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/Named.h"
#include "Error/Error.h"

#include "gtest/gtest.h"

using namespace wf;

namespace {

PlanRequest request(const std::string &text) {
  auto r = parsePlanRequest(text);
  if (r)
    return *r;
  ADD_FAILURE() << text << ": " << llvm::toString(r.takeError());
  return {};
}

/// The error as the tool prints it.
std::string mistake(const std::string &text) {
  auto r = parsePlanRequest(text);
  if (r) {
    ADD_FAILURE() << "'" << text << "' was understood";
    return "";
  }
  return llvm::toString(r.takeError());
}

PlanFacts f32Facts(int64_t elements) {
  PlanFacts facts{};
  facts.kind = ProblemKind::Full;
  facts.order = PlanOrder::Canonical;
  facts.elements = elements;
  facts.outputs = 1;
  facts.widestInputBytes = facts.stateBytes = facts.widestMemberBytes = 4;
  facts.target = "sm_90";
  return facts;
}
const NamedFacts sumFacts{true, false, true, true, {}};

std::string refusal(const std::string &text, const PlanFacts &facts,
                    const NamedFacts &named) {
  auto choice = planFor(request(text), facts, named);
  if (choice) {
    ADD_FAILURE() << text << " was planned as " << choice->plan.text();
    return "";
  }
  return llvm::toString(choice.takeError());
}

PlanOrder orderOf(const std::string &text, const PlanFacts &facts,
                  const NamedFacts &named) {
  auto choice = planFor(request(text), facts, named);
  if (choice) {
    EXPECT_FALSE(choice->reason.empty());
    return choice->plan.order;
  }
  ADD_FAILURE() << text << ": " << llvm::toString(choice.takeError());
  return PlanOrder::Sequential;
}

TEST(Named, RungsAndOptionsAreRead) {
  EXPECT_EQ(request("auto").kind, PlanRequest::Auto);
  PlanRequest r = request("v3:vec=4,block=128");
  EXPECT_EQ(r.kind, PlanRequest::Ladder);
  EXPECT_EQ(r.rung, 3);
  EXPECT_EQ(r.vector, 4);
  EXPECT_EQ(r.block, 128);
  EXPECT_EQ(request("v1:tree=pairs").tree, Exchange::Pairs);
  EXPECT_FALSE(request("v1").tree);
  EXPECT_EQ(request("v5:blocks=0").cap, 0);
}

TEST(Named, MistakesHaveACaretUnderTheWord) {
  EXPECT_EQ(mistake("v3:vex=4"), "--plan:1:4: error: v3 has no option 'vex'\n"
                                 "  v3:vex=4\n"
                                 "     ^\n"
                                 "hint: did you mean 'vec'?");
  EXPECT_EQ(mistake("v1:tree=halfing"),
            "--plan:1:9: error: no tree is called 'halfing'\n"
            "  v1:tree=halfing\n"
            "          ^\n"
            "hint: did you mean 'halving'?");
  EXPECT_EQ(mistake("sm_90 kind=full warp=8"),
            "--plan:1:17: error: 'warp' is not a plan field\n"
            "  sm_90 kind=full warp=8\n"
            "                  ^\n"
            "hint: did you mean 'warps'?");
  EXPECT_EQ(mistake("sm_91 kind=full").substr(0, 38),
            "--plan:1:1: error: unknown plan target");
  EXPECT_NE(mistake("sm_91").find("did you mean 'sm_90'?"), std::string::npos);
  EXPECT_NE(mistake("sm_90 kind=fool").find("\n             ^\n"),
            std::string::npos);
  for (const char *text : {"",
                           "v6",
                           "v9:vec=4",
                           "v0:vec=4",
                           "v0:tree=up",
                           "v1:block=33",
                           "v1:block=0",
                           "v1:block=2048",
                           "v3:vec=3",
                           "v3:vec=",
                           "v3:vec",
                           "vv",
                           "autos",
                           "v4:items=4",
                           "v2:blocks=4",
                           "v4:blocks=-1",
                           "fast",
                           "gfx9 kind=full",
                           "cpu vector=four",
                           "cpu lanes",
                           "cpu lanes=32",
                           "sm_90 tile=64"})
    EXPECT_FALSE(mistake(text).empty());
}

TEST(Named, TextsParseToTheirPlan) {
  Plan p;
  p.target = "sm_90";
  p.form = Form::Column;
  p.kind = ProblemKind::Column;
  p.warps = 16;
  p.run = 8;
  p.grid = Grid::Ticket;
  p.even = true;
  PlanRequest r = request(p.text());
  EXPECT_EQ(r.kind, PlanRequest::Text);
  EXPECT_EQ(r.plan, p);
  EXPECT_TRUE(r.saysOrder);
  EXPECT_EQ(request("cpu vector=8").plan.vector, 8);
  EXPECT_FALSE(request("cpu vector=8").saysOrder);
  PlanFacts facts = f32Facts(1 << 20);
  EXPECT_NE(refusal("sm_80 kind=full", facts, sumFacts).find("not for sm_90"),
            std::string::npos);
  EXPECT_NE(refusal("sm_90 kind=row", facts, sumFacts).find("kind"),
            std::string::npos);
}

TEST(Named, TheStrongestOrderThatARungHonours) {
  PlanFacts facts = f32Facts(1 << 20);
  NamedFacts exact = sumFacts;
  exact.exact = true;
  for (const char *text : {"v0", "v1", "v2", "v3", "v3:vec=4"}) {
    EXPECT_EQ(orderOf(text, facts, sumFacts), PlanOrder::Any) << text;
    EXPECT_EQ(orderOf(text, facts, exact), PlanOrder::Canonical) << text;
  }
  EXPECT_EQ(orderOf("v4", facts, sumFacts), PlanOrder::Fixed);
  EXPECT_EQ(orderOf("v5", facts, sumFacts), PlanOrder::Fixed);
  EXPECT_EQ(orderOf("v5:tree=up", facts, sumFacts), PlanOrder::Fixed);
  // One element a thread and partials in one pass: balanced.
  EXPECT_EQ(orderOf("v5:tree=up", f32Facts(65536), sumFacts),
            PlanOrder::Ordered);
  EXPECT_EQ(orderOf("v5:tree=up", f32Facts(65537), sumFacts), PlanOrder::Fixed);
  EXPECT_EQ(orderOf("v5", f32Facts(65536), sumFacts), PlanOrder::Fixed);
  EXPECT_EQ(orderOf("v1", f32Facts(256), sumFacts), PlanOrder::Fixed);
  EXPECT_EQ(orderOf("v1:tree=pairs", f32Facts(256), sumFacts),
            PlanOrder::Ordered);
  EXPECT_EQ(orderOf("v0", f32Facts(256), sumFacts), PlanOrder::Any);
  EXPECT_EQ(orderOf("v4:tree=up", f32Facts(-1), sumFacts), PlanOrder::Fixed);
  EXPECT_EQ(orderOf("auto", facts, sumFacts), PlanOrder::Canonical);
}

TEST(Named, OrdersThatCannotBeHonouredAreRefused) {
  PlanFacts facts = f32Facts(1 << 20);
  NamedFacts asks = sumFacts;
  asks.asked = PlanOrder::Canonical;
  std::string text = refusal("v4", facts, asks);
  EXPECT_NE(text.find("cannot honour order canonical/1"), std::string::npos)
      << text;
  EXPECT_NE(text.find("strongest order it can is fixed"), std::string::npos);
  asks.asked = PlanOrder::Fixed;
  EXPECT_NE(refusal("v1", facts, asks).find("fixed"), std::string::npos);
  EXPECT_EQ(orderOf("v4", facts, asks), PlanOrder::Fixed);
  asks.asked = PlanOrder::Any;
  EXPECT_EQ(orderOf("v4", facts, asks), PlanOrder::Any);
  asks.asked = PlanOrder::Sequential;
  EXPECT_NE(refusal("v4", facts, asks), "");
  asks.exact = true;
  EXPECT_EQ(orderOf("v4", facts, asks), PlanOrder::Sequential);
  NamedFacts swaps = sumFacts;
  swaps.commutative = false;
  EXPECT_NE(refusal("v4", facts, swaps).find("not commutative"),
            std::string::npos);
  EXPECT_EQ(orderOf("v5:tree=up", f32Facts(1000), swaps), PlanOrder::Ordered);
}

TEST(Named, WhatARungCannotDoIsRefusedWithTheReason) {
  auto expect = [](const std::string &text, const PlanFacts &facts,
                   const NamedFacts &named, const char *reason) {
    std::string said = refusal(text, facts, named);
    EXPECT_NE(said.find(reason), std::string::npos) << said;
  };
  PlanFacts facts = f32Facts(1 << 20), wide = facts;
  wide.memberCount = 2, wide.memberBytes = wide.stateBytes = 16;
  expect("v0", wide, sumFacts, "one member of 4 or 8 bytes");
  EXPECT_EQ(orderOf("v4", wide, sumFacts), PlanOrder::Fixed);
  wide.memberBytes = 64;
  expect("v4:tree=halving,block=1024", wide, sumFacts, "shared memory");
  NamedFacts bare = sumFacts;
  bare.neutral = false;
  expect("v1", facts, bare, "neutral");
  bare = sumFacts;
  bare.plainFinish = false;
  expect("v2", facts, bare, "finish");
  expect("v1:block=96", facts, sumFacts, "power of two");
  EXPECT_EQ(orderOf("v2:block=96", facts, sumFacts), PlanOrder::Any);
  expect("v3:vec=8", facts, sumFacts, "16 bytes");
  PlanFacts odd = facts;
  odd.aligned = false;
  expect("v3:vec=4", odd, sumFacts, "side by side");
  PlanFacts column = facts;
  column.kind = ProblemKind::Column;
  expect("v4", column, sumFacts, "column");
  PlanFacts cpu = facts;
  cpu.target = "cpu";
  cpu.simdBytes = 32;
  expect("v4", cpu, sumFacts, "GPU");
  PlanFacts counts = facts;
  counts.counted = true;
  expect("v4", counts, sumFacts, "count(a)");
  PlanFacts huge = f32Facts(int64_t(1) << 40);
  expect("v1:block=32", huge, sumFacts, "2147483647");
  EXPECT_EQ(orderOf("v4", huge, sumFacts), PlanOrder::Fixed);
  huge.outputs = int64_t(1) << 40;
  expect("v4", huge, sumFacts, "2147483647");
}

TEST(Named, BlocksOfAnOutput) {
  auto plan = [](const std::string &text) {
    return planFor(request(text), f32Facts(1 << 20), sumFacts)->plan;
  };
  EXPECT_EQ(ladderBlocks(plan("v1"), 257), 2);
  EXPECT_EQ(ladderBlocks(plan("v3"), 1025), 2);
  EXPECT_EQ(ladderBlocks(plan("v3:vec=4"), 1024), 1);
  EXPECT_EQ(ladderLoads(plan("v3"), 1024), 4);
  EXPECT_EQ(ladderLoads(plan("v3:vec=4"), 1024), 1);
  EXPECT_EQ(ladderBlocks(plan("v4"), int64_t(1) << 40), 1024);
  EXPECT_EQ(ladderBlocks(plan("v4:blocks=0"), 1 << 20), 4096);
  EXPECT_EQ(ladderBlocks(plan("v5"), 1), 1);
}

TEST(Named, PlansOfRungsParseBack) {
  for (const char *text : {"v0", "v1:tree=pairs", "v3:vec=4", "v4", "v5"}) {
    auto choice = planFor(request(text), f32Facts(1 << 20), sumFacts);
    ASSERT_TRUE(bool(choice));
    EXPECT_EQ(request(choice->plan.text()).plan, choice->plan);
  }
}

} // namespace
