//===- FlowTest.cpp - Divergence and where lanes meet again ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Support.h"

using namespace wf::sim;

// Lane l loops l % 5 + 1 times; after each turn all that still loop vote.
static const char loop[] = R"(
  %n = urem i32 %t, 5
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %s = phi i32 [ 0, %entry ], [ %s2, %latch ]
  %odd = and i32 %i, 1
  %c = icmp eq i32 %odd, 1
  br i1 %c, label %yes, label %no
yes:
  %a = add i32 %s, 100
  br label %latch
no:
  %b = add i32 %s, 1
  br label %latch
latch:
  %s2 = phi i32 [ %a, %yes ], [ %b, %no ]
  %j = add i32 %i, 1
  %more = icmp ule i32 %j, %n
  br i1 %more, label %head, label %done
done:
  %all = call i32 @llvm.nvvm.activemask()
  %full = icmp eq i32 %all, -1
  %r = select i1 %full, i32 %s2, i32 -1
  store i32 %r, ptr addrspace(1) %pout
  ret void
)";

TEST(Flow, LanesMeetAgain) {
  for (uint64_t seed = 1; seed < 30; ++seed) {
    SimulatedRun run;
    run.options.seed = seed;
    if (seed == 1)
      run.options.schedule = Schedule::InStep;
    run.out.resize(32);
    ASSERT_TRUE(run.body(loop)) << run.error;
    EXPECT_EQ(run.hazards(), "");
    for (uint32_t t = 0; t < 32; ++t) {
      uint32_t turns = t % 5 + 1;
      EXPECT_EQ(run.out[t], (turns + 1) / 2 + turns / 2 * 100)
          << "thread " << t << ", seed " << seed;
    }
  }
}

TEST(Flow, SwitchOfManyWays) {
  SimulatedRun run;
  run.out.resize(32);
  ASSERT_TRUE(run.body(R"(
  %k = and i32 %t, 7
  switch i32 %k, label %other [ i32 1, label %one
                                i32 5, label %five ]
one:
  br label %join
five:
  br label %join
other:
  br label %join
join:
  %r = phi i32 [ 10, %one ], [ 50, %five ], [ 0, %other ]
  %m = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %r, i32 1, i32 31)
  store i32 %m, ptr addrspace(1) %pout
  ret void)"))
      << run.error;
  EXPECT_EQ(run.hazards(), "");
  for (uint32_t t = 0; t < 32; ++t) {
    uint32_t k = (t ^ 1) & 7;
    EXPECT_EQ(run.out[t], k == 1 ? 10u : k == 5 ? 50u : 0u);
  }
}

TEST(Flow, PhisAreReadBeforeTheyAreWritten) {
  SimulatedRun run;
  run.out.resize(32);
  // Swaps a pair three times.
  ASSERT_TRUE(run.body(R"(
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %j, %head ]
  %a = phi i32 [ 1, %entry ], [ %b, %head ]
  %b = phi i32 [ 2, %entry ], [ %a, %head ]
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, 4
  br i1 %more, label %head, label %done
done:
  %ten = mul i32 %a, 10
  %r = add i32 %ten, %b
  store i32 %r, ptr addrspace(1) %pout
  ret void)"))
      << run.error;
  EXPECT_EQ(run.out[0], 21u);
}

TEST(Flow, KernelThatNeverEnds) {
  SimulatedRun run;
  run.options.steps = 10000;
  run.out.resize(32);
  ASSERT_TRUE(run.body("  br label %again\nagain:\n  br label %again"))
      << run.error;
  EXPECT_EQ(run.hazards(), "kernel does not end");
  EXPECT_TRUE(run.outcome.stopped);
}

// One block waits for what another one sets: blocks must share the device.
TEST(Flow, BlocksThatWaitForEachOther) {
  SimulatedRun run;
  run.grid = 2;
  run.block = 1;
  run.in = {0};
  run.out.resize(2);
  ASSERT_TRUE(run.body(R"(
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %second = icmp eq i32 %block, 1
  br i1 %second, label %set, label %wait
set:
  store atomic i32 1, ptr addrspace(1) %in syncscope("device") release, align 4
  br label %done
wait:
  %v = load atomic i32, ptr addrspace(1) %in syncscope("device") acquire, align 4
  %there = icmp eq i32 %v, 1
  br i1 %there, label %done, label %wait
done:
  ret void)"))
      << run.error;
  EXPECT_EQ(run.hazards(), "");
}

// Half of the lanes go through %yes; all go through %done once, together.
TEST(Flow, AMeetingPointCountsOnce) {
  SimulatedRun run;
  run.options.schedule = Schedule::InStep;
  run.options.count = true;
  run.out.resize(32);
  ASSERT_TRUE(run.body(R"(
  %c = icmp ult i32 %t, 16
  br i1 %c, label %yes, label %done
yes:
  store i32 1, ptr addrspace(1) %pout
  br label %done
done:
  store i32 2, ptr addrspace(1) %pout
  ret void
)")) << run.error;
  const auto &blocks = run.outcome.counters.byBlock.at("k");
  ASSERT_EQ(blocks.size(), 3u);
  const uint64_t lanes[] = {32, 16, 32};
  for (size_t b = 0; b < 3; ++b) {
    EXPECT_EQ(blocks[b].second.warps, 1u) << blocks[b].first;
    EXPECT_EQ(blocks[b].second.lanes, lanes[b]) << blocks[b].first;
  }
  EXPECT_EQ(run.outcome.counters.globalStores, 2u);
}

// One branch within another, with the same meeting point.
TEST(Flow, AMeetingPointOfTwoBranchesCountsOnce) {
  SimulatedRun run;
  run.options.schedule = Schedule::InStep;
  run.options.count = true;
  run.out.resize(32);
  ASSERT_TRUE(run.body(R"(
  %c = icmp ult i32 %t, 16
  br i1 %c, label %yes, label %done
yes:
  %d = icmp ult i32 %t, 8
  br i1 %d, label %more, label %done
more:
  store i32 1, ptr addrspace(1) %pout
  br label %done
done:
  store i32 2, ptr addrspace(1) %pout
  ret void
)")) << run.error;
  for (const auto &[name, count] : run.outcome.counters.byBlock.at("k"))
    EXPECT_EQ(count.warps, 1u) << name;
}
