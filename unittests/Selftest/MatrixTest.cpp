//===- MatrixTest.cpp - The cases of the self-test ------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Selftest/Matrix.h"
#include "Selftest/Reductions.h"
#include "Selftest/Views.h"

#include "IO/Elements.h"
#include "Language/Catalogue.h"

#include "gtest/gtest.h"

#include <cstring>
#include <set>

using namespace wf;
using namespace wf::selftest;

static std::vector<Case> everything() {
  MatrixOptions options;
  options.big = true;
  options.plans = {"auto"};
  return matrix(options);
}

TEST(SelftestMatrix, NamesAreUniqueAndNeedNoQuoting) {
  std::set<std::string> seen;
  for (const Case &c : everything()) {
    EXPECT_TRUE(seen.insert(c.name).second) << c.name;
    EXPECT_EQ(c.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789"
                                       "_-/"),
              std::string::npos)
        << c.name;
  }
}

TEST(SelftestMatrix, EveryCaseIsAcceptedByTheLanguage) {
  for (const Case &c : everything())
    EXPECT_TRUE(accepts(c)) << c.name;
}

TEST(SelftestMatrix, EveryOpIsThereAtEveryTypeItTakes) {
  std::set<std::string> seen;
  for (const Case &c : everything())
    if (llvm::StringRef(c.name).starts_with("catalogue/"))
      seen.insert(c.name.substr(0, c.name.find('/', 10)));
  for (const CatalogueEntry &entry : catalogue())
    EXPECT_TRUE(seen.count("catalogue/" + entry.name.str() + "-i32"))
        << entry.name.str();
  EXPECT_TRUE(seen.count("catalogue/sum-f64"));
  EXPECT_FALSE(seen.count("catalogue/xor-f32")) << "floats have no bits";
}

TEST(SelftestMatrix, TheShortOneIsPartOfTheWhole) {
  MatrixOptions quick;
  quick.quick = true;
  std::set<std::string> all;
  for (const Case &c : everything())
    all.insert(c.name);
  const std::vector<Case> some = matrix(quick);
  EXPECT_GT(some.size(), 300u);
  EXPECT_LT(some.size(), all.size() / 5);
  for (const Case &c : some)
    EXPECT_TRUE(all.count(c.name)) << c.name;
}

static std::string bytesOf(const Case &c, uint64_t seed) {
  auto request = requestOf(c, seed, "cpu");
  if (!request) {
    ADD_FAILURE() << llvm::toString(request.takeError());
    return "";
  }
  const Array &array = request->inputs[0];
  std::string bytes(size_t(array.elements() * byteSize(array.type)), '\0');
  copyElements(array, 0, array.elements(), bytes.data());
  return bytes;
}

TEST(SelftestMatrix, ElementsBelongToTheNameAndTheSeed) {
  Case c = makeCase("one", "sum", {ScalarType::F32}, {100});
  EXPECT_EQ(bytesOf(c, 1), bytesOf(c, 1));
  EXPECT_NE(bytesOf(c, 1), bytesOf(c, 2));
  Case other = c;
  other.name = "two";
  EXPECT_NE(bytesOf(c, 1), bytesOf(other, 1));
}

TEST(SelftestMatrix, ViewsReachWhatTheySay) {
  Random random(1);
  CaseInput input{ScalarType::I16, skewed(pitched({3, 5}, 2), 3)};
  auto array = makeArray(random, input, 1);
  ASSERT_TRUE(bool(array));
  EXPECT_EQ(array->strides, (std::vector<int64_t>{7, 1}));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(array->data) % 256, 3u);
  input.view = reversed(rowMajor({4}), 0);
  auto back = makeArray(random, input, 1);
  ASSERT_TRUE(bool(back));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(back->data) % 256, 6u);
}
