//===- PtxDecodeTest.cpp - What instructions of PTX do --------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Support.h"

using namespace wf::explain;
using Kind = Source::Kind;

/// The program of a kernel with these instructions, a pointer and a number as
/// parameters.
static Program program(const std::string &body) {
  auto listing =
      readPtx(".version 8.0\n.target sm_90\n.entry k(.param .u64 x, .param "
              ".u32 n)\n{\n.reg .pred %p<9>, q;\n.reg .b32 %r<99>, %f<9>;\n"
              ".reg .b64 %rd<9>;\n" +
                  body + "\n}\n",
              "test.ptx");
  if (!listing) {
    ADD_FAILURE() << listing.fault().message;
    return {};
  }
  return decode(std::move(listing->kernels[0]));
}

static std::vector<Effect> effects(const std::string &instruction) {
  Program p = program(instruction + ";");
  EXPECT_EQ(p.code.size(), 1u) << instruction;
  EXPECT_TRUE(p.code[0].known) << instruction;
  return p.code[0].effects;
}

static Effect effect(const std::string &instruction) {
  std::vector<Effect> all = effects(instruction);
  EXPECT_EQ(all.size(), 1u) << instruction;
  return all.empty() ? Effect() : all[0];
}

TEST(PtxDecodeTest, ParametersAreValues) {
  Effect e = effect("ld.param.u32 %r1, [n]");
  EXPECT_EQ(e.op, Op::Move);
  EXPECT_EQ(e.type, Type::U32);
  ASSERT_EQ(e.in.size(), 1u);
  EXPECT_EQ(e.in[0].kind, Kind::Parameter);
  EXPECT_EQ(e.in[0].imm, 8);
  EXPECT_FALSE(e.memory);
}

TEST(PtxDecodeTest, SpecialRegisters) {
  Effect e = effect("mov.u32 %r1, %ctaid.x");
  EXPECT_EQ(e.op, Op::Special);
  EXPECT_EQ(e.in[0].kind, Kind::Special);
  EXPECT_EQ(e.in[0].name, "blockIdx.x");
  EXPECT_EQ(effect("mov.u32 %r1, %ntid.y").in[0].name, "blockDim.y");
  EXPECT_EQ(effect("mov.u32 %r1, %laneid").in[0].name, "laneId");
}

TEST(PtxDecodeTest, Arithmetic) {
  Effect e = effect("mad.lo.s32 %r4, %r2, %r1, %r3");
  EXPECT_EQ(e.op, Op::Mad);
  EXPECT_EQ(e.type, Type::S32);
  EXPECT_EQ(e.in.size(), 3u);
  EXPECT_FALSE(e.wide);
  e = effect("mul.wide.u32 %rd1, %r1, 4");
  EXPECT_EQ(e.op, Op::Mul);
  EXPECT_TRUE(e.wide);
  EXPECT_EQ(e.type, Type::U64);
  EXPECT_EQ(e.from, Type::U32);
  EXPECT_EQ(e.in[1].imm, 4);
  EXPECT_EQ(effect("mul.hi.u32 %r1, %r2, %r3").op, Op::MulHi);
  e = effect("fma.rn.ftz.f32 %f1, %f2, %f3, %f4");
  EXPECT_EQ(e.op, Op::Fma);
  EXPECT_TRUE(e.flushes);
  EXPECT_EQ(e.detail, "rn");
  EXPECT_EQ(effect("mad.rn.f32 %f1, %f2, %f3, %f4").op, Op::Fma);
  EXPECT_EQ(effect("shr.s32 %r1, %r2, 1").op, Op::ShrArith);
  EXPECT_EQ(effect("shr.u32 %r1, %r2, 1").op, Op::ShrLogical);
  EXPECT_EQ(effect("rem.u32 %r1, %r2, 3").op, Op::Rem);
  e = effect("lop3.b32 %r1, %r2, %r3, %r4, 0x96");
  EXPECT_EQ(e.lut, 0x96);
  EXPECT_EQ(e.in.size(), 3u);
  e = effect("max.NaN.f32 %f1, %f2, %f3");
  EXPECT_EQ(e.op, Op::Max);
  EXPECT_EQ(e.detail, "NaN");
  EXPECT_TRUE(effect("add.sat.f32 %f1, %f2, %f3").saturates);
}

TEST(PtxDecodeTest, Immediates) {
  EXPECT_EQ(effect("mov.u32 %r1, 0x1F").in[0].imm, 31);
  EXPECT_EQ(effect("add.s32 %r1, %r2, -4").in[1].imm, -4);
  EXPECT_EQ(effect("mov.b32 %r1, 0b101").in[0].imm, 5);
  Effect e = effect("mov.f32 %f1, 0f3F000000");
  EXPECT_EQ(e.in[0].kind, Kind::Float);
  EXPECT_EQ(e.in[0].number, 0.5);
  EXPECT_EQ(effect("mov.f64 %rd1, 0d4000000000000000").in[0].number, 2.0);
  e = effect("mov.u32 %r1, sdata");
  EXPECT_EQ(e.in[0].kind, Kind::Symbol);
  EXPECT_EQ(e.in[0].name, "sdata");
}

TEST(PtxDecodeTest, Comparisons) {
  Effect e = effect("setp.ge.s32 %p1, %r4, %r9");
  EXPECT_EQ(e.op, Op::Compare);
  EXPECT_EQ(e.cmp, Cmp::Ge);
  EXPECT_EQ(e.type, Type::S32);
  EXPECT_EQ(e.def->reg.cls, RegClass::Predicate);
  e = effect("setp.lo.u32 %p1, %r1, 3");
  EXPECT_EQ(e.cmp, Cmp::Lt);
  EXPECT_EQ(e.type, Type::U32);
  auto two = effects("setp.lt.and.f32 %p1|q, %f1, %f2, !%p3");
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].cmp, Cmp::Lt);
  EXPECT_FALSE(two[0].unordered);
  EXPECT_EQ(two[0].detail, "and");
  ASSERT_EQ(two[0].in.size(), 3u);
  EXPECT_TRUE(two[0].in[2].invert);
  // Not less is greater or equal, or not a number.
  EXPECT_EQ(two[1].cmp, Cmp::Ge);
  EXPECT_TRUE(two[1].unordered);
  EXPECT_EQ(two[1].def->reg.cls, RegClass::Predicate);
  e = effect("setp.geu.f32 %p1, %f1, %f2");
  EXPECT_EQ(e.cmp, Cmp::Ge);
  EXPECT_TRUE(e.unordered);
  e = effect("selp.b32 %r1, %r2, %r3, %p1");
  EXPECT_EQ(e.op, Op::Select);
  EXPECT_EQ(e.in[2].reg.cls, RegClass::Predicate);
}

TEST(PtxDecodeTest, VectorsAreOneEffectAnElement) {
  auto all = effects("ld.global.nc.v4.b32 {%r5, %r6, _, %r8}, [%rd15+512]");
  ASSERT_EQ(all.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(all[i].op, Op::Load);
    ASSERT_TRUE(all[i].memory);
    EXPECT_EQ(all[i].memory->space, Space::Global);
    EXPECT_EQ(all[i].memory->bytes, 4u);
    EXPECT_EQ(all[i].memory->whole, 16u);
    EXPECT_EQ(all[i].memory->offset, int64_t(512 + 4 * i));
    EXPECT_TRUE(all[i].memory->readOnly);
    EXPECT_EQ(all[i].def.has_value(), i != 2);
  }
  all = effects("st.shared.v2.f32 [%r1], {%f1, %f2}");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].memory->space, Space::Shared);
  EXPECT_EQ(all[1].memory->offset, 4);
  EXPECT_EQ(all[1].memory->whole, 8u);
}

TEST(PtxDecodeTest, OrderScopeAndCache) {
  Effect e = effect("ld.acquire.gpu.global.u32 %r1, [%rd1]");
  EXPECT_TRUE(e.memory->strong);
  EXPECT_EQ(e.memory->scope, "device");
  e = effect("ld.volatile.shared.f32 %f1, [buffer+-4]");
  EXPECT_TRUE(e.memory->strong);
  EXPECT_EQ(e.memory->offset, -4);
  EXPECT_EQ(e.memory->base->name, "buffer");
  e = effect("st.global.cs.f32 [%rd1], %f1");
  EXPECT_EQ(e.memory->cache, "cs");
  EXPECT_FALSE(e.memory->strong);
  EXPECT_EQ(effect("ld.u32 %r1, [%rd1]").memory->space, Space::Generic);
  EXPECT_EQ(effect("ld.shared::cluster.u32 %r1, [%r2]").memory->space,
            Space::Cluster);
}

TEST(PtxDecodeTest, Atomics) {
  Effect e = effect("atom.global.add.f32 %f1, [%rd1], %f2");
  EXPECT_EQ(e.op, Op::Atomic);
  EXPECT_EQ(e.memory->atomic, "add");
  EXPECT_TRUE(e.memory->returns);
  e = effect("red.relaxed.gpu.global.add.s32 [%rd1+8], %r2");
  EXPECT_FALSE(e.memory->returns);
  EXPECT_FALSE(e.def);
  EXPECT_EQ(e.memory->offset, 8);
  EXPECT_EQ(e.memory->scope, "device");
  e = effect("atom.shared.cas.b32 %r1, [%r2], %r3, %r4");
  EXPECT_EQ(e.memory->atomic, "cas");
  ASSERT_TRUE(e.memory->compare);
  EXPECT_EQ(e.memory->space, Space::Shared);
}

TEST(PtxDecodeTest, Lanes) {
  auto all = effects("shfl.sync.down.b32 %r1|%p1, %r2, 16, 31, -1");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].op, Op::Shuffle);
  EXPECT_EQ(all[0].shuffle, ShuffleKind::Down);
  EXPECT_EQ(all[0].in.size(), 3u);
  EXPECT_EQ(all[0].in[1].imm, 16);
  EXPECT_EQ(all[1].def->reg.cls, RegClass::Predicate);
  EXPECT_EQ(effect("shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1").shuffle,
            ShuffleKind::Xor);
  Effect e = effect("redux.sync.add.s32 %r1, %r2, 0xffffffff");
  EXPECT_EQ(e.op, Op::WarpReduce);
  EXPECT_EQ(e.detail, "add");
  EXPECT_EQ(e.type, Type::S32);
  e = effect("vote.sync.ballot.b32 %r1, %p1, -1");
  EXPECT_EQ(e.op, Op::Ballot);
  EXPECT_EQ(e.in.size(), 1u);
}

TEST(PtxDecodeTest, BarriersAndFences) {
  EXPECT_EQ(effect("bar.sync 0").op, Op::Barrier);
  EXPECT_EQ(effect("bar.sync 2, 64").detail, "2");
  EXPECT_EQ(effect("barrier.sync.aligned 0").op, Op::Barrier);
  EXPECT_EQ(effect("bar.warp.sync -1").op, Op::WarpSync);
  EXPECT_EQ(effect("bar.arrive 1, 64").op, Op::BarrierArrive);
  EXPECT_EQ(effect("membar.gl").op, Op::Fence);
  EXPECT_EQ(effect("fence.acq_rel.gpu").op, Op::Fence);
  EXPECT_EQ(effect("barrier.cluster.arrive.release").op, Op::ClusterArrive);
  EXPECT_EQ(effect("barrier.cluster.wait").op, Op::ClusterWait);
  Effect e = effect("mbarrier.try_wait.parity.shared::cta.b64 q, [%r8], 0");
  EXPECT_EQ(e.op, Op::BarrierWait);
  EXPECT_EQ(e.def->reg.cls, RegClass::Predicate);
  EXPECT_EQ(effect("mapa.u64 %rd1, %rd2, %r1").op, Op::ClusterAddress);
}

TEST(PtxDecodeTest, AsynchronousCopies) {
  auto all = effects("cp.async.cg.shared.global [%r1], [%rd1], 16");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].op, Op::Load);
  EXPECT_EQ(all[0].memory->space, Space::Global);
  EXPECT_EQ(all[1].op, Op::Store);
  EXPECT_EQ(all[1].memory->space, Space::Shared);
  EXPECT_EQ(all[1].memory->bytes, 16u);
  EXPECT_TRUE(all[1].memory->async);
  EXPECT_EQ(effect("cp.async.commit_group").op, Op::AsyncCopyCommit);
  EXPECT_EQ(effect("cp.async.wait_group 0").op, Op::AsyncCopyWait);
}

TEST(PtxDecodeTest, HalvesAndPairs) {
  auto all = effects("mov.b64 {%r1, %r2}, %rd1");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].in[0].part, "w0");
  EXPECT_EQ(all[1].in[0].part, "w1");
  EXPECT_EQ(effects("mov.b32 {%r1, %r2}, %r3")[1].in[0].part, "h1");
  Effect e = effect("mov.b64 %rd1, {%r1, %r2}");
  EXPECT_EQ(e.op, Op::Pack);
  EXPECT_EQ(e.in.size(), 2u);
}

TEST(PtxDecodeTest, Carries) {
  auto all = effects("add.cc.u32 %r1, %r2, %r3");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].op, Op::Add);
  EXPECT_EQ(all[1].op, Op::CarryOut);
  Effect e = effect("addc.u32 %r4, %r5, %r6");
  EXPECT_TRUE(e.carryIn);
  ASSERT_EQ(e.in.size(), 3u);
  EXPECT_EQ(e.in[2].reg.cls, RegClass::Predicate);
}

TEST(PtxDecodeTest, Conversions) {
  Effect e = effect("cvt.u64.u32 %rd1, %r1");
  EXPECT_EQ(e.op, Op::Convert);
  EXPECT_EQ(e.type, Type::U64);
  EXPECT_EQ(e.from, Type::U32);
  EXPECT_EQ(effect("cvt.rmi.f32.f32 %f1, %f2").op, Op::Floor);
  EXPECT_EQ(effect("cvta.to.global.u64 %rd1, %rd2").op, Op::Move);
}

TEST(PtxDecodeTest, Branches) {
  Program p = program("setp.eq.s32 %p1, %r1, 0;\n@!%p1 bra L;\nexit;\nL: ret;");
  ASSERT_EQ(p.code.size(), 4u);
  const Decoded &bra = p.code[1];
  EXPECT_EQ(bra.flow.kind, Flow::Kind::Jump);
  EXPECT_TRUE(bra.flow.conditional);
  EXPECT_EQ(bra.flow.targets, std::vector<size_t>{3});
  ASSERT_TRUE(bra.guard);
  EXPECT_TRUE(bra.guard->invert);
  EXPECT_EQ(bra.guard->reg, p.code[0].effects[0].def->reg);
  EXPECT_EQ(p.code[2].flow.kind, Flow::Kind::Exit);
  EXPECT_EQ(p.code[3].flow.kind, Flow::Kind::Exit);
}

TEST(PtxDecodeTest, Calls) {
  Program p = program("call.uni (r), helper, (a, b);\nret;");
  EXPECT_EQ(p.code[0].flow.kind, Flow::Kind::Call);
  EXPECT_EQ(p.code[0].flow.callee, "helper");
}

TEST(PtxDecodeTest, AnUnknownOpcodeIsSaidSo) {
  Program p = program("frobnicate.x2.b32 %r1, %r2, 7;\nret;");
  EXPECT_FALSE(p.code[0].known);
  ASSERT_EQ(p.code[0].effects.size(), 1u);
  EXPECT_EQ(p.code[0].effects[0].op, Op::Unknown);
  EXPECT_TRUE(p.code[0].effects[0].guess);
  EXPECT_TRUE(p.code[0].effects[0].def);
  EXPECT_TRUE(p.code[1].known);
}

TEST(PtxDecodeTest, EachNameIsOneRegister) {
  Program p = program("mov.b32 %r1, 1;\nadd.s32 %r2, %r1, %r1;\n@q ret;");
  ASSERT_EQ(p.names.size(), 3u);
  EXPECT_EQ(p.names[0], "%r1");
  EXPECT_EQ(p.names[1], "%r2");
  EXPECT_EQ(p.names[2], "q");
  EXPECT_EQ(p.code[1].effects[0].in[0].reg.index, 0u);
  EXPECT_EQ(p.code[2].guard->reg.cls, RegClass::Predicate);
}
