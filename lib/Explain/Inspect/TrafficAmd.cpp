//===- TrafficAmd.cpp - Counts lane and shared traffic of AMD's assembly --===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Inspect/Traffic.h"

#include <algorithm>

namespace wf::explain::ir {

namespace {
struct Prefix {
  std::string_view start;
  uint64_t Traffic::*count;
};
} // namespace

/// Mnemonics by how they start; the first that fits is it.
static constexpr Prefix prefixes[] = {
    {"ds_bpermute", &Traffic::permutes},
    {"ds_permute", &Traffic::permutes},
    {"ds_swizzle", &Traffic::permutes},
    {"v_permlane", &Traffic::permutes},
    {"v_readlane", &Traffic::readLanes},
    {"v_readfirstlane", &Traffic::readLanes},
    {"ds_read", &Traffic::sharedLoads},
    {"ds_load", &Traffic::sharedLoads},
    {"ds_write", &Traffic::sharedStores},
    {"ds_store", &Traffic::sharedStores},
    {"ds_add", &Traffic::atomics},
    {"global_atomic", &Traffic::atomics},
    {"flat_atomic", &Traffic::atomics},
    {"buffer_atomic", &Traffic::atomics},
    {"s_barrier_signal", nullptr}, // its wait is counted
    {"s_barrier", &Traffic::barriers},
    {"global_load", &Traffic::globalLoads},
    {"flat_load", &Traffic::globalLoads},
    {"buffer_load", &Traffic::globalLoads},
    {"global_store", &Traffic::globalStores},
    {"flat_store", &Traffic::globalStores},
    {"buffer_store", &Traffic::globalStores},
    {"scratch_", &Traffic::localAccesses},
};

static uint64_t widthOf(std::string_view mnemonic) {
  struct Width {
    std::string_view end;
    uint64_t bytes;
  };
  static constexpr Width widths[] = {
      {"dwordx4", 16}, {"b128", 16}, {"dwordx3", 12}, {"b96", 12},
      {"dwordx2", 8},  {"b64", 8},   {"dword", 4},    {"b32", 4},
      {"short", 2},    {"b16", 2},   {"u16", 2},      {"byte", 1}};
  for (const Width &w : widths)
    if (mnemonic.size() > w.end.size() &&
        mnemonic.substr(mnemonic.size() - w.end.size()) == w.end)
      return w.bytes;
  return 0;
}

static void countInstruction(std::string_view mnemonic, std::string_view rest,
                             Traffic &out) {
  for (const Prefix &p : prefixes) {
    if (mnemonic.substr(0, p.start.size()) != p.start)
      continue;
    if (p.count)
      ++(out.*p.count);
    if (p.count == &Traffic::globalLoads)
      out.widestLoad = std::max(out.widestLoad, widthOf(mnemonic));
    return;
  }
  bool dpp = mnemonic.find("_dpp") != std::string_view::npos ||
             rest.find("row_") != std::string_view::npos ||
             rest.find("quad_perm") != std::string_view::npos;
  out.dpp += dpp && mnemonic.substr(0, 2) == "v_";
}

std::vector<Dump> readAmdAssembly(std::string_view text,
                                  std::string_view file) {
  std::vector<Dump> dumps;
  std::string target;
  Dump *dump = nullptr;
  while (!text.empty()) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    size_t start = line.find_first_not_of(" \t");
    if (start == std::string_view::npos || line[start] == ';')
      continue;
    line.remove_prefix(start);
    size_t space = line.find_first_of(" \t");
    std::string_view word = line.substr(0, space);
    std::string_view rest =
        space == std::string_view::npos ? "" : line.substr(space + 1);
    if (word == ".amdgcn_target") {
      size_t chip = rest.find("gfx");
      if (chip != std::string_view::npos)
        target = rest.substr(chip, rest.find_first_of("\":", chip) - chip);
    } else if (word == ".type" &&
               rest.find("@function") != std::string_view::npos) {
      dump = &dumps.emplace_back();
      dump->file = file;
      dump->stage = Stage::Amdgcn;
      dump->kernel = rest.substr(0, rest.find(','));
      dump->target = target;
      dump->lanes = target.substr(0, 4) == "gfx9" ? 64 : 32;
      dump->traffic.emplace();
    } else if (word == ".amdhsa_group_segment_fixed_size" && dump) {
      uint64_t bytes = 0;
      for (char c : rest.substr(0, 9))
        bytes = c >= '0' && c <= '9' ? bytes * 10 + uint64_t(c - '0') : bytes;
      if (bytes)
        dump->sharedBytes = bytes;
    } else if (dump && word[0] != '.' && word.back() != ':') {
      countInstruction(word, rest.substr(0, rest.find(';')), *dump->traffic);
    }
  }
  return dumps;
}

} // namespace wf::explain::ir
