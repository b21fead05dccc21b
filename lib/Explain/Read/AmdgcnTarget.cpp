//===- AmdgcnTarget.cpp - Chip and wave from the opcodes ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// A disassembly names no chip. Opcodes that only one family has tell it; the
// chip that is then named stands for its family.
//===----------------------------------------------------------------------===//
#include "Explain/Read/AmdgcnModule.h"

#include <algorithm>

using namespace wf::explain;
using namespace wf::explain::amdgcn;

namespace {
/// A mnemonic's beginning, and the chip that it tells; earlier rows win.
struct Clue {
  std::string_view prefix, chip;
};
constexpr Clue clues[] = {{"s_wait_xcnt", "gfx1250"},
                          {"s_set_pc_i64", "gfx1250"},
                          {"s_swap_pc_i64", "gfx1250"},
                          {"v_mad_u32", "gfx1250"},
                          {"v_wmma_f32_16x16x4", "gfx1250"},
                          {"s_wait_loadcnt", "gfx1200"},
                          {"s_wait_kmcnt", "gfx1200"},
                          {"s_wait_dscnt", "gfx1200"},
                          {"s_wait_storecnt", "gfx1200"},
                          {"s_barrier_signal", "gfx1200"},
                          {"global_wb", "gfx1200"},
                          {"v_mad_co_u64_u32", "gfx1200"},
                          {"s_add_nc_u64", "gfx1200"},
                          {"v_dual_", "gfx1100"},
                          {"ds_load_", "gfx1100"},
                          {"ds_store_", "gfx1100"},
                          {"s_delay_alu", "gfx1100"},
                          {"s_load_b", "gfx1100"},
                          {"global_load_b", "gfx1100"},
                          {"global_store_b", "gfx1100"},
                          {"v_add_co_ci_u32", "gfx1030"},
                          {"v_add_nc_u32", "gfx1030"},
                          {"s_waitcnt_vscnt", "gfx1030"},
                          {"buffer_gl0_inv", "gfx1030"},
                          {"v_permlane16_b32", "gfx1030"},
                          {"s_clause", "gfx1030"},
                          {"v_prng_b32", "gfx950"},
                          {"v_permlane32_swap", "gfx950"},
                          {"v_bitop3", "gfx950"},
                          {"v_lshl_add_u64", "gfx942"},
                          {"v_smfmac_", "gfx942"},
                          {"buffer_inv", "gfx942"},
                          {"v_pk_add_f32", "gfx90a"},
                          {"v_pk_fma_f32", "gfx90a"},
                          {"v_pk_mul_f32", "gfx90a"},
                          {"buffer_invl2", "gfx90a"},
                          {"global_atomic_add_f64", "gfx90a"},
                          {"v_mfma_", "gfx908"},
                          {"v_accvgpr_", "gfx908"},
                          {"global_load_dword", "gfx906"},
                          {"global_store_dword", "gfx906"},
                          {"v_addc_co_u32", "gfx906"},
                          {"v_add_u32", "gfx906"}};
} // namespace

/// exec_lo and vcc_lo by themselves are a wave of 32; exec and vcc, 64.
static int lanesUsed(const Kernel &kernel) {
  for (const Instruction &i : kernel.code) {
    for (const std::string &operand : i.operands) {
      if (operand == "exec" || operand == "vcc")
        return 64;
      if (operand == "exec_lo" || operand == "vcc_lo")
        // The 64-bit mbcnt pair reads both halves.
        if (i.mnemonic != "v_mbcnt_lo_u32_b32")
          return 32;
      if (operand == "exec_hi" && i.mnemonic == "v_mbcnt_hi_u32_b32")
        return 64;
    }
    if (i.mnemonic.ends_with("saveexec_b64"))
      return 64;
    if (i.mnemonic.ends_with("saveexec_b32"))
      return 32;
  }
  return 0;
}

void amdgcn::inferTarget(Kernel &kernel) {
  if (kernel.target.empty()) {
    size_t best = std::size(clues);
    for (const Instruction &i : kernel.code)
      for (size_t row = 0; row < best; ++row)
        if (i.mnemonic.starts_with(clues[row].prefix))
          best = row;
    if (best < std::size(clues)) {
      kernel.target = clues[best].chip;
      kernel.targetInferred = true;
    }
  }
  bool said = kernel.descriptor.contains("wavefront_size32") ||
              (kernel.target.starts_with("gfx9") && !kernel.targetInferred);
  if (said)
    return;
  if (int used = lanesUsed(kernel))
    kernel.lanes = used;
  else if (kernel.target.starts_with("gfx9"))
    kernel.lanes = 64;
}
