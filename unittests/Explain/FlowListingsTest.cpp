//===- FlowListingsTest.cpp - Every listing is analysed -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "FlowSupport.h"

using namespace wf::explain;

namespace {

class FlowListings : public testing::TestWithParam<const char *> {};

/// Global accesses of entry kernels whose pointer is no parameter.
size_t unresolved(const Analysis &a) {
  size_t count = 0;
  for (size_t i = 0; i < a.code.size(); ++i)
    for (size_t k = 0; k < a.code[i].effects.size(); ++k) {
      const Effect &e = a.program.code[i].effects[k];
      ValueId address = a.code[i].effects[k].address;
      if (address == noValue || !e.memory || e.memory->space != Space::Global)
        continue;
      count += splitAddress(a, address, Space::Global).root !=
               Address::Root::Parameter;
    }
  return count;
}

TEST_P(FlowListings, IsConsistent) {
  auto read = readListing(listingText(GetParam()), GetParam());
  ASSERT_TRUE(bool(read));
  for (Kernel &kernel : read->kernels) {
    const std::string name = kernel.name;
    Analysis a = analyse(decode(std::move(kernel)));
    EXPECT_EQ(a.code.size(), a.program.code.size());
    EXPECT_FALSE(a.irreducible) << name;
    for (size_t b = 0; b < a.blocks.size(); ++b)
      for (size_t next : a.blocks[b].next) {
        ASSERT_LT(next, a.blocks.size());
        const auto &back = a.blocks[next].previous;
        EXPECT_EQ(a.blocks[b].reachable,
                  std::find(back.begin(), back.end(), b) != back.end());
      }
    for (const Value &v : a.values)
      for (ValueId arg : v.args)
        ASSERT_LT(arg, a.values.size());
    for (const Web &web : a.webs)
      EXPECT_TRUE(!web.defs.empty() || !web.uses.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Listings, FlowListings,
    testing::Values("nvidia/catalogue.sm_75.nvdisasm.sass",
                    "nvidia/cuda13.catalogue.sm_100.nvdisasm.sass",
                    "nvidia/exotic.sm_86.nvdisasm.sass",
                    "nvidia/patterns.sm_61.cuobjdump.sass",
                    "nvidia/hopper.sm_90a.nvdisasm.sass",
                    "amd/kernels.gfx906.llvm22.objdump.s",
                    "amd/kernels.gfx950.llvm22.objdump.s",
                    "amd/kernels.gfx1250.llvm22.objdump.s"));

// Every pointer of the simple kernels leads to a parameter.
TEST(FlowCatalogue, PointersAreParameters) {
  for (const char *listing : {"nvidia/catalogue.sm_75.nvdisasm.sass",
                              "nvidia/catalogue.sm_86.nvdisasm.sass",
                              "nvidia/cuda13.catalogue.sm_100.nvdisasm.sass"})
    for (const char *kernel :
         {"ldg_basic", "fma_f32", "gemm_tile", "softmax_small_f32",
          "online_softmax", "saxpy_grid_stride", "histogram", "transpose",
          "two_pass_final"})
      EXPECT_EQ(unresolved(analysed(listing, kernel)), 0u)
          << listing << " " << kernel;
}

// A part of a listing never makes the analysis fail.
TEST(FlowListing, CutAnywhere) {
  for (const char *listing : {"nvidia/seed_reduce_sum.sm_86.cuobjdump.sass",
                              "nvidia/seed_reduce_sum.sm_61.nvdisasm.sass"}) {
    const std::string text = listingText(listing);
    for (size_t end = 0; end < text.size(); end += 97)
      if (auto read = readListing(text.substr(0, end), listing))
        for (Kernel &kernel : read->kernels)
          analyse(decode(std::move(kernel)));
  }
}

} // namespace
