//===- Programs.h - Reductions and arrays for the tests ---------*- C++ -*-===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Programs put together by hand, so that the oracle is tested without the
// language, and arrays from lists of values.
//===----------------------------------------------------------------------===//
#ifndef WARPFOLD_UNITTESTS_NUMERICS_PROGRAMS_H
#define WARPFOLD_UNITTESTS_NUMERICS_PROGRAMS_H

#include "IO/Array.h"
#include "Language/Program.h"
#include "Numerics/Value.h"

#include <initializer_list>
#include <vector>

namespace wf::test {

/// Appends nodes to a function and returns their indices.
struct FunctionBuilder {
  Function function;

  uint32_t argument(ArgumentRole role, uint32_t index, ScalarType type);
  uint32_t constant(ScalarType type, uint64_t payload);
  uint32_t node(NodeOp op, ScalarType type, std::vector<uint32_t> operands);
  Function done(std::vector<uint32_t> results);
};

/// x -> x, a + b, update s + x: one state of the input's type.
Program sumProgram(ScalarType type);

/// sumProgram() without a neutral and so without `empty`.
Program sumWithoutEmpty(ScalarType type);

/// State (v: raw x, at: index); more() decides, the lower index on ties.
Program argmaxProgram(ScalarType type);

/// Two f64 inputs; the state is their product, the sum of it in the end times
/// a param.
Program dotProgram();

/// A state that shows what the fold passes: i64; map gives 1000 · index,
/// combine a + b + 1 + 1'000'000 · (CountA + 2 · CountB), update s + CountA,
/// finish s + 10^12 · CountA.
Program countingProgram();

/// A row-major array that owns its values.
template <typename T>
Array arrayOf(ScalarType type, std::vector<int64_t> shape,
              std::vector<T> values) {
  Array array;
  array.type = type;
  array.strides = rowMajorStrides(shape);
  array.shape = std::move(shape);
  auto memory = std::make_shared<std::vector<T>>(std::move(values));
  array.data = memory->data();
  array.owner = memory;
  return array;
}

/// The element of the golden sums: ((k · 2654435761 mod 2^32) >> 8) / 2^24 −
/// 1/2, exact in f32.
double goldenElement(int64_t k);

/// goldenElement(0 … count−1) as payloads' values in f32 or f64.
Array goldenArray(ScalarType type, std::vector<int64_t> shape);

} // namespace wf::test

#endif // WARPFOLD_UNITTESTS_NUMERICS_PROGRAMS_H
