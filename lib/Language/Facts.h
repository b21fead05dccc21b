//===- Facts.h - What can be seen of a combine ------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Facts read off the form of the functions, never by trying values. "No" only
// means that the form does not show it; the user may declare it.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LANGUAGE_FACTS_H
#define WARPFOLD_LANGUAGE_FACTS_H

#include "Language/Program.h"

namespace wf {

/// combine(a, b) and combine(b, a) are equal after sorting the operands of
/// + * & | ^ && || min max == != and of nothing else. The list is part of the
/// order contract's version.
bool isCommutative(const Function &combine);

/// Every tree over the same elements gives the same bits: each member is one
/// integer + * & | ^, one && or ||, or a min or max of the two corresponding
/// members; or the members are chosen together by a total order of one member,
/// ties by another that `map` sets to index (argmax).
bool isExact(const Function &map, const Function &combine);

} // namespace wf

#endif // WARPFOLD_LANGUAGE_FACTS_H
