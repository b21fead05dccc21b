//===- ChooseTest.cpp - The plan that is chosen ---------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A plan may choose how; it may not choose bits. Its order constants are held
// against the oracle's, for every input width and state size.
//===----------------------------------------------------------------------===//
#include "Numerics/Order.h"
#include "Plan/Plan.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace wf;

namespace {

constexpr ProblemKind kinds[] = {
#define X(E, N) ProblemKind::E,
    WF_PROBLEM_KINDS(X)
#undef X
};
constexpr int64_t widths[] = {1, 2, 4, 8};

/// Calls test(facts) for widths, states, kinds, lengths and register sizes.
template <typename Test> void forEachFacts(PlanOrder order, Test test) {
  for (int64_t width : widths)
    for (int64_t state = 1; state <= 160; ++state)
      for (ProblemKind kind : kinds)
        for (int64_t elements : {-1, 1, 2, 31, 32, 33, 127, 128, 129, 5000})
          for (int64_t simd : {16, 32, 64}) {
            PlanFacts facts{};
            facts.kind = kind;
            facts.order = order;
            facts.elements = elements;
            facts.outputs = 7;
            facts.widestInputBytes = width;
            facts.stateBytes = state;
            facts.widestMemberBytes = std::clamp<int64_t>(state, width, 8);
            facts.simdBytes = simd;
            SCOPED_TRACE(std::string(name(kind)) + " E=" +
                         std::to_string(width) + " S=" + std::to_string(state) +
                         " K=" + std::to_string(elements) +
                         " simd=" + std::to_string(simd));
            test(facts);
            if (::testing::Test::HasFailure())
              return;
          }
}

bool isPowerOfTwo(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

TEST(Choose, CanonicalConstantsAreThePublishedOnes) {
  forEachFacts(PlanOrder::Canonical, [](const PlanFacts &facts) {
    Plan plan = choosePlan(facts);
    OrderShape shape = orderShape(facts.widestInputBytes, facts.stateBytes);
    EXPECT_EQ(plan.order, PlanOrder::Canonical);
    EXPECT_EQ(plan.vector, shape.vector);
    EXPECT_EQ(plan.accumulators, shape.accumulators);
    EXPECT_EQ(plan.rows, 32);
    EXPECT_EQ(plan.slots(), shape.slots());
    EXPECT_EQ(plan.rowElements(), shape.row());
    EXPECT_EQ(plan.chunkElements(), shape.chunk());
  });
}

TEST(Choose, OrderedLeavesAreWholeSubtrees) {
  // A block of 2^n elements that starts at a multiple of 2^n is a subtree of
  // the balanced tree; and no slot may fold two elements by update.
  forEachFacts(PlanOrder::Ordered, [](const PlanFacts &facts) {
    Plan plan = choosePlan(facts);
    EXPECT_EQ(plan.order, PlanOrder::Ordered);
    EXPECT_TRUE(isPowerOfTwo(plan.chunkElements()));
    EXPECT_EQ(plan.rows, 1);
    EXPECT_EQ(plan.accumulators, plan.vector);
  });
}

TEST(Choose, SequentialIsOneChain) {
  forEachFacts(PlanOrder::Sequential, [](const PlanFacts &facts) {
    Plan plan = choosePlan(facts);
    EXPECT_EQ(plan.order, PlanOrder::Sequential);
    EXPECT_EQ(plan.rows, 0);
    EXPECT_FALSE(plan.narrow);
  });
}

TEST(Choose, TextsOfChosenPlansParseBack) {
  for (PlanOrder order :
       {PlanOrder::Canonical, PlanOrder::Ordered, PlanOrder::Sequential})
    forEachFacts(order, [](const PlanFacts &facts) {
      Plan plan = choosePlan(facts);
      auto parsed = parsePlan(plan.text());
      ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
      EXPECT_EQ(*parsed, plan);
      llvm::Error refused = checkPlan(plan);
      EXPECT_FALSE(bool(refused)) << llvm::toString(std::move(refused));
    });
}

TEST(Choose, GatheredProblemsArePacked) {
  forEachFacts(PlanOrder::Canonical, [](PlanFacts facts) {
    if (facts.kind == ProblemKind::General) {
      EXPECT_EQ(choosePlan(facts).load, Load::Pack);
    } else {
      EXPECT_EQ(choosePlan(facts).load, Load::Vector);
      facts.generated = true;
      EXPECT_EQ(choosePlan(facts).load, Load::Pack);
    }
  });
}

TEST(Choose, ShortRowsAreCompiledInUpTo128) {
  forEachFacts(PlanOrder::Canonical, [](const PlanFacts &facts) {
    Plan plan = choosePlan(facts);
    EXPECT_TRUE(plan.elements == 0 || plan.elements == facts.elements);
    EXPECT_LE(plan.elements, 128);
    EXPECT_GE(plan.abreast, 1);
  });
}

/// The greatest magnitude of an integer type.
int64_t greatest(ScalarType type) {
  int bits = 8 * int(byteSize(type));
  return isSigned(type) ? int64_t(1) << (bits - 1) : (int64_t(1) << bits) - 1;
}

TEST(Choose, NarrowPartialsCannotOverflow) {
  int narrowed = 0;
  for (ScalarType input : {ScalarType::I8, ScalarType::U8, ScalarType::I16,
                           ScalarType::U16, ScalarType::I32, ScalarType::U32})
    for (ProblemKind kind : kinds)
      for (PlanOrder order :
           {PlanOrder::Canonical, PlanOrder::Ordered, PlanOrder::Sequential})
        for (int64_t elements : {-1, 1, 100, 5000}) {
          PlanFacts facts{};
          facts.kind = kind;
          facts.order = order;
          facts.elements = elements;
          facts.outputs = -1;
          facts.widestInputBytes = byteSize(input);
          facts.stateBytes = facts.widestMemberBytes = 8;
          facts.simdBytes = 64;
          facts.integerSumOf = input;
          Plan plan = choosePlan(facts);
          if (!plan.narrow)
            continue;
          ++narrowed;
          EXPECT_EQ(order, PlanOrder::Canonical);
          EXPECT_EQ(byteSize(input) * 2, byteSize(*plan.narrow));
          int64_t each =
              greatest(input) * plan.rows * plan.vector / plan.accumulators;
          EXPECT_LT(each, greatest(*plan.narrow)) << plan.text();
          // Slots are joined as i32.
          EXPECT_LT(each * plan.slots(), greatest(ScalarType::I32))
              << plan.text();
        }
  EXPECT_GT(narrowed, 0);
}

} // namespace
