//===- Exchanges.cpp - Both vendors' exchanges between lanes --------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// From the PTX ISA ("shfl.sync") and AMD's RDNA and CDNA ISA guides ("DPP",
// "DS_SWIZZLE_B32", "V_PERMLANEX16_B32").
//===----------------------------------------------------------------------===//
#include "Simulator/LaneOps.h"

#include "llvm/Support/FormatVariadic.h"

#include <bit>

using namespace wf;
using namespace wf::sim;

namespace {
/// Every active lane gets the value of lane from(l), read before any is
/// written; from() may be -1: what `other` gives.
template <class From, class Other>
void exchange(Warp &w, Operand d, Operand value, bool wide, From from,
              Other other) {
  uint64_t result[Warp::maxLanes] = {};
  w.eachLane([&](int l) {
    int source = from(l);
    result[l] = source < 0 ? other(l)
                : wide     ? w.in<uint64_t>(value)[source]
                           : w.in<uint32_t>(value)[source];
  });
  w.eachLane([&](int l) {
    if (wide)
      w.out<uint64_t>(d)[l] = result[l];
    else
      w.out<uint32_t>(d)[l] = uint32_t(result[l]);
  });
  Running &launch = w.block->launch;
  if (launch.options.count)
    ++launch.counters().exchanges;
}

uint64_t slot(const Warp &w, Operand o, bool wide, int lane) {
  return wide ? w.in<uint64_t>(o)[lane] : w.in<uint32_t>(o)[lane];
}

void inactive(Warp &w, int lane, int source, const Inst &i) {
  bool there = source < w.lanes;
  bool gone = there && (w.exited() >> source & 1);
  w.block->launch.hazard(
      there ? HazardKind::InactiveLane : HazardKind::WrongWave, w, lane, i,
      llvm::formatv("lane {0} wants the value of lane {1}, which {2}", lane,
                    source,
                    !there ? "a warp of " + std::to_string(w.lanes) +
                                 " lanes does not have"
                    : gone ? "has left the kernel"
                           : "does not take part")
          .str());
}

bool takesPart(const Warp &w, int lane) {
  return lane < w.lanes && (w.mask >> lane & 1);
}
} // namespace

void sim::runShuffle(Warp &w, const Inst &i) {
  const auto &table = w.kernel->tables[size_t(i.imm)];
  bool wide = table[0];
  auto mode = ShuffleMode(table[1]);
  Operand members = Operand(table[2]), clamp = Operand(table[3]);
  uint64_t named = w.in<uint32_t>(members)[__builtin_ctzll(w.mask)];
  uint64_t away = named & ~w.mask;
  if (away)
    inactive(w, __builtin_ctzll(w.mask), std::countr_zero(away), i);
  uint32_t valid[Warp::maxLanes] = {};
  exchange(
      w, i.d, i.a, wide,
      [&](int l) {
        uint32_t b = w.in<uint32_t>(i.b)[l], c = w.in<uint32_t>(clamp)[l];
        int bits = int(b & 31), segment = int(c >> 8 & 31);
        int most = (l & segment) | (int(c & 31) & ~segment);
        if (b > 31)
          w.block->launch.hazard(
              HazardKind::WrongWave, w, l, i,
              llvm::formatv("an offset of {0} in a warp of {1} lanes: it "
                            "counts as {2}",
                            b, w.lanes, bits)
                  .str());
        int from = 0;
        bool good = true;
        switch (mode) {
        case ShuffleMode::Up:
          from = l - bits;
          good = from >= most;
          break;
        case ShuffleMode::Down:
          from = l + bits;
          good = from <= most;
          break;
        case ShuffleMode::Butterfly:
          from = l ^ bits;
          good = from <= most;
          break;
        case ShuffleMode::Index:
          from = (l & segment) | (bits & ~segment);
          good = from <= most;
          break;
        }
        valid[l] = good;
        if (!good)
          return l;
        if (!takesPart(w, from)) {
          inactive(w, l, from, i);
          return l;
        }
        return from;
      },
      [](int) { return uint64_t(0); });
  if (table[4] >= 0)
    w.eachLane(
        [&](int l) { w.out<uint32_t>(Operand(table[4]))[l] = valid[l]; });
}

void sim::runNullExchange(Warp &w, const Inst &i) {
  const auto &table = w.kernel->tables[size_t(i.imm)];
  exchange(
      w, i.d, i.a, table[0],
      [&](int l) {
        int n = int(w.in<uint32_t>(i.b)[l]);
        int from = table[1] ? l + n : l ^ n;
        if (from / 32 != l / 32)
          return l;
        if (!takesPart(w, from)) {
          inactive(w, l, from, i);
          return l;
        }
        return from;
      },
      [](int) { return uint64_t(0); });
}

namespace {
/// Where a DPP control takes a lane's value from; -1: from nowhere.
int dppSource(int control, int lane, int lanes) {
  int row = lane & ~15, in = lane & 15;
  if (control <= 0xff)
    return (lane & ~3) | (control >> (2 * (lane & 3)) & 3);
  int n = control & 15;
  switch (control & 0x1f0) {
  case 0x100: // row_shl
    return in + n < 16 ? lane + n : -1;
  case 0x110: // row_shr
    return in - n >= 0 ? lane - n : -1;
  case 0x120: // row_ror
    return row | ((in - n) & 15);
  case 0x130:
    switch (n) {
    case 0: // wave_shl:1
      return lane + 1 < lanes ? lane + 1 : -1;
    case 4: // wave_rol:1
      return (lane + 1) % lanes;
    case 8: // wave_shr:1
      return lane - 1;
    default: // wave_ror:1
      return (lane + lanes - 1) % lanes;
    }
  case 0x140:
    switch (n) {
    case 0: // row_mirror
      return row | (15 - in);
    case 1: // row_half_mirror
      return row | (in & 8) | (7 - (in & 7));
    case 2: // row_bcast:15
      return row >= 16 ? row - 1 : -1;
    default: // row_bcast:31
      return lane >= 32 ? 31 : -1;
    }
  case 0x150: // row_share, row_newbcast
    return row | n;
  default: // row_xmask
    return lane ^ n;
  }
}

/// Why a chip does not have a control, or null.
const char *dppMissing(int control, const Machine &m) {
  int kind = control & 0x1f0;
  if (control <= 0xff)
    return nullptr;
  if (m.generation >= 10 && (control == 0x142 || control == 0x143))
    return "row_bcast exists up to gfx9 only";
  if (m.generation >= 10 && kind == 0x130)
    return "wave shifts exist up to gfx9 only";
  if (m.generation < 10 && kind == 0x160)
    return "row_xmask exists from gfx10 on";
  if (m.generation < 10 && kind == 0x150 && m.chip != "gfx90a" &&
      m.chip != "gfx942")
    return "row_share exists from gfx10 on";
  return nullptr;
}
} // namespace

void sim::runDpp(Warp &w, const Inst &i) {
  const auto &table = w.kernel->tables[size_t(i.imm)];
  bool wide = table[0], zero = table[4];
  int control = int(table[1]), rows = int(table[2]), banks = int(table[3]);
  Running &launch = w.block->launch;
  if (const char *why = dppMissing(control, launch.machine))
    launch.hazard(HazardKind::NotOnTarget, w, __builtin_ctzll(w.mask), i, why);
  // Shifts and broadcasts leave lanes without a source by design; the others
  // have one, which should be there.
  int kind = control & 0x1f0;
  bool total = control <= 0xff || kind == 0x120 || kind == 0x150 ||
               kind == 0x160 || control == 0x140 || control == 0x141;
  exchange(
      w, i.d, i.a, wide,
      [&](int l) {
        if (!(rows >> (l / 16 & 3) & 1) || !(banks >> ((l & 15) / 4) & 1))
          return -1;
        int from = dppSource(control, l, w.lanes);
        if (from < 0)
          return -2;
        if (!takesPart(w, from)) {
          if (total)
            inactive(w, l, from, i);
          return -2;
        }
        return from;
      },
      [&](int l) {
        bool masked =
            !(rows >> (l / 16 & 3) & 1) || !(banks >> ((l & 15) / 4) & 1);
        return zero && !masked ? uint64_t(0) : slot(w, i.b, wide, l);
      });
}

void sim::runPermlane(Warp &w, const Inst &i) {
  const auto &table = w.kernel->tables[size_t(i.imm)];
  bool wide = table[0], across = table[1], zero = table[3];
  Running &launch = w.block->launch;
  if (launch.machine.generation < 10)
    launch.hazard(HazardKind::NotOnTarget, w, __builtin_ctzll(w.mask), i,
                  "permlane16 and permlanex16 exist from gfx10 on");
  exchange(
      w, i.d, i.a, wide,
      [&](int l) {
        uint64_t select =
            w.in<uint32_t>(i.b)[l] | uint64_t(w.in<uint32_t>(i.c)[l]) << 32;
        int row = (l & ~15) ^ (across ? 16 : 0);
        int from = row | int(select >> (4 * (l & 15)) & 15);
        if (takesPart(w, from))
          return from;
        inactive(w, l, from, i);
        return -1;
      },
      [&](int l) {
        return zero ? uint64_t(0) : slot(w, Operand(table[2]), wide, l);
      });
}

void sim::runSwizzle(Warp &w, const Inst &i) {
  const auto &table = w.kernel->tables[size_t(i.imm)];
  int pattern = int(table[1]);
  exchange(
      w, i.d, i.a, table[0],
      [&](int l) {
        int from;
        if (pattern & 0x8000)
          from = (l & ~3) | (pattern >> (2 * (l & 3)) & 3);
        else
          from =
              (l & 32) | ((((l & 31) & (pattern & 31)) | (pattern >> 5 & 31)) ^
                          (pattern >> 10 & 31));
        if (takesPart(w, from))
          return from;
        inactive(w, l, from, i);
        return -1;
      },
      [](int) { return uint64_t(0); });
}

void sim::runBpermute(Warp &w, const Inst &i) {
  exchange(
      w, i.d, i.b, false,
      [&](int l) {
        int32_t from = int32_t(w.in<uint32_t>(i.a)[l]) >> 2;
        if (from >= 0 && takesPart(w, from))
          return from;
        inactive(w, l, from, i);
        return -1;
      },
      [](int) { return uint64_t(0); });
}

void sim::runPermute(Warp &w, const Inst &i) {
  int from[Warp::maxLanes];
  std::fill(from, from + Warp::maxLanes, -1);
  w.eachLane([&](int l) {
    from[(w.in<uint32_t>(i.a)[l] >> 2) % uint32_t(w.lanes)] = l;
  });
  exchange(
      w, i.d, i.b, false, [&](int l) { return from[l]; },
      [](int) { return uint64_t(0); });
}

void sim::runReadlane(Warp &w, const Inst &i) {
  const auto &table = w.kernel->tables[size_t(i.imm)];
  int first = __builtin_ctzll(w.mask);
  exchange(
      w, i.d, i.a, table[0],
      [&](int l) {
        if (table[1])
          return first;
        int from = int(w.in<uint32_t>(i.b)[first]);
        if (takesPart(w, from))
          return from;
        inactive(w, l, from, i);
        return from < w.lanes ? from : from % w.lanes;
      },
      [](int) { return uint64_t(0); });
}
