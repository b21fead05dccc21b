//===- ThreadPoolTest.cpp - Every item once, on every thread count --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/ThreadPool.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>
#include <xmmintrin.h>

using namespace wf;

namespace {

/// Runs a job and counts how often each item was visited.
void checkJob(int threads, int64_t items, int64_t grain) {
  SCOPED_TRACE(std::to_string(threads) + " threads, " + std::to_string(items) +
               " items, grain " + std::to_string(grain));
  std::vector<std::atomic<int>> visits(items);
  std::atomic<int> bad{0};
  ThreadPool::instance().run(
      threads, items, grain, [&](int thread, int64_t begin, int64_t end) {
        // One thread may take everything as one piece.
        bool tooLong = threads > 1 && end - begin > grain;
        bad += thread < 0 || thread >= threads || begin < 0 || begin >= end ||
               end > items || tooLong;
        for (int64_t i = begin; i < std::min(end, items); ++i)
          visits[size_t(i)].fetch_add(1, std::memory_order_relaxed);
      });
  EXPECT_EQ(bad, 0) << "pieces with a wrong thread or range";
  EXPECT_TRUE(std::all_of(visits.begin(), visits.end(),
                          [](const auto &n) { return n == 1; }));
}

TEST(ThreadPool, EachItemExactlyOnce) {
  for (int threads : {1, 2, 3, 4, 7, 16})
    for (int64_t items : {1, 2, 3, 7, 8, 63, 64, 65, 1000})
      for (int64_t grain : {1, 2, 3, 7, 64, 999, 1000, 5000})
        checkJob(threads, items, grain);
}

TEST(ThreadPool, NoItemsNoCalls) {
  for (int threads : {1, 3})
    ThreadPool::instance().run(threads, 0, 1, [](int, int64_t, int64_t) {
      ADD_FAILURE() << "called without items";
    });
}

TEST(ThreadPool, ManyShortJobs) {
  // Jobs that end before all threads wake: none may run a body that is gone.
  std::atomic<int64_t> sum{0};
  for (int64_t job = 0; job < 5000; ++job) {
    int64_t local = job;
    ThreadPool::instance().run(int(job % 5) + 1, 3, 1,
                               [&, local](int, int64_t begin, int64_t end) {
                                 for (int64_t i = begin; i < end; ++i)
                                   sum += local;
                               });
  }
  EXPECT_EQ(sum, 3 * (5000 * 4999 / 2));
}

TEST(ThreadPool, WritesAreSeenAfterwards) {
  std::vector<int64_t> plain(100000);
  for (int round = 0; round < 50; ++round) {
    ThreadPool::instance().run(4, int64_t(plain.size()), 100,
                               [&](int, int64_t begin, int64_t end) {
                                 for (int64_t i = begin; i < end; ++i)
                                   plain[size_t(i)] += i;
                               });
    ASSERT_EQ(plain[99999], 99999 * (round + 1));
    ASSERT_EQ(plain[50001], 50001 * (round + 1));
  }
}

TEST(ThreadPool, NoMoreAtOnceThanAsked) {
  checkJob(8, 100, 1); // the pool now has more threads than the next job wants
  std::atomic<int> now{0}, most{0};
  ThreadPool::instance().run(3, 60, 1, [&](int, int64_t, int64_t) {
    int n = ++now;
    for (int seen = most; n > seen && !most.compare_exchange_weak(seen, n);)
      ;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --now;
  });
  EXPECT_LE(most, 3);
}

TEST(ThreadPool, ThreadNumbersAreNotShared) {
  // Two pieces with one number at the same time would share a thread's buffers.
  std::atomic<int> inside[4] = {};
  std::atomic<int> clashes{0};
  ThreadPool::instance().run(4, 200, 1, [&](int thread, int64_t, int64_t) {
    clashes += inside[thread]++ != 0;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    --inside[thread];
  });
  EXPECT_EQ(clashes, 0);
}

TEST(ThreadPool, CallersOnSeveralThreadsTakeTurns) {
  std::atomic<int64_t> sum{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&] {
      for (int job = 0; job < 200; ++job)
        ThreadPool::instance().run(
            3, 10, 1,
            [&](int, int64_t begin, int64_t end) { sum += end - begin; });
    });
  for (std::thread &t : callers)
    t.join();
  EXPECT_EQ(sum, 4 * 200 * 10);
}

TEST(ThreadPool, OneThreadJobsNest) {
  std::atomic<int64_t> sum{0};
  ThreadPool::instance().run(3, 12, 1, [&](int, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      ThreadPool::instance().run(
          1, 5, 2, [&](int, int64_t b, int64_t e) { sum += e - b; });
  });
  EXPECT_EQ(sum, 12 * 5);
}

TEST(ThreadPool, DenormalsAreKeptWhateverTheCallerSet) {
  const unsigned before = _mm_getcsr();
  const unsigned odd = before | 0x8040 | 0x6000; // flush, and round to zero
  for (int threads : {1, 2, 5}) {
    std::atomic<int> wrong{0};
    _mm_setcsr(odd);
    ThreadPool::instance().run(threads, 50, 1, [&](int, int64_t, int64_t) {
      // Exception flags may be up; all else is the default.
      wrong += (_mm_getcsr() & ~0x3fu) != 0x1f80;
    });
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    EXPECT_EQ(wrong, 0) << threads;
    EXPECT_EQ(after & ~0x3fu, odd & ~0x3fu) << threads;
  }
}

TEST(ThreadPool, ThereIsAThread) { EXPECT_GE(availableThreads(), 1); }

} // namespace
