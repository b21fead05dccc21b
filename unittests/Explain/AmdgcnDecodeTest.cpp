//===- AmdgcnDecodeTest.cpp - AMD instructions as effects -----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Expected values are read by eye from the listings.
//===----------------------------------------------------------------------===//
#include "Support.h"

#include <algorithm>

using namespace wf::explain;

namespace {

Program decoded(const std::string &text, const std::string &name = "k.s",
                const std::string &kernel = "") {
  auto listing = readAmdgcn(text, name);
  Program program;
  if (!listing) {
    ADD_FAILURE() << listing.fault().message;
    return program;
  }
  for (Kernel &k : listing->kernels)
    if (kernel.empty() || k.name == kernel) {
      program.kernel = std::move(k);
      decodeAmdgcn(program);
      return program;
    }
  ADD_FAILURE() << "no kernel " << kernel;
  return program;
}

Program reduceSum(const std::string &chip) {
  std::string name = "amd/kernels." + chip + ".objdump.s";
  return decoded(listingText(name), name, "reduce_sum");
}

/// The effects of one instruction.
Decoded one(const std::string &line) {
  Program program = decoded(line + "\n");
  EXPECT_EQ(program.code.size(), 1u) << line;
  return program.code.empty() ? Decoded() : program.code[0];
}

constexpr Reg v(uint32_t i) { return {RegClass::Vector, i}; }
constexpr Reg s(uint32_t i) { return {RegClass::Uniform, i}; }
constexpr Reg flag(uint32_t i) { return {RegClass::Flag, i}; }
const Reg ttmp9{RegClass::Uniform, 1009};

/// Whether the entry says that `reg` holds `name`.
bool holds(const Program &program, Reg reg, const std::string &name) {
  return std::any_of(
      program.entry.begin(), program.entry.end(),
      [&](const EntryValue &e) { return e.reg == reg && e.name == name; });
}

void expectReads(const Source &source, Reg reg, unsigned count = 1) {
  EXPECT_EQ(source.kind, Source::Kind::Register);
  EXPECT_EQ(source.reg, reg);
  EXPECT_EQ(source.count, count);
}

/// The step of the tree that all four listings have, from its first ds_read on:
/// two loads, a wait, an addition, a store, a branch back.
void expectStep(const Program &program, size_t at) {
  const auto &code = program.code;
  ASSERT_LT(at + 5, code.size());
  for (auto [k, to, from] : {std::tuple(0, 2, 2), std::tuple(1, 3, 1)}) {
    const Effect &load = code[at + k].effects.at(0);
    EXPECT_EQ(load.op, Op::Load);
    ASSERT_TRUE(load.memory && load.def);
    EXPECT_EQ(load.memory->space, Space::Shared);
    EXPECT_EQ(load.memory->bytes, 4u);
    EXPECT_EQ(load.def->reg, v(to));
    expectReads(*load.memory->base, v(from));
    EXPECT_TRUE(load.masked);
  }
  EXPECT_EQ(code[at + 2].effects.at(0).op, Op::WaitCounter);
  const Effect &add = code[at + 3].effects.at(0);
  EXPECT_EQ(add.op, Op::Add);
  EXPECT_EQ(add.type, Type::F32);
  EXPECT_EQ(add.def->reg, v(2));
  expectReads(add.in.at(0), v(2));
  expectReads(add.in.at(1), v(3));
  EXPECT_TRUE(add.masked);
  const Effect &store = code[at + 4].effects.at(0);
  EXPECT_EQ(store.op, Op::Store);
  EXPECT_EQ(store.memory->space, Space::Shared);
  expectReads(*store.memory->base, v(1));
  expectReads(*store.memory->data, v(2));
  EXPECT_FALSE(store.def);
  EXPECT_EQ(code[at + 5].flow.kind, Flow::Kind::Jump);
  EXPECT_FALSE(code[at + 5].flow.conditional);
}

/// An instruction by its address.
size_t at(const Program &program, uint64_t address) {
  for (size_t i = 0; i < program.kernel.code.size(); ++i)
    if (program.kernel.code[i].address == address)
      return i;
  ADD_FAILURE() << "nothing at " << address;
  return 0;
}

void expectBlockSize(const Program &program, size_t i, Reg reg) {
  const Effect &effect = program.code.at(i).effects.at(0);
  EXPECT_EQ(effect.op, Op::Special);
  EXPECT_EQ(effect.in.at(0).name, "blockDim.x");
  EXPECT_EQ(effect.def->reg, reg);
}

} // namespace

TEST(AmdgcnDecode, EveryOpcodeOfTheListings) {
  for (const char *file :
       {"gfx1030.objdump", "gfx1100.clang", "gfx1100.llvm22.objdump",
        "gfx1100.objdump", "gfx1200.clang", "gfx1200.objdump",
        "gfx1250.llvm22.objdump", "gfx906.llvm22.objdump", "gfx90a.clang",
        "gfx90a.objdump", "gfx942.objdump", "gfx950.llvm22.objdump"}) {
    std::string name = std::string("amd/kernels.") + file + ".s";
    auto listing = readAmdgcn(listingText(name), name);
    ASSERT_TRUE(listing) << name;
    for (Kernel &kernel : listing->kernels) {
      Program program;
      program.kernel = std::move(kernel);
      decodeAmdgcn(program);
      for (size_t i = 0; i < program.code.size(); ++i) {
        const Decoded &d = program.code[i];
        const std::string &text = program.kernel.code[i].text;
        EXPECT_TRUE(d.known) << name << ": " << text;
        if (d.flow.kind == Flow::Kind::Jump) {
          EXPECT_EQ(d.flow.targets.size(), 1u) << name << ": " << text;
        }
      }
    }
  }
}

TEST(AmdgcnDecode, ReduceSumGfx1200) {
  const Program program = reduceSum("gfx1200");
  EXPECT_TRUE(holds(program, s(0), "kernarg"));
  EXPECT_TRUE(holds(program, ttmp9, "blockIdx.x"));
  EXPECT_TRUE(holds(program, v(0), "threadIdx.x"));
  const auto &code = program.code;
  // s_load_b32 s3, s[0:1], 0x10
  const Effect &n = code[2].effects.at(0);
  EXPECT_EQ(n.memory->space, Space::Constant);
  expectReads(*n.memory->base, s(0), 2);
  EXPECT_EQ(n.memory->offset, 16);
  expectBlockSize(program, 4, s(2));
  // v_mad_co_u64_u32 v[1:2], null, ttmp9, s2, v[0:1]
  const Effect &index = code[6].effects.at(0);
  ASSERT_EQ(code[6].effects.size(), 1u);
  EXPECT_EQ(index.op, Op::Mad);
  EXPECT_TRUE(index.wide);
  EXPECT_EQ(index.from, Type::U32);
  EXPECT_EQ(index.def->reg, v(1));
  EXPECT_EQ(index.def->count, 2);
  expectReads(index.in.at(0), ttmp9);
  expectReads(index.in.at(1), s(2));
  expectReads(index.in.at(2), v(0), 2);
  // v_cmp_gt_i32_e32 vcc_lo, s3, v1: n > i
  const Effect &inside = code[8].effects.at(0);
  EXPECT_EQ(inside.op, Op::Compare);
  EXPECT_EQ(inside.cmp, Cmp::Gt);
  EXPECT_EQ(inside.type, Type::S32);
  EXPECT_EQ(inside.def->reg, flag(flags::vcc));
  // s_and_saveexec_b32 s3, vcc_lo
  const auto &save = code[9].effects;
  ASSERT_GE(save.size(), 2u);
  EXPECT_EQ(save[0].op, Op::Move);
  EXPECT_EQ(save[0].def->reg, s(3));
  expectReads(save[0].in.at(0), flag(flags::exec));
  EXPECT_EQ(save[1].op, Op::And);
  EXPECT_EQ(save[1].def->reg, flag(flags::exec));
  expectReads(save[1].in.at(0), flag(flags::vcc));
  // s_cbranch_execz 13 → 0x70
  const Flow &skip = code[10].flow;
  EXPECT_TRUE(skip.conditional);
  EXPECT_TRUE(skip.onZero);
  expectReads(*skip.condition, flag(flags::exec));
  EXPECT_EQ(skip.targets, std::vector<size_t>{at(program, 0x70)});
  // v_add_co_u32 and v_add_co_ci_u32
  ASSERT_EQ(code[16].effects.size(), 2u);
  EXPECT_EQ(code[16].effects[1].op, Op::CarryOut);
  EXPECT_TRUE(code[18].effects.at(0).carryIn);
  expectReads(code[18].effects[0].in.back(), flag(flags::vcc));
  // The barrier in two halves, with fences of the block.
  EXPECT_EQ(code[25].effects.at(0).op, Op::Fence);
  EXPECT_EQ(code[25].effects[0].memory->scope, "block");
  EXPECT_EQ(code[27].effects.at(0).op, Op::BarrierArrive);
  EXPECT_EQ(code[28].effects.at(0).op, Op::BarrierWait);
  // s_branch 9 → 0xc8; the loop's exit by scc; v_cmpx.
  EXPECT_EQ(code[29].flow.targets, std::vector<size_t>{at(program, 0xc8)});
  EXPECT_FALSE(code[38].flow.onZero);
  const Effect &active = code[41].effects.at(0);
  EXPECT_EQ(active.op, Op::Compare);
  EXPECT_EQ(active.cmp, Cmp::Gt);
  EXPECT_EQ(active.then, Op::And);
  EXPECT_EQ(active.def->reg, flag(flags::exec));
  // v_lshl_add_u32 v2, s3, 2, v1: s3 · 4 + v1
  const Effect &address = code[43].effects.at(0);
  EXPECT_EQ(address.op, Op::Mad);
  EXPECT_EQ(address.in.at(1).imm, 4);
  expectStep(program, 44);
  EXPECT_EQ(code[49].flow.targets, std::vector<size_t>{at(program, 0xa4)});
  // global_store_b32 v0, v1, s[0:1]
  const Effect &result = code[63].effects.at(0);
  EXPECT_EQ(result.memory->space, Space::Global);
  expectReads(*result.memory->base, v(0));
  expectReads(*result.memory->uniform, s(0), 2);
  expectReads(*result.memory->data, v(1));
  EXPECT_EQ(code[66].flow.kind, Flow::Kind::Exit);
}

TEST(AmdgcnDecode, ReduceSumGfx1100) {
  const Program program = reduceSum("gfx1100");
  EXPECT_TRUE(holds(program, s(0), "kernarg"));
  EXPECT_TRUE(holds(program, s(15), "blockIdx.x"));
  expectBlockSize(program, 5, s(3));
  EXPECT_EQ(program.code[27].effects.at(0).op, Op::Barrier);
  expectStep(program, at(program, 0xfc));
  const Effect &fence = program.code[at(program, 0xd4)].effects.at(0);
  EXPECT_EQ(fence.op, Op::Fence);
  EXPECT_EQ(fence.memory->scope, "block");
}

TEST(AmdgcnDecode, ReduceSumGfx1030) {
  const Program program = reduceSum("gfx1030");
  EXPECT_TRUE(holds(program, s(4), "kernarg"));
  EXPECT_TRUE(holds(program, s(6), "blockIdx.x"));
  EXPECT_FALSE(holds(program, v(1), "threadIdx.y"));
  expectBlockSize(program, 4, s(0));
  // s_load_dwordx2 s[2:3], s[4:5], null
  const Effect &x = program.code[10].effects.at(0);
  EXPECT_EQ(x.memory->space, Space::Constant);
  EXPECT_EQ(x.memory->offset, 0);
  EXPECT_EQ(x.memory->bytes, 8u);
  EXPECT_EQ(x.def->count, 2);
  expectStep(program, at(program, 0xfc));
  // s_add_u32 s0, s0, s2; s_addc_u32 s1, s1, s3
  size_t add = at(program, 0x14c);
  EXPECT_EQ(program.code[add].effects.at(1).op, Op::CarryOut);
  EXPECT_EQ(program.code[add].effects[1].def->reg, flag(flags::scc));
  EXPECT_TRUE(program.code[add + 1].effects.at(0).carryIn);
  expectReads(program.code[add + 1].effects[0].in.back(), flag(flags::scc));
}

TEST(AmdgcnDecode, ReduceSumGfx90a) {
  const Program program = reduceSum("gfx90a");
  EXPECT_EQ(program.kernel.lanes, 64);
  EXPECT_TRUE(holds(program, s(4), "kernarg"));
  EXPECT_TRUE(holds(program, s(6), "blockIdx.x"));
  expectBlockSize(program, 4, s(2));
  // v_cmp_gt_i32_e32 vcc, s1, v2; s_and_saveexec_b64 s[0:1], vcc
  EXPECT_EQ(program.code[7].effects.at(0).def->count, 2);
  EXPECT_EQ(program.code[8].effects.at(0).def->reg, s(0));
  EXPECT_EQ(program.code[8].effects[0].def->count, 2);
  EXPECT_EQ(program.code[8].effects.at(1).def->count, 2);
  // s_cbranch_scc0 22 → 0xdc; the branch back 65515 → 0xc4
  EXPECT_TRUE(program.code[25].flow.onZero);
  EXPECT_EQ(program.code[25].flow.targets,
            std::vector<size_t>{at(program, 0xdc)});
  expectStep(program, at(program, 0xf4));
  EXPECT_EQ(program.code[at(program, 0x114)].flow.targets,
            std::vector<size_t>{at(program, 0xc4)});
}

TEST(AmdgcnDecode, LaneExchange) {
  Decoded d = one("v_add_f32_dpp v1, v1, v2 row_shr:1 row_mask:0xf "
                  "bank_mask:0xf bound_ctrl:1");
  EXPECT_EQ(d.effects.at(0).op, Op::Add);
  EXPECT_EQ(d.effects[0].shuffle, ShuffleKind::RowShift);
  EXPECT_EQ(d.effects[0].detail,
            "row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1");
  d = one(
      "v_mov_b32_dpp v3, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
  EXPECT_EQ(d.effects.at(0).op, Op::Shuffle);
  EXPECT_EQ(d.effects[0].shuffle, ShuffleKind::QuadPerm);
  d = one("ds_bpermute_b32 v2, v4, v1");
  EXPECT_EQ(d.effects.at(0).shuffle, ShuffleKind::Index);
  EXPECT_FALSE(d.effects[0].memory); // no storage
  expectReads(d.effects[0].in.at(0), v(1));
  expectReads(d.effects[0].in.at(1), v(4));
  d = one("ds_swizzle_b32 v2, v1 offset:swizzle(SWAP,16)");
  EXPECT_EQ(d.effects.at(0).shuffle, ShuffleKind::Swizzle);
  EXPECT_EQ(d.effects[0].detail, "offset:swizzle(SWAP,16)");
  d = one("v_permlanex16_b32 v2, v1, s2, 0xfedcba98");
  EXPECT_EQ(d.effects.at(0).shuffle, ShuffleKind::PermLaneX16);
  EXPECT_EQ(one("v_permlane64_b32 v2, v1").effects.at(0).shuffle,
            ShuffleKind::PermLane64);
  EXPECT_EQ(one("v_permlane32_swap_b32 v2, v1").effects.size(), 2u);
  d = one("v_readlane_b32 s0, v1, 31");
  EXPECT_EQ(d.effects.at(0).op, Op::ReadLane);
  EXPECT_EQ(d.effects[0].def->reg, s(0));
  EXPECT_FALSE(d.effects[0].masked);
  EXPECT_EQ(one("v_readfirstlane_b32 s0, v1").effects.at(0).op,
            Op::ReadFirstLane);
  d = one("v_writelane_b32 v2, s0, s1");
  EXPECT_EQ(d.effects.at(0).op, Op::WriteLane);
  expectReads(d.effects[0].in.at(2), v(2)); // the other lanes'
}

TEST(AmdgcnDecode, PairOfOperations) {
  Decoded d = one("v_dual_mov_b32 v3, 0 :: v_dual_add_f32 v4, v1, v2");
  ASSERT_EQ(d.effects.size(), 2u);
  EXPECT_EQ(d.effects[0].op, Op::Move);
  EXPECT_EQ(d.effects[0].def->reg, v(3));
  EXPECT_EQ(d.effects[1].op, Op::Add);
  EXPECT_EQ(d.effects[1].def->reg, v(4));
  EXPECT_TRUE(d.effects[0].masked && d.effects[1].masked);
  // vcc is not printed.
  d = one("v_dual_cndmask_b32 v3, v1, v2 :: v_dual_mov_b32 v5, v6");
  EXPECT_EQ(d.effects.at(0).op, Op::Select);
  expectReads(d.effects[0].in.at(2), flag(flags::vcc));
}

TEST(AmdgcnDecode, Shared) {
  Decoded d = one("ds_load_2addr_b32 v[0:1], v2 offset0:4 offset1:36");
  const Memory &two = *d.effects.at(0).memory;
  EXPECT_EQ(two.pieces, 2u);
  EXPECT_EQ(two.bytes, 8u);
  EXPECT_EQ(two.offset, 16);
  EXPECT_EQ(two.offset2, 144);
  d = one("ds_read2st64_b32 v[0:1], v2 offset1:1");
  EXPECT_EQ(d.effects.at(0).memory->offset2, 256);
  d = one("ds_write2_b32 v0, v1, v2 offset1:8");
  ASSERT_EQ(d.effects.size(), 2u);
  expectReads(*d.effects[1].memory->data, v(2));
  EXPECT_EQ(d.effects[1].memory->offset, 32);
  d = one("ds_add_rtn_u32 v3, v1, v2 offset:12");
  EXPECT_EQ(d.effects.at(0).op, Op::Atomic);
  EXPECT_EQ(d.effects[0].memory->atomic, "add");
  EXPECT_EQ(d.effects[0].memory->space, Space::Shared);
  EXPECT_TRUE(d.effects[0].memory->returns);
  EXPECT_EQ(d.effects[0].memory->offset, 12);
  EXPECT_FALSE(one("ds_add_u32 v6, v4").effects.at(0).memory->returns);
}

TEST(AmdgcnDecode, Atomics) {
  Decoded d = one("global_atomic_add_u32 v3, v3, v4, s[2:3] "
                  "th:TH_ATOMIC_RETURN scope:SCOPE_DEV");
  const Effect &add = d.effects.at(0);
  EXPECT_EQ(add.op, Op::Atomic);
  EXPECT_EQ(add.type, Type::U32);
  EXPECT_EQ(add.memory->atomic, "add");
  EXPECT_EQ(add.memory->scope, "device");
  EXPECT_TRUE(add.memory->returns);
  EXPECT_EQ(add.def->reg, v(3));
  expectReads(*add.memory->data, v(4));
  d = one("global_atomic_add_f32 v1, v0, s[2:3]");
  EXPECT_EQ(d.effects.at(0).type, Type::F32);
  EXPECT_FALSE(d.effects[0].def);
  expectReads(*d.effects[0].memory->base, v(1));
  expectReads(*d.effects[0].memory->data, v(0));
  d = one("global_atomic_cmpswap v0, v3, v[0:1], s[2:3] glc");
  EXPECT_EQ(d.effects.at(0).memory->atomic, "cas");
  expectReads(*d.effects[0].memory->data, v(0));
  expectReads(*d.effects[0].memory->compare, v(1));
  d = one("global_atomic_smax v1, v0, s[2:3] sc1");
  EXPECT_EQ(d.effects.at(0).memory->atomic, "max");
  EXPECT_EQ(d.effects[0].memory->scope, "system");
}

TEST(AmdgcnDecode, OtherMemory) {
  Decoded d = one("scratch_store_b128 off, v[5:8], off offset:16");
  EXPECT_EQ(d.effects.at(0).memory->space, Space::Local);
  EXPECT_EQ(d.effects[0].memory->bytes, 16u);
  EXPECT_EQ(d.effects[0].memory->offset, 16);
  expectReads(*d.effects[0].memory->data, v(5), 4);
  d = one("buffer_store_dword v1, off, s[0:3], 0 offset:4");
  EXPECT_EQ(d.effects.at(0).memory->space, Space::Local);
  d = one("flat_load_dword v1, v[2:3]");
  EXPECT_EQ(d.effects.at(0).memory->space, Space::Generic);
  d = one("global_load_dwordx4 v[4:7], v[84:85], off offset:512 nt");
  EXPECT_EQ(d.effects.at(0).memory->bytes, 16u);
  EXPECT_EQ(d.effects[0].memory->cache, "nt");
  EXPECT_EQ(d.effects[0].def->count, 4);
  d = one("global_load_lds_dwordx4 v[0:1], off offset:16");
  ASSERT_EQ(d.effects.size(), 2u);
  EXPECT_EQ(d.effects[0].op, Op::Load);
  EXPECT_FALSE(d.effects[0].def);
  EXPECT_EQ(d.effects[1].op, Op::Store);
  EXPECT_EQ(d.effects[1].memory->space, Space::Shared);
  EXPECT_TRUE(d.effects[1].memory->async);
  d = one("global_load_b32 v0, v1, s[0:1] scale_offset");
  EXPECT_EQ(d.effects.at(0).memory->base->scale, 4u);
}

TEST(AmdgcnDecode, Operands) {
  Decoded d = one("v_fma_f32 v0, -v1, |v2|, 0x3fb8aa3b");
  EXPECT_TRUE(d.effects.at(0).in.at(0).negate);
  EXPECT_TRUE(d.effects[0].in.at(1).absolute);
  EXPECT_EQ(d.effects[0].in.at(2).kind, Source::Kind::Float);
  EXPECT_FLOAT_EQ(float(d.effects[0].in[2].number), 1.442695f); // log2(e)
  d = one("v_add_f16_e32 v0.h, v1.l, v2.h");
  EXPECT_EQ(d.effects.at(0).type, Type::F16);
  EXPECT_EQ(d.effects[0].in.at(0).part, "h0");
  EXPECT_EQ(d.effects[0].in.at(1).part, "h1");
  d = one("v_mul_f64 v[0:1], v[2:3], 0.5");
  EXPECT_EQ(d.effects.at(0).in.at(1).number, 0.5);
  EXPECT_EQ(d.effects[0].def->count, 2);
  d = one("v_lshlrev_b32_e32 v1, 2, v0");
  EXPECT_EQ(d.effects.at(0).op, Op::Shl);
  expectReads(d.effects[0].in.at(0), v(0));
  EXPECT_EQ(d.effects[0].in.at(1).imm, 2);
  d = one("s_andn2_b64 s[6:7], s[6:7], s[0:1]");
  EXPECT_EQ(d.effects.at(0).op, Op::And);
  EXPECT_TRUE(d.effects[0].in.at(1).invert);
  d = one("v_fmac_f32_e32 v8, v9, v10");
  EXPECT_EQ(d.effects.at(0).op, Op::Fma);
  expectReads(d.effects[0].in.at(2), v(8));
  d = one("v_cndmask_b32_e32 v0, v3, v4, vcc_lo");
  expectReads(d.effects.at(0).in.at(0), v(4)); // where it holds
  expectReads(d.effects[0].in.at(1), v(3));
  d = one("v_bitop3_b32 v1, v6, 32, 0xffc bitop3:0x6c");
  EXPECT_EQ(d.effects.at(0).lut, 0x6c);
  d = one("v_lshlrev_b32_sdwa v6, v5, v7 dst_sel:DWORD dst_unused:UNUSED_PAD "
          "src0_sel:DWORD src1_sel:BYTE_0");
  EXPECT_EQ(d.effects.at(0).in.at(0).part, "b0"); // of v7, the shifted one
  d = one("v_cmp_nlt_f32_e64 s[4:5], v0, v1");
  EXPECT_EQ(d.effects.at(0).cmp, Cmp::Ge);
  EXPECT_TRUE(d.effects[0].unordered);
  d = one("s_mulk_i32 s7, 0xf8");
  EXPECT_EQ(d.effects.at(0).op, Op::Mul);
  expectReads(d.effects[0].in.at(0), s(7));
  d = one("v_add_f32_e64 v0, v1, v2 clamp");
  EXPECT_TRUE(d.effects.at(0).saturates);
}

TEST(AmdgcnDecode, Unknown) {
  Decoded d = one("v_frobnicate_b32 v1, v2, s3");
  EXPECT_FALSE(d.known);
  ASSERT_EQ(d.effects.size(), 1u);
  EXPECT_TRUE(d.effects[0].guess);
  EXPECT_EQ(d.effects[0].def->reg, v(1));
  EXPECT_EQ(d.effects[0].in.size(), 2u);
}

TEST(AmdgcnDecode, EntryByDescriptor) {
  const Program program =
      decoded("\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\n"
              "\t.type k,@function\nk:\n"
              "\tv_and_b32_e32 v1, 0x3ff, v0\n"
              "\tv_bfe_u32 v2, v0, 10, 10\n"
              "\ts_endpgm\n"
              "\t.amdhsa_kernel k\n"
              "\t\t.amdhsa_user_sgpr_count 6\n"
              "\t\t.amdhsa_user_sgpr_private_segment_buffer 1\n"
              "\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
              "\t\t.amdhsa_system_sgpr_workgroup_id_x 1\n"
              "\t\t.amdhsa_system_sgpr_workgroup_id_y 1\n"
              "\t\t.amdhsa_system_vgpr_workitem_id 1\n"
              "\t.end_amdhsa_kernel\n");
  EXPECT_TRUE(holds(program, s(0), "scratchDescriptor"));
  EXPECT_TRUE(holds(program, s(4), "kernarg"));
  EXPECT_TRUE(holds(program, s(6), "blockIdx.x"));
  EXPECT_TRUE(holds(program, s(7), "blockIdx.y"));
  EXPECT_TRUE(holds(program, v(0), "threadIdx.packed"));
  EXPECT_EQ(program.code[0].effects.at(0).in.at(0).name, "threadIdx.x");
  EXPECT_EQ(program.code[1].effects.at(0).in.at(0).name, "threadIdx.y");
}
