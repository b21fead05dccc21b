//===- HazardTest.cpp - Each hazard, and its repaired twin ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Support.h"

using namespace wf::sim;

static const char sharedArray[] =
    "@s = internal addrspace(3) global [64 x i32] undef, align 16";

/// Thread t stores to s[t], then reads s[t ^ n], with `between` in between.
static std::string neighbour(int n, const std::string &between) {
  return "  %own = getelementptr i32, ptr addrspace(3) @s, i32 %t\n"
         "  store i32 %t, ptr addrspace(3) %own\n  " +
         between + "\n  %o = xor i32 %t, " + std::to_string(n) +
         "\n  %other = getelementptr i32, ptr addrspace(3) @s, i32 %o\n"
         "  %v = load i32, ptr addrspace(3) %other\n"
         "  store i32 %v, ptr addrspace(1) %pout\n  ret void";
}

TEST(Hazard, SharedRaces) {
  const std::string barrier =
      "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)";
  const std::string warp = "call void @llvm.nvvm.bar.warp.sync(i32 -1)";
  const struct {
    int distance;
    std::string between, hazard;
  } cases[] = {
      {1, "", "race in shared memory"}, // inside a warp too
      {1, warp, ""},
      {1, barrier, ""},
      {32, warp, "race in shared memory"}, // the other warp's
      {32, barrier, ""},
  };
  for (const auto &c : cases)
    for (uint64_t seed = 1; seed < 6; ++seed) {
      SimulatedRun run;
      run.block = 64;
      run.options.seed = seed;
      run.out.resize(64);
      ASSERT_TRUE(run.body(neighbour(c.distance, c.between), sharedArray))
          << run.error;
      std::string found = run.hazards();
      // Under some seeds the other thread has not even written.
      if (!c.hazard.empty() && found.find(c.hazard) == std::string::npos)
        EXPECT_EQ(found, "read of memory nobody wrote");
      else if (c.hazard.empty())
        EXPECT_EQ(found, "");
    }
}

// In step the lanes of a warp are in time by luck; it is named all the same.
TEST(Hazard, LuckIsNoSync) {
  SimulatedRun run;
  run.options.schedule = Schedule::InStep;
  run.out.resize(32);
  ASSERT_TRUE(run.body(neighbour(1, ""), sharedArray)) << run.error;
  EXPECT_EQ(run.hazards(), "race in shared memory");
  for (uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(run.out[t], t ^ 1);
}

TEST(Hazard, Memory) {
  auto load = [](const char *type, int offset, int align, size_t words,
                 int64_t bytes) {
    SimulatedRun run;
    run.block = 1;
    run.in.resize(words, 7);
    run.inBytes = bytes;
    run.out.resize(1);
    EXPECT_TRUE(run.body("  %p = getelementptr i8, ptr addrspace(1) %in, i32 " +
                         std::to_string(offset) + "\n  %v = load " + type +
                         ", ptr addrspace(1) %p, align " +
                         std::to_string(align) + "\n  ret void"))
        << run.error;
    return run.hazards();
  };
  EXPECT_EQ(load("<4 x float>", 0, 16, 4, 16), "");
  EXPECT_EQ(load("<4 x float>", 4, 16, 8, 32), "misaligned access");
  EXPECT_EQ(load("<4 x float>", 16, 16, 7, 28), "access out of bounds");
  EXPECT_EQ(load("float", -4, 4, 7, 28), "access out of bounds");
  EXPECT_EQ(load("float", 16, 4, 4, 32), "read of memory nobody wrote");
  EXPECT_EQ(load("float", 12, 4, 4, 32), "");
}

TEST(Hazard, Barriers) {
  auto with = [](const std::string &guard, uint32_t threads) {
    SimulatedRun run;
    run.block = threads;
    run.out.resize(threads);
    EXPECT_TRUE(
        run.body("  %c = icmp ult i32 %t, " + guard +
                 "\n  br i1 %c, label %then, label %join\nthen:\n"
                 "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
                 "  br label %join\njoin:\n  ret void"))
        << run.error;
    return run.hazards();
  };
  EXPECT_EQ(with("64", 64), "");
  EXPECT_EQ(with("20", 64), "barrier in divergent flow"); // inside a warp
  EXPECT_EQ(with("32", 64), "barrier in divergent flow"); // the other has left
}

// Every block writes its number; the last one to draw a ticket adds them up.
static std::string lastBlock(const std::string &release,
                             const std::string &acquire) {
  return "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
         "  %mine = getelementptr i32, ptr addrspace(1) %out, i32 %b\n"
         "  store i32 %b, ptr addrspace(1) %mine\n" +
         release +
         "  %n = atomicrmw add ptr addrspace(1) %in, i32 1 "
         "syncscope(\"device\") monotonic\n" +
         acquire +
         "  %last = icmp eq i32 %n, 7\n  br i1 %last, label %sum, label %done\n"
         "sum:\n"
         "  %i = phi i32 [ 0, %entry ], [ %j, %sum ]\n"
         "  %s = phi i32 [ 0, %entry ], [ %s2, %sum ]\n"
         "  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i\n"
         "  %v = load i32, ptr addrspace(1) %p\n"
         "  %s2 = add i32 %s, %v\n"
         "  %j = add i32 %i, 1\n"
         "  %more = icmp ult i32 %j, 8\n"
         "  br i1 %more, label %sum, label %store\n"
         "store:\n"
         "  %r = getelementptr i32, ptr addrspace(1) %out, i32 8\n"
         "  store i32 %s2, ptr addrspace(1) %r\n"
         "  br label %done\ndone:\n  ret void";
}

TEST(Hazard, LastBlock) {
  const std::string release = "  fence syncscope(\"device\") release\n",
                    acquire = "  fence syncscope(\"device\") acquire\n",
                    narrow = "  fence syncscope(\"block\") release\n";
  const struct {
    std::string release, acquire, hazard;
  } cases[] = {
      {release, acquire, ""},
      {"", acquire, "missing release between blocks"},
      {release, "", "missing acquire between blocks"},
      {narrow, acquire, "missing release between blocks"},
  };
  for (const auto &c : cases)
    for (uint64_t seed = 1; seed < 10; ++seed) {
      SimulatedRun run;
      run.grid = 8;
      run.block = 1;
      run.options.seed = seed;
      run.in = {0};
      run.out.resize(9);
      ASSERT_TRUE(run.body(lastBlock(c.release, c.acquire))) << run.error;
      EXPECT_EQ(run.hazards(), c.hazard) << "seed " << seed;
      EXPECT_EQ(run.out[8], 28u);
    }
}

// NVPTX drops the ordering of an atomicrmw: what is written there counts only
// where the target keeps it.
TEST(Hazard, OrderingOfAnAtomic) {
  for (const char *target : {"sm_90", "null"}) {
    SimulatedRun run;
    run.target = target;
    run.grid = 8;
    run.block = 1;
    run.in = {0};
    run.out.resize(9);
    std::string text = lastBlock("", "");
    text.replace(text.find("monotonic"), 9, "acq_rel");
    ASSERT_TRUE(run.body(text)) << run.error;
    EXPECT_EQ(run.hazards(), target == std::string("null")
                                 ? ""
                                 : "missing release between blocks");
  }
}

// All blocks read a word, which one of them then changes: whoever came last,
// the others' reads are not forgotten.
TEST(Hazard, ReadersInOtherBlocks) {
  auto found = [](const std::string &writes, Schedule schedule, uint64_t seed) {
    SimulatedRun run;
    run.grid = 3;
    run.block = 1;
    run.options.schedule = schedule;
    run.options.seed = seed;
    run.in = {7};
    run.out.resize(3);
    EXPECT_TRUE(
        run.body("  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                 "  %v = load i32, ptr addrspace(1) %in\n"
                 "  %mine = getelementptr i32, ptr addrspace(1) %out, i32 %b\n"
                 "  store i32 %v, ptr addrspace(1) %mine\n"
                 "  %c = icmp eq i32 %b, 2\n"
                 "  br i1 %c, label %change, label %done\nchange:\n" +
                 writes + "  br label %done\ndone:\n  ret void"))
        << run.error;
    return run.hazards();
  };
  const std::string same = "  store i32 7, ptr addrspace(1) %in\n",
                    other = "  store i32 8, ptr addrspace(1) %in\n";
  EXPECT_EQ(found(other, Schedule::InStep, 1), "race in global memory");
  // A store of what is there races with no reader, and hides none.
  EXPECT_EQ(found(same, Schedule::InStep, 1), "");
  EXPECT_EQ(found(same + other, Schedule::InStep, 1), "race in global memory");
  for (uint64_t seed = 1; seed < 17; ++seed)
    EXPECT_EQ(found(other, Schedule::Random, seed), "race in global memory");
}

// All blocks read a word and draw a ticket; who draws the last changes the
// word.
TEST(Hazard, LastBlockOverwritesWhatAllRead) {
  const std::string read = "  %v = load i32, ptr addrspace(1) %in\n"
                           "  store i32 %v, ptr addrspace(1) %mine\n",
                    release = "  fence syncscope(\"device\") release\n",
                    acquire = "  fence syncscope(\"device\") acquire\n";
  const struct {
    std::string before, between, after, hazard;
  } cases[] = {
      {read + release, "", acquire, ""},
      {read, release, acquire, "missing release between blocks"},
      {read + release, "", "", "missing acquire between blocks"},
      // A read after the fence may come at any time after the ticket is drawn.
      {release, read, acquire, "missing release between blocks"},
  };
  for (const auto &c : cases)
    for (uint64_t seed = 0; seed < 10; ++seed) {
      SimulatedRun run;
      run.grid = 8;
      run.block = 1;
      run.options.seed = seed;
      run.options.schedule = seed ? Schedule::Random : Schedule::InStep;
      run.in = {7, 0};
      run.out.resize(8);
      ASSERT_TRUE(run.body(
          "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
          "  %mine = getelementptr i32, ptr addrspace(1) %out, i32 %b\n"
          "  %ticket = getelementptr i32, ptr addrspace(1) %in, i32 1\n" +
          c.before +
          "  %n = atomicrmw add ptr addrspace(1) %ticket, i32 1 "
          "syncscope(\"device\") monotonic\n" +
          c.between + c.after +
          "  %last = icmp eq i32 %n, 7\n"
          "  br i1 %last, label %change, label %done\nchange:\n"
          "  store i32 8, ptr addrspace(1) %in\n"
          "  br label %done\ndone:\n  ret void"))
          << run.error;
      EXPECT_EQ(run.hazards(), c.hazard) << "seed " << seed;
    }
}

// Thread 0 reads what thread 1 reads and changes past a sync of their warp:
// that thread 1 read it too does not undo the order.
TEST(Hazard, ReadersBeforeAndAfterASync) {
  const std::string sync = "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n",
                    own = "  %own = getelementptr i32, ptr addrspace(3) @s, "
                          "i32 %t\n  store i32 %t, ptr addrspace(3) %own\n",
                    other =
                        "  %o = xor i32 %t, 1\n  %other = getelementptr i32, "
                        "ptr addrspace(3) @s, i32 %o\n"
                        "  %v = load i32, ptr addrspace(3) %other\n",
                    add = "  %w = load i32, ptr addrspace(3) %own\n"
                          "  %sum = add i32 %v, %w\n"
                          "  store i32 %sum, ptr addrspace(3) %own\n"
                          "  ret void";
  for (uint64_t seed = 1; seed < 6; ++seed) {
    SimulatedRun run;
    run.options.seed = seed;
    run.out.resize(32);
    ASSERT_TRUE(run.body(own + sync + other + sync + add, sharedArray));
    EXPECT_EQ(run.hazards(), "");
    ASSERT_TRUE(run.body(own + sync + other + add, sharedArray));
    EXPECT_EQ(run.hazards(), "race in shared memory");
  }
}

// A sync of some lanes orders these. Tiles of four lanes come to it together,
// in step, and are ordered each for itself.
TEST(Hazard, SyncsOfSomeLanes) {
  const std::string tile = "%first = and i32 %t, 28\n"
                           "  %members = shl i32 15, %first\n  "
                           "call void @llvm.nvvm.bar.warp.sync(i32 %members)",
                    own = "  %own = getelementptr i32, ptr addrspace(3) @s, "
                          "i32 %t\n  store i32 %t, ptr addrspace(3) %own\n",
                    sync = "call void @llvm.nvvm.bar.warp.sync(i32 ";
  // Lanes 0 and 1 have a sync, then 1 and 2; lane 2 reads what `writer` wrote.
  auto chain = [&](int writer) {
    return own +
           "  %a = icmp ult i32 %t, 2\n  br i1 %a, label %one, label %next\n"
           "one:\n  " +
           sync +
           "3)\n  br label %next\nnext:\n  %m = sub i32 %t, 1\n"
           "  %b = icmp ult i32 %m, 2\n  br i1 %b, label %two, label %then\n"
           "two:\n  " +
           sync +
           "6)\n  br label %then\nthen:\n  %c = icmp eq i32 %t, 2\n"
           "  br i1 %c, label %read, label %done\nread:\n"
           "  %p = getelementptr i32, ptr addrspace(3) @s, i32 " +
           std::to_string(writer) +
           "\n  %v = load i32, ptr addrspace(3) %p\n"
           "  br label %done\ndone:\n  ret void";
  };
  // A tile reads its first lane's word, which changes it past another sync.
  const std::string all =
      own + "  " + tile +
      "\n  %p = getelementptr i32, ptr addrspace(3) @s, i32 %first\n"
      "  %v = load i32, ptr addrspace(3) %p\n  " +
      sync +
      "%members)\n  %a = icmp eq i32 %t, %first\n"
      "  br i1 %a, label %change, label %done\nchange:\n"
      "  store i32 99, ptr addrspace(3) %p\n  br label %done\ndone:\n"
      "  ret void";
  const struct {
    std::string text, hazard;
  } cases[] = {
      {neighbour(1, tile), ""},
      {neighbour(4, tile), "race in shared memory"},
      {chain(0), ""},
      {chain(1), ""},
      {chain(3), "race in shared memory"},
      {all, ""},
  };
  for (const auto &c : cases)
    for (uint64_t seed = 0; seed < 6; ++seed) {
      SimulatedRun run;
      run.options.seed = seed;
      run.options.schedule = seed ? Schedule::Random : Schedule::InStep;
      run.out.resize(32);
      ASSERT_TRUE(run.body(c.text, sharedArray)) << run.error;
      std::string found = run.hazards();
      // Under some seeds the other lane has not even written.
      if (found == "read of memory nobody wrote")
        found = "race in shared memory";
      EXPECT_EQ(found, c.hazard) << "seed " << seed << c.text;
    }
}

// What a block stores after an atomic that releases is not released by it.
TEST(Hazard, StoreAfterARelease) {
  SimulatedRun run;
  run.target = "null";
  run.grid = 8;
  run.block = 1;
  run.options.schedule = Schedule::InStep;
  run.in = {0};
  run.out.resize(9);
  std::string text = lastBlock("", ""),
              store = "  store i32 %b, ptr addrspace(1) %mine\n";
  text.replace(text.find("monotonic"), 9, "acq_rel");
  text.erase(text.find(store), store.size());
  text.insert(text.find("  %last ="), store);
  ASSERT_TRUE(run.body(text)) << run.error;
  EXPECT_EQ(run.hazards(), "missing release between blocks");
}

TEST(Hazard, TheSameSeedTheSameReport) {
  auto report = [](uint64_t seed) {
    SimulatedRun run;
    run.block = 64;
    run.options.seed = seed;
    run.out.resize(64);
    EXPECT_TRUE(run.body(neighbour(32, ""), sharedArray)) << run.error;
    std::string all;
    for (const Hazard &h : run.outcome.hazards)
      all += h.text() + "\n";
    return all;
  };
  EXPECT_EQ(report(5), report(5));
}
