//===- Reductions.h - What the self-test folds ------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The catalogue's reductions with values that suit each, and reductions of the
// kinds that users write.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_SELFTEST_REDUCTIONS_H
#define WARPFOLD_SELFTEST_REDUCTIONS_H

#include "Selftest/Case.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace wf::selftest {

struct UserReduction {
  const char *name;
  const char *source;
  /// Input types to run at, one list a variant: "i8,f32;f64,f64".
  const char *types;
  Values values = Values::Mixed;
};

llvm::ArrayRef<UserReduction> userReductions();

/// The text of a user reduction or, otherwise, of a catalogue op.
std::string sourceOf(llvm::StringRef name);

/// Values that make a mistake in the catalogue op show.
Values valuesFor(llvm::StringRef op);

/// "i8,f32" as types.
std::vector<ScalarType> typesOf(llvm::StringRef text);

/// Every type that arrays store.
llvm::ArrayRef<ScalarType> allTypes();

/// Whether the language accepts the reduction at these types and flags.
bool accepts(const Case &c);

/// A case of one reduction on row-major inputs of one shape; views, axes and
/// the rest are the caller's to change.
Case makeCase(std::string name, llvm::StringRef reduction,
              std::vector<ScalarType> types, std::vector<int64_t> shape);

} // namespace wf::selftest

#endif // WARPFOLD_SELFTEST_REDUCTIONS_H
