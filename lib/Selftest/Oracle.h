//===- Oracle.h - What a case should give -----------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Arrays made, reference fold walked, and a result held against it.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SELFTEST_ORACLE_H
#define WARPFOLD_SELFTEST_ORACLE_H

#include "Language/Program.h"
#include "Numerics/Order.h"
#include "Selftest/Case.h"

namespace wf::selftest {

/// A case ready for the device.
struct Expectation {
  ReduceRequest request;
  Program program;
  Order order = Order::Canonical;
  bool exact = false;         ///< the same bits under any order
  std::vector<Array> results; ///< right bits, one array a result
  /// Some fold has no elements and no `empty`: an error is the right answer.
  bool emptyRefused = false;
};

/// Errors: memory; a case that the language refuses (ours).
llvm::Expected<Expectation> expectationOf(const Case &c, uint64_t seed,
                                          const std::string &device);

/// Whether a plan or a weak order folded by a tree of its own, whose bits the
/// reference does not know.
bool hasOtherTree(const Expectation &want, const ReduceResult &got);

/// Nothing, or on one line what is wrong with the result.
std::string differences(const Expectation &want, const ReduceResult &got);

/// "f32 (37, 4095) strides (4098, 1) skew 3, axes 1, order ordered".
std::string describe(const Case &c);

} // namespace wf::selftest

#endif // WARPFOLD_SELFTEST_ORACLE_H
