//===- SimExpect.h - Whether a kernel's result is right ---------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// `sim --expect OP` holds the first output against what Warpfold makes of the
// first input. A float sum may differ by what any order of additions may; every
// other value must be the one value there is.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_TOOLS_SIMEXPECT_H
#define WARPFOLD_TOOLS_SIMEXPECT_H

#include "IO/Array.h"
#include "SimArguments.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace wf::cli {

/// What the kernel should leave, made before it runs: it may write its inputs.
struct Expectation {
  std::string op;
  size_t output = 0;  ///< which argument holds the result
  Array input, right; ///< `right` in the output's type
  bool sum = false;   ///< of floats: by the bound, not by the value
};

/// Errors, the user's: no such reduction, one whose result depends on the order
/// and is no sum, no input or output to compare, more than one value.
llvm::Expected<Expectation> expectationOf(llvm::StringRef op,
                                          const SimLaunch &launch);

/// Nothing, or how the result is wrong.
std::optional<std::string> wrongResult(const Expectation &want,
                                       const SimLaunch &launch);

} // namespace wf::cli

#endif // WARPFOLD_TOOLS_SIMEXPECT_H
