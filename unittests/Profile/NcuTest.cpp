//===- NcuTest.cpp - Reading what profilers print -------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Profile/Ncu.h"

#include "gtest/gtest.h"

using namespace wf;

TEST(Ncu, CsvFields) {
  auto rows = readCsv("a,\"b, c\",\"say \"\"d\"\"\"\r\n1,,3");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"a", "b, c", "say \"d\""}));
  EXPECT_EQ(rows[1], (std::vector<std::string>{"1", "", "3"}));
}

TEST(Ncu, SumsKernelsAndScalesUnits) {
  auto counters = readNcu(
      "==PROF== Connected to process 7\n12.5\n"
      "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric "
      "Value\"\n"
      "\"0\",\"fold_init\",\"dram__bytes_read.sum\",\"byte\",\"1,024\"\n"
      "\"1\",\"fold\",\"dram__bytes_read.sum\",\"Kbyte\",\"2.048\"\n"
      "\"1\",\"fold\",\"lts__t_sectors_srcunit_tex_op_read.sum\",\"sector\","
      "\"64\"\n"
      "\"1\",\"fold\",\"lts__t_requests_srcunit_tex_op_red.sum\",\"inst\","
      "\"3\"\n"
      "\"1\",\"fold\",\"something_else.sum\",\"\",\"99\"\n");
  ASSERT_TRUE(bool(counters)) << llvm::toString(counters.takeError());
  EXPECT_EQ(counters->at("FETCH_SIZE"), 3.0); // KB of 1024
  EXPECT_EQ(counters->at("moved by loads"), 2.0);
  EXPECT_EQ(counters->at("atomics"), 3.0);
  EXPECT_EQ(counters->size(), 3u);
}

TEST(Ncu, OutputWithoutCounters) {
  auto counters = readNcu("==ERROR== no permission\n");
  ASSERT_FALSE(bool(counters));
  EXPECT_NE(llvm::toString(counters.takeError()).find("gave no counters"),
            std::string::npos);
}

TEST(Rocprof, CounterCollection) {
  auto counters =
      readRocprof("\"Kernel_Name\",\"Counter_Name\",\"Counter_Value\"\n"
                  "\"fold\",\"FETCH_SIZE\",4096.5\n"
                  "\"fold\",\"SQ_INSTS_VALU\",640\n"
                  "\"fold_join\",\"SQ_INSTS_VALU\",10\n");
  ASSERT_TRUE(bool(counters)) << llvm::toString(counters.takeError());
  EXPECT_EQ(counters->at("FETCH_SIZE"), 4096.5);
  EXPECT_EQ(counters->at("VALU instructions"), 650.0);
}

TEST(Ncu, WhereItIsNotInstalled) {
  setenv("PATH", "/nowhere", 1);
  auto counters = measureCounters({"warpfold"}, /*nvidia=*/true);
  ASSERT_FALSE(bool(counters));
  EXPECT_NE(llvm::toString(counters.takeError()).find("not on PATH"),
            std::string::npos);
}
