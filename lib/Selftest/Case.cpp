//===- Case.cpp - One reduction of the self-test --------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Selftest/Case.h"

#include "Error/Error.h"
#include "Language/Parser.h"
#include "Selftest/Random.h"
#include "Selftest/Views.h"

#include <algorithm>

using namespace wf;
using namespace wf::selftest;

static int64_t elementsIn(const View &view) {
  int64_t elements = 1;
  for (int64_t size : view.shape)
    elements *= size;
  return elements;
}

int64_t selftest::elementsOf(const Case &c) {
  int64_t most = 0;
  for (const CaseInput &input : c.inputs)
    most = std::max(most, elementsIn(input.view));
  return most;
}

/// The length of one fold, for inputs of the result's full shape.
static int64_t foldLength(const Case &c, const CaseInput &input) {
  if (c.allAxes)
    return elementsIn(input.view);
  int64_t length = 1, rank = int64_t(input.view.shape.size());
  for (int64_t axis : c.axes)
    if (size_t at = size_t(axis < 0 ? axis + rank : axis);
        at < input.view.shape.size())
      length *= input.view.shape[at];
  return length;
}

llvm::Expected<ReduceRequest> selftest::requestOf(const Case &c, uint64_t seed,
                                                  const std::string &device) {
  auto asts = parseReductions(c.source, "selftest.fold");
  if (!asts)
    return asts.takeError();
  if (asts->size() != 1)
    return internalError("case " + c.name + " has " +
                         llvm::Twine(asts->size()) + " reductions");
  ReduceRequest request;
  request.reduction = std::move(asts->front());
  Random random(seed, c.name);
  for (const CaseInput &input : c.inputs) {
    auto array = makeArray(random, input, foldLength(c, input));
    if (!array)
      return array.takeError();
    request.inputs.push_back(std::move(*array));
  }
  request.axes = c.axes;
  request.allAxes = c.allAxes;
  request.order = c.order;
  request.plan = c.plan;
  request.acc = c.acc;
  request.nan = c.nanIgnore ? NanPolicy::Ignore : NanPolicy::Propagate;
  request.params = c.params;
  request.device = device;
  return request;
}
