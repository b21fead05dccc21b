//===- SassFlowTest.cpp - Guards, flow and constants of SASS --------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "SassDecodeSupport.h"

using namespace wf::explain;

TEST(SassDecode, BeforeVolta) {
  expectRows("sm_61",
             {{"IADD R4.CC, R4, c[0x0][0x148]",
               "R4 = add R4 param8; CC = carry out R4 param8"},
              {"IADD.X R5, R0, c[0x0][0x14c]", "R5 = add R0 param12 CC"},
              {"ISCADD R2.CC, R2, c[0x0][0x140], 0x2",
               "R2 = multiply-add R2 4 param0; CC = carry out R2 4 param0"},
              {"XMAD R0, R6, c[0x0] [0x8], R7",
               "R0 = multiply-add R6.h0 blockDim.x.h0 R7"},
              {"XMAD.PSL.CBCC R2, R6.H1, R3.H1, R0",
               "R2 = multiply-add R6.h1 R3.h1 R0"},
              {"SHR.U32 R4, R4, 0x1", "R4 = logical shift right R4 1"},
              {"SHR R0, R2.reuse, 0x1e", "R0 = arithmetic shift right R2 30"},
              {"LDG.E.CI.64 R2, [R6]", "R2:2 = load [global 8 R6:2]"},
              {"LDS.U.32 R2, [R5]", "R2 = load [shared 4 R5]"},
              {"LOP32I.AND R5, R20, 0x3", "R5 = and R20 3"},
              {"LOP.AND.NZ P0, RZ, R0, 0x1f", "P0 = compare R0 31 0"},
              {"MOV32I R0, 0x1", "R0 = move 1"},
              {"MOV R1, c[0x0][0x20]", "R1 = move stack"},
              {"BFE.U32 R0, R0, 0x504", "R0 = bit field R0 4 5"},
              {"ICMP.EQ R0, RZ, -0x1, R2", "R0 = select 0 -1 R2"},
              {"PSETP.AND.AND P0, PT, P1, P2, PT", "P0 = and P1 P2"},
              {"RRO.EX2 R0, R1", "R0 = move R1"}});
}

TEST(SassDecode, ConstantBankByArchitecture) {
  struct Bank {
    const char *sm, *block, *grid, *stack, *first;
  };
  // The table of the notes, §2.3.
  for (const Bank &bank :
       {Bank{"sm_61", "0xc", "0x14", "0x20", "0x140"},
        Bank{"sm_70", "0x4", "0xc", "0x28", "0x160"},
        Bank{"sm_89", "0x4", "0xc", "0x28", "0x160"},
        Bank{"sm_90", "0x4", "0xc", "0x28", "0x210"},
        Bank{"sm_100", "0x364", "0x370", "0x37c", "0x380"},
        Bank{"sm_121", "0x364", "0x370", "0x37c", "0x380"}}) {
    const auto operand = [&](const char *offset) {
      return "MOV R0, c[0x0][" + std::string(offset) + "]";
    };
    expectRows(bank.sm, {{operand(bank.block).c_str(), "R0 = move blockDim.y"},
                         {operand(bank.grid).c_str(), "R0 = move gridDim.x"},
                         {operand(bank.stack).c_str(), "R0 = move stack"},
                         {operand(bank.first).c_str(), "R0 = move param0"}});
  }
  EXPECT_EQ(effectsOf("sm_90", "LDC R7, c[0x0][RZ]"),
            "R7 = load constant blockDim.x");
}

TEST(SassDecode, Guards) {
  const Program p =
      decoded("sm_70", {"@!PT SHFL.IDX PT, RZ, RZ, RZ, RZ", "@PT MOV R0, R1",
                        "@UP0 UMOV UR4, 0x1", "@!PT BRA 0x0", "@P6 EXIT"});
  EXPECT_TRUE(p.code[0].never);
  EXPECT_FALSE(p.code[1].never);
  EXPECT_FALSE(p.code[1].guard);
  ASSERT_TRUE(p.code[2].guard);
  EXPECT_EQ(p.registerName(p.code[2].guard->reg), "UP0");
  EXPECT_TRUE(p.code[3].never);
  EXPECT_EQ(p.code[3].flow.kind, Flow::Kind::Next);
  EXPECT_EQ(p.code[4].flow.kind, Flow::Kind::Exit);
  EXPECT_EQ(written(p, *p.code[4].flow.condition), "P6");
}

TEST(SassDecode, FlowOfVolta) {
  const Program p = decoded(
      "sm_86", {"BSSY B0, 0x60", "@P0 BRA 0x40", "BRA.U !UP1, 0x0",
                "CALL.REL.NOINC 0x80", "BSYNC B0", "NOP",
                "RET.REL.NODEC R2 0x0", "CALL.ABS.NOINC R2", "BPT.TRAP 0x1",
                "BRX R4 -0x110", "DEPBAR.LE SB0, 0x1", "LDGDEPBAR"});
  EXPECT_EQ(written(p, p.code[0].effects[0]), "B0 = reconverge set");
  EXPECT_EQ(p.code[1].flow.targets, std::vector<size_t>{4});
  EXPECT_TRUE(p.code[2].flow.conditional);
  EXPECT_EQ(written(p, *p.code[2].flow.condition), "!UP1");
  EXPECT_EQ(p.code[3].flow.kind, Flow::Kind::Call);
  EXPECT_EQ(p.code[3].flow.targets, std::vector<size_t>{8});
  // Its barrier leads past the NOP.
  EXPECT_EQ(p.code[4].flow.kind, Flow::Kind::Jump);
  EXPECT_EQ(p.code[4].flow.targets, std::vector<size_t>{6});
  EXPECT_EQ(p.code[6].flow.kind, Flow::Kind::Return);
  EXPECT_EQ(written(p, p.code[6].effects[0]), "return R2:2");
  EXPECT_EQ(p.code[7].flow.kind, Flow::Kind::Call);
  EXPECT_TRUE(p.code[7].flow.targets.empty());
  EXPECT_EQ(p.code[8].flow.kind, Flow::Kind::Trap);
  EXPECT_EQ(p.code[9].flow.kind, Flow::Kind::Indirect);
  // With LDGDEPBAR in the kernel it waits for copies, otherwise it may not.
  EXPECT_EQ(p.code[10].effects[0].op, Op::AsyncCopyWait);
  EXPECT_EQ(decoded("sm_90", {"DEPBAR.LE SB0, 0x0"}).code[0].effects[0].op,
            Op::WaitCounter);
}

TEST(SassDecode, FlowBeforeVolta) {
  // PBK leads BRK to 0x30, SSY leads SYNC to 0x38.
  const Program p =
      decoded("sm_61", {"SSY 0x38", "PBK 0x30", "@P0 BRK", "@!P1 SYNC",
                        "BRA 0x10", "SYNC", "SYNC", "EXIT"});
  EXPECT_EQ(p.code[2].flow.targets, std::vector<size_t>{6});
  EXPECT_TRUE(p.code[2].flow.conditional);
  EXPECT_EQ(p.code[3].flow.targets, std::vector<size_t>{7});
  EXPECT_EQ(p.code[5].flow.targets, std::vector<size_t>{7});
  EXPECT_FALSE(p.code[5].flow.conditional);
  EXPECT_EQ(p.code[6].flow.kind, Flow::Kind::Next); // 0x38 follows
}

TEST(SassDecode, AnUnknownOpcodeIsMarked) {
  const Program p = decoded("sm_120", {"FROBU.X.64 R4, UR6, [R2.64+0x4], P1"});
  EXPECT_FALSE(p.code[0].known);
  ASSERT_EQ(p.code[0].effects.size(), 1u);
  EXPECT_TRUE(p.code[0].effects[0].guess);
  EXPECT_EQ(p.code[0].effects[0].op, Op::Unknown);
  EXPECT_EQ(written(p, p.code[0].effects[0]), "R4 = unknown UR6 R2:2 P1");
}

TEST(SassDecode, NamesOfRegistersAndTypes) {
  Program p;
  p.kernel.isa = Isa::Amdgcn;
  p.kernel.lanes = 32;
  EXPECT_EQ(p.registerName({RegClass::Flag, flags::vcc}), "vcc_lo");
  EXPECT_EQ(p.registerName({RegClass::Uniform, 1009}), "ttmp9");
  EXPECT_EQ(p.registerName({RegClass::Accumulator, 3}), "a3");
  p.kernel.lanes = 64;
  EXPECT_EQ(p.registerName({RegClass::Flag, flags::exec}), "exec");
  EXPECT_EQ(p.registerName({RegClass::Vector, 7}), "v7");
  p.kernel.isa = Isa::Ptx;
  p.names = {"%f1"};
  EXPECT_EQ(p.registerName({RegClass::Vector, 0}), "%f1");
  EXPECT_EQ(bitsOf(Type::B96), 96u);
  EXPECT_EQ(bitsOf(Type::BF16x2), 32u);
  EXPECT_TRUE(isFloat(Type::F16));
  EXPECT_FALSE(isFloat(Type::S64));
  EXPECT_TRUE(isSigned(Type::S8));
  EXPECT_FALSE(isSigned(Type::B32));
  EXPECT_EQ(inverse(Cmp::Ge), Cmp::Lt);
  EXPECT_EQ(inverse(inverse(Cmp::Ordered)), Cmp::Ordered);
}
