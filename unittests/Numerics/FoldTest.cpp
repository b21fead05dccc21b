//===- FoldTest.cpp - The reference fold ----------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Numerics/Fold.h"
#include "Numerics/TreeFold.h"
#include "Programs.h"

#include "gtest/gtest.h"

#include <fstream>
#include <numeric>
#include <sstream>

using namespace wf;
using namespace wf::test;

namespace {

constexpr Order allOrders[] = {Order::Canonical, Order::Ordered,
                               Order::Sequential};

/// The payloads of one fold; a failure where there is an error.
std::vector<uint64_t> fold(const Program &p, Order order, int64_t count,
                           ElementAccess element) {
  auto results = foldOne(p, order, count, element);
  if (!results) {
    ADD_FAILURE() << llvm::toString(results.takeError());
    return {0};
  }
  return *results;
}

template <typename T> std::vector<T> values(const Array &array) {
  const T *data = static_cast<const T *>(array.data);
  return std::vector<T>(data, data + array.elements());
}

template <typename T>
std::vector<T> foldValues(const Program &p, const Array &array,
                          std::vector<int64_t> axes,
                          Order order = Order::Canonical) {
  auto results = foldArrays(p, order, array, axes, false);
  if (!results) {
    ADD_FAILURE() << llvm::toString(results.takeError());
    return {};
  }
  return values<T>((*results)[0]);
}

/// Folds every row of a golden file and returns how many there are.
int checkGolden(const char *path, double (*value)(int64_t)) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "dtype,op,order,K,bits");
  int rows = 0;
  while (std::getline(file, line)) {
    std::istringstream in(line);
    std::string dtype, op, order, count, bits;
    for (std::string *cell : {&dtype, &op, &order, &count, &bits})
      std::getline(in, *cell, ',');
    const ScalarType type = *scalarTypeNamed(dtype);
    auto element = [&](unsigned, int64_t k) {
      return type == ScalarType::F32 ? payloadOf(float(value(k)))
                                     : payloadOf(value(k));
    };
    for (Order o : allOrders)
      if (name(o) == order) {
        EXPECT_EQ(fold(sumProgram(type), o, std::stoll(count), element)[0],
                  std::stoull(bits, nullptr, 16))
            << line;
        ++rows;
      }
  }
  return rows;
}

TEST(Fold, GoldenSums) {
  EXPECT_EQ(checkGolden(WF_GOLDEN_FOLDER "/golden.csv", goldenElement), 96);
}

TEST(Fold, GoldenSumsOfThirdsWhereF64HasToRound) {
  EXPECT_EQ(checkGolden(WF_GOLDEN_FOLDER "/thirds.csv",
                        [](int64_t k) { return goldenElement(k) / 3; }),
            48);
}

TEST(Fold, GoldenSumsFromArrays) {
  const Array x = goldenArray(ScalarType::F32, {4097});
  const std::vector<uint32_t> sums =
      foldValues<uint32_t>(sumProgram(ScalarType::F32), x, {0});
  auto element = [](unsigned, int64_t k) {
    return payloadOf(float(goldenElement(k)));
  };
  EXPECT_EQ(sums[0], fold(sumProgram(ScalarType::F32), Order::Canonical, 4097,
                          element)[0]);
}

TEST(Fold, EveryPositionOnce) {
  // Integer sums do not depend on the tree, so they count what was folded.
  const Program p = sumProgram(ScalarType::I32);
  auto element = [](unsigned, int64_t k) { return uint64_t(3 * k + 1); };
  for (Order order : allOrders)
    for (int64_t count : {1, 2, 127, 128, 129, 4095, 4096, 4097, 9000})
      EXPECT_EQ(fold(p, order, count, element)[0],
                uint64_t(3 * (count * (count - 1) / 2) + count));
}

TEST(Fold, CountsOfTheSubtrees) {
  // Every join of na and nb elements adds 1 + 10^6 (na + 2 nb), every update
  // of a slot its count, every map 1000 k.
  const Program p = countingProgram();
  auto none = [](unsigned, int64_t) { return uint64_t(0); };
  const int64_t million = 1'000'000, finish = million * million;
  // ((0 1) 2) under `ordered`.
  EXPECT_EQ(int64_t(fold(p, Order::Ordered, 3, none)[0]),
            3000 + 2 + million * (1 + 2 * 1) + million * (2 + 2 * 1) +
                3 * finish);
  // Sequential: updates that see 1 and 2 elements; they ignore their index.
  EXPECT_EQ(int64_t(fold(p, Order::Sequential, 3, none)[0]),
            1 + 2 + 3 * finish);
  // Canonical, i64: V = A = 2, a row is 64. Element 64 goes to slot 0, whose
  // count was 1; slots 0 (2 elements) and 1 then meet, and so on.
  int64_t expected = 1 + 65 * finish;
  for (int64_t k = 0; k < 64; ++k)
    expected += 1000 * k;
  for (int64_t run = 1; run < 64; run *= 2)
    for (int64_t i = 0; i < 64; i += 2 * run)
      expected += 1 + million * (run + (i == 0) + 2 * run);
  EXPECT_EQ(int64_t(fold(p, Order::Canonical, 65, none)[0]), expected);
}

TEST(Fold, ArgmaxTakesTheLowestIndexOfTies) {
  const Program p = argmaxProgram(ScalarType::F32);
  for (Order order : allOrders) {
    EXPECT_EQ(fold(p, order, 5000,
                   [](unsigned, int64_t k) {
                     return payloadOf(k % 700 == 650 ? 9.0f : float(k % 9));
                   })[0],
              650u);
    // A NaN is more than all else.
    EXPECT_EQ(fold(p, order, 5000,
                   [](unsigned, int64_t k) {
                     return k == 4321 || k == 4400 ? quietNan(ScalarType::F32)
                                                   : payloadOf(float(k));
                   })[0],
              4321u);
  }
}

TEST(Fold, NanResultsAreTheOneQuietNan) {
  for (ScalarType type : {ScalarType::F32, ScalarType::F64}) {
    const uint64_t odd =
        type == ScalarType::F32 ? 0xffc12345u : 0xfff8000000012345u;
    for (int64_t count : {1, 2, 200})
      EXPECT_EQ(fold(sumProgram(type), Order::Canonical, count,
                     [&](unsigned, int64_t) { return odd; })[0],
                quietNan(type));
  }
}

TEST(Fold, NeutralNeverMeetsElements) {
  // 0 + -0 is +0, so a filler would show.
  auto element = [](unsigned, int64_t) { return payloadOf(-0.0f); };
  for (Order order : allOrders)
    for (int64_t count : {1, 3, 130, 5000})
      EXPECT_EQ(fold(sumProgram(ScalarType::F32), order, count, element)[0],
                payloadOf(-0.0f));
}

TEST(Fold, Empty) {
  auto element = [](unsigned, int64_t) -> uint64_t {
    ADD_FAILURE() << "no element to read";
    return 0;
  };
  EXPECT_EQ(fold(sumProgram(ScalarType::F32), Order::Canonical, 0, element)[0],
            0u);
  auto error =
      foldOne(sumWithoutEmpty(ScalarType::F32), Order::Ordered, 0, element);
  ASSERT_FALSE(bool(error));
  EXPECT_NE(llvm::toString(error.takeError()).find("empty reduction"),
            std::string::npos);

  const Array none = arrayOf<float>(ScalarType::F32, {2, 0, 3}, {});
  auto named = foldArrays(sumWithoutEmpty(ScalarType::F32), Order::Canonical,
                          none, {1}, false);
  ASSERT_FALSE(bool(named));
  const std::string text = llvm::toString(named.takeError());
  EXPECT_NE(text.find("empty reduction: output (0, 0) of 'sum'"),
            std::string::npos)
      << text;
  EXPECT_EQ(foldValues<float>(sumProgram(ScalarType::F32), none, {1}),
            std::vector<float>(6, 0.0f));
  // No outputs, no error.
  EXPECT_TRUE(foldValues<float>(sumWithoutEmpty(ScalarType::F32), none, {0, 2})
                  .empty());
}

TEST(Fold, TwoInputsAndAParam) {
  Program p = dotProgram();
  const Array x = arrayOf<double>(ScalarType::F64, {3}, {1, 2, 3});
  Array ten = arrayOf<double>(ScalarType::F64, {1}, {10});
  ten.shape = {3};
  ten.strides = {0};
  auto missing = foldArrays(p, Order::Ordered, {x, ten}, {0}, false);
  ASSERT_FALSE(bool(missing));
  EXPECT_NE(llvm::toString(missing.takeError()).find("param 'scale'"),
            std::string::npos);
  p.params[0].value = payloadOf(0.5);
  for (Order order : allOrders) {
    auto results = foldArrays(p, order, {x, ten}, {0}, false);
    ASSERT_TRUE(bool(results));
    EXPECT_EQ(values<double>((*results)[0]), std::vector<double>{30.0});
  }
  auto tooFew = foldArrays(p, Order::Ordered, x, {0}, false);
  EXPECT_FALSE(bool(tooFew));
  llvm::consumeError(tooFew.takeError());
}

TEST(Fold, AxesAndKeptDimensions) {
  std::vector<int32_t> numbers(24);
  std::iota(numbers.begin(), numbers.end(), 0);
  const Array x = arrayOf(ScalarType::I32, {2, 3, 4}, numbers);
  const Program p = sumProgram(ScalarType::I32);
  EXPECT_EQ(foldValues<int32_t>(p, x, {1}),
            (std::vector<int32_t>{12, 15, 18, 21, 48, 51, 54, 57}));
  EXPECT_EQ(foldValues<int32_t>(p, x, {0, 2}),
            (std::vector<int32_t>{60, 92, 124}));
  EXPECT_EQ(foldValues<int32_t>(p, x, {0, 1, 2}), std::vector<int32_t>{276});
  EXPECT_EQ(foldValues<int32_t>(p, x, {}), numbers);
  auto kept = foldArrays(p, Order::Canonical, x, {0, 2}, true);
  ASSERT_TRUE(bool(kept));
  EXPECT_EQ((*kept)[0].shape, (std::vector<int64_t>{1, 3, 1}));
  for (std::vector<int64_t> bad :
       {std::vector<int64_t>{3}, {-1}, {1, 1}, {2, 0}}) {
    auto refused = foldArrays(p, Order::Canonical, x, bad, false);
    EXPECT_FALSE(bool(refused));
    llvm::consumeError(refused.takeError());
  }
}

TEST(Fold, PositionsFollowLogicalOrderWhateverTheStrides) {
  // argmax over all axes gives k itself.
  std::vector<int32_t> numbers(24);
  std::iota(numbers.begin(), numbers.end(), 0);
  const Program p = argmaxProgram(ScalarType::I32);
  Array x = arrayOf(ScalarType::I32, {2, 3, 4}, numbers);
  EXPECT_EQ(foldValues<int64_t>(p, x, {0, 1, 2})[0], 23);
  Array transposed = x; // (4, 3, 2): largest at (3, 2, 1)
  transposed.shape = {4, 3, 2};
  transposed.strides = {1, 4, 12};
  EXPECT_EQ(foldValues<int64_t>(p, transposed, {0, 1, 2})[0], 23);
  EXPECT_EQ(foldValues<int64_t>(p, transposed, {1, 2}),
            (std::vector<int64_t>{5, 5, 5, 5}));
  Array reversed = x; // last axis backwards: largest at (1, 2, 0)
  reversed.strides[2] = -1;
  reversed.data = numbers.data() + 3;
  EXPECT_EQ(foldValues<int64_t>(p, reversed, {0, 1, 2})[0], 20);
  Array repeated = x; // the same row twice: the first one counts
  repeated.strides[0] = 0;
  EXPECT_EQ(foldValues<int64_t>(p, repeated, {0, 1, 2})[0], 11);
}

/// Element p is p + 100.
struct Counter : ElementSource {
  void fill(void *out, int64_t first, int64_t step,
            int64_t count) const override {
    for (int64_t i = 0; i < count; ++i)
      static_cast<int16_t *>(out)[i] = int16_t(first + i * step + 100);
  }
};

TEST(Fold, GeneratedArrays) {
  Array x;
  x.type = ScalarType::I16;
  x.shape = {2, 3};
  x.strides = {-3, 1};
  x.offset = 3;
  x.source = std::make_shared<Counter>();
  EXPECT_EQ(foldValues<int16_t>(sumProgram(ScalarType::I16), x, {1}),
            (std::vector<int16_t>{103 + 104 + 105, 100 + 101 + 102}));
}

TEST(Fold, AnyByteButZeroIsTrue) {
  const Array x = arrayOf<uint8_t>(ScalarType::Bool, {3}, {0, 2, 0});
  Program p = sumProgram(ScalarType::Bool);
  for (Function *f : {&p.combine, &p.update})
    f->nodes.back().op = NodeOp::Or;
  EXPECT_EQ(foldValues<uint8_t>(p, x, {0}), std::vector<uint8_t>{1});
  // Stored as 1 where nothing but map touches it.
  EXPECT_EQ(foldValues<uint8_t>(p, x, {}), (std::vector<uint8_t>{0, 1, 0}));
}

TEST(Fold, MemoryGrowsWithTheLogarithm) {
  // 2^22 elements: at most one pending subtree a level, plus a chunk's slots.
  struct Live {
    static int64_t &now() {
      static int64_t n = 0;
      return n;
    }
    static int64_t &most() {
      static int64_t n = 0;
      return n;
    }
    Live() { most() = std::max(most(), ++now()); }
    Live(const Live &) : Live() {}
    Live &operator=(const Live &) = default;
    ~Live() { --now(); }
  };
  for (Order order : allOrders) {
    Live::most() = 0;
    foldTree<Live>(
        order, OrderShape{4, 4}, 1 << 22, [](int64_t) { return Live(); },
        [](Live &, int64_t) {}, [](const Live &a, const Live &) { return a; });
    EXPECT_LT(Live::most(), 128 + 22 + 16) << name(order);
    EXPECT_EQ(Live::now(), 0);
  }
}

} // namespace
