//===- Evaluate.h - The oracle of scalar functions --------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A function of a Program and the values of its arguments come in, the values
// of its results go out, bit for bit by the rules of Language/Program.h. It
// walks the nodes one by one: nothing is fused, reordered or folded.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_NUMERICS_EVALUATE_H
#define WARPFOLD_NUMERICS_EVALUATE_H

#include "Language/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace wf {

/// Payloads of a few scalars: a state, a list of results.
using Scalars = llvm::SmallVector<uint64_t, 4>;

/// The values behind the argument roles. What a function does not take may be
/// left empty.
struct Operands {
  llvm::ArrayRef<uint64_t> stateA, stateB, inputs, params;
  int64_t index = 0, countA = 0, countB = 0;
};

/// Checks that nodes name earlier nodes and that every operation is defined on
/// its types. What fails is an internal error: the language let it pass.
llvm::Error verify(const Function &function);

/// verify() of every function of the program, and that map, combine and update
/// give the state's types, finish and empty the results'.
llvm::Error verify(const Program &program);

/// The results of a verified function.
Scalars evaluate(const Function &function, const Operands &operands);

} // namespace wf

#endif // WARPFOLD_NUMERICS_EVALUATE_H
