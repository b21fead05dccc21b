//===- InspectTest.cpp - Checkpoints of Triton's and our own dumps --------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Support.h"

#include "Explain/Inspect/Inspect.h"

#include "nlohmann/json.hpp"

using namespace wf::explain;

static NamedText triton(const std::string &name) {
  return {name, listingText("../triton/" + name)};
}

static Inspection inspected(std::vector<NamedText> texts) {
  auto result = inspect(std::move(texts));
  if (!result) {
    ADD_FAILURE() << result.fault().message;
    return {};
  }
  return std::move(*result);
}

static bool holds(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(InspectTest, FourStagesAreOneKernel) {
  Inspection i = inspected(
      {triton("sum_rows.sm_90.ptx"), triton("sum_rows.sm_90.ttir"),
       triton("sum_rows.sm_90.llir"), triton("sum_rows.sm_90.ttgir")});
  ASSERT_EQ(i.kernels.size(), 1u);
  const InspectedKernel &k = i.kernels[0];
  EXPECT_EQ(k.name, "sum_rows");
  ASSERT_EQ(k.dumps.size(), 4u);
  EXPECT_EQ(i.dumps[k.dumps[0]].stage, Stage::TritonIr);
  EXPECT_EQ(i.dumps[k.dumps[1]].stage, Stage::TritonGpuIr);
  EXPECT_EQ(i.dumps[k.dumps[2]].stage, Stage::LlvmIr);
  EXPECT_EQ(i.dumps[k.dumps[3]].stage, Stage::Ptx);
  EXPECT_TRUE(k.warnings.empty());
}

TEST(InspectTest, AxisOperandsRegionAndPlace) {
  Inspection i = inspected({triton("sum_rows.sm_90.ttgir")});
  ASSERT_EQ(i.dumps.size(), 1u);
  const Dump &d = i.dumps[0];
  EXPECT_EQ(d.warps, 4);
  EXPECT_EQ(d.lanes, 32);
  EXPECT_EQ(d.target, "sm_90");
  ASSERT_EQ(d.reductions.size(), 1u);
  const Reduction &r = d.reductions[0];
  EXPECT_EQ(r.axis, 0);
  EXPECT_EQ(r.length, 1024);
  EXPECT_EQ(r.combiner, "addf");
  EXPECT_EQ(r.associative, Law::Rounding);
  EXPECT_EQ(r.source.file, "make.py"); // the caller's line, not the library's
  ASSERT_EQ(r.operands.size(), 1u);
  EXPECT_EQ(r.operands[0].shapeText(), "1024xf32");
  EXPECT_EQ(r.operands[0].layout, "#blocked");
  // 1 element a thread, 32 lanes, 4 warps: 128 at once, 8 times.
  ASSERT_TRUE(r.spread);
  EXPECT_EQ(r.spread->registers, 8);
  EXPECT_EQ(r.spread->lanes, 32);
  EXPECT_EQ(r.spread->warps, 4);
  EXPECT_TRUE(d.conversions.empty());
}

TEST(InspectTest, HalfAndHalfIsNotAssociative) {
  Inspection i = inspected({triton("half_and_half.sm_90.ttir")});
  const Reduction &r = i.dumps[0].reductions.at(0);
  EXPECT_EQ(r.associative, Law::Broken);
  EXPECT_EQ(r.commutative, Law::Rounding);
  ASSERT_TRUE(r.grouping);
  // (1·½ + 2·½)·½ + 4·½ = 2.75, and 1·½ + (2·½ + 4·½)·½ = 2.
  EXPECT_EQ(r.grouping->states, (std::vector<std::string>{"1", "2", "4"}));
  EXPECT_EQ(r.grouping->left, "2.75");
  EXPECT_EQ(r.grouping->right, "2");
  EXPECT_EQ(r.region, (std::vector<std::string>{"mulf", "mulf", "addf"}));
  ASSERT_EQ(i.kernels[0].warnings.size(), 1u);
  EXPECT_TRUE(holds(i.kernels[0].diagnosis, "not associative"));
}

TEST(InspectTest, WelfordHoldsOnStatesThatOccur) {
  // Its second and third parts start as 0 and 1: other states prove nothing.
  Inspection i = inspected({triton("variance.sm_90.ttir")});
  const Reduction &r = i.dumps[0].reductions.at(0);
  EXPECT_EQ(r.operands.size(), 3u);
  EXPECT_EQ(r.region.size(), 12u);
  EXPECT_EQ(r.associative, Law::Rounding);
  EXPECT_EQ(r.commutative, Law::Rounding);
  EXPECT_TRUE(i.kernels[0].warnings.empty());
}

TEST(InspectTest, ArgmaxHoldsButForNan) {
  Inspection i = inspected({triton("argmax_rows.sm_90.ttir")});
  const Reduction &r = i.dumps[0].reductions.at(0);
  EXPECT_EQ(r.operands.size(), 2u);
  EXPECT_EQ(r.operands[1].element, "i32");
  EXPECT_TRUE(r.combiner.empty());
  EXPECT_EQ(r.associative, Law::Exact);
  EXPECT_EQ(r.commutative, Law::Exact);
  ASSERT_TRUE(r.nanGrouping);
}

TEST(InspectTest, TheRightOperandIsNotCommutative) {
  Inspection i = inspected({triton("keep_right.sm_90.ttir")});
  const Reduction &r = i.dumps[0].reductions.at(0);
  EXPECT_EQ(r.associative, Law::Exact);
  EXPECT_EQ(r.commutative, Law::Broken);
  ASSERT_TRUE(r.swapping);
  EXPECT_EQ(r.swapping->left, "2"); // 1∘2
  EXPECT_EQ(r.swapping->right, "1");
}

TEST(InspectTest, MaximumIsExact) {
  const Reduction r =
      inspected({triton("max_rows.sm_90.ttir")}).dumps[0].reductions.at(0);
  EXPECT_EQ(r.combiner, "maxnumf");
  EXPECT_EQ(r.associative, Law::Exact);
  EXPECT_FALSE(r.nanGrouping);
}

TEST(InspectTest, NarrowSumsAreWarnedOf) {
  Inspection i = inspected({triton("sum_f16.sm_90.ttir")});
  const Reduction &r = i.dumps[0].reductions.at(0);
  ASSERT_EQ(r.warnings.size(), 1u);
  // 11 bits of significand: 2048 + 1 is 2048. The largest is 65504, and
  // 65504 / 4096 is 15.99.
  EXPECT_TRUE(holds(r.warnings[0], "over 4096 elements"));
  EXPECT_TRUE(holds(r.warnings[0], "stall at 2048 "));
  EXPECT_TRUE(holds(r.warnings[0], "above 65504 is infinite"));
  EXPECT_TRUE(holds(r.warnings[0], "average 16"));
  i = inspected({triton("sum_f16_loop.sm_90.ttgir")});
  EXPECT_TRUE(i.dumps[0].reductions.at(0).warnings.empty()); // it is of f32
  ASSERT_EQ(i.dumps[0].warnings.size(), 1u);
  EXPECT_TRUE(holds(i.dumps[0].warnings[0], "a loop adds in f16"));
}

TEST(InspectTest, ConversionsAreLocatedWithTheirBytes) {
  Inspection i = inspected({triton("transpose_sum.sm_90.ttgir")});
  const Dump &d = i.dumps[0];
  ASSERT_EQ(d.conversions.size(), 2u);
  const Conversion &c = d.conversions[0];
  EXPECT_EQ(c.from.layout, "#blocked3");
  EXPECT_EQ(c.to.layout, "#blocked1");
  EXPECT_EQ(c.to.bytes(), 8192u); // 64 · 32 · 4
  EXPECT_EQ(c.usedBy, "tt.store");
  EXPECT_EQ(c.follows, -1);
  EXPECT_EQ(d.conversions[1].to.bytes(), 256u);
  EXPECT_TRUE(holds(d.conversions[1].cause, "reducing dimension 1 of"));
  EXPECT_TRUE(holds(d.conversions[1].cause, "num_warps = 4"));
  // 32x1 lanes and 2x2 warps of 64x32, along the second dimension.
  ASSERT_TRUE(d.reductions.at(0).spread);
  EXPECT_EQ(d.reductions[0].spread->registers, 16);
  EXPECT_EQ(d.reductions[0].spread->lanes, 1);
  EXPECT_EQ(d.reductions[0].spread->warps, 2);
}

static const char *inARow = R"(
#a = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#b = #triton_gpu.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 8], order = [0, 1]}>
module attributes {"ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%x: tensor<16x32xf16, #a>) {
    %0 = ttg.convert_layout %x : tensor<16x32xf16, #a> -> tensor<16x32xf16, #b>
    %1 = ttg.convert_layout %0 : tensor<16x32xf16, #b> -> tensor<16x32xf16, #a>
    tt.return
  }
}
)";

TEST(InspectTest, TwoConversionsInARow) {
  Inspection i = inspected({{"k.ttgir", inARow}});
  const Dump &d = i.dumps[0];
  ASSERT_EQ(d.conversions.size(), 2u);
  EXPECT_EQ(d.conversions[0].to.bytes(), 1024u);
  EXPECT_EQ(d.conversions[1].follows, 0);
  EXPECT_EQ(d.conversions[1].between, 0);
  const std::string &cause = d.conversions[1].cause;
  EXPECT_TRUE(holds(cause, "two in a row"));
  EXPECT_TRUE(holds(cause, "num_warps = 8"));
  EXPECT_TRUE(holds(cause, "16x32xf16"));
  EXPECT_TRUE(holds(cause, "comes back"));
  // #a spans 32 rows of 16.
  EXPECT_TRUE(holds(cause, "2 threads hold each element"));
  ASSERT_EQ(i.kernels[0].warnings.size(), 1u);
  EXPECT_TRUE(holds(i.kernels[0].warnings[0], "two layout conversions"));
}

TEST(InspectTest, CountsOfTheLowerStages) {
  // Read off half_and_half.sm_90.ptx: 5 + 2 shuffles, one trip through shared
  // memory.
  for (const char *name :
       {"half_and_half.sm_90.ptx", "half_and_half.sm_90.llir"}) {
    Inspection i = inspected({triton(name)});
    ASSERT_TRUE(i.dumps[0].traffic) << name;
    const Traffic &t = *i.dumps[0].traffic;
    EXPECT_EQ(t.shuffles, 7u) << name;
    EXPECT_EQ(t.redux, 0u) << name;
    EXPECT_EQ(t.sharedStores, 1u) << name;
    EXPECT_EQ(t.sharedLoads, 1u) << name;
    EXPECT_EQ(t.barriers, 1u) << name;
    EXPECT_EQ(t.globalLoads, 1u) << name;
    EXPECT_EQ(t.globalStores, 1u) << name;
  }
  for (const char *name : {"sum_i32.sm_90.ptx", "sum_i32.sm_90.llir"})
    EXPECT_EQ(inspected({triton(name)}).dumps[0].traffic->redux, 2u) << name;
  for (const char *name : {"sum_rows.gfx942.amdgcn", "sum_rows.gfx942.llir"}) {
    Inspection i = inspected({triton(name)});
    const Traffic &t = *i.dumps[0].traffic;
    EXPECT_EQ(t.dpp, 8u) << name;
    EXPECT_EQ(t.barriers, 1u) << name;
    EXPECT_EQ(t.sharedLoads, 1u) << name;
    EXPECT_EQ(t.globalLoads, 4u) << name;
  }
}

TEST(InspectTest, ChipsStayApart) {
  Inspection i = inspected(
      {triton("sum_rows.sm_90.ttir"), triton("sum_rows.gfx942.ttir"),
       triton("sum_rows.gfx942.ttgir"), triton("sum_rows.sm_90.ttgir")});
  ASSERT_EQ(i.kernels.size(), 2u);
  EXPECT_EQ(i.kernels[0].target, "sm_90");
  EXPECT_EQ(i.kernels[1].target, "gfx942");
  EXPECT_EQ(i.kernels[1].dumps.size(), 2u);
}

TEST(InspectTest, StagesOfOtherFolders) {
  NamedText ttir = triton("sum_rows.sm_90.ttir");
  NamedText ptx = triton("sum_rows.sm_90.ptx");
  ttir.name = "early/a.ttir";
  ptx.name = "late/b.ptx";
  EXPECT_EQ(inspected({ttir, ptx}).kernels.size(), 1u);
}

TEST(InspectTest, ABlockOnOneLine) {
  std::string text =
      "module { tt.func @k() { %sum = \"tt.reduce\"(%x) <{axis = 0 : i32}> ({ "
      "^bb0(%lhs: f32, %rhs: f32): %0 = arith.addf %lhs, %rhs : f32 "
      "tt.reduce.return %0 : f32 }) : (tensor<128xf32>) -> f32 tt.return } }";
  const Reduction r = inspected({{"x", text}}).dumps[0].reductions.at(0);
  EXPECT_EQ(r.axis, 0);
  EXPECT_EQ(r.length, 128);
  EXPECT_EQ(r.combiner, "addf");
}

TEST(InspectTest, ABlockWithoutItsBrackets) {
  // As a web page leaves it: no '=', no '<', no '>'.
  std::string text =
      "MLIR \xe9\x87\x8c: %sum tt.reduce(%x) { axis 0 : i32 } : "
      "(tensor128xf32) - f32 { ^bb0(%lhs: f32, %rhs: f32): %0 arith.addf %lhs, "
      "%rhs : f32 tt.reduce.return %0 : f32 } and tt.reduce is the name.";
  Inspection i = inspected({{"article.txt", text}});
  ASSERT_EQ(i.dumps[0].reductions.size(), 1u);
  const Reduction &r = i.dumps[0].reductions[0];
  EXPECT_EQ(r.axis, 0);
  EXPECT_EQ(r.length, 128);
  EXPECT_EQ(r.combiner, "addf");
  EXPECT_EQ(r.associative, Law::Rounding);
}

TEST(InspectTest, GenericFormAndOlderNames) {
  std::string text = R"(
"builtin.module"() ({
  "tt.func"() <{sym_name = "k"}> ({
    %4 = "tt.reduce"(%3) ({
    ^bb0(%arg0: i32, %arg1: i32):
      %7 = "arith.cmpi"(%arg0, %arg1) <{predicate = 4 : i64}> : (i32, i32) -> i1
      %8 = "arith.select"(%7, %arg0, %arg1) : (i1, i32, i32) -> i32
      "tt.reduce.return"(%8) : (i32) -> ()
    }) {axis = 1 : i32} : (tensor<4x16xi32>) -> tensor<4xi32>
  }) : () -> ()
}) : () -> ()
)";
  const Reduction r = inspected({{"g.ttir", text}}).dumps[0].reductions.at(0);
  EXPECT_EQ(r.axis, 1);
  EXPECT_EQ(r.length, 16);
  EXPECT_EQ(r.region, (std::vector<std::string>{"cmpi", "select"}));
  EXPECT_EQ(r.associative, Law::Exact); // predicate 4 is sgt: the maximum
  EXPECT_EQ(r.commutative, Law::Exact);
}

TEST(InspectTest, SubtractionBreaksBothLaws) {
  std::string text =
      "tt.func @k() { %1 = \"tt.reduce\"(%0) <{axis = 0 : i32}> ({ ^bb0(%a: "
      "i32, %b: i32): %2 = arith.subi %a, %b : i32 tt.reduce.return %2 : i32 "
      "}) "
      ": (tensor<8xi32>) -> i32 }";
  const Reduction r = inspected({{"x", text}}).dumps[0].reductions.at(0);
  ASSERT_TRUE(r.grouping);
  EXPECT_EQ(r.grouping->left, "-5"); // (1 − 2) − 4
  EXPECT_EQ(r.grouping->right, "3"); // 1 − (2 − 4)
  ASSERT_TRUE(r.swapping);
  EXPECT_EQ(r.swapping->left, "-1");
}

TEST(InspectTest, WhatCannotBeEvaluatedIsNotJudged) {
  std::string text =
      "tt.func @k() { %1 = \"tt.reduce\"(%0) <{axis = 0 : i32}> ({ ^bb0(%a: "
      "f32, %b: f32): %2 = tt.extern_elementwise %a, %b {symbol = "
      "\"__nv_hypotf\"} : (f32, f32) -> f32 tt.reduce.return %2 : f32 }) : "
      "(tensor<8xf32>) -> f32 }";
  const Reduction r = inspected({{"x", text}}).dumps[0].reductions.at(0);
  EXPECT_EQ(r.associative, Law::Unknown);
  EXPECT_TRUE(holds(r.notEvaluated, "tt.extern_elementwise"));
  EXPECT_FALSE(r.grouping);
}

TEST(InspectTest, OurOwnStages) {
  std::string fold = R"(module {
  func.func @fold(%arg0: memref<?x?xf32, strided<[?, 1], offset: ?>>, %arg1: memref<?xf32, strided<[1], offset: ?>>) {
    fold.reduce ins(%arg0 : memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%arg1 : memref<?xf32, strided<[1], offset: ?>>) axes [1] order  canonical map @map combine @combine update @update finish
    return
  }
  func.func private @map(%arg0: f32, %arg1: i64) -> f32 {
    return %arg0 : f32
  }
  func.func private @combine(%arg0: f32, %arg1: f32, %arg2: i64, %arg3: i64) -> f32 {
    %0 = arith.mulf %arg0, %arg1 : f32
    return %0 : f32
  }
}
)";
  Inspection i = inspected({{"fold.mlir", fold}});
  const Dump &d = i.dumps[0];
  EXPECT_EQ(d.kernel, "fold");
  EXPECT_EQ(d.detail, "fold");
  const Reduction &r = d.reductions.at(0);
  EXPECT_EQ(r.axis, 1);
  EXPECT_EQ(r.combiner, "mulf");
  EXPECT_EQ(r.associative, Law::Rounding);
  EXPECT_EQ(r.operands.at(0).shapeText(), "?x?xf32");
}

TEST(InspectTest, BadInputSaysWhatIsRead) {
  for (std::vector<NamedText> texts :
       {std::vector<NamedText>{}, {{"e", ""}}, {{"x.c", "int main() {}"}}}) {
    auto result = inspect(texts);
    ASSERT_FALSE(bool(result));
    EXPECT_TRUE(holds(result.fault().hint, ".ttir"));
  }
  // What is none is left out, and said so.
  Inspection i = inspected({triton("sum_rows.sm_90.ttir"), {"n.json", "{}"}});
  EXPECT_EQ(i.kernels.size(), 1u);
  ASSERT_EQ(i.remarks.size(), 1u);
  EXPECT_TRUE(holds(i.remarks[0].text, "n.json"));
}

TEST(InspectTest, TextFitsATerminalAndJsonParses) {
  Inspection i = inspected({triton("transpose_sum.sm_90.ttgir"),
                            triton("half_and_half.sm_90.ttir"),
                            triton("sum_f16.sm_90.ttir")});
  std::string text = inspectionText(i);
  size_t start = 0;
  for (size_t end; (end = text.find('\n', start)) != std::string::npos;
       start = end + 1) {
    size_t columns = 0;
    for (size_t k = start; k < end; ++k)
      columns += (text[k] & 0xc0) != 0x80;
    EXPECT_LE(columns, 80u) << text.substr(start, end - start);
  }
  auto json = nlohmann::json::parse(inspectionJson(i), nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json["kernels"].size(), 3u);
  const auto &reduction = json["kernels"][1]["checkpoints"][0]["reductions"][0];
  EXPECT_EQ(reduction["associative"], "no");
  EXPECT_EQ(reduction["groupingExample"]["left"], "2.75");
}

TEST(InspectTest, CutAnywhere) {
  for (const char *name :
       {"variance.sm_90.ttir", "transpose_sum.sm_90.ttgir",
        "sum_rows.gfx942.amdgcn", "half_and_half.sm_90.llir"}) {
    NamedText whole = triton(name);
    for (size_t cut = 97; cut < whole.text.size(); cut += 97)
      for (std::string part :
           {whole.text.substr(0, cut), whole.text.substr(cut)}) {
        auto result = inspect({{name, part}});
        if (result) {
          EXPECT_FALSE(inspectionText(*result).empty());
        }
      }
  }
}
