//===- thread_team.cpp - Threads that take pieces of work in turn ---------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "harness/thread_team.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

using namespace bench;

struct ThreadTeam::Impl {
  std::mutex mutex;
  std::condition_variable wake, done;
  std::vector<std::thread> helpers;
  const std::function<void(int, size_t)> *body = nullptr;
  size_t pieces = 0;
  std::atomic<size_t> next{0};
  unsigned generation = 0, working = 0;
  bool stop = false;

  void work(int thread) {
    for (size_t p; (p = next.fetch_add(1, std::memory_order_relaxed)) < pieces;)
      (*body)(thread, p);
  }

  void helper(int thread) {
    unsigned seen = 0;
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      wake.wait(lock, [&] { return stop || generation != seen; });
      if (stop)
        return;
      seen = generation;
      lock.unlock();
      work(thread);
      lock.lock();
      if (--working == 0)
        done.notify_one();
    }
  }
};

ThreadTeam::ThreadTeam(int threads) : impl(std::make_unique<Impl>()) {
  for (int t = 1; t < threads; ++t)
    impl->helpers.emplace_back([this, t] { impl->helper(t); });
}

ThreadTeam::~ThreadTeam() {
  {
    std::lock_guard<std::mutex> lock(impl->mutex);
    impl->stop = true;
  }
  impl->wake.notify_all();
  for (std::thread &t : impl->helpers)
    t.join();
}

int ThreadTeam::size() const { return int(impl->helpers.size()) + 1; }

void ThreadTeam::run(size_t pieces,
                     const std::function<void(int, size_t)> &body) {
  if (impl->helpers.empty() || pieces <= 1) {
    for (size_t p = 0; p < pieces; ++p)
      body(0, p);
    return;
  }
  {
    std::lock_guard<std::mutex> lock(impl->mutex);
    impl->body = &body;
    impl->pieces = pieces;
    impl->next.store(0, std::memory_order_relaxed);
    impl->working = unsigned(impl->helpers.size());
    ++impl->generation;
  }
  impl->wake.notify_all();
  impl->work(0);
  std::unique_lock<std::mutex> lock(impl->mutex);
  impl->done.wait(lock, [&] { return impl->working == 0; });
}
