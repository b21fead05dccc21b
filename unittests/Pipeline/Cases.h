//===- Cases.h - One reduction against the reference fold -------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A subject is what is computed: reduction, types, order, flags. A case is a
// subject on arrays; several cases share a subject, so that kernels are
// compiled once for many shapes. Every random case is a function of the seed,
// the stream and its number, and says so when it fails.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_UNITTESTS_PIPELINE_CASES_H
#define WARPFOLD_UNITTESTS_PIPELINE_CASES_H

#include "Language/Program.h"
#include "Numerics/Order.h"
#include "Pipeline/Reduce.h"
#include "Reductions.h"
#include "Views.h"

#include <functional>
#include <map>
#include <mutex>

namespace wf::test {

struct Subject {
  const TestReduction *reduction = nullptr;
  ReduceRequest request; ///< without inputs and axes
  Program program;       ///< checked for the inputs' types
  Order order = Order::Canonical;
};

/// A subject that the language accepts. `forceIgnore`: --nan ignore.
Subject randomSubject(Random &random, const TestReduction &reduction,
                      bool forceIgnore = false);

/// The subject of a reduction at given types, under the order's name or none.
Subject subjectOf(const TestReduction &reduction, std::vector<ScalarType> types,
                  std::optional<std::string> order,
                  std::optional<ScalarType> acc = std::nullopt);

/// Puts arrays of at most `most` elements and axes into the subject's request.
ReduceRequest randomRequest(Random &random, const Subject &subject,
                            const std::vector<int64_t> &lengths, int64_t most,
                            bool generated = false);

/// What has been seen, to tell a test that tests something from one that does
/// not: op names, orders, types, problem kinds, loads, short rows, threads.
class Coverage {
public:
  void note(const std::string &what);
  int64_t operator[](const std::string &what) const;
  std::string text() const;

private:
  mutable std::mutex mutex;
  std::map<std::string, int64_t> counts;
};

/// Runs the request on 1, 2, 3 and 7 threads (on one of these where it is too
/// small for a second thread) and compares all bits with the reference fold.
/// Returns nothing, or what differs and how to see it again.
std::string failureOf(const Subject &subject, ReduceRequest request,
                      Coverage &coverage);

/// Runs one(number) for the numbers 0 … cases-1 on all processors, or as
/// WARPFOLD_CASE and WARPFOLD_CASES say, and reports the failures (texts that
/// are not empty) to GoogleTest. A crash prints the case it happened in.
void runCases(const char *test, int64_t cases,
              const std::function<std::string(int64_t)> &one);

} // namespace wf::test

#endif // WARPFOLD_UNITTESTS_PIPELINE_CASES_H
