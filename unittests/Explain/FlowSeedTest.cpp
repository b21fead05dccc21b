//===- FlowSeedTest.cpp - The seed's kernel, read by hand -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "FlowSupport.h"

using namespace wf::explain;

namespace {

constexpr const char *index = "blockIdx.x * blockDim.x + threadIdx.x";
using List = std::vector<uint64_t>;

class FlowSeed : public testing::Test {
protected:
  static Analysis &sm86() {
    static Analysis a = seed("nvidia/seed_reduce_sum.sm_86.cuobjdump.sass");
    return a;
  }
  static std::string guard(uint64_t address) {
    const Analysis &a = sm86();
    return condition(a, a.code[at(a, address)].guard);
  }
};

// The graph that nvdisasm -bbcfg prints: five blocks, six edges.
TEST_F(FlowSeed, GraphIsTheDisassemblers) {
  const Analysis &a = sm86();
  size_t blocks = 0, edges = 0;
  for (const Block &block : a.blocks)
    if (block.reachable) {
      ++blocks;
      edges += block.next.size();
    }
  EXPECT_EQ(blocks, 5u);
  EXPECT_EQ(edges, 6u);
  // The branch to itself and the NOPs behind it are no part of the kernel.
  EXPECT_FALSE(a.blocks[a.blockOf[at(a, 0x230)]].reachable);
  EXPECT_FALSE(a.blocks[a.blockOf[at(a, 0x240)]].reachable);
  // @P0 EXIT ends a block, and the kernel goes on behind it.
  EXPECT_NE(a.blockOf[at(a, 0x1d0)], a.blockOf[at(a, 0x1e0)]);
  EXPECT_EQ(a.blocks[a.blockOf[at(a, 0x1d0)]].postDominator, SIZE_MAX);
  EXPECT_EQ(a.blocks[a.blockOf[at(a, 0x130)]].dominator,
            a.blockOf[at(a, 0x110)]);
}

TEST_F(FlowSeed, OneRotatedLoopWithItsGuard) {
  const Analysis &a = sm86();
  ASSERT_EQ(a.loops.size(), 1u);
  const Loop &loop = a.loops[0];
  EXPECT_EQ(a.blocks[loop.header].first, at(a, 0x130));
  EXPECT_EQ(a.blocks[loop.header].last, at(a, 0x1d0));
  EXPECT_EQ(loop.blocks.size(), 1u);
  EXPECT_TRUE(loop.rotated);
  EXPECT_EQ(loop.guardInstruction, int(at(a, 0x100)));
  EXPECT_EQ(loop.condition, "stride != 0");
  EXPECT_EQ(loop.induction, "stride = stride >> 1");
  EXPECT_EQ(loop.unrolled, 1);
  EXPECT_FALSE(a.irreducible);
  EXPECT_EQ(guard(0x100), "blockDim.x >> 1 == 0");
}

TEST_F(FlowSeed, GuardsReadAsTheSourceHasThem) {
  EXPECT_EQ(guard(0x90), std::string(index) + " < n");
  EXPECT_EQ(guard(0x150), "threadIdx.x < stride");
  EXPECT_EQ(guard(0x1d0), "threadIdx.x != 0");
  const Analysis &a = sm86();
  EXPECT_EQ(condition(a, a.code[at(a, 0x60)].effects[0].result),
            std::string(index) + " >= n");
  EXPECT_EQ(condition(a, a.code[at(a, 0x130)].effects[0].result, true),
            "threadIdx.x < stride");
}

TEST_F(FlowSeed, ValuesAreExpressions) {
  const Analysis &a = sm86();
  EXPECT_EQ(written(a, at(a, 0x50)), index);
  EXPECT_EQ(written(a, at(a, 0xa0)), "blockDim.x");
  EXPECT_EQ(written(a, at(a, 0xc0)), "blockDim.x >> 1");
  EXPECT_EQ(written(a, at(a, 0x110)), "threadIdx.x * 4");
  EXPECT_EQ(expression(a, a.code[at(a, 0x80)].effects[0].result),
            "x + (" + std::string(index) + ") * 4");
  EXPECT_EQ(expression(a, a.code[at(a, 0x90)].effects[0].result),
            "x[" + std::string(index) + "]");
  EXPECT_EQ(written(a, at(a, 0x170)), "shared[threadIdx.x + stride]");
  EXPECT_EQ(written(a, at(a, 0x200)), "y + blockIdx.x * 4");
  EXPECT_EQ(expression(a, a.code[at(a, 0x190)].effects[0].data),
            "shared[threadIdx.x] + shared[threadIdx.x + stride]");
}

// R0 = 0 at 0x20 and @!P0 LDG R0 at 0x90: 0xe0 stores one or the other.
TEST_F(FlowSeed, GuardedLoadKeepsTheOldValue) {
  const Analysis &a = sm86();
  const Value &v = a.value(a.code[at(a, 0xe0)].effects[0].data);
  ASSERT_EQ(v.kind, Value::Kind::Gamma);
  EXPECT_EQ(condition(a, v.args[0]), std::string(index) + " < n");
  EXPECT_EQ(a.value(v.args[1]).kind, Value::Kind::Load);
  EXPECT_EQ(a.value(v.args[1]).instruction, at(a, 0x90));
  EXPECT_EQ(a.value(v.args[2]).kind, Value::Kind::Constant);
}

TEST_F(FlowSeed, LivesOfR0AndTheProofOfReuse) {
  const Analysis &a = sm86();
  auto r0 = lives(a, "R0");
  ASSERT_EQ(r0.size(), 2u);
  EXPECT_EQ(addresses(a, r0[0].defs), (List{0x20, 0x90}));
  EXPECT_EQ(addresses(a, r0[0].uses), (List{0xe0}));
  EXPECT_EQ(r0[0].role, "x[" + std::string(index) + "] or 0.0");
  EXPECT_EQ(r0[0].reuse, "last read at 0x00e0 by STS, which sets SB0 when it "
                         "has read; 0x0110 waits for SB0 and writes it again");
  EXPECT_EQ(addresses(a, r0[1].defs), (List{0x110}));
  EXPECT_EQ(addresses(a, r0[1].uses), (List{0x140}));
  EXPECT_EQ(r0[1].role, "threadIdx.x * 4");
}

TEST_F(FlowSeed, LivesOfTheOtherRegisters) {
  const Analysis &a = sm86();
  auto ur4 = lives(a, "UR4");
  ASSERT_EQ(ur4.size(), 2u);
  EXPECT_EQ(ur4[0].role, "blockDim.x");
  EXPECT_EQ(ur4[1].role, "blockDim.x >> 1");
  auto p0 = lives(a, "P0");
  ASSERT_EQ(p0.size(), 2u);
  EXPECT_EQ(p0[1].role, "threadIdx.x != 0");
  EXPECT_EQ(addresses(a, p0[1].uses), (List{0x1d0}));
  auto p1 = lives(a, "P1");
  ASSERT_EQ(p1.size(), 3u);
  EXPECT_EQ(p1[0].role, "blockDim.x >> 1 != 0");
  EXPECT_EQ(p1[1].role, "threadIdx.x >= stride");
  // R3: 4, the upper half of an address, the stride, 4, an upper half again.
  auto r3 = lives(a, "R3");
  ASSERT_EQ(r3.size(), 5u);
  EXPECT_EQ(r3[0].role, "4");
  EXPECT_EQ(r3[2].role, "stride");
  EXPECT_EQ(addresses(a, r3[2].defs), (List{0x120, 0x160}));
  EXPECT_EQ(r3[4].role, "upper half of y + blockIdx.x * 4");
  auto r2 = lives(a, "R2");
  ASSERT_EQ(r2.size(), 4u);
  EXPECT_EQ(r2[0].role, index);
  EXPECT_EQ(r2[3].role, "y + blockIdx.x * 4");
  // R4 is never blockDim.x.
  auto r4 = lives(a, "R4");
  ASSERT_EQ(r4.size(), 2u);
  EXPECT_EQ(r4[0].role, "shared[threadIdx.x]");
}

TEST_F(FlowSeed, AddressesSplitIntoPointerAndTerms) {
  const Analysis &a = sm86();
  Address store =
      splitAddress(a, a.code[at(a, 0x210)].effects[0].address, Space::Global);
  EXPECT_EQ(store.root, Address::Root::Parameter);
  ASSERT_NE(store.base, noValue);
  EXPECT_EQ(a.value(store.base).imm, 8);
  ASSERT_EQ(store.terms.size(), 1u);
  EXPECT_EQ(expression(a, store.terms[0].first), "blockIdx.x");
  EXPECT_EQ(store.terms[0].second, 4);
  EXPECT_EQ(store.offset, 0);
  Address load =
      splitAddress(a, a.code[at(a, 0x170)].effects[0].address, Space::Shared);
  EXPECT_EQ(load.root, Address::Root::Shared);
  ASSERT_EQ(load.terms.size(), 2u);
  EXPECT_EQ(load.terms[0].second, 4);
  EXPECT_EQ(load.terms[1].second, 4);
}

// The same source on every architecture: what is loaded, added and stored in
// the loop reads the same.
class FlowEverywhere : public testing::TestWithParam<const char *> {};

TEST_P(FlowEverywhere, StepOfTheTree) {
  Analysis a = seed(GetParam());
  ASSERT_EQ(a.loops.size(), 1u);
  std::vector<std::string> loads, stores, guards;
  for (size_t b : a.loops[0].blocks)
    for (size_t i = a.blocks[b].first; i < a.blocks[b].last; ++i)
      for (size_t k = 0; k < a.code[i].effects.size(); ++k) {
        const Effect &e = a.program.code[i].effects[k];
        if (e.op == Op::Load)
          loads.push_back(expression(a, a.code[i].effects[k].result));
        if (e.op != Op::Store)
          continue;
        Address to =
            splitAddress(a, a.code[i].effects[k].address, Space::Shared);
        ASSERT_EQ(to.terms.size(), 1u);
        stores.push_back(expression(a, to.terms[0].first));
        EXPECT_EQ(to.terms[0].second, 4);
        EXPECT_EQ(to.offset, 0);
        guards.push_back(condition(a, a.code[i].guard));
      }
  std::sort(loads.begin(), loads.end());
  EXPECT_EQ(loads, (std::vector<std::string>{"shared[threadIdx.x + stride]",
                                             "shared[threadIdx.x]"}));
  EXPECT_EQ(stores, std::vector<std::string>{"threadIdx.x"});
  EXPECT_EQ(guards, std::vector<std::string>{"threadIdx.x < stride"});
  // Before the loop x[i] or 0 is stored, after it y[blockIdx.x].
  std::string last;
  for (size_t i = 0; i < a.code.size(); ++i)
    for (size_t k = 0; k < a.code[i].effects.size(); ++k)
      if (a.blocks[a.blockOf[i]].reachable &&
          a.program.code[i].effects[k].op == Op::Store &&
          a.program.code[i].effects[k].memory->space == Space::Global)
        last = expression(a, a.code[i].effects[k].address) + " = " +
               expression(a, a.code[i].effects[k].data);
  EXPECT_EQ(last, "y + blockIdx.x * 4 = shared[0]");
}

INSTANTIATE_TEST_SUITE_P(
    Listings, FlowEverywhere,
    testing::Values(
        "nvidia/seed_reduce_sum.sm_61.cuobjdump.sass",
        "nvidia/seed_reduce_sum.sm_70.nvdisasm.sass",
        "nvidia/seed_reduce_sum.sm_75.cuobjdump.sass",
        "nvidia/seed_reduce_sum.sm_80.nvdisasm.sass",
        "nvidia/seed_reduce_sum.sm_89.cuobjdump.sass",
        "nvidia/seed_reduce_sum.sm_90.nvdisasm.sass",
        "nvidia/cuda13.seed_reduce_sum.sm_100.nvdisasm.json",
        "nvidia/cuda13.seed_reduce_sum.sm_120.cuobjdump.sass",
        "amd/kernels.gfx90a.objdump.s", "amd/kernels.gfx942.objdump.s",
        "amd/kernels.gfx1030.objdump.s", "amd/kernels.gfx1100.objdump.s",
        "amd/kernels.gfx1200.objdump.s", "amd/kernels.gfx1200.clang.s"));

} // namespace
