//===- SassDecodeTest.cpp - What SASS instructions do ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "SassDecodeSupport.h"

using namespace wf::explain;


TEST(SassDecode, EveryOpcodeOfEveryListingIsKnown) {
  std::set<std::string> unknown;
  for (const auto &file : std::filesystem::directory_iterator(
           std::filesystem::path(WARPFOLD_LISTINGS) / "nvidia")) {
    const std::string name = file.path().filename().string();
    if (!name.ends_with(".sass") && !name.ends_with(".json"))
      continue;
    auto read = readListing(listingText("nvidia/" + name), name);
    ASSERT_TRUE(read) << name;
    for (Kernel &kernel : read->kernels) {
      const Program p = decode(std::move(kernel));
      for (size_t i = 0; i < p.code.size(); ++i) {
        if (!p.code[i].known)
          unknown.insert(p.kernel.code[i].text);
        EXPECT_FALSE(p.code[i].meaning.empty()) << p.kernel.code[i].text;
        const Flow &flow = p.code[i].flow;
        if (flow.kind == Flow::Kind::Jump)
          EXPECT_EQ(flow.targets.size(), 1u) << name << p.kernel.code[i].text;
      }
    }
  }
  EXPECT_EQ(unknown, std::set<std::string>());
}

// Read by hand from the listing of the seed's kernel.
TEST(SassDecode, TheSeedOnSm86) {
  auto read = readListing(
      listingText("nvidia/seed_reduce_sum.sm_86.cuobjdump.sass"), "seed");
  ASSERT_TRUE(read);
  const Program p = decode(std::move(read->kernels.at(0)));
  const Row rows[] = {{"0x0000", "R1 = move stack"},
                      {"0x0010", "R6 = special blockIdx.x"},
                      {"0x0020", "R0 = move 0"},
                      {"0x0030", "UR6:2 = load constant globalDescriptor"},
                      {"0x0040", "R7 = special threadIdx.x"},
                      {"0x0050", "R2 = multiply-add R6 blockDim.x R7"},
                      {"0x0060", "P0 = compare R2 param16"},
                      {"0x0070", "R3 = move 4"},
                      {"0x0080", "R2:2 = multiply-add R2 R3 param0:2"},
                      {"0x0090", "R0 = load [global 4 R2:2]"},
                      {"0x00a0", "UR4 = load constant blockDim.x"},
                      {"0x00b0", "P0 = compare R7 0"},
                      {"0x00c0", "UR4 = logical shift right UR4 1"},
                      {"0x00d0", "P1 = compare 0 UR4"},
                      {"0x00e0", "store [shared 4 R7*4] data R0"},
                      {"0x00f0", "barrier 0"},
                      {"0x0100", "branch"},
                      {"0x0110", "R0 = shift left R7 2"},
                      {"0x0120", "R3 = move UR4"},
                      {"0x0130", "P1 = compare R7 R3"},
                      {"0x0140", "R2 = multiply-add R3 4 R0"},
                      {"0x0150", "R4 = load [shared 4 R7*4]"},
                      {"0x0160", "R3 = logical shift right R3 1"},
                      {"0x0170", "R5 = load [shared 4 R2]"},
                      {"0x0180", "R4 = add R4 R5"},
                      {"0x0190", "store [shared 4 R7*4] data R4"},
                      {"0x01a0", "barrier 0"},
                      {"0x01b0", "P1 = compare R3 0"},
                      {"0x01c0", "branch"},
                      {"0x01d0", "exit"},
                      {"0x01e0", "R5 = load [shared 4]"},
                      {"0x01f0", "R3 = move 4"},
                      {"0x0200", "R2:2 = multiply-add R6 R3 param8:2"},
                      {"0x0210", "store [global 4 R2:2] data R5"},
                      {"0x0220", "exit"},
                      {"0x0230", "branch"}};
  for (size_t i = 0; i < std::size(rows); ++i) {
    ASSERT_EQ(p.code[i].effects.size(), 1u) << rows[i].line;
    EXPECT_EQ(written(p, p.code[i].effects[0]), rows[i].effects)
        << rows[i].line;
  }
  EXPECT_EQ(p.code[6].effects[0].cmp, Cmp::Ge);
  EXPECT_EQ(p.code[6].effects[0].type, Type::S32);
  EXPECT_EQ(p.code[8].effects[0].type, Type::S64);
  EXPECT_TRUE(p.code[8].effects[0].wide);
  EXPECT_TRUE(p.code[9].effects[0].memory->readOnly);
  EXPECT_TRUE(p.code[24].effects[0].flushes);
  EXPECT_EQ(p.code[32].effects[0].type, Type::U64);
  // @!P0 at 0090, @!P1 BRA 0x1d0 at 0100, @P1 BRA 0x130, @P0 EXIT, the trap.
  ASSERT_TRUE(p.code[9].guard);
  EXPECT_EQ(written(p, *p.code[9].guard), "!P0");
  EXPECT_EQ(p.code[16].flow.kind, Flow::Kind::Jump);
  EXPECT_TRUE(p.code[16].flow.conditional);
  EXPECT_EQ(p.code[16].flow.targets, std::vector<size_t>{29});
  EXPECT_EQ(p.code[28].flow.targets, std::vector<size_t>{19});
  EXPECT_EQ(p.code[29].flow.kind, Flow::Kind::Exit);
  EXPECT_TRUE(p.code[29].flow.conditional);
  EXPECT_FALSE(p.code[34].flow.conditional);
  EXPECT_EQ(p.code[35].flow.targets, std::vector<size_t>{35});
}

TEST(SassDecode, ConstantsInDisguise) {
  expectRows(
      "sm_80",
      {{"HFMA2.MMA R3, -RZ, RZ, 0, 2.384185791015625e-07", "R3 = move 4"},
       {"HFMA2.MMA R3, -RZ, RZ, 0, 5.9604644775390625e-08", "R3 = move 1"},
       {"HFMA2.MMA R7, -RZ, RZ, 1.875, 0", "R7 = move 1065353216"},
       {"HFMA2 R0, -RZ, RZ, -3, 0", "R0 = move 3254779904"},
       {"HFMA2 R0, -RZ, RZ, 0, 0", "R0 = move 0"},
       {"CS2R R10, SRZ", "R10:2 = move 0"},
       {"CS2R.32 R10, SRZ", "R10 = move 0"},
       {"CS2R R2, SR_CLOCKLO", "R2:2 = special clock"},
       {"LEA R5, R6, UR4, 0x2", "R5 = multiply-add R6 4 UR4"},
       {"LEA R5, R6, RZ, 0x2", "R5 = shift left R6 2"},
       {"LEA.HI R3, R2, R3, RZ, 0x3", "R3 = funnel shift R2 0 3 R3"},
       {"LEA.HI R3, R2, RZ, RZ, 0x3", "R3 = logical shift right R2 29"},
       {"IMAD.MOV.U32 R0, RZ, RZ, R4", "R0 = move R4"},
       {"IMAD.MOV R9, RZ, RZ, -R8", "R9 = neg R8"},
       {"IMAD.U32 R3, RZ, RZ, UR4", "R3 = move UR4"},
       {"IMAD.SHL.U32 R0, R0, 0x4, RZ", "R0 = shift left R0 2"},
       {"IMAD.IADD R2, R2, 0x1, -R5", "R2 = add R2 -R5"},
       {"SHF.R.U32.HI R3, RZ, 0x1, R3", "R3 = logical shift right R3 1"},
       {"SHF.R.S32.HI R5, RZ, 0x1f, R4", "R5 = arithmetic shift right R4 31"},
       {"SHF.L.W.U32.HI R0, R1, 0x8, R1", "R0 = funnel shift R1 8"},
       {"SHF.R.U64 R12, R6, R14, R7", "R12 = funnel shift R6 R7 R14"},
       {"MOV R0, 0x3f800000", "R0 = move 1065353216"}});
  EXPECT_EQ(decoded("sm_80", {"IMAD.MOV.U32 R0, RZ, RZ, R4"}).code[0].meaning,
            "move, on the multiplier's pipe");
}

TEST(SassDecode, LogicByItsTable) {
  expectRows(
      "sm_86",
      {{"LOP3.LUT R4, R5, 0x3fc, RZ, 0xc0, !PT", "R4 = and R5 1020"},
       {"LOP3.LUT R4, R5, R6, RZ, 0xfc, !PT", "R4 = or R5 R6"},
       {"LOP3.LUT R4, R5, R6, RZ, 0x3c, !PT", "R4 = xor R5 R6"},
       {"LOP3.LUT R4, RZ, R6, RZ, 0x33, !PT", "R4 = not R6"},
       {"LOP3.LUT R4, R5, R6, RZ, 0x30, !PT", "R4 = and R5 !R6"},
       {"LOP3.LUT R6, R6, R9, RZ, 0xf3, !PT", "R6 = or R6 !R9"},
       {"LOP3.LUT R4, R5, R6, R7, 0x96, !PT",
        "R4 = three-input logic R5 R6 R7"},
       {"LOP3.LUT P0, RZ, R5, 0x1, RZ, 0xc0, !PT", "P0 = compare R5 1 0"},
       {"PLOP3.LUT P0, PT, PT, PT, PT, 0x80, 0x0", "P0 = move true"},
       {"PLOP3.LUT P0, PT, PT, PT, PT, 0x8, 0x0", "P0 = move !true"},
       {"PLOP3.LUT P0, PT, P1, PT, PT, 0x8, 0x0", "P0 = move !P1"},
       {"PLOP3.LUT P0, PT, P1, P2, PT, 0xa8, 0x0", "P0 = or P1 P2"}});
  const Program p =
      decoded("sm_86", {"LOP3.LUT R4, R5, R6, R7, 0x96, !PT",
                        "LOP3.LUT R0, R7, 0x80000000, R4, 0xb8, !PT"});
  EXPECT_EQ(p.code[0].effects[0].detail, "a ^ b ^ c");
  EXPECT_EQ(p.code[0].effects[0].lut, 0x96);
  EXPECT_EQ(p.code[1].effects[0].detail, "b ? c : a");
}

TEST(SassDecode, DestinationsAndSources) {
  expectRows(
      "sm_86",
      {{"IADD3 R17, P0, RZ, -R14, RZ", "R17 = add -R14; P0 = carry out -R14"},
       {"IADD3 R15, P2, R21, R14, RZ",
        "R15 = add R21 R14; P2 = carry out R21 R14"},
       {"IADD3.X R11, R11, RZ, RZ, P0, !PT", "R11 = add R11 P0"},
       {"IADD3.X R11, RZ, RZ, R11, P2, P1", "R11 = add R11 P2 P1"},
       {"IADD3.X R19, RZ, ~R15, RZ, P0, !PT", "R19 = add !R15 P0"},
       {"IADD3 RZ, P0, R13, R14, RZ", "add R13 R14; P0 = carry out R13 R14"},
       {"IMAD.X R6, RZ, RZ, c[0x0][0x164], P1", "R6 = add param4 P1"},
       {"IMAD.WIDE.U32 R14, P0, R12, R19, R14",
        "R14:2 = multiply-add R12 R19 R14:2; "
        "P0 = carry out R12 R19 R14:2"},
       {"IMAD.HI.U32 R3, R3, R9, R2", "R3 = upper half of product R3 R9 R2:2"},
       {"LEA R10, P0, R18, c[0x0][0x190], 0x1",
        "R10 = multiply-add R18 2 param48; P0 = carry out R18 2 param48"},
       {"LEA.HI.X.SX32 R11, R18, c[0x0][0x194], 0x1, P0",
        "R11 = funnel shift R18 R18.sign 1 param52 P0"},
       {"LEA.HI.X R3, R0, c[0x0][0x164], R1, 0x2, P0",
        "R3 = funnel shift R0 R1 2 param4 P0"},
       {"ISETP.GE.AND.EX P0, PT, R11, R9, PT, P0", "P0 = compare R11 R9 P0"},
       {"ISETP.NE.OR P0, PT, R10, RZ, P1", "P0 = compare R10 0 P1"},
       {"SHFL.DOWN PT, R5, R4, 0x10, 0x1f", "R5 = shuffle R4 16 31"},
       {"SHFL.UP P0, R5, R4, 0x1, RZ",
        "R5 = shuffle R4 1 0; P0 = shuffle R4 1 0"},
       {"VOTE.ANY R6, PT, P0", "R6 = ballot P0"},
       {"VOTE.ANY P1, P1", "P1 = vote P1"},
       {"VOTEU.ANY UR4, UPT, PT", "UR4 = ballot true"},
       {"MATCH.ANY R0, R2", "R0 = match R2"},
       {"REDUX.SUM UR8, R4", "UR8 = warp reduce R4"},
       {"SEL R4, RZ, 0x1, P0", "R4 = select 0 1 P0"},
       {"P2R R8, PR, RZ, 0x5", "R8 = pack 0 P0 P2"},
       {"R2P PR, R8, 0x2", "P1 = bit field R8 1 1"},
       {"B2R.RESULT RZ, P0", "P0 = special barrier.result"},
       {"BAR.RED.POPC.DEFER_BLOCKING 0x0, P0", "barrier 0 P0"},
       {"DFMA R6, R2, R2, R6", "R6:2 = fused multiply-add R2:2 R2:2 R6:2"},
       {"PRMT R5, R0, 0x7610, R5", "R5 = permute R0 30224 R5"},
       {"HMMA.16816.F32 R16, R8.reuse, R12, RZ",
        "R16:4 = matrix R8:4 R12:2 0"}});
  const Program p = decoded("sm_86", {"ISETP.NE.OR P0, P3, R10, RZ, P1",
                                      "FSETP.GEU.FTZ.AND P0, PT, "
                                      "|R8|, +INF , PT"});
  ASSERT_EQ(p.code[0].effects.size(), 2u);
  EXPECT_EQ(p.code[0].effects[0].cmp, Cmp::Eq); // P3 is the opposite
  EXPECT_EQ(p.code[0].effects[1].cmp, Cmp::Ne);
  EXPECT_EQ(p.code[0].effects[1].detail, "or");
  const Effect &floating = p.code[1].effects.at(0);
  EXPECT_TRUE(floating.unordered);
  EXPECT_TRUE(floating.flushes);
  EXPECT_EQ(floating.cmp, Cmp::Ge);
  EXPECT_TRUE(floating.in[0].absolute);
  EXPECT_TRUE(std::isinf(floating.in[1].number));
}

TEST(SassDecode, Floats) {
  expectRows("sm_86",
             {{"FADD.FTZ R18, R18, -R19", "R18 = add R18 -R19"},
              {"FADD R3, -R3, -RZ", "R3 = move -R3"},
              {"FMUL R6, R9, 0.15915493667125701904", "R6 = mul R9 0.159155f"},
              {"FADD R7, R7, 1", "R7 = add R7 1f"},
              {"FFMA R9, R9, R0, RZ", "R9 = fused multiply-add R9 R0 0f"},
              {"FMNMX R2, RZ, R2, !PT", "R2 = max 0f R2"},
              {"FMNMX.FTZ R2, R2, R5, PT", "R2 = min R2 R5"},
              {"IMNMX R8, R9.reuse, 0x7, !PT", "R8 = max R9 7"},
              {"FSEL R7, R7, 1, !P2", "R7 = select R7 1f !P2"},
              {"MUFU.EX2 R28, R18", "R28 = exp2 R18"},
              {"MUFU.RCP64H R5, R3", "R5 = reciprocal R3"},
              {"F2F.F64.F32 R4, R15", "R4:2 = convert R15"},
              {"F2I.S64.F64.TRUNC R14, R8", "R14:2 = convert R8:2"},
              {"I2F.U64.RP R11, R8", "R11 = convert R8:2"},
              {"FRND.FLOOR R18, R18", "R18 = floor R18"},
              {"F2FP.PACK_AB R0, RZ, R1", "R0 = convert R1"},
              {"F2FP.F16.F32.PACK_AB R0, R2, R1", "R0 = pack R2 R1"},
              {"HADD2.F32 R4, -RZ, R5.H0_H0", "R4 = convert R5.h0"},
              {"HADD2 R9, R8, R13.H1_H1", "R9 = add R8 R13.h1"},
              {"HMUL2 R9, R8, 2, 0.5", "R9 = mul R8 1073756160"}});
  const Program p = decoded("sm_86", {"F2I.FTZ.U32.TRUNC.NTZ R11, R10"});
  EXPECT_EQ(p.code[0].effects[0].type, Type::U32);
  EXPECT_EQ(p.code[0].effects[0].from, Type::F32);
  EXPECT_EQ(p.code[0].effects[0].detail, "TRUNC");
}

TEST(SassDecode, MemoryOfEveryForm) {
  // sm_70 and sm_75 print no .64, and still use the pair.
  expectRows("sm_75",
             {{"LDG.E.CONSTANT.SYS R0, [R2]", "R0 = load [global 4 R2:2]"},
              {"LDG.E.U8.SYS R0, [R4.64+UR6+0x1]",
               "R0 = load [global 1 R4:2 UR6:2 +1]"},
              {"LDG.E.SYS R0, [UR4+0x8]", "R0 = load [global 4 UR4:2 +8]"},
              {"LDS.U.128 R4, [R2+0x10]", "R4:4 = load [shared 16 R2 +16]"},
              {"LDS R2, [R6.X16]", "R2 = load [shared 4 R6*16]"},
              {"ST.E.SYS [R2], R0", "store [generic 4 R2:2] data R0"}});
  expectRows(
      "sm_86",
      {{"LDG.E.64 R6, [R4.64+0x8]", "R6:2 = load [global 8 R4:2 +8]"},
       {"STG.E.128 [R4.64+-0x10], R8", "store [global 16 R4:2 +-16] data R8:4"},
       {"LDL R9, [R9+0x4]", "R9 = load [local 4 R9 +4]"},
       {"STL.128 [R1], R4", "store [local 16 R1] data R4:4"},
       {"STS.U8 [0x400], R0", "store [shared 1 +1024] data R0"},
       {"LDS R0, [R0.X4+UR4]", "R0 = load [shared 4 R0*4 UR4]"},
       {"LDSM.16.M88.4 R8, [R0]", "R8:4 = load [shared 16 R0]"},
       {"LDGSTS.E.BYPASS.LTC128B.128 [R7], [R2.64], P0",
        "load P0 [global 16 R2:2]; store [shared 16 R7]"},
       {"ATOMG.E.CAS.STRONG.GPU PT, R4, [R2], R4, R5",
        "R4 = atomic [global 4 R2:2] cas compare R4 data R5"},
       {"RED.E.ADD.F64.RN.STRONG.GPU [R6.64], R8",
        "atomic [global 8 R6:2] add data R8:2"},
       {"ATOMS.POPC.INC.32 RZ, [R4+URZ]", "atomic [shared 4 R4] add data 1"},
       {"ATOMS.CAST.SPIN R9, [R6], R8, R9",
        "R9 = atomic [shared 4 R6] cas compare R8 data R9"},
       {"LDC R4, c[0x2][R0+0x18]", "R4 = load c2[24] [constant 4 R0 +24]"},
       {"LDC.64 R2, c[0x4][0x8]", "R2:2 = load constant c4[8]"},
       {"ULDC.64 UR4, c[0x0][0x0]", "UR4 = load constant blockDim.x; "
                                    "UR5 = load constant blockDim.y"}});
  expectRows(
      "sm_90",
      {{"LDG.E.CONSTANT R0, desc[UR8][R2.64+0x4]",
        "R0 = load UR8:2 [global 4 R2:2 +4]"},
       {"STG.E desc[UR8][R2.64], R5", "store UR8:2 [global 4 R2:2] data R5"},
       {"REDG.E.ADD.STRONG.GPU desc[UR6][R2.64], R5",
        "atomic UR6:2 [global 4 R2:2] add data R5"},
       {"LDS R5, [UR4]", "R5 = load [shared 4 UR4]"},
       {"S2UR UR5, SR_CgaCtaId", "UR5 = cluster address clusterCtaRank"},
       {"SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], RZ",
        "P0 = barrier wait [shared 8 UR4]"},
       {"UTMALDG.2D [UR4], [UR8]",
        "load [global 0 UR8:2]; store [shared 0 UR4:4]"},
       {"HGMMA.64x8x16.F32 R24, gdesc[UR4], RZ, !UPT, gsb0",
        "R24:4 = matrix R24:4 UR4:2 0 !true"}});
  expectRows(
      "sm_100",
      {{"LDG.E.ENL2.256 R8, R4, desc[UR4][R2.64]",
        "R8:4 = load UR4:2 [global 16 R2:2 +16]; "
        "R4:4 = load UR4:2 [global 16 R2:2]"},
       {"STG.E.ENL2.256 desc[UR6][R2.64], R4, R8",
        "store UR6:2 [global 16 R2:2 +16] data R8:4; "
        "store UR6:2 [global 16 R2:2] data R4:4"},
       {"FFMA2 R2, R4, R6, R2", "R2:2 = fused multiply-add R4:2 R6:2 R2:2"},
       {"LDCU.64 UR6, c[0x0][0x380]", "UR6:2 = load constant param0:2"},
       {"IADD.64 R2, R4, R6", "R2:2 = add R4:2 R6:2"},
       {"UMOV.64 UR4, UR6", "UR4:2 = move UR6:2"},
       {"R2UR UR4, R2", "UR4 = read first lane R2"}});
  const Program p = decoded(
      "sm_86", {"LDG.E.STRONG.SYS R9, [R2.64]", "LDG.E.SYS R9, [R2.64]"});
  EXPECT_TRUE(p.code[0].effects[0].memory->strong);
  EXPECT_EQ(p.code[0].effects[0].memory->scope, "system");
  EXPECT_FALSE(p.code[1].effects[0].memory->strong);
}
