//===- ThreadPool.h - Threads that share a range of work items ---*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Threads take pieces of [0, items) until none are left. Which thread gets
// which piece is chance and changes no bit: every item is a subtree of its own.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_RUNTIME_THREADPOOL_H
#define WARPFOLD_RUNTIME_THREADPOOL_H

#include <cstdint>
#include <functional>
#include <memory>

namespace wf {

class ThreadPool {
public:
  static ThreadPool &instance();
  ~ThreadPool();

  /// Calls body(thread, begin, end) for pieces that cover [0, items), of at most
  /// `grain` items on several threads and in one piece on one. The caller is
  /// thread 0. Returns when all are done; not to be called from a body. Floating-point mode is round to nearest with denormals
  /// kept, whatever the caller had set; it is restored.
  void run(int threads, int64_t items, int64_t grain,
           const std::function<void(int, int64_t, int64_t)> &body);

  /// The part of the current job's items that have been taken, 0 to 1; for a
  /// progress display, from any thread.
  static double progress();

private:
  ThreadPool();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Logical processors this process may run on.
int availableThreads();

} // namespace wf

#endif // WARPFOLD_RUNTIME_THREADPOOL_H
