//===- Oracle.cpp - What a case should give -------------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Selftest/Oracle.h"

#include "Error/Error.h"
#include "IO/Elements.h"
#include "IO/Shape.h"
#include "Language/Checker.h"
#include "Numerics/Check.h"
#include "Numerics/Fold.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace wf;
using namespace wf::selftest;

static llvm::Expected<Program> programOf(const Case &c,
                                         const ReductionAst &reduction) {
  CheckOptions options;
  for (const CaseInput &input : c.inputs)
    options.inputs.push_back(input.type);
  options.acc = c.acc;
  options.nanIgnore = c.nanIgnore;
  options.params = c.params;
  return check(reduction, options);
}

/// The order a request runs under by the rules of --order.
static Order orderOf(const Case &c, const Program &program) {
  if (!c.order || *c.order == "fixed" || *c.order == "any")
    return program.commutative ? Order::Canonical : Order::Ordered;
  return *c.order == "canonical" ? Order::Canonical
         : *c.order == "ordered" ? Order::Ordered
                                 : Order::Sequential;
}

static std::vector<int64_t> reducedAxes(const Case &c) {
  if (!c.allAxes)
    return c.axes;
  std::vector<int64_t> axes;
  for (size_t d = 0; d < c.inputs[0].view.shape.size(); ++d)
    axes.push_back(int64_t(d));
  return axes;
}

static llvm::Error fillClosedForm(const Case &c, Expectation &e) {
  if (c.closedForm->size() != e.program.results.size())
    return internalError("case " + c.name + " knows another number of results");
  for (auto [value, field] :
       llvm::zip_equal(*c.closedForm, e.program.results)) {
    if (field.type != ScalarType::I64)
      return internalError("case " + c.name + " has a result that is no i64");
    void *memory = nullptr;
    auto array = allocateArray(field.type, {}, memory);
    if (!array)
      return array.takeError();
    std::memcpy(memory, &value, sizeof value);
    e.results.push_back(std::move(*array));
  }
  return llvm::Error::success();
}

/// The reference fold. The counts that --nan ignore appends say which outputs
/// had nothing to fold.
static llvm::Error foldReference(const Case &c, Expectation &e) {
  auto results = foldArrays(e.program, e.order, e.request.inputs,
                            reducedAxes(c), /*keepDims=*/false);
  if (!results) {
    std::string text = llvm::toString(results.takeError());
    e.emptyRefused = llvm::StringRef(text).contains("empty reduction");
    return e.emptyRefused ? llvm::Error::success() : internalError(text);
  }
  e.results = std::move(*results);
  if (!e.program.reportsAbsence)
    return llvm::Error::success();
  const Array counts = std::move(e.results.back());
  e.results.pop_back();
  const auto *present = static_cast<const int64_t *>(counts.data);
  for (int64_t i = 0; i < counts.elements(); ++i)
    e.emptyRefused |= present[i] == 0;
  return llvm::Error::success();
}

llvm::Expected<Expectation> selftest::expectationOf(const Case &c,
                                                    uint64_t seed,
                                                    const std::string &device) {
  Expectation e;
  auto request = requestOf(c, seed, device);
  if (!request)
    return request.takeError();
  e.request = std::move(*request);
  auto program = programOf(c, e.request.reduction);
  if (!program)
    return program.takeError();
  e.program = std::move(*program);
  e.order = orderOf(c, e.program);
  e.exact = c.exact || e.program.exact;
  if (llvm::Error error =
          c.closedForm ? fillClosedForm(c, e) : foldReference(c, e))
    return std::move(error);
  return e;
}

/// Whether the request leaves the tree to who runs it.
static bool choosesTree(const ReduceRequest &request) {
  const std::string asked = request.order.value_or("");
  return request.plan || asked == "fixed" || asked == "any";
}

bool selftest::hasOtherTree(const Expectation &want, const ReduceResult &got) {
  return choosesTree(want.request) && got.order != name(want.order) &&
         !want.exact;
}

std::string selftest::differences(const Expectation &want,
                                  const ReduceResult &got) {
  if (want.emptyRefused)
    return "no error, although an output has no elements";
  if (got.order != name(want.order) && !choosesTree(want.request))
    return "ran under " + got.order;
  if (got.results.size() != want.results.size())
    return std::to_string(got.results.size()) + " results instead of " +
           std::to_string(want.results.size());
  std::string text;
  for (size_t r = 0; r < want.results.size(); ++r) {
    CheckReport report = compareBits(got.results[r].array, want.results[r]);
    if (report.ok())
      continue;
    text += (text.empty() ? "" : "; ") + got.results[r].name;
    text += (got.results[r].name.empty() ? "" : ": ") + report.text();
  }
  size_t at;
  while ((at = text.find("\n  ")) != std::string::npos)
    text.replace(at, 3, "; ");
  return text;
}

static std::string listText(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t n : numbers)
    text += (text.empty() ? "" : ",") + std::to_string(n);
  return text;
}

std::string selftest::describe(const Case &c) {
  std::string text;
  for (const CaseInput &input : c.inputs) {
    text += (text.empty() ? "" : " and ") + std::string(name(input.type)) +
            " " + formatShape(input.view.shape);
    if (input.view.strides != rowMajorStrides(input.view.shape))
      text += " strides " + formatShape(input.view.strides);
    if (input.view.skew)
      text += " skew " + std::to_string(input.view.skew);
  }
  text += c.allAxes        ? ", all axes"
          : c.axes.empty() ? ", no axis"
                           : ", --axis " + listText(c.axes);
  if (c.order)
    text += ", --order " + *c.order;
  if (c.plan)
    text += ", --plan " + *c.plan;
  if (c.acc)
    text += ", --acc " + std::string(name(*c.acc));
  if (c.nanIgnore)
    text += ", --nan ignore";
  for (const auto &[param, value] : c.params)
    text += ", --param " + param + "=" + value;
  return text;
}
