//===- ThreadPool.cpp - Threads that share a range of work items ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/ThreadPool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <sched.h>
#include <thread>
#include <vector>
#include <xmmintrin.h>

using namespace wf;

/// Of the current job, for progress().
static std::atomic<int64_t> itemsTaken{0}, itemsInAll{0};

double ThreadPool::progress() {
  int64_t all = itemsInAll.load(std::memory_order_relaxed);
  int64_t taken = itemsTaken.load(std::memory_order_relaxed);
  return all > 0 ? double(std::min(taken, all)) / double(all) : 0;
}

namespace {
/// A host program may have set flush-to-zero, which would change bits.
struct DefaultFloatMode {
  unsigned saved = _mm_getcsr();
  DefaultFloatMode() { _mm_setcsr(0x1f80); }
  ~DefaultFloatMode() { _mm_setcsr(saved); }
};

struct Job {
  const std::function<void(int, int64_t, int64_t)> *body = nullptr;
  int64_t items = 0, grain = 1;
  std::atomic<int64_t> next{0};

  void work(int thread) {
    DefaultFloatMode mode;
    for (;;) {
      int64_t begin = next.fetch_add(grain, std::memory_order_relaxed);
      itemsTaken.store(begin, std::memory_order_relaxed);
      if (begin >= items)
        return;
      (*body)(thread, begin, std::min(begin + grain, items));
    }
  }
};
} // namespace

struct ThreadPool::Impl {
  std::mutex callers; ///< one job at a time
  std::mutex mutex;
  std::condition_variable wake, done;
  std::vector<std::thread> threads;
  Job *job = nullptr;
  int wanted = 0; ///< helpers the current job may use
  int running = 0;
  uint64_t generation = 0;
  bool stop = false;

  void loop(int thread) {
    uint64_t seen = 0;
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      wake.wait(lock, [&] { return stop || generation != seen; });
      if (stop)
        return;
      seen = generation;
      if (!job || thread > wanted)
        continue;
      Job *mine = job;
      ++running;
      lock.unlock();
      mine->work(thread);
      lock.lock();
      if (--running == 0)
        done.notify_all();
    }
  }
};

ThreadPool::ThreadPool() : impl(std::make_unique<Impl>()) {}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(impl->mutex);
    impl->stop = true;
  }
  impl->wake.notify_all();
  for (std::thread &t : impl->threads)
    t.join();
}

ThreadPool &ThreadPool::instance() {
  static ThreadPool pool;
  return pool;
}

void ThreadPool::run(int threads, int64_t items, int64_t grain,
                     const std::function<void(int, int64_t, int64_t)> &body) {
  if (items <= 0)
    return;
  itemsInAll.store(items, std::memory_order_relaxed);
  itemsTaken.store(0, std::memory_order_relaxed);
  if (threads <= 1 || items <= grain) {
    DefaultFloatMode mode;
    body(0, 0, items);
    return;
  }
  std::lock_guard<std::mutex> oneJob(impl->callers);
  Job job;
  job.body = &body;
  job.items = items;
  job.grain = grain;
  {
    std::lock_guard<std::mutex> lock(impl->mutex);
    while (int(impl->threads.size()) < threads - 1) {
      int id = int(impl->threads.size()) + 1;
      impl->threads.emplace_back([this, id] { impl->loop(id); });
    }
    impl->job = &job;
    impl->wanted = threads - 1;
    ++impl->generation;
  }
  impl->wake.notify_all();
  job.work(0);
  std::unique_lock<std::mutex> lock(impl->mutex);
  // A thread that has not woken yet must not find a job that is gone.
  impl->job = nullptr;
  impl->done.wait(lock, [&] { return impl->running == 0; });
}

int wf::availableThreads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}
