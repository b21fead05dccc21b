//===- PatternsTest.cpp - Which patterns kernels have ---------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// What is expected of the listings' kernels is read off their sources,
// catalogue.cu, patterns.cu and kernels.cl.
//===----------------------------------------------------------------------===//
#include "Explain/Patterns/Pattern.h"
#include "Support.h"

using namespace wf::explain;

namespace {

std::vector<Pattern> patternsOf(const char *text) {
  auto read = readPatterns(text, "test");
  EXPECT_TRUE(read) << read.fault().message;
  return read ? std::move(*read) : std::vector<Pattern>();
}

Accumulator accumulator(const char *operation, std::set<Through> through,
                        std::vector<size_t> all) {
  Accumulator acc;
  acc.operation = operation;
  acc.through = std::move(through);
  acc.step = acc.all = std::move(all);
  return acc;
}

std::string namesOf(const Report &report) {
  std::string names;
  for (const PatternMatch &match : report.patterns)
    names += (names.empty() ? "" : " ") + match.name;
  return names;
}

TEST(Patterns, FactsAndTheirProofs) {
  auto patterns = patternsOf("pattern few\nwhen ldg <= 2, no shfl\n"
                             "pattern many\nwhen ldg > 2\n"
                             "pattern sum\nwhen ldg + stg = 3\n"
                             "pattern wide\nwhen ldg.128 = 1 | 2\n");
  Report report;
  report.facts["ldg"] = {2, {5, 6}};
  report.facts["stg"] = {1, {9}};
  report.facts["ldg.128"] = {2, {5, 6}};
  matchPatterns(report, patterns);
  EXPECT_EQ(namesOf(report), "few sum wide");
  EXPECT_EQ(report.patterns[1].instructions, (std::vector<size_t>{5, 6, 9}));
  EXPECT_EQ(report.patterns[0].evidence,
            (std::vector<std::string>{"ldg <= 2: ldg is 2", "no shfl"}));
  EXPECT_FALSE(report.nearest);
}

TEST(Patterns, OnePerAccumulator) {
  auto patterns = patternsOf(
      "pattern tree\neach accumulator through has shared, barriers >= 1\n"
      "pattern both\naccumulator operation = max | min\n"
      "accumulator operation = add\n"
      "pattern sums\naccumulator operation = add\naccumulator operation = add\n"
      "pattern none\nwhen no shfl\nno accumulator operation = mul\n"
      "pattern exact\neach accumulator through = shared\n");
  Report report;
  report.accumulators = {
      accumulator("max", {Through::Shared}, {4, 5}),
      accumulator("add", {Through::Shared, Through::Register}, {8, 9})};
  for (Accumulator &acc : report.accumulators)
    acc.barriers = 1;
  report.accumulators[1].copies = 8;
  matchPatterns(report, patterns);
  EXPECT_EQ(namesOf(report), "both none tree exact tree");
  EXPECT_EQ(report.patterns[0].instructions, (std::vector<size_t>{4, 5, 8, 9}));
  EXPECT_EQ(report.patterns[0].detail, "max; add, ×8");
  EXPECT_EQ(report.patterns[4].detail, "add, ×8");
  EXPECT_EQ(report.patterns[4].instructions, (std::vector<size_t>{8, 9}));
}

TEST(Patterns, HidesWhatItMakesSuperfluous) {
  auto patterns = patternsOf(
      "pattern whole\nwhen barriers\nhides part\n"
      "pattern part\neach accumulator through = lanes\n"
      "pattern special\neach accumulator through = lanes, warp_wide\n"
      "hides general\n"
      "pattern general\neach accumulator through has lanes\n");
  Report report;
  report.facts["barriers"] = {1, {2}};
  report.accumulators = {accumulator("add", {Through::Lanes}, {4}),
                         accumulator("add", {Through::Lanes}, {7})};
  report.accumulators[1].warpWide = true;
  matchPatterns(report, patterns);
  // `special` hides `general` only where both are of one accumulator.
  EXPECT_EQ(namesOf(report), "whole general special");
}

TEST(Patterns, NearestAndWhatFailed) {
  auto patterns =
      patternsOf("pattern far\nwhen mma, texture, ldg\n"
                 "pattern near\nwhen ldg, no barriers\n"
                 "pattern tree\neach accumulator through has shared, loop\n");
  Report report;
  Instruction instruction;
  instruction.address = 0x90;
  report.analysis.program.kernel.code = {instruction};
  report.facts["ldg"] = {1, {0}};
  report.facts["barriers"] = {2, {0}};
  report.accumulators = {accumulator("add", {Through::Register}, {0})};
  report.accumulators[0].source = "sum += x[i]";
  matchPatterns(report, patterns);
  EXPECT_TRUE(report.patterns.empty());
  ASSERT_TRUE(report.nearest);
  EXPECT_EQ(report.nearest->name, "near");
  EXPECT_EQ(report.nearest->failed,
            std::vector<std::string>{"no barriers: barriers is 2, at 0x0090"});
  matchPatterns(report, {patterns[2]});
  EXPECT_EQ(report.nearest->failed,
            std::vector<std::string>{
                "accumulator through has shared, loop: sum += x[i] through "
                "register is not through has shared, loop"});
}

TEST(Patterns, NothingToMatch) {
  Report report;
  matchPatterns(report, {});
  EXPECT_TRUE(report.patterns.empty());
  EXPECT_FALSE(report.nearest);
  matchPatterns(report, builtinPatterns());
  EXPECT_TRUE(report.patterns.empty());
  EXPECT_TRUE(report.nearest);
}

// Listings

struct Expected {
  const char *kernel, *patterns;
};

void check(const std::string &listing, const std::vector<Expected> &table) {
  auto read = readListing(listingText(listing), listing);
  ASSERT_TRUE(read) << read.fault().message;
  std::map<std::string, std::string> found;
  for (Kernel &kernel : read->kernels) {
    if (!kernel.entry || kernel.name.starts_with("__clang_ocl"))
      continue;
    std::string name = kernel.name;
    Report report = judge(analyse(decode(std::move(kernel))));
    matchPatterns(report, builtinPatterns());
    found[name] = namesOf(report);
    EXPECT_EQ(report.patterns.empty(), report.nearest.has_value()) << name;
  }
  for (const Expected &e : table) {
    EXPECT_TRUE(found.count(e.kernel)) << listing << " has no " << e.kernel;
    EXPECT_EQ(found[e.kernel], e.patterns) << listing << " " << e.kernel;
    found.erase(e.kernel);
  }
  for (const auto &[name, patterns] : found)
    ADD_FAILURE() << listing << " " << name << " is not in the table";
}

/// The one difference: the compiler for sm_100 sees through the call.
std::vector<Expected> catalogue(const char *callee) {
  return {
      {"ldg_basic", "elementwise_scale"},
      {"stg_basic", "fill"},
      {"mul_f32", "elementwise_mul"},
      {"fma_f32", "elementwise_fma"},
      {"fma_store_tmp", "elementwise_multiply_add"},
      {"fma_rn", "elementwise_multiply_add"},
      {"fma_volatile", "elementwise"},
      {"fma_noinline", callee},
      {"reduce_tree_unrolled", "two_pass_partials shared_tree"},
      {"reduce_grid_stride_then_tree",
       "two_pass_partials grid_stride_accumulate shared_tree"},
      {"reduce_register_partial_in_tree", "two_pass_partials shared_tree"},
      {"reduce_interleaved_bank_conflict",
       "two_pass_partials shared_tree_interleaved"},
      {"reduce_two_level", "two_level_shuffle two_pass_partials"},
      {"reduce_max_tree", "two_pass_partials shared_tree"},
      {"two_pass_partial",
       "two_pass_partials grid_stride_accumulate shared_tree"},
      {"two_pass_final", "two_pass_finish register_accumulate shared_tree"},
      {"single_pass_lastblock",
       "last_block shared_tree register_accumulate atomic_accumulate"},
      {"softmax_small_f32", "softmax shared_tree shared_tree"},
      {"online_softmax_f32", "online_softmax"},
      {"transpose_conflict", "transpose_tiled"},
      {"transpose_padded", "transpose_tiled"},
      {"early_exit_if", "elementwise"},
      {"saxpy_grid_stride", "elementwise_fma"},
      {"histogram_shared", "shared_histogram"},
      {"gemm_tile", "tiled_gemm"},
  };
}

TEST(Patterns, CatalogueOnEveryArchitecture) {
  const char *apart = "elementwise_multiply_add";
  for (const char *listing :
       {"catalogue.sm_75.nvdisasm.sass", "catalogue.sm_80.nvdisasm.sass",
        "catalogue.sm_86.nvdisasm.sass", "catalogue.sm_86.cuobjdump.sass",
        "catalogue.sm_90.nvdisasm.sass", "catalogue.sm_90.cuobjdump.sass",
        "cuda13.catalogue.sm_90.nvdisasm.sass",
        "cuda13.catalogue.sm_90.cuobjdump.sass",
        "cuda13.catalogue.sm_90.nvdisasm.json"})
    check("nvidia/" + std::string(listing), catalogue(apart));
  for (const char *listing : {"cuda13.catalogue.sm_100.nvdisasm.sass",
                              "cuda13.catalogue.sm_100.cuobjdump.sass"})
    check("nvidia/" + std::string(listing), catalogue("elementwise_fma"));
}

/// `redux`: what warp_reduce_int becomes; before sm_80 the source adds without
/// a reduction, and the compiler joins the atomics of a warp by shuffles.
std::vector<Expected> patternKernels(const char *redux, const char *atomicRet) {
  return {
      {"copy_global", "elementwise_copy"},
      {"add_f32", "elementwise_add"},
      {"relu_f32", "elementwise_relu"},
      {"clamp_f32", "elementwise_clamp"},
      {"reduce_sum_f32_kernel", "two_pass_partials shared_tree"},
      {"warp_reduce", "warp_shuffle"},
      {"warp_allreduce", "warp_shuffle"},
      {"warp_reduce_int", redux},
      {"atomic_sum", "atomic_accumulate"},
      {"atomic_ret", atomicRet},
      {"atomic_sh", "shared_histogram"},
      {"copy_v4", "vector_copy"},
      {"softmax_small", "softmax register_accumulate shared_tree "
                        "register_accumulate shared_tree"},
      {"diverge", ""},
      {"local_arr", "register_accumulate"},
      {"hadd2k", "elementwise_fma"},
      {"dbl", "elementwise_fma"},
  };
}

TEST(Patterns, PatternKernels) {
  check("nvidia/patterns.sm_75.cuobjdump.sass",
        patternKernels("aggregated_atomic", "aggregated_atomic"));
  for (const char *listing :
       {"patterns.sm_90.cuobjdump.sass", "cuda13.patterns.sm_90.nvdisasm.sass",
        "cuda13.patterns.sm_100.nvdisasm.sass"})
    check("nvidia/" + std::string(listing),
          patternKernels("aggregated_atomic warp_redux", "aggregated_atomic"));
}

TEST(Patterns, SeedOnEveryArchitecture) {
  for (const char *chip :
       {"sm_61", "sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90"})
    check(
        "nvidia/seed_reduce_sum." + std::string(chip) + ".cuobjdump.sass",
        {{"_Z21reduce_sum_f32_kernelPKfPfi", "two_pass_partials shared_tree"}});
  for (const char *chip : {"sm_100", "sm_120"})
    check(
        "nvidia/cuda13.seed_reduce_sum." + std::string(chip) + ".nvdisasm.sass",
        {{"_Z21reduce_sum_f32_kernelPKfPfi", "two_pass_partials shared_tree"}});
}

/// The AMDGPU atomic optimiser joins the atomics of a wave.
TEST(Patterns, AmdKernelsOnEveryChip) {
  const std::vector<Expected> table = {
      {"copy_global", "elementwise_copy"},
      {"add_f32", "elementwise_add"},
      {"relu_f32", "elementwise_relu"},
      {"clamp_f32", "elementwise_clamp"},
      {"copy_v4", "vector_copy"},
      {"reduce_sum", "two_pass_partials shared_tree"},
      {"wave_dpp", "warp_shuffle"},
      {"atomic_sum", "aggregated_atomic"},
      {"atomic_ret", "aggregated_atomic"},
      {"lds_atomic", "shared_histogram"},
      {"diverge", ""},
      {"loc", "register_accumulate"},
      {"dbl", "elementwise_fma"},
  };
  for (const char *listing :
       {"gfx906.llvm22.objdump.s", "gfx90a.objdump.s", "gfx90a.clang.s",
        "gfx942.objdump.s", "gfx950.llvm22.objdump.s", "gfx1030.objdump.s",
        "gfx1100.objdump.s", "gfx1100.llvm22.objdump.s", "gfx1100.clang.s",
        "gfx1200.objdump.s", "gfx1200.clang.s", "gfx1250.llvm22.objdump.s"})
    check("amd/kernels." + std::string(listing), table);
}

} // namespace
