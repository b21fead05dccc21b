//===- ConditionText.h - Reads conditions of a pattern ----------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_PATTERNS_CONDITIONTEXT_H
#define WARPFOLD_EXPLAIN_PATTERNS_CONDITIONTEXT_H

#include "Explain/Patterns/Pattern.h"
#include "Explain/Patterns/Shape.h"

namespace wf::explain {

/// Reads "barriers >= 1, no shfl" (of facts) or "operation = add | max,
/// halving" (`ofAccumulator`) and appends to `conditions`.
std::optional<ShapeFault> readConditions(std::string_view text,
                                         bool ofAccumulator, uint32_t group,
                                         bool none,
                                         std::vector<Condition> &conditions);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_PATTERNS_CONDITIONTEXT_H
