//===- FlowLoopsTest.cpp - Loops as compilers name them -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "FlowSupport.h"

using namespace wf::explain;

namespace {

/// clang's comments: "name: ; @name", then "=>… Loop Header: Depth=1".
std::map<std::string, size_t> headersOf(const std::string &text) {
  std::map<std::string, size_t> headers;
  std::stringstream in(text);
  std::string line, kernel;
  while (std::getline(in, line)) {
    if (size_t at = line.find("; @"); at != std::string::npos) {
      kernel = line.substr(at + 3);
      headers[kernel] = 0;
    }
    if (line.find("Loop Header: Depth=") != std::string::npos &&
        line.find("=>") != std::string::npos)
      ++headers[kernel];
  }
  return headers;
}

class FlowLoops : public testing::TestWithParam<const char *> {};

TEST_P(FlowLoops, AreThoseOfTheCompiler) {
  std::string text = listingText(GetParam());
  auto headers = headersOf(text);
  auto read = readListing(text, GetParam());
  ASSERT_TRUE(bool(read));
  size_t compared = 0;
  for (Kernel &kernel : read->kernels) {
    std::string name = kernel.name;
    if (!headers.count(name))
      continue;
    Analysis a = analyse(decode(std::move(kernel)));
    EXPECT_EQ(a.loops.size(), headers[name]) << name;
    ++compared;
  }
  EXPECT_GE(compared, 13u);
}

INSTANTIATE_TEST_SUITE_P(Listings, FlowLoops,
                         testing::Values("amd/kernels.gfx90a.clang.s",
                                         "amd/kernels.gfx1100.clang.s",
                                         "amd/kernels.gfx1200.clang.s"));

// Loops of catalogue.cu on sm_86, counted by hand from the branches that go
// back: the tree unrolled has none, softmax two trees.
TEST(FlowCatalogue, LoopsOfEachKernel) {
  struct Row {
    const char *kernel;
    size_t loops;
    const char *condition;
  };
  const std::string listing = "nvidia/catalogue.sm_86.nvdisasm.sass";
  for (const Row &row : std::initializer_list<Row>{
           {"ldg_basic", 0, ""},
           {"fma_f32", 0, ""},
           {"reduce_tree_unrolled", 0, ""},
           {"reduce_two_level", 0, ""},
           {"softmax_small_f32", 2, "stride != 0"},
           {"reduce_max_tree", 1, "stride != 0"},
           {"reduce_interleaved_bank_conflict", 1, "stride < blockDim.x"},
           {"saxpy_grid_stride", 1, "i < arg3"},
           {"two_pass_partial", 1, "i < arg2"}}) {
    Analysis a = analysed(listing, row.kernel);
    EXPECT_EQ(a.loops.size(), row.loops) << row.kernel;
    if (!a.loops.empty()) {
      EXPECT_EQ(a.loops[0].condition, row.condition) << row.kernel;
    }
  }
}

// #pragma-less loops of catalogue.cu that ptxas unrolled: gemm_tile handles
// four tiles a step, online_softmax sixteen elements, then four, then one.
TEST(FlowCatalogue, UnrolledCopies) {
  const std::string listing = "nvidia/catalogue.sm_86.nvdisasm.sass";
  Analysis gemm = analysed(listing, "gemm_tile");
  ASSERT_EQ(gemm.loops.size(), 1u);
  EXPECT_EQ(gemm.loops[0].unrolled, 4);
  Analysis softmax = analysed(listing, "online_softmax");
  ASSERT_EQ(softmax.loops.size(), 6u);
  EXPECT_EQ(softmax.loops[0].unrolled, 16);
  EXPECT_EQ(softmax.loops[1].unrolled, 4);
  EXPECT_EQ(softmax.loops[2].unrolled, 1);
  Analysis tree = analysed(listing, "reduce_max_tree");
  ASSERT_EQ(tree.loops.size(), 1u);
  EXPECT_EQ(tree.loops[0].unrolled, 1);
}

TEST(FlowLoop, NestedAndIrreducible) {
  // 0: outer header; 1: inner header; 2: back to 1; 3: back to 0; 4: exit.
  Builder nest;
  nest.add();
  nest.add();
  nest.jump({1}, Builder::predicate(0));
  nest.jump({0}, Builder::predicate(1));
  nest.exit();
  Analysis a = nest.analysed();
  ASSERT_EQ(a.loops.size(), 2u);
  EXPECT_EQ(a.loops[0].depth, 1);
  EXPECT_EQ(a.loops[1].depth, 2);
  EXPECT_EQ(a.loops[1].parent, 0);
  EXPECT_EQ(a.blocks[a.loops[1].header].first, 1u);
  EXPECT_FALSE(a.irreducible);

  // Two blocks that jump to each other, both entered from outside.
  Builder cross;
  cross.jump({2}, Builder::predicate(0));
  cross.jump({2}, Builder::predicate(1)); // 1
  cross.jump({1}, Builder::predicate(2)); // 2
  cross.exit();
  EXPECT_TRUE(cross.analysed().irreducible);
}

TEST(FlowLoop, ReachableSelfBranchIsALoopAndPaddingIsNone) {
  Builder b;
  b.exit();
  b.jump({1});
  Analysis a = b.analysed();
  EXPECT_TRUE(a.loops.empty());
  EXPECT_FALSE(a.blocks[1].reachable);
  Builder spin;
  spin.add();
  spin.jump({1});
  EXPECT_EQ(spin.analysed().loops.size(), 1u);
}

TEST(FlowLoop, NoCodeAndTargetsThatAreNowhere) {
  EXPECT_TRUE(Builder().analysed().blocks.empty());
  Builder b;
  b.jump({77});
  EXPECT_EQ(b.analysed().blocks.size(), 1u);
}

// Deep graphs are walked without recursion.
TEST(FlowLoop, TwentyThousandBlocks) {
  Builder b;
  const size_t count = 20000;
  for (size_t i = 0; i < count; ++i)
    b.jump({count}, Builder::predicate(0));
  b.exit();
  Analysis a = b.analysed();
  EXPECT_EQ(a.blocks.size(), count + 1);
  EXPECT_EQ(a.blocks[count].dominator, 0u);
}

} // namespace
