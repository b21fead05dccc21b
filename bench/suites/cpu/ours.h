//===- ours.h - Warpfold through its C interface ----------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef BENCH_SUITES_CPU_OURS_H
#define BENCH_SUITES_CPU_OURS_H

#include "suites/cpu/rows.h"
#include "warpfold/warpfold.h"

#include <memory>

namespace bench {

/// A row prepared once, to be run many times.
class Ours {
public:
  /// Null, with the reason in `error`, if it cannot be prepared.
  static std::unique_ptr<Ours> prepare(const Row &row, int threads,
                                       std::string &error);
  ~Ours() { wf_destroy(handle); }

  bool run(const void *data);
  /// Fills the results with bytes that are NaN and no bool.
  void spoil();
  const void *results() const { return bytes.data(); }
  wf_type type() const { return resultType; }
  size_t count() const { return bytes.size() / sizeOf(resultType); }
  const char *plan() const { return wf_plan(handle); }

private:
  wf_handle *handle = nullptr;
  wf_type resultType = WF_F32;
  std::vector<char> bytes;
};

} // namespace bench

#endif // BENCH_SUITES_CPU_OURS_H
