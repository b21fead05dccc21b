//===- FlowValuesTest.cpp - Values of programs written by hand ------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "FlowSupport.h"

using namespace wf::explain;

namespace {

using B = Builder;

// LEA, IMAD by 4 and SHL with an add are one value.
TEST(FlowValues, FormsOfAScaledSumAreOne) {
  B b;
  Reg tid = B::vector(0), base = B::vector(1);
  b.add(B::effect(Op::Special, Type::B32, tid, {B::special("threadIdx.x")}));
  b.add(B::effect(Op::Move, Type::B32, base, {B::parameter(0)}));
  b.add(B::effect(Op::Mad, Type::S32, B::vector(2),
                  {B::reg(tid), B::imm(4), B::reg(base)}));
  b.add(B::effect(Op::Shl, Type::B32, B::vector(3), {B::reg(tid), B::imm(2)}));
  b.add(B::effect(Op::Add, Type::B32, B::vector(4),
                  {B::reg(base), B::reg(B::vector(3)), B::imm(0)}));
  b.exit();
  Analysis a = b.analysed();
  EXPECT_EQ(a.code[2].effects[0].written, a.code[4].effects[0].written);
  EXPECT_EQ(written(a, 4), "threadIdx.x * 4 + arg0");
}

TEST(FlowValues, ConstantsFold) {
  B b;
  b.add(B::effect(Op::Move, Type::B32, B::vector(0), {B::imm(6)}));
  b.add(B::effect(Op::Mul, Type::S32, B::vector(1),
                  {B::reg(B::vector(0)), B::imm(7)}));
  b.add(B::effect(Op::ShrLogical, Type::U32, B::vector(2),
                  {B::reg(B::vector(1)), B::imm(1)}));
  Effect lop = B::effect(Op::Lop3, Type::B32, B::vector(3),
                         {B::reg(B::vector(2)), B::imm(0x1c), B::imm(0)});
  lop.lut = 0xc0;
  b.add(lop);
  b.exit();
  Analysis a = b.analysed();
  EXPECT_EQ(written(a, 1), "42");
  EXPECT_EQ(written(a, 2), "21");
  EXPECT_EQ(written(a, 3), "20"); // 10101 & 11100
}

// A write under P0 is a Gamma; a use under P0 sees the new value, one under
// !P0 the old one, and one without a guard both.
TEST(FlowValues, GuardsResolve) {
  B b;
  Reg p = B::predicate(0), r = B::vector(1);
  b.add(B::effect(Op::Special, Type::B32, B::vector(0),
                  {B::special("threadIdx.x")}));
  b.compare(p, Cmp::Lt, B::reg(B::vector(0)), B::imm(7));
  b.add(B::effect(Op::Move, Type::B32, r, {B::imm(1)}));
  b.guarded(B::effect(Op::Move, Type::B32, r, {B::imm(2)}), p, false);
  b.guarded(
      B::effect(Op::Add, Type::B32, B::vector(2), {B::reg(r), B::imm(10)}), p,
      false);
  b.guarded(
      B::effect(Op::Add, Type::B32, B::vector(3), {B::reg(r), B::imm(10)}), p,
      true);
  b.add(B::effect(Op::Move, Type::B32, B::vector(4), {B::reg(r)}));
  b.exit();
  Analysis a = b.analysed();
  EXPECT_EQ(expression(a, a.code[4].effects[0].result), "12");
  EXPECT_EQ(expression(a, a.code[5].effects[0].result), "11");
  EXPECT_EQ(written(a, 6), "threadIdx.x < 7 ? 2 : 1");
  EXPECT_EQ(a.value(a.code[3].effects[0].written).kind, Value::Kind::Gamma);
  // @!PT never runs.
  B never;
  never.add(B::effect(Op::Move, Type::B32, r, {B::imm(1)})).never = true;
  never.exit();
  EXPECT_EQ(never.analysed().code[0].effects[0].written, noValue);
}

// add.lo with a carry out, add.hi with it in: one 64-bit sum where the pair is
// read.
TEST(FlowValues, CarryChainIsOneSum) {
  B b;
  Reg lo = B::vector(2), hi = B::vector(3), p = B::predicate(0);
  b.add(B::effect(Op::Special, Type::B32, B::vector(0),
                  {B::special("threadIdx.x")}));
  Effect low = B::effect(Op::Add, Type::B32, lo,
                         {B::reg(B::vector(0)), B::parameter(0)});
  Effect carry = low;
  carry.op = Op::CarryOut;
  carry.def = Def{p, 1};
  b.add({low, carry});
  Effect high = B::effect(Op::Add, Type::B32, hi,
                          {B::imm(0), B::parameter(4), B::reg(p)});
  high.carryIn = true;
  b.add(high);
  Effect load = B::effect(Op::Load, Type::B32, B::vector(4), {});
  load.memory = Memory();
  load.memory->space = Space::Global;
  load.memory->base = B::reg(lo, 2);
  load.memory->offset = 12;
  b.add(load);
  b.exit();
  Analysis a = b.analysed();
  Address address =
      splitAddress(a, a.code[3].effects[0].address, Space::Global);
  EXPECT_EQ(address.root, Address::Root::Parameter);
  EXPECT_EQ(address.offset, 12);
  ASSERT_EQ(address.terms.size(), 1u);
  EXPECT_EQ(expression(a, address.terms[0].first), "threadIdx.x");
  EXPECT_EQ(address.terms[0].second, 1);
}

// A definition of two registers is one value; its upper half is High of it.
TEST(FlowValues, PairsAreOneValue) {
  B b;
  Effect wide =
      B::effect(Op::Mad, Type::S64, B::vector(2),
                {B::special("blockIdx.x"), B::imm(8), B::parameter(8, 2)}, 2);
  wide.wide = true;
  wide.from = Type::S32;
  b.add(wide);
  b.add(B::effect(Op::Move, Type::B64, B::vector(4), {B::reg(B::vector(2), 2)},
                  2));
  b.add(B::effect(Op::Move, Type::B32, B::vector(6), {B::reg(B::vector(3))}));
  b.exit();
  Analysis a = b.analysed();
  ValueId whole = a.code[0].effects[0].written;
  EXPECT_EQ(a.code[1].effects[0].written, whole);
  const Value &half = a.value(a.code[2].effects[0].written);
  EXPECT_EQ(half.kind, Value::Kind::High);
  EXPECT_EQ(half.args[0], whole);
  EXPECT_EQ(written(a, 1), "arg0 + blockIdx.x * 8");
}

// exec narrowed by a comparison and restored: what is written between keeps
// the old value for the other lanes, and the branch around it is a shortcut.
TEST(FlowValues, ExecIsAGuard) {
  B b(Isa::Amdgcn);
  Reg saved{RegClass::Uniform, 3}, v = B::vector(1), tid = B::vector(0);
  b.program.entry.push_back({tid, 1, "threadIdx.x"});
  auto masked = [](Effect e) {
    e.masked = true;
    return e;
  };
  b.add(masked(B::effect(Op::Move, Type::B32, v, {B::imm(5)})));
  Reg vcc{RegClass::Flag, flags::vcc};
  Effect compare =
      B::effect(Op::Compare, Type::S32, vcc, {B::reg(tid), B::imm(32)});
  compare.cmp = Cmp::Lt;
  b.add(compare);
  b.add({B::effect(Op::Move, Type::B32, saved, {B::reg(B::exec())}),
         B::effect(Op::And, Type::B32, B::exec(),
                   {B::reg(vcc), B::reg(B::exec())})});
  Decoded &skip = b.add(); // 3: s_cbranch_execz
  skip.flow.kind = Flow::Kind::Jump;
  skip.flow.conditional = true;
  skip.flow.targets = {5};
  skip.flow.condition = B::reg(B::exec());
  skip.flow.onZero = true;
  b.add(masked(B::effect(Op::Move, Type::B32, v, {B::imm(9)}))); // 4
  b.add(B::effect(Op::Or, Type::B32, B::exec(),
                  {B::reg(B::exec()), B::reg(saved)})); // 5
  b.add(masked(B::effect(Op::Move, Type::B32, B::vector(2), {B::reg(v)})));
  b.exit();
  Analysis a = b.analysed();
  EXPECT_EQ(a.code[0].guard, noValue);
  EXPECT_EQ(condition(a, a.code[4].guard), "threadIdx.x < 32");
  EXPECT_EQ(condition(a, a.code[3].condition), "threadIdx.x >= 32");
  EXPECT_EQ(condition(a, a.code[5].effects[0].written), "true");
  EXPECT_EQ(a.code[6].guard, noValue);
  EXPECT_EQ(written(a, 6), "threadIdx.x < 32 ? 9 : 5");
}

TEST(FlowValues, LoopPhisOnlyWhereAStepChanges) {
  // r0 counts, r1 stays: r0 is a phi, r1 the constant.
  B b;
  Reg r0 = B::vector(0), r1 = B::vector(1), p = B::predicate(0);
  b.add(B::effect(Op::Move, Type::B32, r0, {B::imm(0)}));
  b.add(B::effect(Op::Move, Type::B32, r1, {B::imm(3)}));
  b.add(B::effect(Op::Add, Type::B32, B::vector(2), {B::reg(r0), B::reg(r1)}));
  b.add(B::effect(Op::Add, Type::B32, r0, {B::reg(r0), B::imm(1)}));
  b.add(B::effect(Op::Move, Type::B32, r1, {B::reg(r1)}));
  b.compare(p, Cmp::Lt, B::reg(r0), B::parameter(0));
  b.jump({2}, p);
  b.exit();
  Analysis a = b.analysed();
  EXPECT_EQ(written(a, 2), "i + 3");
  ASSERT_EQ(a.loops.size(), 1u);
  EXPECT_EQ(a.loops[0].condition, "i < arg0");
  EXPECT_EQ(a.loops[0].induction, "i = i + 1");
  EXPECT_TRUE(a.loops[0].rotated);
}

TEST(FlowValues, SumsComeApart) {
  B b;
  Reg r = B::vector(0);
  b.add(B::effect(
      Op::Mad, Type::S32, r,
      {B::special("threadIdx.y"), B::imm(33), B::special("threadIdx.x")}));
  b.add(B::effect(Op::Add, Type::B32, r, {B::reg(r), B::imm(-2)}));
  b.add(B::effect(Op::Shl, Type::B32, r, {B::reg(r), B::imm(2)}));
  b.exit();
  Analysis a = b.analysed();
  Address sum = splitSum(a, a.code[2].effects[0].written);
  ASSERT_EQ(sum.terms.size(), 2u);
  int64_t x = 0, y = 0;
  for (auto [id, factor] : sum.terms)
    (expression(a, id) == "threadIdx.x" ? x : y) = factor;
  EXPECT_EQ(x, 4);
  EXPECT_EQ(y, 132);
  EXPECT_EQ(sum.offset, -8);
}

// Long chains are built and printed without deep recursion.
TEST(FlowValues, ALongChain) {
  B b;
  Reg r = B::vector(0);
  b.add(B::effect(Op::Special, Type::B32, r, {B::special("threadIdx.x")}));
  for (int k = 0; k < 20000; ++k)
    b.add(B::effect(k % 2 ? Op::Mul : Op::Xor, Type::B32, r,
                    {B::reg(r), B::special("blockIdx.x")}));
  b.exit();
  Analysis a = b.analysed();
  EXPECT_NE(written(a, 20000).find("…"), std::string::npos);
  EXPECT_EQ(splitSum(a, a.code[20000].effects[0].written).terms.size(), 1u);
  EXPECT_EQ(expression(a, noValue), "?");
}

} // namespace
