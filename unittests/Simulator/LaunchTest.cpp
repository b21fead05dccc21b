//===- LaunchTest.cpp - What a launch refuses, and what it counts ---------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Support.h"

using namespace wf::sim;

TEST(Launch, RefusesWhatTheMachineDoesNotAllow) {
  SimulatedRun run;
  run.out.resize(32);
  run.block = 2048;
  EXPECT_FALSE(run.body("  ret void"));
  EXPECT_NE(run.error.find("at most 1024 threads"), std::string::npos)
      << run.error;
  run.block = 0;
  EXPECT_FALSE(run.body("  ret void"));
  EXPECT_NE(run.error.find("a launch of nothing"), std::string::npos);
  run.block = 32;
  run.shared = 1 << 20;
  EXPECT_FALSE(run.body("  ret void"));
  EXPECT_NE(run.error.find("bytes of shared memory"), std::string::npos);
}

TEST(Launch, NamesWhatItDoesNotKnow) {
  SimulatedRun run;
  run.out.resize(32);
  EXPECT_FALSE(run.body("  %c = call i64 @llvm.nvvm.read.ptx.sreg.clock64()\n"
                        "  ret void"));
  EXPECT_NE(run.error.find("llvm.nvvm.read.ptx.sreg.clock64"),
            std::string::npos)
      << run.error;
  EXPECT_FALSE(run.body("  call void asm \"\", \"\"()\n  ret void"));
  EXPECT_NE(run.error.find("inline assembly"), std::string::npos);
  EXPECT_FALSE(run.body("  %x = sext i32 %t to i128\n  ret void"));
  EXPECT_NE(run.error.find("i128"), std::string::npos);
  EXPECT_FALSE(run.module("this is no IR"));
  EXPECT_NE(run.error.find("does not read this IR"), std::string::npos);
  run.target = "gfx1201";
  EXPECT_FALSE(run.module("target triple = \"nvptx64-nvidia-cuda\""));
  EXPECT_NE(run.error.find("the device is a gfx1201"), std::string::npos);
}

// A kernel is read when it is launched, and named as in its source.
TEST(Launch, WhatAnotherKernelHasHindersNobody) {
  const std::string functions = R"(target triple = "nvptx64-nvidia-cuda"
define i32 @_Z3fibi(i32 %n) {
  %m = sub i32 %n, 1
  %f = call i32 @_Z3fibi(i32 %m)
  ret i32 %f
}
define i32 @_Z5twicei(i32 %n) {
  %f = add i32 %n, %n
  ret i32 %f
}
)";
  auto kernel = [](const std::string &name, const std::string &callee) {
    return "define ptx_kernel void @" + name +
           "(ptr addrspace(1) %in, ptr addrspace(1) %out) {\n"
           "  %v = call i32 @" +
           callee +
           "(i32 4)\n"
           "  store i32 %v, ptr addrspace(1) %out\n  ret void\n}\n";
  };
  SimulatedRun run;
  run.block = 1;
  run.out.resize(1);
  EXPECT_TRUE(run.module(functions + kernel("_Z5otherPiS_", "_Z3fibi") +
                         kernel("k", "_Z5twicei")))
      << run.error;
  EXPECT_EQ(run.out[0], 8u);
  EXPECT_FALSE(run.module(functions + kernel("k", "_Z3fibi")));
  EXPECT_NE(run.error.find("kernel k calls fib, which is recursive"),
            std::string::npos)
      << run.error;
  EXPECT_EQ(sourceName("_Z5otherPiS_"), "other");
}

// A machine for every target that kernels are compiled for, and for no other.
TEST(Launch, MachinesAreThoseOfTheTargets) {
  for (auto [target, lanes] : {std::pair("sm_90", 32),
                               {"gfx90a", 64},
                               {"gfx942", 64},
                               {"gfx1201", 32},
                               {"gfx1201:wave64", 64},
                               {"null", 32}}) {
    auto machine = machineNamed(target);
    ASSERT_TRUE(bool(machine)) << textOf(machine.takeError());
    EXPECT_EQ(machine->lanes, lanes) << target;
  }
  for (const char *target :
       {"gfx942:wave64", "gfx942:wave32", "gfx1201:wave32", "gfx1201:wave128",
        "gfx1201:", "sm_90:wave32", "null:wave64", "nonsense", ""}) {
    auto machine = machineNamed(target);
    ASSERT_FALSE(bool(machine)) << target;
    std::string said = textOf(machine.takeError());
    EXPECT_TRUE(said.find("no target is called") != std::string::npos ||
                said.find("has no mode") != std::string::npos)
        << said;
  }
}

// 64 threads read a word each, then store it: two warps, 128 bytes each way.
TEST(Launch, CountsBytes) {
  for (bool amd : {false, true}) {
    SimulatedRun run;
    run.target = amd ? "gfx942" : "sm_90";
    run.options.schedule = Schedule::InStep;
    run.options.count = true;
    run.block = 64;
    run.in.resize(64, 3);
    run.out.resize(64);
    ASSERT_TRUE(run.body("  %v = load i32, ptr addrspace(1) %pin\n"
                         "  store i32 %v, ptr addrspace(1) %pout\n  ret void"));
    const Counters &c = run.outcome.counters;
    EXPECT_EQ(c.warps, amd ? 1u : 2u);
    EXPECT_EQ(c.requestedRead, 256u);
    EXPECT_EQ(c.fetched, 256u);
    EXPECT_EQ(c.written, 256u);
    EXPECT_EQ(c.globalLoads, amd ? 1u : 2u);
    EXPECT_EQ(c.utilisation(amd ? 64 : 32), 1.0);
  }
}

// A stride of two words over 32 banks: every bank is asked for two words.
TEST(Launch, CountsBankConflicts) {
  for (int stride : {1, 2, 32}) {
    SimulatedRun run;
    run.options.schedule = Schedule::InStep;
    run.options.count = true;
    run.options.hazards = false;
    run.out.resize(32);
    ASSERT_TRUE(run.body("  %n = mul i32 %t, " + std::to_string(stride) +
                             "\n  %p = getelementptr i32, ptr addrspace(3) @s, "
                             "i32 %n\n  store i32 %t, ptr addrspace(3) %p\n"
                             "  ret void",
                         "@s = internal addrspace(3) global [1024 x i32] "
                         "undef, align 16"));
    EXPECT_EQ(run.outcome.counters.bankConflicts, uint64_t(stride - 1));
  }
}

TEST(Launch, CountsAtomicsOfOneAddress) {
  SimulatedRun run;
  run.options.count = true;
  run.grid = 3;
  run.in = {0, 0};
  run.out.resize(1);
  ASSERT_TRUE(run.body("  %x = atomicrmw add ptr addrspace(1) %in, i32 1 "
                       "monotonic\n  ret void"));
  EXPECT_EQ(run.outcome.counters.atomics, 96u);
  EXPECT_EQ(run.outcome.counters.hottest, 96u);
  EXPECT_EQ(run.outcome.counters.atomicInstructions, 3u);
}

// The last word of a granule of 32 bytes: an atomic of four bytes touches one.
TEST(Launch, CountsTheGranulesOfAtomics) {
  for (const char *atomic :
       {"%x = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic",
        "%x = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 monotonic monotonic"}) {
    SimulatedRun run;
    run.options.schedule = Schedule::InStep;
    run.options.count = true;
    run.in.resize(16);
    run.out.resize(1);
    ASSERT_TRUE(run.body(std::string("  %p = getelementptr i32, ptr "
                                     "addrspace(1) %in, i32 7\n  ") +
                         atomic + "\n  ret void"))
        << run.error;
    EXPECT_EQ(run.outcome.counters.written, 32u);
    EXPECT_EQ(run.outcome.counters.movedAtomics, 32u);
  }
}

// Every second word of four bytes: 32 lanes in 16 banks, two a bank.
TEST(Launch, CountsBankConflictsOfAtomics) {
  SimulatedRun run;
  run.options.count = true;
  run.options.schedule = Schedule::InStep;
  run.options.hazards = false;
  run.out.resize(32);
  ASSERT_TRUE(
      run.body("  %n = mul i32 %t, 2\n"
               "  %p = getelementptr i32, ptr addrspace(3) @s, i32 %n\n"
               "  %x = atomicrmw add ptr addrspace(3) %p, i32 1 monotonic\n"
               "  ret void",
               "@s = internal addrspace(3) global [64 x i32] undef, align 16"))
      << run.error;
  EXPECT_EQ(run.outcome.counters.bankConflicts, 1u);
}
