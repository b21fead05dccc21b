//===- GoldenTest.cpp - Published bits of sums ----------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The files that the oracle is held against, through the compiler: as one
// vector, as rows, as columns, as a gathered view and on several threads.
//===----------------------------------------------------------------------===//
#include "Cases.h"

#include "Language/Catalogue.h"
#include "Numerics/Value.h"

#include "gtest/gtest.h"

#include <fstream>
#include <sstream>

using namespace wf;
using namespace wf::test;

namespace {

/// Element k of the published sums: exact in f32.
double goldenElement(int64_t k) {
  return double(uint32_t(uint64_t(k) * 2654435761u) >> 8) / 16777216.0 - 0.5;
}
double goldenThird(int64_t k) { return goldenElement(k) / 3; }

struct Row {
  ScalarType type = ScalarType::F32;
  std::string order, line;
  int64_t count = 0;
  uint64_t bits = 0;
};

std::vector<Row> readRows(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "dtype,op,order,K,bits") << path;
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    std::istringstream in(line);
    std::string dtype, op, order, count, bits;
    for (std::string *cell : {&dtype, &op, &order, &count, &bits})
      std::getline(in, *cell, ',');
    EXPECT_EQ(op, "sum");
    rows.push_back({*scalarTypeNamed(dtype), order, line, std::stoll(count),
                    std::stoull(bits, nullptr, 16)});
  }
  return rows;
}

/// `copies` sums over the row's elements; element k of every sum stands at
/// k · step, the sums `apart` from one another.
Array sumsOf(const Row &row, double (*value)(int64_t), int64_t copies,
             int64_t step, int64_t apart) {
  Array array;
  array.type = row.type;
  array.shape = {copies, row.count};
  array.strides = {apart, step};
  int64_t bytes = byteSize(row.type);
  auto memory = std::make_shared<std::vector<char>>(
      size_t((copies * apart + row.count * step) * bytes));
  for (int64_t c = 0; c < copies; ++c)
    for (int64_t k = 0; k < row.count; ++k) {
      uint64_t bits = row.type == ScalarType::F32 ? payloadOf(float(value(k)))
                                                  : payloadOf(value(k));
      std::memcpy(memory->data() + (c * apart + k * step) * bytes, &bits,
                  size_t(bytes));
    }
  array.data = memory->data();
  array.owner = memory;
  return array;
}

void expectSums(const Row &row, const Array &input, int threads) {
  ReduceRequest request;
  request.reduction = llvm::cantFail(lookupOp("sum"));
  request.inputs = {input};
  request.allAxes = false;
  request.axes = {1};
  request.order = row.order;
  request.threads = threads;
  auto result = reduce(request);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->order, row.order);
  const Array &sums = result->results[0].array;
  ASSERT_EQ(sums.elements(), input.shape[0]);
  for (int64_t i = 0; i < sums.elements(); ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits,
                static_cast<const char *>(sums.data) + i * byteSize(row.type),
                size_t(byteSize(row.type)));
    ASSERT_EQ(describe(row.type, bits), describe(row.type, row.bits))
        << row.line << "\noutput " << i << " of " << describe(input)
        << "\nplan " << result->plan;
  }
}

size_t checkFile(const char *name, double (*value)(int64_t)) {
  std::vector<Row> rows = readRows(std::string(WF_GOLDEN_FOLDER "/") + name);
  for (const Row &row : rows) {
    SCOPED_TRACE(row.line);
    int64_t k = row.count;
    expectSums(row, sumsOf(row, value, 1, 1, k), 1);
    if (k > 100000) {
      for (int threads : {2, 3, 7})
        expectSums(row, sumsOf(row, value, 1, 1, k), threads);
      continue;
    }
    expectSums(row, sumsOf(row, value, 19, 1, k + 3), 1);
    expectSums(row, sumsOf(row, value, 19, 19, 1), 1);
    expectSums(row, sumsOf(row, value, 3, 2, 2 * k), 1);
  }
  return rows.size();
}

TEST(Golden, Sums) { EXPECT_EQ(checkFile("golden.csv", goldenElement), 96u); }

TEST(Golden, SumsOfThirds) {
  EXPECT_EQ(checkFile("thirds.csv", goldenThird), 48u);
}

} // namespace
