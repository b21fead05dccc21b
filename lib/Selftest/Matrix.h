//===- Matrix.h - The cases of the self-test --------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The matrix in parts, one name prefix and one file each:
//
//   catalogue/  every op at every type it takes: full, rows, columns
//   lengths/    1 to 300, around powers of two, chunks and grids
//   views/      ranks 1 to 4, every choice of axes, strides, alignments
//   users/      combines that users write, under every order they allow
//   values/     ties, NaN, signed zeros, infinities, denormals, --nan ignore
//   plans/      plans by name
//   big/        lengths around 2^31 and 2^32, right values in closed form
//
// Names are unique. The list does not depend on the seed.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SELFTEST_MATRIX_H
#define WARPFOLD_SELFTEST_MATRIX_H

#include "Selftest/Case.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace wf::selftest {

void addCatalogueCases(std::vector<Case> &cases);
void addLengthCases(std::vector<Case> &cases);
void addViewCases(std::vector<Case> &cases);
void addUserCases(std::vector<Case> &cases);
void addValueCases(std::vector<Case> &cases);
void addBigCases(std::vector<Case> &cases);
/// `plans`: what --plan takes. A plan that refuses a case has it skipped, and
/// so has one whose tree is its own where the tree shows in the bits.
void addPlanCases(std::vector<Case> &cases, llvm::ArrayRef<std::string> plans);

/// The plans that a device's matrix has when nobody names any.
std::vector<std::string> plansFor(llvm::StringRef device);

struct MatrixOptions {
  bool quick = false; ///< only the cases marked so
  bool big = false;   ///< the big ones as well
  std::vector<std::string> plans;
};

std::vector<Case> matrix(const MatrixOptions &options);

} // namespace wf::selftest

#endif // WARPFOLD_SELFTEST_MATRIX_H
