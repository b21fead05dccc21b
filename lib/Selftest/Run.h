//===- Run.h - Runs cases on a device and holds them to the oracle -*- C++ -*-//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The device runs one case after the other; the reference folds, which cost far
// more, are made ahead of it by as many threads as there are cores.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SELFTEST_RUN_H
#define WARPFOLD_SELFTEST_RUN_H

#include "Selftest/Case.h"

#include "llvm/ADT/ArrayRef.h"

#include <functional>

namespace wf::selftest {

struct RunOptions {
  std::string device = "cpu";
  uint64_t seed = 1;
  /// Seconds after which no further case begins; 0: all run. With a budget the
  /// cases run in an order that mixes the parts of the matrix.
  double budgetSeconds = 0;
  /// Times that the device runs each case: a race needs more than one.
  int repeats = 1;
  int threads = 0; ///< that fold the reference; 0: one per core
};

struct Counts {
  int64_t passed = 0, failed = 0, skipped = 0;
  int64_t done() const { return passed + failed + skipped; }
};

struct Observer {
  std::function<void(const Case &, const Counts &)> begins;
  /// `why` is one line.
  std::function<void(const Case &, const std::string &why)> failed, skipped;
};

/// Runs the cases. What a case gives wrong is a failure of the case; the error
/// returned is what stopped the run: the device's, or a device that is not
/// there. `counts` is right in either case, cases not begun being skipped.
llvm::Error runCases(llvm::ArrayRef<Case> cases, const RunOptions &options,
                     const Observer &observer, Counts &counts);

} // namespace wf::selftest

#endif // WARPFOLD_SELFTEST_RUN_H
