//===- PlanTest.cpp - A plan's text and back ------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan/Plan.h"
#include "Error/Error.h"
#include "Random.h"

#include "gtest/gtest.h"

#include <set>

using namespace wf;
using namespace wf::test;

namespace {

const std::vector<ProblemKind> kinds = {
#define X(E, N) ProblemKind::E,
    WF_PROBLEM_KINDS(X)
#undef X
};
const std::vector<PlanOrder> orders = {
#define X(E, N, V) PlanOrder::E,
    WF_ORDERS(X)
#undef X
};
const std::vector<Load> loads = {
#define X(E, N) Load::E,
    WF_LOADS(X)
#undef X
};
const std::vector<ScalarType> types = {
#define X(E, ...) ScalarType::E,
    WF_SCALAR_TYPES(X)
#undef X
};

int64_t randomNumber(Random &random) {
  return random.onceIn(3) ? int64_t(random.bits() >> 1) : random.in(0, 130);
}

Plan randomPlan(Random &random) {
  Plan plan;
  plan.kind = random.of(kinds);
  plan.order = random.of(orders);
  plan.load = random.of(loads);
  if (random.onceIn(2))
    plan.narrow = random.of(types);
  for (int64_t *field : {&plan.vector, &plan.accumulators, &plan.rows,
                         &plan.simd, &plan.elements, &plan.abreast, &plan.tile})
    *field = randomNumber(random);
  return plan;
}

/// The plan of a text that parses; a failure and a plan no test expects else.
Plan parsed(const std::string &text) {
  auto plan = parsePlan(text);
  if (plan)
    return *plan;
  ADD_FAILURE() << text << ": " << llvm::toString(plan.takeError());
  Plan none;
  none.target = "none";
  return none;
}

/// Words of a plan's text.
std::vector<std::string> words(const std::string &text) {
  std::vector<std::string> result(1);
  for (char c : text)
    if (c == ' ')
      result.emplace_back();
    else
      result.back() += c;
  return result;
}

TEST(Plan, TextParsesBack) {
  std::set<std::string> texts;
  for (int64_t number = 0; number < 3000; ++number) {
    Random random = randomFor(2, number);
    Plan plan = randomPlan(random);
    EXPECT_EQ(parsed(plan.text()), plan) << plan.text();
    EXPECT_EQ(parsed(plan.text()).text(), plan.text());
    texts.insert(plan.text());
  }
  EXPECT_GT(texts.size(), 2990u) << "different plans need different texts";
}

TEST(Plan, EqualityLooksAtEveryField) {
  // Each field printed differently must make another plan; a field that the
  // text leaves out would survive here.
  for (int64_t number = 0; number < 500; ++number) {
    Random random = randomFor(3, number);
    Plan a = randomPlan(random), b = randomPlan(random);
    EXPECT_EQ(a == b, a.text() == b.text()) << a.text() << "\n" << b.text();
  }
}

TEST(Plan, FieldsComeInAnyOrderAndDefault) {
  for (int64_t number = 0; number < 200; ++number) {
    Random random = randomFor(4, number);
    Plan plan = randomPlan(random);
    std::vector<std::string> fields = words(plan.text());
    std::string target = fields[0];
    fields.erase(fields.begin());
    random.shuffle(fields);
    std::string shuffled = target;
    for (const std::string &field : fields)
      shuffled += "  " + field;
    EXPECT_EQ(parsed(shuffled), plan) << shuffled;
  }
  EXPECT_EQ(parsed("cpu"), Plan());
  Plan one;
  one.vector = 8;
  EXPECT_EQ(parsed("cpu vector=8"), one);
}

TEST(Plan, VersionedOrdersAreUnderstood) {
  for (PlanOrder order : orders) {
    EXPECT_EQ(orderNamed(name(order)), order);
    EXPECT_EQ(orderNamed(versionedName(order)), order);
  }
  EXPECT_FALSE(orderNamed("canonical/2"));
  EXPECT_FALSE(orderNamed(""));
}

TEST(Plan, BadTextsAreTheUsersErrors) {
  for (const char *text : {"",
                           "   ",
                           "gpu",
                           "kind=row",
                           "cpu vector",
                           "cpu vector=",
                           "cpu =4",
                           "cpu vector=four",
                           "cpu vector=-1",
                           "cpu vector=4x",
                           "cpu vector=1e3",
                           "cpu rows=99999999999999999999",
                           "cpu width=32",
                           "cpu kind=diagonal",
                           "cpu kind=",
                           "cpu order=canonical/2",
                           "cpu load=shared",
                           "cpu narrow=f16",
                           "cpu narrow=",
                           "cpu vector=4 cpu",
                           "cpu Vector=4"}) {
    auto plan = parsePlan(text);
    if (plan) {
      ADD_FAILURE() << "'" << text << "' parsed as " << plan->text();
      continue;
    }
    llvm::handleAllErrors(plan.takeError(), [&](const WarpfoldError &e) {
      EXPECT_EQ(e.kind, ErrorKind::User) << text;
      EXPECT_FALSE(e.message.empty()) << text;
      EXPECT_FALSE(e.hint.empty()) << text;
    });
  }
  auto plan = parsePlan("cpu kind=row width=32 vector=4");
  ASSERT_FALSE(bool(plan));
  EXPECT_NE(llvm::toString(plan.takeError()).find("width=32"),
            std::string::npos);
}

/// The error of a plan that parses but cannot run.
std::string refusal(const std::string &text) {
  return llvm::toString(checkPlan(parsed(text)));
}

TEST(Plan, WhatCannotRunIsRefused) {
  EXPECT_EQ(refusal("cpu"), "");
  for (const char *text :
       {"cpu vector=3", "cpu vector=32 accumulators=32", "cpu accumulators=8",
        "cpu accumulators=0", "cpu simd=0", "cpu simd=12", "cpu abreast=0",
        "cpu elements=129", "cpu rows=33", "cpu rows=1", "cpu rows=0",
        "cpu order=ordered", "cpu order=sequential", "cpu tile=64",
        "cpu kind=column", "cpu kind=column tile=16384 load=pack",
        "cpu elements=5", "cpu accumulators=1 vector=1 simd=64",
        "cpu narrow=u8", "cpu kind=column tile=16384 narrow=i16"})
    EXPECT_NE(refusal(text), "") << text;
}

} // namespace
