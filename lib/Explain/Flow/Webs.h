//===- Webs.h - Lives as they are found -------------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_FLOW_WEBS_H
#define WARPFOLD_EXPLAIN_FLOW_WEBS_H

#include "Explain/Flow/Internal.h"

namespace wf::explain {

struct FoundWeb {
  struct Place {
    size_t instruction, effect;
    uint8_t word; ///< of the effect's registers
  };
  Web web;
  std::vector<Place> places; ///< of the definitions
  std::vector<size_t> joins; ///< loop headers at whose start it is alive
  bool fromStart = false;    ///< holds something when the kernel starts
};

/// Fills values, roles and the proofs of reuse; `webs` is sorted.
void describeWebs(const Analysis &a, std::vector<FoundWeb> &webs);

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_FLOW_WEBS_H
