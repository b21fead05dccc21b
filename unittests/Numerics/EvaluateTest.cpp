//===- EvaluateTest.cpp - Functions and what verify() refuses -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Numerics/Evaluate.h"
#include "Programs.h"

#include "gtest/gtest.h"

using namespace wf;
using namespace wf::test;

namespace {

std::string textOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}

TEST(Evaluate, NodesInOrder) {
  FunctionBuilder f;
  const ScalarType f32 = ScalarType::F32;
  const uint32_t a = f.argument(ArgumentRole::StateA, 0, f32);
  const uint32_t b = f.argument(ArgumentRole::StateB, 0, f32);
  const uint32_t half = f.constant(f32, payloadOf(0.5f));
  const uint32_t sum = f.node(NodeOp::Add, f32, {a, b});
  const Function mean = f.done({f.node(NodeOp::Mul, f32, {sum, half}), sum});
  ASSERT_FALSE(bool(verify(mean)));
  const uint64_t left[] = {payloadOf(1.0f)}, right[] = {payloadOf(4.0f)};
  Operands in;
  in.stateA = left;
  in.stateB = right;
  const Scalars results = evaluate(mean, in);
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(valueOf<float>(results[0]), 2.5f);
  EXPECT_EQ(valueOf<float>(results[1]), 5.0f);
}

TEST(Evaluate, F32HasNoExcessPrecision) {
  // 2^24 + 1 is lost in f32 and would be seen in a wider sum.
  FunctionBuilder f;
  const ScalarType f32 = ScalarType::F32;
  const uint32_t big = f.constant(f32, payloadOf(16777216.0f));
  const uint32_t one = f.constant(f32, payloadOf(1.0f));
  const uint32_t sum = f.node(NodeOp::Add, f32, {big, one});
  const Function g = f.done({f.node(NodeOp::Sub, f32, {sum, big})});
  EXPECT_EQ(valueOf<float>(evaluate(g, {})[0]), 0.0f);
}

TEST(Verify, RefusesNodesThatComeLater) {
  FunctionBuilder f;
  f.function.name = "map";
  f.node(NodeOp::Neg, ScalarType::F32, {0});
  EXPECT_NE(textOf(verify(f.done({0}))).find("map: node 0 (neg : f32)"),
            std::string::npos);
}

TEST(Verify, RefusesWhatIsNotDefined) {
  FunctionBuilder f;
  const uint32_t x = f.constant(ScalarType::F32, 0);
  f.node(NodeOp::Rem, ScalarType::F32, {x, x});
  EXPECT_NE(textOf(verify(f.done({1}))).find("not defined"), std::string::npos);
}

TEST(Verify, ProgramsFitTogether) {
  for (const Program &p :
       {sumProgram(ScalarType::F32), argmaxProgram(ScalarType::I8),
        dotProgram(), countingProgram()})
    EXPECT_EQ(textOf(verify(p)), "") << p.name;

  Program wrongType = sumProgram(ScalarType::F32);
  wrongType.state[0].type = ScalarType::F64;
  EXPECT_NE(textOf(verify(wrongType)), "");
  Program noSuchMember = sumProgram(ScalarType::F32);
  noSuchMember.combine.arguments[1].index = 1;
  EXPECT_NE(textOf(verify(noSuchMember)).find("argument 1"), std::string::npos);
  Program tooFewResults = argmaxProgram(ScalarType::F32);
  tooFewResults.update.results.pop_back();
  EXPECT_NE(textOf(verify(tooFewResults)).find("gives 1 values for 2"),
            std::string::npos);
}

TEST(Describe, ShowsValueAndBits) {
  EXPECT_EQ(describe(ScalarType::F32, 0x3fc00000), "1.5 (0x3fc00000)");
  EXPECT_EQ(describe(ScalarType::I8, 0xff), "-1 (0xff)");
  EXPECT_EQ(describe(ScalarType::U8, 0xff), "255 (0xff)");
  EXPECT_EQ(describe(ScalarType::Bool, 0xab), "not a bool (0xab)");
}

} // namespace
