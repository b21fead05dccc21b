//===- Occupancy.cpp - Blocks that a chip holds at once -------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Limits by compute capability are those of the CUDA programming guide's table
// of technical specifications; AMD's are those of the ISA documents and of
// LLVM's AMDGPU user guide.
//===----------------------------------------------------------------------===//
#include "Explain/Verdict/Parts.h"

#include <algorithm>

using namespace wf::explain;

namespace {
struct Chip {
  const char *name;
  int maxWarps, maxBlocks;
  uint32_t registers, registerUnit; ///< of one warp's allocation, in registers
  uint32_t shared, sharedUnit, sharedReserved; ///< bytes
};

// A multiprocessor's; for AMD a compute unit's (RDNA: of a workgroup processor
// in CU mode, whose SIMDs hold 32-lane waves).
const Chip chips[] = {
    {"sm_60", 64, 32, 65536, 256, 64 << 10, 256, 0},
    {"sm_61", 64, 32, 65536, 256, 96 << 10, 256, 0},
    {"sm_70", 64, 32, 65536, 256, 96 << 10, 256, 0},
    {"sm_75", 32, 16, 65536, 256, 64 << 10, 256, 0},
    {"sm_80", 64, 32, 65536, 256, 164 << 10, 128, 1024},
    {"sm_86", 48, 16, 65536, 256, 100 << 10, 128, 1024},
    {"sm_87", 48, 16, 65536, 256, 164 << 10, 128, 1024},
    {"sm_89", 48, 24, 65536, 256, 100 << 10, 128, 1024},
    {"sm_90", 64, 32, 65536, 256, 228 << 10, 128, 1024},
    {"sm_100", 64, 32, 65536, 256, 228 << 10, 128, 1024},
    {"sm_103", 64, 32, 65536, 256, 228 << 10, 128, 1024},
    {"sm_120", 48, 24, 65536, 256, 100 << 10, 128, 1024},
    {"sm_121", 48, 24, 65536, 256, 100 << 10, 128, 1024},
};

struct AmdChip {
  const char *prefix;
  int waves;            ///< a SIMD's
  uint32_t vgprs, unit; ///< a lane's, of a SIMD, at the wave's own size
  int simds;            ///< a compute unit's
  uint32_t shared;
};
const AmdChip amdChips[] = {
    {"gfx90a", 8, 512, 8, 4, 64 << 10},
    {"gfx94", 8, 512, 8, 4, 64 << 10},
    {"gfx950", 8, 512, 8, 4, 160 << 10},
    {"gfx90", 10, 256, 4, 4, 64 << 10},
    {"gfx103", 16, 1024, 8, 2, 64 << 10},
    {"gfx101", 20, 1024, 8, 2, 64 << 10},
    {"gfx110", 16, 1536, 24, 2, 64 << 10},
    {"gfx115", 16, 1024, 16, 2, 64 << 10},
    {"gfx120", 16, 1536, 24, 2, 64 << 10},
};
} // namespace

static uint32_t roundUp(uint32_t n, uint32_t unit) {
  return (n + unit - 1) / unit * unit;
}

static Occupancy ofNvidia(const Chip &chip, uint32_t registers,
                          uint32_t shared) {
  Occupancy o;
  o.chip = chip.name;
  o.registers = registers;
  o.sharedBytes = shared;
  o.maxWarps = chip.maxWarps;
  int warps = o.blockThreads / 32;
  auto consider = [&](int blocks, const char *why) {
    if (o.limit.empty() || blocks < o.blocks) {
      o.blocks = blocks;
      o.limit = why;
    }
  };
  consider(chip.maxWarps / warps, "warps");
  consider(chip.maxBlocks, "blocks");
  uint32_t perWarp = roundUp(std::max(registers, 1u) * 32, chip.registerUnit);
  consider(int(chip.registers / perWarp) / warps, "registers");
  if (uint32_t each = roundUp(shared + chip.sharedReserved, chip.sharedUnit);
      shared > 0)
    consider(int(chip.shared / each), "shared memory");
  o.warps = o.blocks * warps;
  return o;
}

static Occupancy ofAmd(const AmdChip &chip, const Kernel &k, uint32_t registers,
                       uint32_t shared) {
  Occupancy o;
  o.chip = k.target;
  o.registers = registers;
  o.sharedBytes = shared;
  o.maxWarps = chip.waves * chip.simds;
  // A wave of 64 on a SIMD of 32 lanes takes two registers for one.
  bool doubled = k.lanes == 64 && std::string(chip.prefix) >= "gfx10" &&
                 std::string(chip.prefix) < "gfx9";
  uint32_t each = roundUp(std::max(registers, 1u), chip.unit);
  int perSimd = int(chip.vgprs / (each * (doubled ? 2 : 1)));
  int waves = std::min(perSimd, chip.waves) * chip.simds;
  int wavesOfBlock = (o.blockThreads + k.lanes - 1) / k.lanes;
  o.limit = perSimd < chip.waves ? "registers" : "waves";
  o.blocks = waves / wavesOfBlock;
  if (shared && int(chip.shared / shared) < o.blocks) {
    o.blocks = int(chip.shared / shared);
    o.limit = "shared memory";
  }
  o.warps = o.blocks * wavesOfBlock;
  return o;
}

/// Registers up to the highest that the code names.
static uint32_t registersNamed(const Program &p) {
  uint32_t most = 0;
  auto see = [&](Reg reg, uint32_t count) {
    if (reg.cls == RegClass::Vector)
      most = std::max(most, reg.index + count);
  };
  for (const Decoded &d : p.code)
    for (const Effect &e : d.effects) {
      if (e.def)
        see(e.def->reg, e.def->count);
      for (const Source &in : e.in)
        if (in.kind == Source::Kind::Register)
          see(in.reg, in.count);
      if (e.memory)
        for (const auto *in : {&e.memory->base, &e.memory->data})
          if (*in && (*in)->kind == Source::Kind::Register)
            see((*in)->reg, (*in)->count);
    }
  return most;
}

void wf::explain::judgeOccupancy(Report &r) {
  const Kernel &k = r.kernel();
  if (k.isa == Isa::Ptx)
    return; // its registers are virtual
  uint32_t registers =
      k.resources.registers.value_or(registersNamed(r.analysis.program));
  uint32_t shared = k.resources.sharedBytes.value_or(0);
  if (k.isa == Isa::Sass) {
    std::string target = k.target;
    while (!target.empty() && target.back() >= 'a')
      target.pop_back(); // sm_90a
    for (const Chip &chip : chips)
      if (target == chip.name)
        r.occupancy.push_back(ofNvidia(chip, registers, shared));
    return;
  }
  for (const AmdChip &chip : amdChips)
    if (k.target.starts_with(chip.prefix)) {
      r.occupancy.push_back(ofAmd(chip, k, registers, shared));
      return;
    }
}
