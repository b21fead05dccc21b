//===- AmdgcnLanes.cpp - Exchange between the lanes of a wave -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// ds_bpermute, ds_permute and ds_swizzle use the crossbar of shared memory and
// none of its storage. DPP is a modifier of an ordinary operation, whose first
// source comes from another lane.
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Amdgcn.h"

#include "Explain/Read/AmdgcnLine.h"

#include <algorithm>

using namespace wf::explain;
using namespace wf::explain::amdgcn;

namespace {
struct KindRow {
  std::string_view name;
  ShuffleKind kind;
};
constexpr KindRow dppKinds[] = {{"quad_perm", ShuffleKind::QuadPerm},
                                {"row_shl", ShuffleKind::RowShift},
                                {"row_shr", ShuffleKind::RowShift},
                                {"row_ror", ShuffleKind::RowRotate},
                                {"row_mirror", ShuffleKind::RowMirror},
                                {"row_half_mirror", ShuffleKind::RowHalfMirror},
                                {"row_share", ShuffleKind::RowShare},
                                {"row_xmask", ShuffleKind::RowXor},
                                {"row_bcast", ShuffleKind::RowBroadcast},
                                {"row_newbcast", ShuffleKind::RowNewBroadcast},
                                {"wave_shl", ShuffleKind::WaveShift},
                                {"wave_shr", ShuffleKind::WaveShift},
                                {"wave_rol", ShuffleKind::WaveShift},
                                {"wave_ror", ShuffleKind::WaveShift},
                                {"dpp8", ShuffleKind::Swizzle}};
constexpr std::string_view dppMasks[] = {"row_mask", "bank_mask", "bound_ctrl",
                                         "fi"};
constexpr KindRow laneOperations[] = {
    {"ds_bpermute_b32", ShuffleKind::Index},
    {"ds_bpermute_fi_b32", ShuffleKind::Index},
    {"ds_permute_b32", ShuffleKind::Permute},
    {"ds_swizzle_b32", ShuffleKind::Swizzle},
    {"v_permlane16_b32", ShuffleKind::PermLane16},
    {"v_permlanex16_b32", ShuffleKind::PermLaneX16},
    {"v_permlane16_var_b32", ShuffleKind::PermLane16},
    {"v_permlanex16_var_b32", ShuffleKind::PermLaneX16},
    {"v_permlane64_b32", ShuffleKind::PermLane64},
    {"v_permlane_bcast_b32", ShuffleKind::Index},
    {"v_permlane_up_b32", ShuffleKind::Up},
    {"v_permlane_down_b32", ShuffleKind::Down},
    {"v_permlane_xor_b32", ShuffleKind::Xor},
    {"v_permlane_idx_gen_b32", ShuffleKind::None},
    {"v_permlane16_swap_b32", ShuffleKind::PermLaneSwap},
    {"v_permlane32_swap_b32", ShuffleKind::PermLaneSwap}};
} // namespace

/// A modifier's name, before its colon.
static std::string_view keyOf(std::string_view modifier) {
  return modifier.substr(0, modifier.find(':'));
}

static bool contains(const auto &rows, std::string_view key) {
  return std::find(std::begin(rows), std::end(rows), key) != std::end(rows);
}

static void applySdwa(const Context &c, Effect &effect) {
  static constexpr std::pair<std::string_view, std::string_view> selections[] =
      {{"BYTE_0", "b0"}, {"BYTE_1", "b1"}, {"BYTE_2", "b2"},
       {"BYTE_3", "b3"}, {"WORD_0", "h0"}, {"WORD_1", "h1"}};
  for (size_t i = 0; i < 2 && i < effect.in.size(); ++i) {
    std::string_view selected = c.value(i == 0 ? "src0_sel" : "src1_sel");
    // The operands of a reversed shift or subtraction were swapped.
    bool reversed =
        nameOf(c.mnemonic).stem.find("rev") != std::string_view::npos;
    Source &source = effect.in[reversed && effect.in.size() > 1 ? 1 - i : i];
    for (auto [name, part] : selections)
      if (selected == name)
        source.part = part;
  }
  std::string_view to = c.value("dst_sel");
  if (!to.empty() && to != "DWORD")
    effect.detail +=
        (effect.detail.empty() ? "dst_sel:" : " dst_sel:") + std::string(to);
}

void amdgcn::applyLaneModifiers(Context &c) {
  if (c.instruction.modifiers.empty() || c.out.effects.empty())
    return;
  bool sdwa = !c.value("dst_sel").empty() || !c.value("src0_sel").empty();
  ShuffleKind kind = ShuffleKind::None;
  std::string detail;
  for (const std::string &modifier : c.instruction.modifiers) {
    std::string_view key = keyOf(modifier);
    bool named = contains(dppMasks, key);
    for (const KindRow &row : dppKinds)
      if (row.name == key) {
        kind = row.kind;
        named = true;
      }
    if (named)
      detail += (detail.empty() ? "" : " ") + modifier;
  }
  for (Effect &effect : c.out.effects) {
    if (sdwa)
      applySdwa(c, effect);
    if (kind == ShuffleKind::None || effect.shuffle != ShuffleKind::None)
      continue;
    effect.shuffle = kind;
    // The first source as printed: decoding swaps some.
    std::string_view stem = nameOf(c.mnemonic).stem;
    size_t first = stem == "cndmask" || stem.find("rev") != stem.npos ? 1 : 0;
    if (stem != "bfrev" && first < effect.in.size())
      effect.in[first].otherLane = true;
    else if (!effect.in.empty())
      effect.in[0].otherLane = true;
    effect.detail += (effect.detail.empty() ? "" : " ") + detail;
    if (effect.op == Op::Move)
      effect.op = Op::Shuffle;
  }
}

static void decodeExchange(Context &c, ShuffleKind kind) {
  if (kind == ShuffleKind::PermLaneSwap) {
    for (size_t out = 0; out < 2; ++out) {
      Effect &effect = c.add(Op::Shuffle, Type::B32);
      effect.shuffle = kind;
      effect.def = c.def(out);
      effect.in = {c.source(out), c.source(1 - out)};
      effect.detail = keyOf(c.mnemonic).substr(2);
    }
    return;
  }
  Effect &effect =
      c.add(kind == ShuffleKind::None ? Op::Special : Op::Shuffle, Type::B32);
  effect.shuffle = kind;
  effect.def = c.def(0);
  // The index comes first in ds_bpermute and ds_permute: lane · 4.
  bool indexFirst = c.mnemonic.starts_with("ds_") && c.size() > 2;
  effect.in = {c.source(indexFirst ? 2 : 1)};
  if (indexFirst)
    effect.in.push_back(c.source(1));
  for (size_t i = indexFirst ? 3 : 2; i < c.size(); ++i)
    effect.in.push_back(c.source(i));
  for (std::string_view key : {"offset", "op_sel"})
    if (std::string_view value = c.value(key); !value.empty())
      effect.detail += (effect.detail.empty() ? "" : " ") + std::string(key) +
                       ":" + std::string(value);
}

bool amdgcn::decodeLanes(Context &c) {
  std::string_view m = c.mnemonic;
  if (m.ends_with("_e64") || m.ends_with("_e32"))
    m.remove_suffix(4);
  for (const KindRow &row : laneOperations)
    if (row.name == m) {
      decodeExchange(c, row.kind);
      return true;
    }
  if (m == "v_readfirstlane_b32" || m == "v_readlane_b32") {
    bool first = m == "v_readfirstlane_b32";
    Effect &effect = c.add(first ? Op::ReadFirstLane : Op::ReadLane, Type::B32);
    effect.def = c.def(0);
    effect.in = {c.source(1)};
    if (!first)
      effect.in.push_back(c.source(2, Type::U32));
    return true;
  }
  if (m == "v_writelane_b32") {
    Effect &effect = c.add(Op::WriteLane, Type::B32);
    effect.def = c.def(0);
    effect.in = {c.source(1), c.source(2, Type::U32), c.source(0)};
    return true;
  }
  if (m == "v_mbcnt_lo_u32_b32" || m == "v_mbcnt_hi_u32_b32") {
    Effect &effect = c.add(Op::LaneCount, Type::U32);
    effect.def = c.def(0);
    effect.in = {c.source(1), c.source(2, Type::U32)};
    effect.detail = m.substr(8, 2);
    return true;
  }
  return false;
}
