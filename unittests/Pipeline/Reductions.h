//===- Reductions.h - What is folded in the tests ---------------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// The catalogue, and reductions of the kinds that users write: several inputs,
// records, index and counts, params, an update of its own, no commutativity,
// not even associativity.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_UNITTESTS_PIPELINE_REDUCTIONS_H
#define WARPFOLD_UNITTESTS_PIPELINE_REDUCTIONS_H

#include "../Plan/Random.h"
#include "Language/Ast.h"

#include <optional>
#include <string>
#include <vector>

namespace wf::test {

/// Which inputs a reduction is given.
enum class Takes {
  Any,     ///< each input of a type of its own
  Alike,   ///< any type, all inputs of one
  Floats,  ///< f32 or f64, all inputs of one
  Numbers, ///< no bool, all inputs of one type
};

struct TestReduction {
  std::string text; ///< of a .fold file
  ReductionAst ast;
  int64_t inputs = 1;
  Takes takes = Takes::Any;
  bool hasParam = false; ///< one called p
  bool hasDdof = false;
};

/// Every built-in reduction.
const std::vector<TestReduction> &builtIns();

/// The custom ones.
const std::vector<TestReduction> &customs();

/// The custom one called `name`.
const TestReduction &custom(const std::string &name);

/// Types for the inputs.
std::vector<ScalarType> randomTypes(Random &random, const TestReduction &r);

} // namespace wf::test

#endif // WARPFOLD_UNITTESTS_PIPELINE_REDUCTIONS_H
