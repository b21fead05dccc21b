//===- WideStateTest.cpp - States and results of many members -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Forty members are forty results and forty partials: more arguments than any
// fixed-size list in a launch would hold.
//===----------------------------------------------------------------------===//
#include "IO/Generators.h"
#include "Language/Parser.h"
#include "Pipeline/Reduce.h"

#include "gtest/gtest.h"

using namespace wf;

namespace {

constexpr int members = 40;

/// sum of x + i for member i.
ReductionAst shiftedSums() {
  std::string map, combine;
  for (int i = 0; i < members; ++i) {
    std::string m = "m" + std::to_string(i), comma = i ? ", " : "";
    map += comma + m + ": x + " + std::to_string(i);
    combine += comma + m + ": a." + m + " + b." + m;
  }
  ClauseTexts texts;
  texts.map = "(x) -> (" + map + ")";
  texts.combine = "(a, b) -> (" + combine + ")";
  auto ast = parseClauses(texts);
  EXPECT_TRUE(bool(ast));
  return *ast;
}

TEST(WideState, FortyMembersByRowsColumnsAndInRuns) {
  for (auto [shape, axis, count] :
       {std::tuple("300x37", 0, 300), std::tuple("300x37", 1, 37),
        std::tuple("300000", 0, 300000)}) {
    ReduceRequest request;
    request.reduction = shiftedSums();
    auto array = parseGenerator("gen:full(1, " + std::string(shape) + ", f64)");
    ASSERT_TRUE(bool(array));
    request.inputs = {*array};
    request.allAxes = false;
    request.axes = {axis};
    request.threads = 3;
    auto result = reduce(request);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    ASSERT_EQ(result->results.size(), size_t(members));
    for (int i = 0; i < members; ++i) {
      const Array &a = result->results[size_t(i)].array;
      auto *values = static_cast<const double *>(a.data);
      for (int64_t o = 0; o < a.elements(); ++o)
        ASSERT_EQ(values[o], double(count) * (i + 1)) << shape << " m" << i;
    }
  }
}

} // namespace
