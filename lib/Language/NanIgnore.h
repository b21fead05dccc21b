//===- NanIgnore.h - Absent elements woven into a program -------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// `--nan ignore`: an element is absent if any float input is NaN there. The
// state gets a last member n, the number of present elements, and no function
// of the user ever sees an absent one:
//
//   combine'(a, b) = if b.n == 0 then a else if a.n == 0 then b
//                    else (combine(a, b), n: a.n + b.n)
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LANGUAGE_NANIGNORE_H
#define WARPFOLD_LANGUAGE_NANIGNORE_H

#include "Language/Program.h"

namespace wf {

/// Rewrites every function of a program with float inputs; leaves others.
/// Without `empty`, a last result "count" lets the caller see that nothing was
/// present (reportsAbsence).
void ignoreNan(Program &program);

} // namespace wf

#endif // WARPFOLD_LANGUAGE_NANIGNORE_H
