//===- Run.cpp - A preparation on pointers --------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Pipeline/Prepare.h"

#include "Error/Error.h"
#include "Numerics/Fold.h"

#include <cstring>

using namespace wf;

size_t wf::userResults(const Program &program) {
  return program.results.size() - (program.reportsAbsence ? 1 : 0);
}

/// Calls body(offset in elements) for every output of a shape with strides.
static void forEachOutput(const std::vector<int64_t> &shape,
                          const std::vector<int64_t> &strides,
                          llvm::function_ref<void(int64_t)> body) {
  int64_t outputs = 1;
  for (int64_t d : shape)
    outputs *= d;
  for (int64_t i = 0; i < outputs; ++i) {
    int64_t offset = 0, rest = i;
    for (size_t d = shape.size(); d-- > 0;) {
      offset += rest % shape[d] * strides[d];
      rest /= shape[d];
    }
    body(offset);
  }
}

/// Output i of a shape as "(2, 0)".
static std::string indexText(const std::vector<int64_t> &shape, int64_t i) {
  std::string text;
  for (size_t d = shape.size(); d-- > 0; i /= shape[d])
    text = std::to_string(i % shape[d]) + (text.empty() ? "" : ", ") + text;
  return "(" + text + ")";
}

/// What a reduction over no elements gives, in every output.
static llvm::Error fillEmpty(const Preparation &p, void *const *results) {
  int64_t outputs = 1;
  for (int64_t d : p.shapeOut)
    outputs *= d;
  if (outputs == 0)
    return llvm::Error::success();
  if (!p.program.empty) {
    return userError("empty reduction: output " + indexText(p.shapeOut, 0) +
                         " of '" +
                         p.program.name + "' has no elements",
                     "give a `neutral` or say what `empty` is");
  }
  auto one = foldOne(p.program, Order::Ordered, 0,
                     [](unsigned, int64_t) -> uint64_t { return 0; });
  if (!one)
    return one.takeError();
  for (size_t r = 0; r < userResults(p.program); ++r) {
    int64_t bytes = byteSize(p.program.results[r].type);
    auto *to = static_cast<char *>(results[r]);
    forEachOutput(p.shapeOut, p.resultStrides[r], [&](int64_t offset) {
      std::memcpy(to + offset * bytes, &(*one)[r], size_t(bytes));
    });
  }
  return llvm::Error::success();
}

llvm::Error wf::runPrepared(Preparation &p, const void *const *inputs,
                            void *const *results) {
  if (!p.launch)
    return fillEmpty(p, results);
  if (!p.program.reportsAbsence) {
    p.launch->run(inputs, results, p.params.data());
    return llvm::Error::success();
  }
  std::vector<void *> all(results, results + userResults(p.program));
  all.push_back(p.presentCounts.data());
  p.launch->run(inputs, all.data(), p.params.data());
  for (size_t i = 0; i < p.presentCounts.size(); ++i)
    if (p.presentCounts[i] == 0)
      return userError("empty reduction: every element of output " +
                           indexText(p.shapeOut, int64_t(i)) +
                           " is absent (NaN, ignored)",
                       "give `empty` a value, or use --nan propagate");
  return llvm::Error::success();
}
