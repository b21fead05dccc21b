//===- WriteCompareTest.cpp - Two kernels side by side --------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "WriteSupport.h"

#include "Explain/Write/Align.h"

using namespace wf::explain;

TEST(Align, FindsALongestCommonSubsequence) {
  auto pairs = align({1, 2, 3, 4, 5}, {2, 9, 4, 5, 6});
  EXPECT_EQ(pairs,
            (std::vector<std::pair<size_t, size_t>>{{1, 0}, {3, 2}, {4, 3}}));
  EXPECT_TRUE(align({}, {1}).empty());
  EXPECT_TRUE(align({1}, {2}).empty());
}

// Longer than a window: an insertion in the middle costs no pair.
TEST(Align, LongSequences) {
  std::vector<uint32_t> a, b;
  for (uint32_t n = 0; n < 20000; ++n) {
    a.push_back(n % 97);
    if (n == 9000)
      b.insert(b.end(), 100, 1000);
    b.push_back(n % 97);
  }
  auto pairs = align(a, b);
  EXPECT_EQ(pairs.size(), a.size());
  for (size_t n = 1; n < pairs.size(); ++n) {
    EXPECT_LT(pairs[n - 1].first, pairs[n].first);
    EXPECT_LT(pairs[n - 1].second, pairs[n].second);
  }
}

// The worst case, nothing in common, takes time that grows with the length.
TEST(Align, NothingInCommon) {
  EXPECT_TRUE(
      align(std::vector<uint32_t>(50000, 1), std::vector<uint32_t>(50000, 2))
          .empty());
}

TEST(WriteCompare, AKernelWithItself) {
  Report report = seedReport();
  std::string text = compare(report, report, {});
  EXPECT_TRUE(has(text, "Instruction by instruction both do the same")) << text;
  EXPECT_FALSE(has(text, "\n  ~ ")) << text;
}

// sm_90 loads with LDC what sm_86 reads as operands, and computes the base of
// shared memory from its place in the cluster.
TEST(WriteCompare, OneKernelOnTwoArchitectures) {
  std::string text =
      compare(seedReport(),
              reported("nvidia/seed_reduce_sum.sm_90.cuobjdump.sass", "reduce",
                       "x: f32*, y: f32*, n: i32"),
              {});
  EXPECT_TRUE(has(text, "A is built for sm_86, B for sm_90")) << text;
  EXPECT_TRUE(has(text, "The verdict is the same: materialised in: shared"))
      << text;
  EXPECT_TRUE(has(text, "sm_90 loads constants into registers first")) << text;
  EXPECT_TRUE(has(text, "sm_90 computes the base of shared memory")) << text;
}

TEST(WriteCompare, UnrolledAgainstRolled) {
  std::string text = compare(
      seedReport(),
      reported("nvidia/catalogue.sm_86.cuobjdump.sass", "reduce_tree_unrolled"),
      {});
  EXPECT_TRUE(has(text, "written out ×8")) << text;
  EXPECT_TRUE(has(text, "barriers of the block")) << text;
}
