//===- PtxReadTest.cpp - PTX of nvcc, LLVM and Triton is read -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Support.h"

using namespace wf::explain;

static Kernel onlyKernel(const std::string &text) {
  auto listing = readPtx(text, "test.ptx");
  if (!listing) {
    ADD_FAILURE() << listing.fault().message;
    return {};
  }
  EXPECT_EQ(listing->kernels.size(), 1u);
  return listing->kernels.empty() ? Kernel() : listing->kernels[0];
}

static Kernel kernelOf(const std::string &body,
                       const std::string &header = ".visible .entry k()") {
  return onlyKernel(".version 8.0\n.target sm_90\n.address_size 64\n" + header +
                    "\n{\n" + body + "\nret;\n}\n");
}

static std::string tritonText(const std::string &name) {
  return listingText("../triton/" + name);
}

TEST(PtxReadTest, TheSeedOfNvcc) {
  auto listing =
      readPtx(listingText("ptx/seed_reduce_sum.sm_90.ptx"), "seed.ptx");
  ASSERT_TRUE(bool(listing));
  ASSERT_EQ(listing->kernels.size(), 1u);
  EXPECT_EQ(listing->unreadLines, 0u);
  EXPECT_TRUE(listing->remarks.empty());
  const Kernel &k = listing->kernels[0];
  EXPECT_EQ(k.name, "_Z21reduce_sum_f32_kernelPKfPfi");
  EXPECT_EQ(k.target, "sm_90");
  EXPECT_EQ(k.origin, "nvcc -ptx");
  EXPECT_TRUE(k.entry);
  ASSERT_EQ(k.parameters.size(), 3u);
  EXPECT_EQ(k.parameters[0].name, "arg0");
  EXPECT_EQ(k.parameters[1].offset, 8u);
  EXPECT_EQ(k.parameters[2].offset, 16u);
  EXPECT_EQ(k.parameters[2].bytes, 4u);
  EXPECT_EQ(k.parameters[2].type, "int");
  EXPECT_EQ(k.code.size(), 42u);
  EXPECT_EQ(k.code.back().text, "ret");
  // sdata is extern: its size is the launch's.
  EXPECT_EQ(k.resources.sharedBytes, 0u);
  ASSERT_TRUE(k.labels.count("$L__BB0_3"));
  EXPECT_EQ(k.code[k.labels.at("$L__BB0_3")].text,
            "setp.ge.s32 %p3, %r3, %r14");
  EXPECT_EQ(k.code[9].text, "@%p1 bra $L__BB0_2");
  EXPECT_EQ(k.code[9].guard, "%p1");
  EXPECT_FALSE(k.code[9].guardNegated);
  EXPECT_EQ(k.code[13].source.file, "seed_reduce_sum.cu");
  EXPECT_EQ(k.code[13].source.line, 8u);
}

TEST(PtxReadTest, AllListings) {
  struct Expected {
    const char *file;
    size_t kernels;
  };
  // Counted: grep -c '^\.\(visible \)\?\.\(entry\|func\)' with a body.
  for (Expected e : {Expected{"ptx/exotic.sm_90.ptx", 15},
                     Expected{"ptx/hopper.sm_90a.ptx", 5},
                     Expected{"ptx/patterns.sm_90.ptx", 17},
                     Expected{"ptx/warpfold.sum_100000.sm_90.ptx", 1},
                     Expected{"../triton/sum_rows.sm_90.ptx", 1},
                     Expected{"../triton/transpose_sum.sm_90.ptx", 1}}) {
    auto listing = readPtx(listingText(e.file), e.file);
    ASSERT_TRUE(bool(listing)) << e.file;
    EXPECT_EQ(listing->kernels.size(), e.kernels) << e.file;
    EXPECT_EQ(listing->unreadLines, 0u) << e.file;
    for (Kernel &k : listing->kernels) {
      Program p = decode(std::move(k));
      for (size_t i = 0; i < p.code.size(); ++i)
        EXPECT_TRUE(p.code[i].known) << e.file << ": " << p.kernel.code[i].text;
    }
  }
}

TEST(PtxReadTest, TritonsSpacingAndFilesAtTheEnd) {
  Kernel k = onlyKernel(tritonText("half_and_half.sm_90.ptx"));
  EXPECT_EQ(k.origin, "LLVM's NVPTX backend");
  EXPECT_EQ(k.resources.maxThreads, 128u);
  // "ld.global.b32 { %r1 }, [ %rd1 + 0 ];" within inline assembly.
  bool load = false, store = false;
  for (const Instruction &i : k.code) {
    load |= i.text == "ld.global.b32 {%r1}, [%rd1+0]";
    store |= i.text == "@%p1 st.global.b32 [%rd2+0], {%r2}";
    if (i.mnemonic == "ret") {
      EXPECT_EQ(i.source.file, "make.py");
    }
  }
  EXPECT_TRUE(load);
  EXPECT_TRUE(store);
}

TEST(PtxReadTest, OurOwnSharedBytes) {
  // .shared of 33 words.
  Kernel k = onlyKernel(listingText("ptx/warpfold.sum_100000.sm_90.ptx"));
  EXPECT_EQ(k.name, "fold");
  EXPECT_EQ(k.resources.sharedBytes, 132u);
  ASSERT_GT(k.parameters.size(), 4u);
  EXPECT_EQ(k.parameters[0].type, "void *");
  EXPECT_EQ(k.parameters[4].offset, 32u);
}

TEST(PtxReadTest, ParametersAreLaidOut) {
  Kernel k =
      kernelOf("", ".visible .entry k(.param .u8 a, .param .align 16 .b8 "
                   "s[20],\n .param .u64 .ptr .global .align 4 p, .param "
                   ".f32 f)");
  ASSERT_EQ(k.parameters.size(), 4u);
  EXPECT_EQ(k.parameters[0].offset, 0u);
  EXPECT_EQ(k.parameters[1].offset, 16u);
  EXPECT_EQ(k.parameters[1].bytes, 20u);
  EXPECT_EQ(k.parameters[2].offset, 40u);
  EXPECT_EQ(k.parameters[2].type, "void *");
  EXPECT_EQ(k.parameters[3].offset, 48u);
  EXPECT_EQ(k.parameters[3].type, "float");
  EXPECT_EQ(k.parameters[3].name, "f");
}

TEST(PtxReadTest, ScopesHideLabels) {
  // Twice the same inline assembly: each branch means its own D and W.
  Kernel k = kernelOf("{.reg .pred p; W: setp.eq.u32 p, %r1, 0; @p bra D; "
                      "bra W; D:}\n{.reg .pred p; W: setp.eq.u32 p, %r2, 0; "
                      "@p bra D; bra W; D:}");
  ASSERT_EQ(k.code.size(), 7u);
  EXPECT_EQ(k.code[1].target, 3u);
  EXPECT_EQ(k.code[2].target, 0u);
  EXPECT_EQ(k.code[4].target, 6u);
  EXPECT_EQ(k.code[5].target, 3u);
}

TEST(PtxReadTest, BranchTables) {
  Kernel k = kernelOf("T: .branchtargets A, B;\nbrx.idx %r1, T;\nA: add.s32 "
                      "%r1, %r1, 1;\nB: add.s32 %r1, %r1, 2;");
  ASSERT_EQ(k.code.size(), 4u);
  EXPECT_EQ(k.code[0].targets, (std::vector<uint64_t>{1, 2}));
}

TEST(PtxReadTest, CommentsAndLinesMeanNothing) {
  Kernel k = kernelOf("/* a; b; */ add.s32 %r1, // one\n   %r2,\n  %r3\n ; "
                      "mov.u32 %r4,%tid.x;");
  ASSERT_EQ(k.code.size(), 3u);
  EXPECT_EQ(k.code[0].text, "add.s32 %r1, %r2, %r3");
  EXPECT_EQ(k.code[0].line, 6u);
  EXPECT_EQ(k.code[1].text, "mov.u32 %r4, %tid.x");
  EXPECT_EQ(k.code[1].line, 9u);
}

TEST(PtxReadTest, ModuleVariablesThatAreUsed) {
  Kernel k = onlyKernel(
      ".version 8.0\n.target sm_80\n.shared .align 4 .b8 used[64];\n"
      ".shared .align 4 .b8 other[1000];\n.const .f32 table[4] = {0f00000000, "
      "0f3F800000, 0f40000000, 0f40400000};\n.entry k() {\n.local .align 8 .b8 "
      "__local_depot0[24];\n.shared .b32 own;\nmov.u32 %r1, used;\nret;\n}\n");
  EXPECT_EQ(k.resources.sharedBytes, 68u);
  EXPECT_EQ(k.resources.stackBytes, 24u);
}

TEST(PtxReadTest, FunctionsAndDeclarations) {
  auto listing = readPtx(".version 8.0\n.target sm_80\n.extern .func (.param "
                         ".b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
                         ".func (.param .b32 r) f(.param .b32 x) {\nret;\n}\n"
                         ".visible .entry k() {\nret;\n}\n",
                         "two.ptx");
  ASSERT_TRUE(bool(listing));
  ASSERT_EQ(listing->kernels.size(), 2u);
  EXPECT_EQ(listing->kernels[0].name, "f");
  EXPECT_FALSE(listing->kernels[0].entry);
  EXPECT_EQ(listing->kernels[1].name, "k");
}

TEST(PtxReadTest, AFragmentInProse) {
  auto listing = readPtx("The loop is\n```ptx\n@%p1 bra $L__BB0_3;\nshfl.sync."
                         "bfly.b32 %r5, %r1, 16, 31, -1;\n$L__BB0_3:\nret;\n```"
                         "\nand st.next = 0; is C.\n",
                         "article.md");
  ASSERT_TRUE(bool(listing));
  ASSERT_EQ(listing->kernels.size(), 1u);
  ASSERT_EQ(listing->kernels[0].code.size(), 3u);
  EXPECT_EQ(listing->kernels[0].code[1].line, 4u);
  EXPECT_EQ(listing->kernels[0].code[0].target, 2u);
  ASSERT_EQ(listing->remarks.size(), 1u);
}

TEST(PtxReadTest, WhatIsNoPtxFails) {
  for (const char *text : {"", "/*0010*/ S2R R6, SR_CTAID.X ;\n", "s_endpgm\n",
                           ".version 8.0\n.target sm_80\n"}) {
    auto listing = readPtx(text, "x");
    ASSERT_FALSE(bool(listing)) << text;
    EXPECT_FALSE(listing.fault().hint.empty());
  }
}

TEST(PtxReadTest, CutAnywhere) {
  for (const char *name : {"ptx/seed_reduce_sum.sm_90.ptx",
                           "ptx/hopper.sm_90a.ptx", "ptx/exotic.sm_90.ptx"}) {
    std::string text = listingText(name);
    for (size_t cut = 0; cut < text.size(); cut += 97) {
      auto listing = readPtx(std::string_view(text).substr(0, cut), name);
      if (!listing)
        continue;
      for (Kernel &k : listing->kernels) {
        Program p = decode(std::move(k));
        for (const Decoded &d : p.code)
          for (size_t to : d.flow.targets)
            EXPECT_LT(to, p.code.size());
      }
    }
  }
}
