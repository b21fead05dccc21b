//===- Accesses.cpp - Memory instructions, their strides and conflicts ----===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Verdict/Parts.h"

#include <algorithm>

using namespace wf::explain;

/// The ways of the worst bank conflict of one access: how many different words
/// of one bank its lanes want at once. Both vendors have 32 banks of 4 bytes;
/// 8 and 16 bytes a lane are served to half and a quarter of 32 lanes at a
/// time. 0 where an address is not known.
static int conflictsOf(const Slices &s, ValueId address, uint32_t bytes) {
  std::vector<int64_t> at;
  for (int lane = 0; lane < 32; ++lane) {
    auto known = s.inLane(address, lane);
    if (!known)
      return 0;
    at.push_back(*known);
  }
  size_t group = bytes >= 16 ? 8 : bytes >= 8 ? 16 : 32;
  int worst = 1;
  for (size_t first = 0; first < at.size(); first += group) {
    std::map<int64_t, std::set<int64_t>> words; // by bank
    for (size_t lane = first; lane < first + group; ++lane)
      for (uint32_t b = 0; b < std::max(bytes, 4u); b += 4) {
        int64_t word = (at[lane] + b) >> 2;
        words[word & 31].insert(word);
      }
    for (const auto &[bank, different] : words)
      worst = std::max(worst, int(different.size()));
  }
  return worst;
}

void wf::explain::judgeAccesses(Report &r, const Slices &s,
                                const std::vector<Touch> &touches) {
  for (const Touch &t : touches) {
    Access access;
    access.instruction = t.instruction;
    access.space = t.space;
    access.load = t.load;
    access.store = t.store;
    access.atomic = t.atomic;
    access.bytes = t.bytes;
    const Effect &e = r.analysis.program.code[t.instruction].effects[t.effect];
    access.async = e.memory->async;
    access.loopDepth = s.depthOf(t.instruction);
    if (t.space != Space::Constant && t.space != Space::Parameter) {
      access.what = place(r.analysis, t.address, t.space, t.bytes);
      access.array = arrayOf(r.analysis, t.address, t.space);
    }
    access.uniform = t.address != noValue && !s.varies(t.address);
    if (t.address != noValue && !access.uniform) {
      auto zero = s.inLane(t.address, 0), one = s.inLane(t.address, 1);
      if (zero && one)
        access.laneStride = *one - *zero;
    }
    if (t.space == Space::Shared && t.address != noValue)
      access.conflicts =
          access.uniform ? 1 : conflictsOf(s, t.address, t.bytes);
    if (access.conflicts > 1) {
      Finding f;
      f.kind = Finding::Kind::Warning;
      f.name = "bank-conflict";
      f.says = access.what + " conflicts " + std::to_string(access.conflicts) +
               "-way in the banks of shared memory: neighbouring lanes are " +
               (access.laneStride
                    ? std::to_string(*access.laneStride) + " bytes apart"
                    : std::string("spread unevenly"));
      f.proof = {t.instruction};
      r.findings.push_back(std::move(f));
    }
    if (t.space == Space::Global && access.laneStride && t.load &&
        std::abs(*access.laneStride) > int64_t(t.bytes) && !access.uniform) {
      Finding f;
      f.kind = Finding::Kind::Warning;
      f.name = "strided-load";
      f.says = access.what + " is read " + std::to_string(*access.laneStride) +
               " bytes apart by neighbouring lanes, which takes more memory "
               "transactions than contiguous lanes";
      f.proof = {t.instruction};
      r.findings.push_back(std::move(f));
    }
    r.accesses.push_back(std::move(access));
  }
}
