//===- CheckTest.cpp - The checker meets wrong answers --------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Eight rows of golden elements, summed rightly and then in each of the ways
// in which kernels go wrong. Every wrong answer has to be reported.
//===----------------------------------------------------------------------===//
#include "Numerics/Check.h"
#include "Numerics/Fold.h"
#include "Programs.h"

#include "gtest/gtest.h"

using namespace wf;
using namespace wf::test;

namespace {

template <typename T> class Check : public testing::Test {
protected:
  static constexpr ScalarType type =
      sizeof(T) == 4 ? ScalarType::F32 : ScalarType::F64;
  static constexpr int64_t rows = 8, columns = 5001;
  const Program program = sumProgram(type);
  const Array input = arrayOf<T>(type, {rows, columns}, elements());
  const Array want = fold(input, Order::Canonical);
  std::vector<T> right = valuesOf(want);
  const int64_t axis[1] = {1};

  Array fold(const Array &array, Order order) {
    auto results = foldArrays(program, order, array, {1}, false);
    EXPECT_TRUE(bool(results));
    return (*results)[0];
  }
  /// Thirds of the golden elements: sums of those themselves are exact in f64.
  static std::vector<T> elements() {
    std::vector<T> values;
    for (int64_t k = 0; k < rows * columns; ++k)
      values.push_back(T(goldenElement(k)) / 3);
    return values;
  }
  static std::vector<T> valuesOf(const Array &array) {
    const T *data = static_cast<const T *>(array.data);
    return std::vector<T>(data, data + array.elements());
  }
  static Array sums(std::vector<T> values) {
    return arrayOf<T>(type, {rows}, std::move(values));
  }
  SumProblem problem() const {
    return {input, axis, Order::Canonical, orderShape(program)};
  }
  /// Reports of the bits and of the exact value.
  void expectWrong(const Array &got, int64_t bits, bool alsoFar,
                   const std::string &word) {
    const CheckReport byBits = compareBits(got, want);
    const CheckReport byValue = compareExact(got, problem());
    EXPECT_EQ(byBits.wrong, bits) << byBits.text();
    EXPECT_EQ(byValue.ok(), !alsoFar) << byValue.text();
    EXPECT_NE(byBits.text().find(word), std::string::npos) << byBits.text();
    EXPECT_FALSE(compare(got, want, problem()).ok());
  }
};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Check, FloatTypes);

TYPED_TEST(Check, RightAnswersPass) {
  const CheckReport report =
      compare(this->sums(this->right), this->want, this->problem());
  EXPECT_TRUE(report.ok()) << report.text();
  EXPECT_EQ(report.compared, this->rows);
  EXPECT_EQ(report.text(), "8 elements agree");
  EXPECT_GT(report.worst, 0);
  EXPECT_LE(report.worst, 1);
}

TYPED_TEST(Check, NanIsReported) {
  auto got = this->right;
  got[3] = std::numeric_limits<TypeParam>::quiet_NaN();
  this->expectWrong(this->sums(got), 1, true, "at (3): got nan");
}

TYPED_TEST(Check, MissedTailIsReported) {
  auto got = this->right;
  Array shorter = this->input;
  shorter.shape[1] -= 1;
  got[5] = this->valuesOf(this->fold(shorter, Order::Canonical))[5];
  this->expectWrong(this->sums(got), 1, true, "at (5)");
}

TYPED_TEST(Check, SwappedOrderIsReportedByItsBits) {
  // A sum as good as ours, in another order: near enough, yet not ours.
  const Array got = this->fold(this->input, Order::Ordered);
  int64_t differ = 0;
  for (int64_t i = 0; i < this->rows; ++i)
    differ += this->valuesOf(got)[size_t(i)] != this->right[size_t(i)];
  ASSERT_GT(differ, 0);
  this->expectWrong(got, differ, false, "want");
}

TYPED_TEST(Check, StaleOutputIsReported) {
  auto got = this->right;
  std::memset(&got[7], 0xAB, sizeof(TypeParam));
  this->expectWrong(this->sums(got), 1, true, "nothing was written here");
}

TYPED_TEST(Check, OffByOneIndexIsReported) {
  // Every row starts one element late; the last row at its right place.
  Array late = this->input;
  late.data = static_cast<const TypeParam *>(late.data) + 1;
  late.shape[0] -= 1;
  auto got = this->valuesOf(this->fold(late, Order::Canonical));
  got.push_back(this->right.back());
  this->expectWrong(this->sums(got), this->rows - 1, true, "at (0)");
}

TYPED_TEST(Check, SwappedOutputsAreReported) {
  auto got = this->right;
  std::swap(got[0], got[1]);
  this->expectWrong(this->sums(got), 2, true, "2 of 8 elements are wrong");
}

TYPED_TEST(Check, OtherShapesAreReported) {
  Array got = this->sums(this->right);
  got.shape = {this->rows / 2};
  EXPECT_FALSE(compareBits(got, this->want).ok());
  EXPECT_FALSE(compareExact(got, this->problem()).ok());
}

TEST(CheckBits, OnlyTheOneQuietNan) {
  auto one = [](uint32_t bits) {
    return arrayOf<uint32_t>(ScalarType::F32, {1}, {bits});
  };
  const Array quiet = one(0x7fc00000);
  EXPECT_TRUE(compareBits(quiet, quiet).ok());
  for (uint32_t other : {0x7fc00001u, 0xffc00000u, 0x7f800001u}) {
    const CheckReport report = compareBits(one(other), quiet);
    EXPECT_FALSE(report.ok());
    EXPECT_NE(report.text().find("not the one quiet NaN"), std::string::npos);
  }
}

TEST(CheckBits, ZerosAndTypesDiffer) {
  const Array plus = arrayOf<float>(ScalarType::F32, {}, {0.0f});
  const Array minus = arrayOf<float>(ScalarType::F32, {}, {-0.0f});
  EXPECT_FALSE(compareBits(minus, plus).ok());
  Array integer = plus;
  integer.type = ScalarType::I32;
  EXPECT_EQ(compareBits(integer, plus).text(),
            "1 of 0 elements are wrong\n  got i32, want f32");
}

TEST(CheckBits, StaleBoolIsNotTrue) {
  const Array want = arrayOf<uint8_t>(ScalarType::Bool, {1}, {1});
  const Array stale = arrayOf<uint8_t>(ScalarType::Bool, {1}, {0xAB});
  EXPECT_FALSE(compareBits(stale, want).ok());
}

TEST(CheckBits, MessagesAreFewButCountsAreNot) {
  const Array got =
      arrayOf<int32_t>(ScalarType::I32, {100}, std::vector<int32_t>(100, 1));
  const Array want =
      arrayOf<int32_t>(ScalarType::I32, {100}, std::vector<int32_t>(100, 2));
  const CheckReport report = compareBits(got, want);
  EXPECT_EQ(report.wrong, 100);
  EXPECT_EQ(report.messages.size(), 5u);
}

TEST(CheckExact, InfinitiesHaveToComeOut) {
  const Array input = arrayOf<float>(ScalarType::F32, {2}, {HUGE_VALF, 1.0f});
  const int64_t axes[] = {0};
  auto report = [&](float got) {
    const Array result = arrayOf<float>(ScalarType::F32, {}, {got});
    return compareExact(result, {input, axes, Order::Ordered, {}}).ok();
  };
  EXPECT_TRUE(report(HUGE_VALF));
  EXPECT_FALSE(report(-HUGE_VALF));
  EXPECT_FALSE(report(1.0f));
  EXPECT_FALSE(report(std::numeric_limits<float>::quiet_NaN()));
}

} // namespace
