//===- WriteDocumentsTest.cpp - Pages of patterns and the index -----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "WriteSupport.h"

using namespace wf::explain;

static Pattern tree() {
  Pattern pattern;
  pattern.name = "shared_tree";
  pattern.title = "Shared Memory Tree Reduction";
  pattern.cuda = "sdata[tid] += sdata[tid + stride];\n";
  pattern.roles = "@active LDS lhs, [tid * 4]\n";
  pattern.meaning = "A tree.";
  pattern.notes = {"one note"};
  return pattern;
}

TEST(WriteDocuments, PatternHasTheFormOfTheNote) {
  EXPECT_EQ(patternDocument(tree(), {"[a](a.md)"}, ""),
            "# Pattern: Shared Memory Tree Reduction\n"
            "\n## CUDA\n\n"
            "```cpp\nsdata[tid] += sdata[tid + stride];\n```\n"
            "\n## Observed SASS role pattern\n\n"
            "```text\n@active LDS lhs, [tid * 4]\n```\n"
            "\n## Meaning\n\nA tree.\n"
            "\n## Observed in\n\n- [a](a.md)\n"
            "\n## Notes\n\n- one note\n");
}

TEST(WriteDocuments, ObservedInGrows) {
  std::string first = patternDocument(tree(), {"a"}, "");
  std::string second = patternDocument(tree(), {"b", "a"}, first);
  EXPECT_TRUE(has(second, "## Observed in\n\n- a\n- b\n\n")) << second;
  EXPECT_EQ(patternDocument(tree(), {"a"}, second), second);
}

TEST(WriteDocuments, NotesOfAReaderStay) {
  std::string document = patternDocument(tree(), {"a"}, "");
  document += "- mine\n";
  std::string again = patternDocument(tree(), {"a"}, document);
  EXPECT_TRUE(has(again, "- one note\n- mine\n")) << again;
}

TEST(WriteDocuments, IndexNamesWhatCounts) {
  std::vector<Report> reports;
  reports.push_back(seedReport());
  std::string text = indexDocument(reports, {"reduce/a kernel.md"});
  EXPECT_TRUE(has(text, "[reduce_sum_f32_kernel](<reduce/a kernel.md>)"));
  EXPECT_TRUE(has(text, "[shared_tree](patterns/shared_tree.md)"));
  // One barrier and 8 + 4 bytes a step, 10 registers.
  EXPECT_TRUE(has(text, "| shared | 1 | 12 | 10 |")) << text;
}
