//===- AmdgcnFlow.cpp - Branches, waits, barriers and fences of AMD -------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Machine/Amdgcn.h"

#include "Explain/Read/AmdgcnLine.h"

using namespace wf::explain;
using namespace wf::explain::amdgcn;

namespace {
struct BranchRow {
  std::string_view mnemonic;
  uint32_t flag;
  bool onZero;
  bool mask; ///< of lanes: two registers in a wave of 64
};
constexpr BranchRow branches[] = {
    {"s_cbranch_scc0", flags::scc, true, false},
    {"s_cbranch_scc1", flags::scc, false, false},
    {"s_cbranch_vccz", flags::vcc, true, true},
    {"s_cbranch_vccnz", flags::vcc, false, true},
    {"s_cbranch_execz", flags::exec, true, true},
    {"s_cbranch_execnz", flags::exec, false, true}};

/// What has neither operands that matter nor results.
struct SyncRow {
  std::string_view mnemonic;
  Op op;
};
constexpr SyncRow syncs[] = {{"s_nop", Op::Nop},
                             {"v_nop", Op::Nop},
                             {"ds_nop", Op::Nop},
                             {"s_code_end", Op::Nop},
                             {"s_clause", Op::Hint},
                             {"s_delay_alu", Op::Hint},
                             {"s_wait_alu", Op::Hint},
                             {"s_waitcnt_depctr", Op::Hint},
                             {"s_wait_idle", Op::Hint},
                             {"s_set_inst_prefetch_distance", Op::Hint},
                             {"s_inst_prefetch", Op::Hint},
                             {"s_setprio", Op::Hint},
                             {"s_setprio_inc_wg", Op::Hint},
                             {"s_setreg_b32", Op::Hint},
                             {"s_setreg_imm32_b32", Op::Hint},
                             {"s_round_mode", Op::Hint},
                             {"s_denorm_mode", Op::Hint},
                             {"s_set_gpr_idx_on", Op::Hint},
                             {"s_set_gpr_idx_off", Op::Hint},
                             {"s_set_gpr_idx_mode", Op::Hint},
                             {"s_set_gpr_idx_idx", Op::Hint},
                             {"s_set_vgpr_msb", Op::Hint},
                             {"s_sendmsg", Op::Hint},
                             {"s_sendmsghalt", Op::Hint},
                             {"s_version", Op::Hint},
                             {"s_ttracedata", Op::Hint},
                             {"s_ttracedata_imm", Op::Hint},
                             {"s_incperflevel", Op::Hint},
                             {"s_decperflevel", Op::Hint},
                             {"s_setkill", Op::Hint},
                             {"s_sethalt", Op::Hint},
                             {"s_alloc_vgpr", Op::Hint},
                             {"s_wakeup", Op::Hint},
                             {"s_icache_inv", Op::CacheControl},
                             {"s_dcache_inv", Op::CacheControl},
                             {"s_dcache_inv_vol", Op::CacheControl},
                             {"s_dcache_wb", Op::CacheControl},
                             {"s_dcache_wb_vol", Op::CacheControl},
                             {"s_gl1_inv", Op::CacheControl},
                             {"s_prefetch_inst", Op::Prefetch},
                             {"s_prefetch_inst_pc_rel", Op::Prefetch},
                             {"s_prefetch_data", Op::Prefetch},
                             {"s_prefetch_data_pc_rel", Op::Prefetch},
                             {"s_buffer_prefetch_data", Op::Prefetch},
                             {"global_prefetch_b8", Op::Prefetch},
                             {"flat_prefetch_b8", Op::Prefetch},
                             {"s_sleep", Op::Sleep},
                             {"s_sleep_var", Op::Sleep},
                             {"s_monitor_sleep", Op::Sleep},
                             {"s_waitcnt", Op::WaitCounter},
                             {"s_waitcnt_vscnt", Op::WaitCounter},
                             {"s_waitcnt_vmcnt", Op::WaitCounter},
                             {"s_waitcnt_expcnt", Op::WaitCounter},
                             {"s_waitcnt_lgkmcnt", Op::WaitCounter},
                             {"s_wait_event", Op::WaitCounter},
                             {"s_barrier", Op::Barrier},
                             {"s_barrier_signal", Op::BarrierArrive},
                             {"s_barrier_signal_isfirst", Op::BarrierArrive},
                             {"s_barrier_wait", Op::BarrierWait},
                             {"s_barrier_leave", Op::Hint},
                             {"s_barrier_init", Op::Hint},
                             {"s_barrier_join", Op::Hint},
                             {"ds_gws_barrier", Op::Barrier},
                             {"ds_gws_init", Op::Hint},
                             {"buffer_gl0_inv", Op::Fence},
                             {"buffer_gl1_inv", Op::Fence},
                             {"buffer_inv", Op::Fence},
                             {"buffer_invl2", Op::Fence},
                             {"buffer_wbl2", Op::Fence},
                             {"buffer_wbinvl1", Op::Fence},
                             {"buffer_wbinvl1_vol", Op::Fence},
                             {"global_inv", Op::Fence},
                             {"global_wb", Op::Fence},
                             {"global_wbinv", Op::Fence}};
} // namespace

static std::string joined(const Context &c) {
  std::string text;
  for (std::string_view operand : c.operands)
    text += (text.empty() ? "" : " ") + std::string(operand);
  for (const std::string &modifier : c.instruction.modifiers)
    text += (text.empty() ? "" : " ") + modifier;
  return text;
}

bool amdgcn::decodeFlow(Context &c) {
  std::string_view m = c.mnemonic;
  Flow &flow = c.out.flow;
  if (m.starts_with("s_endpgm")) {
    c.add(Op::Exit, Type::None);
    flow.kind = Flow::Kind::Exit;
    return true;
  }
  if (m == "s_branch" || m.starts_with("s_cbranch_")) {
    flow.kind = Flow::Kind::Jump;
    c.add(Op::Branch, Type::None);
    flow.conditional = m != "s_branch";
    for (const BranchRow &row : branches)
      if (row.mnemonic == m) {
        flow.condition = flagSource(row.flag, row.mask ? c.maskRegisters : 1);
        flow.onZero = row.onZero;
        c.out.effects.back().in.push_back(*flow.condition);
      }
    // Debuggers' branches depend on what no program sees.
    c.out.known =
        !flow.conditional || flow.condition || m.starts_with("s_cbranch_cdbg");
    return true;
  }
  if (m == "s_setpc_b64" || m == "s_set_pc_i64") {
    bool back = c.text(0) == "s[30:31]" && !c.kernel.entry;
    flow.kind = back ? Flow::Kind::Return : Flow::Kind::Indirect;
    c.add(back ? Op::Return : Op::Branch, Type::None).in = {c.source(0)};
    return true;
  }
  if (m == "s_swappc_b64" || m == "s_swap_pc_i64" || m == "s_call_b64" ||
      m == "s_call_i64") {
    flow.kind = Flow::Kind::Call;
    Effect &call = c.add(Op::Call, Type::B64);
    call.def = c.def(0);
    call.in = {c.source(1)};
    if (call.in[0].kind == Source::Kind::Symbol)
      flow.callee = call.in[0].name;
    return true;
  }
  if (m == "s_trap") {
    c.add(Op::Trap, Type::None).detail = c.text(0);
    // 2 is a program's own failure; others go to a debugger and come back.
    if (c.text(0) == "2")
      flow.kind = Flow::Kind::Trap;
    return true;
  }
  return false;
}

bool amdgcn::decodeSync(Context &c) {
  bool counter = c.mnemonic.starts_with("s_wait_") &&
                 c.mnemonic.find("cnt") != std::string_view::npos;
  Op op = counter ? Op::WaitCounter : Op::Unknown;
  for (const SyncRow &row : syncs)
    if (row.mnemonic == c.mnemonic)
      op = row.op;
  if (op == Op::Unknown)
    return false;
  Effect &effect = c.add(op, Type::None);
  effect.detail = joined(c);
  if (op == Op::Barrier && effect.detail.empty())
    effect.detail = "0";
  if (op == Op::Fence) {
    std::string_view what = c.mnemonic.substr(c.mnemonic.rfind('_') + 1);
    effect.detail = std::string(what);
    effect.memory.emplace();
    effect.memory->bytes = 0;
    effect.memory->scope = scopeOf(c, false);
    effect.memory->cache = cacheOf(c);
  }
  if (c.mnemonic == "s_barrier_signal_isfirst")
    effect.def = flagDef(flags::scc);
  return true;
}
