//===- ElementOrder.h - What increasing positions let us leave out -*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// An arg reduction keeps the position of its winner. Two facts follow from how
// positions get into a state, and neither changes a bit of any result:
//
//   update is called in increasing k, so a state's position is always before
//   the element's: `a.at < b.at` is known there, and with it argmax's test
//   `more(a, b) || (same(a, b) && a.at < b.at)` is just `!more(b, a)`;
//
//   positions that are only chosen and compared with each other may all be
//   shifted: within a chunk they can count from its first element, in 32 bits.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_LANGUAGE_ELEMENTORDER_H
#define WARPFOLD_LANGUAGE_ELEMENTORDER_H

#include "Language/Program.h"

#include <optional>

namespace wf {

/// The program's `update` with comparisons of positions decided, and what
/// follows from them in logic. Unchanged if the user wrote an update.
Function updateInOrder(const Program &program);

/// map, combine and update with positions (and the index argument) as i32.
struct NearFunctions {
  Function map, combine, update; ///< called map.near, …
};

/// Nothing if a position is computed with, or there is none.
std::optional<NearFunctions> nearFunctions(const Program &program);

} // namespace wf

#endif // WARPFOLD_LANGUAGE_ELEMENTORDER_H
