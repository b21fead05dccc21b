//===- Palette.cpp - Roles grouped for colour -----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Write/Palette.h"

using namespace wf::explain;

// Colours of each page have a contrast of 4.5 or more to its ground.
const std::vector<RoleGroup> &wf::explain::roleGroups() {
  static const std::vector<RoleGroup> groups = {
      {"index", "thread, block, address, constant", "36", "#0b6e75", "#5fd0d8"},
      {"global", "global memory", "33", "#8a5300", "#f0b35a"},
      {"shared", "shared memory", "35", "#8b2fa8", "#d99cf0"},
      {"local", "local and other memory", "31", "#a3262a", "#ff8f8a"},
      {"accumulate", "accumulation", "1;32", "#1b6e1b", "#7fdc7f"},
      {"compute", "computation", "32", "#3d6b10", "#b4d67a"},
      {"exchange", "exchange between lanes", "1;34", "#1f55c4", "#8db4ff"},
      {"order", "barriers, fences, waits", "1;31", "#b3261e", "#ff9d96"},
      {"control", "conditions, branches, masks", "34", "#4b4fc0", "#aab0ff"},
      {"other", "the rest", "90", "#5c6066", "#9aa0a8"},
      {"unknown", "not understood", "1;33", "#7a6100", "#e8d060"},
  };
  return groups;
}

static size_t indexOf(Role role) {
  switch (role) {
  case Role::Index:
  case Role::Parameter:
  case Role::Address:
  case Role::Constant:
  case Role::LoadConstant:
    return 0;
  case Role::LoadGlobal:
  case Role::StoreGlobal:
  case Role::Atomic:
    return 1;
  case Role::LoadShared:
  case Role::StoreShared:
    return 2;
  case Role::LoadLocal:
  case Role::StoreLocal:
  case Role::LoadGeneric:
  case Role::StoreGeneric:
  case Role::Texture:
    return 3;
  case Role::Accumulate:
  case Role::Matrix:
    return 4;
  case Role::Initial:
  case Role::Compute:
  case Role::Convert:
  case Role::Stride:
    return 5;
  case Role::Exchange:
    return 6;
  case Role::Barrier:
  case Role::Fence:
  case Role::Wait:
    return 7;
  case Role::Condition:
  case Role::LoopBranch:
  case Role::SkipBranch:
  case Role::Exit:
  case Role::Call:
  case Role::Mask:
    return 8;
  case Role::Setup:
  case Role::Hint:
  case Role::Padding:
  case Role::Never:
    return 9;
  case Role::Unknown:
    return 10;
  }
  return 10;
}

const RoleGroup &wf::explain::groupOf(Role role) {
  return roleGroups()[indexOf(role)];
}
