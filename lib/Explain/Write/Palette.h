//===- Palette.h - Roles grouped for colour ---------------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_EXPLAIN_WRITE_PALETTE_H
#define WARPFOLD_EXPLAIN_WRITE_PALETTE_H

#include "Explain/Verdict/Report.h"

namespace wf::explain {

/// A few groups of roles that a reader can tell apart by colour.
struct RoleGroup {
  const char *name;  ///< also the class in HTML
  const char *says;  ///< for legends
  const char *ansi;  ///< the escape sequence's number
  const char *light; ///< CSS colours on white and on black
  const char *dark;
};
const RoleGroup &groupOf(Role role);
/// In the order of legends.
const std::vector<RoleGroup> &roleGroups();

} // namespace wf::explain

#endif // WARPFOLD_EXPLAIN_WRITE_PALETTE_H
