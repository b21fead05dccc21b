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

// Rows as ncu writes them, with every column; the kernel's name comes with its
// arguments. What is not ours is left out.
TEST(Ncu, SumsKernelsAndScalesUnits) {
  auto row = [](const char *id, const char *kernel, const char *metric,
                const char *unit, const char *value) {
    return std::string("\"") + id + "\",\"7\",\"warpfold\",\"127.0.0.1\",\"" +
           kernel +
           "\",\"1\",\"7\",\"(256, 1, 1)\",\"(4096, 1, 1)\",\"0\",\"9.0\","
           "\"Command line profiler metrics\",\"" +
           metric + "\",\"" + unit + "\",\"" + value + "\"\n";
  };
  auto counters = readNcu(
      "==PROF== Connected to process 7\n12.5\n"
      "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\","
      "\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\","
      "\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n" +
      row("0", "fold_init", "dram__bytes_read.sum", "byte", "1,024") +
      row("1", "fold", "dram__bytes_read.sum", "Kbyte", "2.048") +
      row("1", "fold", "lts__t_sectors_srcunit_tex_op_read.sum", "sector",
          "64") +
      row("1", "fold", "lts__t_requests_srcunit_tex_op_red.sum", "inst", "3") +
      row("1", "fold", "memory_l1_wavefronts_shared", "", "10") +
      row("1", "fold", "memory_l1_wavefronts_shared_ideal", "", "8") +
      row("2", "copy_kernel", "dram__bytes_read.sum", "byte", "4,096") +
      row("1", "fold", "something_else.sum", "", "99"));
  ASSERT_TRUE(bool(counters)) << llvm::toString(counters.takeError());
  EXPECT_EQ(counters->at("FETCH_SIZE"), 3.0); // KB of 1024
  EXPECT_EQ(counters->at("moved by loads"), 2.0);
  EXPECT_EQ(counters->at("atomics"), 3.0);
  EXPECT_EQ(counters->at("LDS bank conflicts"), 2.0);
  EXPECT_EQ(counters->size(), 4u);
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
                  "\"__amd_rocclr_fillBufferAligned\",\"SQ_INSTS_VALU\",999\n"
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
