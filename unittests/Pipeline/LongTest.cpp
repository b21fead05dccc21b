//===- LongTest.cpp - Positions past 2^32 ---------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Too long for the reference fold, so the results are ones that can be told
// beforehand. No memory to speak of: pages that nobody wrote, stride 0.
//===----------------------------------------------------------------------===//
#include "Cases.h"

#include "Language/Catalogue.h"

#include "gtest/gtest.h"

#include <sys/mman.h>

using namespace wf;
using namespace wf::test;

namespace {

constexpr int64_t past32Bits = (int64_t(1) << 32) + 4099;

/// i8 zeros, with a one at `at`. Null where the system has no such range.
Array zerosWithOne(int64_t count, int64_t at) {
  Array array;
  array.type = ScalarType::I8;
  array.shape = {count};
  array.strides = {1};
  void *map = mmap(nullptr, size_t(count), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED)
    return array;
  // A page read but never written is one page of zeros, a huge page is not.
  madvise(map, size_t(count), MADV_NOHUGEPAGE);
  static_cast<int8_t *>(map)[at] = 1;
  array.data = map;
  array.owner = std::shared_ptr<void>(
      map, [count](void *p) { munmap(p, size_t(count)); });
  return array;
}

/// The first result, an i64, of folding the whole array.
int64_t folded(const ReductionAst &reduction, const Array &array,
               std::optional<std::string> order, int threads) {
  ReduceRequest request;
  request.reduction = reduction;
  request.inputs = {array};
  request.order = std::move(order);
  request.threads = threads;
  auto result = reduce(request);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return -1;
  }
  return *static_cast<const int64_t *>(result->results[0].array.data);
}

TEST(Long, ArgmaxPast32Bits) {
  const int64_t at = (int64_t(1) << 32) + 77;
  Array array = zerosWithOne(past32Bits, at);
  if (!array.data)
    GTEST_SKIP() << "no 4 GiB of address space";
  EXPECT_EQ(folded(llvm::cantFail(lookupOp("argmax")), array, {}, 2), at);
  array.shape = {int64_t(1) << 31}; // nothing but ties here
  EXPECT_EQ(folded(llvm::cantFail(lookupOp("argmax")), array, {}, 1), 0);
}

TEST(Long, CountsAndPositionsPast32Bits) {
  const int8_t one = 1;
  Array ones;
  ones.type = ScalarType::I8;
  ones.shape = {past32Bits};
  ones.strides = {0};
  ones.data = &one;
  EXPECT_EQ(folded(custom("how_many").ast, ones, {}, 3), past32Bits);
  EXPECT_EQ(folded(custom("positions").ast, ones, {}, 3), past32Bits - 1);
  EXPECT_EQ(folded(llvm::cantFail(lookupOp("sum")), ones, {}, 2), past32Bits);
}

TEST(Long, SeveralAxesPast32Bits) {
  // One row of 4096, again and again: k runs over two axes.
  std::vector<int8_t> row(4096, 0);
  row[1234] = 1;
  Array rows;
  rows.type = ScalarType::I8;
  rows.shape = {(int64_t(1) << 20) + 3, 4096};
  rows.strides = {0, 1};
  rows.data = row.data();
  const int64_t last = ((int64_t(1) << 20) + 2) * 4096 + 1234;
  EXPECT_EQ(folded(custom("positions").ast, rows, {}, 2), last);
  EXPECT_EQ(folded(llvm::cantFail(lookupOp("argmax")), rows, {}, 2), 1234);
}

} // namespace
