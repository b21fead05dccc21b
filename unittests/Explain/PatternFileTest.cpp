//===- PatternFileTest.cpp - Pattern files are read, and refused ----------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Explain/Patterns/Pattern.h"

#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace wf::explain;

namespace {

Fault faultOf(std::string_view text) {
  auto read = readPatterns(text, "my.pattern");
  EXPECT_FALSE(read) << "was read";
  return read ? Fault{} : read.fault();
}

TEST(PatternFile, ReadsEveryLine) {
  auto read = readPatterns("# a comment\n"
                           "pattern tree\n"
                           "title A tree\n"
                           "when barriers >= 2, no shfl, atom + red = 0 | 1\n"
                           "each accumulator through has shared, no loop\n"
                           "accumulator operation = add | max\n"
                           "no accumulator matrix\n"
                           "stores max(load, 0)\n"
                           "stores some mul(load, load)\n"
                           "hides copy, add\n"
                           "cuda\n"
                           "    if (x)\n"
                           "      y();\n"
                           "\n"
                           "meaning\n"
                           "  One line.\n"
                           "note A long\n"
                           "  note.\n"
                           "note Another.\n"
                           "similar copy\n"
                           "pattern other\n"
                           "when ldg.128\n",
                           "my.pattern");
  ASSERT_TRUE(read) << read.fault().message;
  ASSERT_EQ(read->size(), 2u);
  const Pattern &p = (*read)[0];
  EXPECT_EQ(p.name, "tree");
  EXPECT_EQ(p.title, "A tree");
  EXPECT_EQ(p.line, 2u);
  EXPECT_TRUE(p.perAccumulator);
  ASSERT_EQ(p.conditions.size(), 7u);
  EXPECT_EQ(p.conditions[0].name, "barriers");
  EXPECT_EQ(p.conditions[0].relation, ">=");
  EXPECT_EQ(p.conditions[0].wanted, std::vector<std::string>{"2"});
  EXPECT_EQ(p.conditions[1].text, "no shfl");
  EXPECT_EQ(p.conditions[1].relation, "=");
  EXPECT_EQ(p.conditions[2].name, "atom + red");
  EXPECT_EQ(p.conditions[2].wanted, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(p.conditions[3].relation, "has");
  EXPECT_EQ(p.conditions[3].group, 0u);
  EXPECT_EQ(p.conditions[5].group, 1u);
  EXPECT_TRUE(p.conditions[6].none);
  EXPECT_EQ(p.stores, std::vector<std::string>{"max(load, 0)"});
  EXPECT_EQ(p.storesSome, std::vector<std::string>{"mul(load, load)"});
  EXPECT_EQ(p.hides, (std::vector<std::string>{"copy", "add"}));
  EXPECT_EQ(p.cuda, "if (x)\n  y();\n");
  EXPECT_EQ(p.meaning, "One line.\n");
  EXPECT_EQ(p.notes, (std::vector<std::string>{"A long note.", "Another."}));
  EXPECT_EQ((*read)[1].title, "other");
}

TEST(PatternFile, MarksWhatIsWrong) {
  Fault fault = faultOf("pattern p\nwhen barrier >= 1\n");
  EXPECT_EQ(fault.message, "my.pattern:2:6: no fact is called 'barrier'\n"
                           "  when barrier >= 1\n"
                           "       ^~~~~~~");
  EXPECT_EQ(fault.hint, "did you mean `barriers`?");

  fault = faultOf("pattern p\nstores max(load, zero)\n");
  EXPECT_EQ(fault.message, "my.pattern:2:18: no shape is called 'zero'\n"
                           "  stores max(load, zero)\n"
                           "                   ^~~~");

  fault = faultOf("pattern p\naccumulator through has smem\n");
  EXPECT_EQ(fault.message, "my.pattern:2:25: nothing passes through 'smem'\n"
                           "  accumulator through has smem\n"
                           "                          ^~~~");

  fault = faultOf("pattern p\nstores max(load\n");
  EXPECT_EQ(fault.message, "my.pattern:2:16: ')' is missing here\n"
                           "  stores max(load\n"
                           "                 ^");
}

TEST(PatternFile, SaysWhatToDo) {
  struct Case {
    const char *text, *message, *hint;
  };
  const Case cases[] = {
      {"", "the file has no pattern", "its first line is `pattern NAME`"},
      {"when shfl\n", "'when' stands before a pattern",
       "write `pattern NAME` above it"},
      {"pattern p\n", "has no conditions", "it would match every kernel"},
      {"pattern Big\nwhen shfl\n", "'Big' is no pattern's name", "a-z"},
      {"pattern\n", "the pattern has no name", "pattern NAME"},
      {"pattern p\nwhen shfl\npattern p\nwhen shfl\n",
       "has a pattern 'p' already, in line 1", "another name"},
      {"pattern p\nwehn shfl\n", "no line starts with 'wehn'",
       "did you mean `when`?"},
      {"pattern p\n  when shfl\n", "an indented line belongs to no text",
       "first column"},
      {"pattern p\nwhen shfl = \n", "a value is missing", "barriers >= 1"},
      {"pattern p\nwhen shfl = many\n", "'many' is no number", ""},
      {"pattern p\nwhen shfl has 1\n", "a fact is a number", "<="},
      {"pattern p\nwhen no shfl = 1\n", "`no` stands before a name alone",
       "no shfl"},
      {"pattern p\nwhen shfl,, ldg\n", "a condition is missing here",
       "no shfl"},
      {"pattern p\nwhen\n", "something is missing after 'when'", "patterns.md"},
      {"pattern p\naccumulator tree\n", "accumulators have no field 'tree'",
       "did you mean `type`?"},
      {"pattern p\naccumulator operation\n", "'operation' needs a value",
       "operation = "},
      {"pattern p\naccumulator operation > add\n", "'operation' is no number",
       "= or !="},
      {"pattern p\naccumulator loop has 1\n", "'loop' is no set", "through"},
      {"pattern p\neach shfl\n", "'each' is followed by `accumulator`",
       "each accumulator"},
      {"pattern p\neach accumulator loop\neach accumulator loop\n",
       "has an `each` line already", "plain"},
      {"pattern p\nstores max(1)\n", "'max' takes 2 to 4 arguments, not 1",
       "`any`"},
      {"pattern p\nstores load(1)\n", "'load' takes no arguments", ""},
      {"pattern p\nstores load load\n", "nothing may follow a shape",
       "of its own"},
      {"pattern p\nstores 1e\n", "'1e' is no number", ""},
      {"pattern p\naccumulator shape = fma(load)\n", "'fma' takes 3 arguments",
       "`any`"},
      {"pattern p\nwhen shfl\nhides a,,b\n", "a name is missing", "commas"},
      {"pattern p\nwhen shfl\ncuda\n  x\ncuda\n  y\n",
       "'cuda' stands here twice", "join"},
  };
  for (const Case &c : cases) {
    Fault fault = faultOf(c.text);
    EXPECT_NE(fault.message.find(c.message), std::string::npos)
        << c.text << "gave: " << fault.message;
    EXPECT_NE(fault.hint.find(c.hint), std::string::npos)
        << c.text << "gave: " << fault.hint;
  }
}

TEST(PatternFile, WindowsLineEndsAndMarks) {
  auto read = readPatterns("\xef\xbb\xbfpattern p\r\nwhen shfl\r\n", "x");
  ASSERT_TRUE(read) << read.fault().message;
  EXPECT_EQ((*read)[0].conditions[0].name, "shfl");
}

TEST(PatternFile, CutAnywhere) {
  std::string text = "pattern p\nwhen atom + red >= 1 | 2, no shfl\n"
                     "each accumulator shape = fma(shared, any, 1.5)\n"
                     "stores one(max(load, 0), add(load, load))\nnote x\n  y\n";
  for (size_t length = 0; length <= text.size(); ++length)
    readPatterns(text.substr(0, length), "cut"); // no crash
  for (size_t at = 0; at < text.size(); ++at)
    for (char c : {'(', ')', ',', '\n', '|', '\0', '\xff'}) {
      std::string changed = text;
      changed[at] = c;
      readPatterns(changed, "changed");
    }
  readPatterns("pattern p\nstores " + std::string(100000, '('), "deep");
  std::string deep = "pattern p\nstores ";
  for (int i = 0; i < 50000; ++i)
    deep += "neg(";
  EXPECT_NE(faultOf(deep).message.find("nested too deeply"), std::string::npos);
}

/// Each built-in file reads, holds the pattern of its name, and names others
/// that exist.
TEST(PatternFile, BuiltinOnes) {
  std::set<std::string> names;
  for (const Pattern &pattern : builtinPatterns())
    EXPECT_TRUE(names.insert(pattern.name).second) << pattern.name;
  size_t files = 0;
  for (const auto &entry :
       std::filesystem::directory_iterator(WARPFOLD_PATTERNS)) {
    if (entry.path().extension() != ".pattern")
      continue;
    ++files;
    std::ifstream in(entry.path());
    std::stringstream text;
    text << in.rdbuf();
    auto read = readPatterns(text.str(), entry.path().filename().string());
    ASSERT_TRUE(read) << read.fault().message << "\n" << read.fault().hint;
    ASSERT_EQ(read->size(), 1u);
    EXPECT_EQ((*read)[0].name, entry.path().stem().string());
  }
  EXPECT_EQ(files, names.size());
  EXPECT_GE(files, 30u);
  for (const Pattern &pattern : builtinPatterns()) {
    EXPECT_NE(pattern.title, pattern.name);
    for (const std::string *text :
         {&pattern.cuda, &pattern.roles, &pattern.meaning})
      EXPECT_FALSE(text->empty()) << pattern.name;
    EXPECT_FALSE(pattern.notes.empty()) << pattern.name;
    for (const auto &list : {pattern.hides, pattern.similar})
      for (const std::string &other : list)
        EXPECT_TRUE(names.count(other))
            << pattern.name << " names " << other << ", which is no pattern";
  }
}

} // namespace
