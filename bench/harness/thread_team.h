//===- thread_team.h - Threads that take pieces of work in turn -*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What the read-only and hand-written loops run on. Pieces are handed out one
// by one, so that a core that is briefly taken away does not hold up the rest:
// with fixed halves a noisy machine would flatter whoever is measured against
// these loops.
//===----------------------------------------------------------------------===//
#ifndef BENCH_HARNESS_THREAD_TEAM_H
#define BENCH_HARNESS_THREAD_TEAM_H

#include <cstddef>
#include <functional>
#include <memory>

namespace bench {

class ThreadTeam {
public:
  /// `threads` counts the caller; at least 1.
  explicit ThreadTeam(int threads);
  ~ThreadTeam();

  int size() const;

  /// Calls body(thread, piece) once for every piece in [0, pieces), pieces in
  /// increasing order for each thread. Returns when all are done.
  void run(size_t pieces, const std::function<void(int, size_t)> &body);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace bench

#endif // BENCH_HARNESS_THREAD_TEAM_H
