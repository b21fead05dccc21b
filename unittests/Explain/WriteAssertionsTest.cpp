//===- WriteAssertionsTest.cpp - What a build may ask ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "WriteSupport.h"

using namespace wf::explain;

static std::vector<AssertionFailure> failures(const Report &report,
                                              std::string_view text) {
  auto result = checkAssertions(report, text);
  if (!result) {
    ADD_FAILURE() << result.fault().message;
    return {};
  }
  return *result;
}

// The seed's kernel: 1 LDG of 4 bytes, 3 LDS, 2 STS, 2 barriers.
TEST(WriteAssertions, HoldOfTheSeed) {
  EXPECT_TRUE(failures(seedReport(),
                       "materialised=shared, barriers<=2, shfl=0, ldg.32>=1, "
                       "lds = 3, sts==2, ldg.128<1, loops!=0, ldg>0")
                  .empty());
}

TEST(WriteAssertions, NameWhatBreaksThem) {
  Report report = seedReport();
  auto broken = failures(report, "materialised=none, barriers<=1");
  ASSERT_EQ(broken.size(), 2u);
  EXPECT_EQ(broken[0].assertion, "materialised=none");
  EXPECT_EQ(broken[0].found, "shared");
  // LDS, LDS, FADD, STS at 0x0150, 0x0170, 0x0180, 0x0190.
  EXPECT_EQ(broken[0].instructions,
            (std::vector<size_t>{0x15, 0x17, 0x18, 0x19}));
  EXPECT_EQ(broken[1].found, "2");
  EXPECT_EQ(broken[1].instructions, (std::vector<size_t>{0x0f, 0x1a}));
}

TEST(WriteAssertions, TakeAlternatives) {
  EXPECT_TRUE(failures(seedReport(), "materialised=none|shared").empty());
  EXPECT_EQ(failures(seedReport(), "materialised!=none|shared").size(), 1u);
  EXPECT_TRUE(failures(seedReport(), "barriers=1|2").empty());
  EXPECT_TRUE(failures(seedReport(), "pattern=shared_tree").empty());
  EXPECT_EQ(failures(seedReport(), "pattern=softmax").size(), 1u);
}

TEST(WriteAssertions, MixedIsNotPlainShared) {
  Report report = reported("nvidia/catalogue.sm_86.cuobjdump.sass",
                           "reduce_register_partial_in_tree");
  EXPECT_TRUE(failures(report, "materialised=mixed").empty());
  EXPECT_TRUE(failures(report, "materialised=shared+register").empty());
  EXPECT_EQ(failures(report, "materialised=shared").size(), 1u);
}

TEST(WriteAssertions, SayWhatTheyCannotRead) {
  Report report = seedReport();
  auto fault = [&](std::string_view text) {
    auto result = checkAssertions(report, text);
    EXPECT_FALSE(bool(result)) << text;
    return result ? Fault{} : result.fault();
  };
  Fault unknown = fault("shuffles=5");
  EXPECT_TRUE(has(unknown.message, "'shuffles'"));
  EXPECT_TRUE(has(unknown.hint, "shfl"));
  EXPECT_TRUE(has(unknown.hint, "materialised"));
  EXPECT_TRUE(has(fault("shfl").message, "compares nothing"));
  EXPECT_TRUE(has(fault("shfl=").message, "lacks a value"));
  EXPECT_TRUE(has(fault("=3").message, "lacks a name"));
  EXPECT_TRUE(has(fault("shfl=!3").message, "relation"));
  EXPECT_TRUE(has(fault("shfl=three").message, "no number"));
  EXPECT_TRUE(has(fault("shfl=nan").message, "no number"));
  EXPECT_TRUE(has(fault("materialised>none").message, "order"));
  EXPECT_TRUE(has(fault("materialised=everywhere").message, "everywhere"));
  fault("");
  fault("  ");
}
