//===- SimExpect.cpp - Whether a kernel's result is right ----------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "SimExpect.h"
#include "Error/Error.h"
#include "IO/Elements.h"
#include "IO/Format.h"
#include "Language/Catalogue.h"
#include "Language/Checker.h"
#include "Numerics/Check.h"
#include "Numerics/Value.h"
#include "Pipeline/Reduce.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace wf;
using namespace wf::cli;
using llvm::StringRef;

/// How --expect judges `reduction` from the input's type to the output's.
static llvm::Error judge(const ReductionAst &reduction, StringRef op,
                         ScalarType in, ScalarType out, bool &sum) {
  CheckOptions options;
  options.inputs = {in};
  options.acc = out;
  auto program = check(reduction, options);
  if (!program)
    return program.takeError();
  sum = op == "sum" && isFloat(in) && isFloat(out);
  if (program->exact || sum)
    return llvm::Error::success();
  return userError("--expect " + op + " has no one right value for " +
                       StringRef(name(in)) + ": it depends on the order",
                   "sum, and reductions that every order gives the same (max, "
                   "min, argmax, sums of integers), can be expected");
}

llvm::Expected<Expectation> wf::cli::expectationOf(StringRef op,
                                                   const SimLaunch &launch) {
  const auto input = llvm::find_if(launch.arguments, [](const auto &a) {
    return a.kind == KernelArgument::Input;
  });
  const auto output = llvm::find_if(launch.arguments,
                                    [](const auto &a) { return a.isResult(); });
  if (input == launch.arguments.end() || output == launch.arguments.end())
    return userError("--expect compares the first output with the first input",
                     "give one of each: --arg 'gen:random(1000, f32)' --arg "
                     "out:f32:1");
  if (output->array.elements() != 1)
    return userError("--expect compares one value, and " + output->text +
                         " has " + llvm::Twine(output->array.elements()),
                     "put the output with the result first");
  auto reduction = lookupOp(op);
  if (!reduction)
    return reduction.takeError();
  Expectation want;
  want.op = op.str();
  want.output = size_t(output - launch.arguments.begin());
  if (llvm::Error error =
          judge(*reduction, op, input->type, output->type, want.sum))
    return std::move(error);
  if (llvm::Error error = materialize(input->array).moveInto(want.input))
    return std::move(error);
  ReduceRequest request;
  request.reduction = std::move(*reduction);
  request.inputs = {want.input};
  request.acc = output->type;
  auto result = reduce(request);
  if (!result)
    return result.takeError();
  if (result->results.size() != 1 ||
      result->results.front().array.type != output->type)
    return userError("--expect " + op + " gives another type than " +
                     output->text + " holds");
  want.right = std::move(result->results.front().array);
  return want;
}

static uint64_t onlyElement(const Array &array) {
  uint64_t payload = 0;
  copyElements(array, 0, 1, &payload);
  return payload;
}

/// Any NaN for a NaN and either zero for a zero, since hardware may give
/// either; else the same bits. A NaN for a number is wrong.
static bool isRight(ScalarType type, uint64_t got, uint64_t want) {
  if (got == want || (isNan(type, got) && isNan(type, want)))
    return true;
  return isFloat(type) && ((got | want) << (65 - 8 * byteSize(type))) == 0;
}

std::optional<std::string> wf::cli::wrongResult(const Expectation &want,
                                                const SimLaunch &launch) {
  Array got = launch.arguments[want.output].array;
  got.shape.clear(); // one element, whatever the rank
  got.strides.clear();
  if (want.sum) {
    std::vector<int64_t> axes(size_t(want.input.rank()));
    std::iota(axes.begin(), axes.end(), 0);
    // No tree is deeper than the left fold's, so its bound is any order's.
    const CheckReport report =
        compareExact(got, {want.input, axes, Order::Sequential, {}});
    if (report.ok())
      return std::nullopt;
    StringRef message = report.messages.front();
    message.consume_front("at (): "); // the only one there is
    return want.op + ": " + message.str();
  }
  if (isRight(got.type, onlyElement(got), onlyElement(want.right)))
    return std::nullopt;
  return want.op + ": got " + describe(got.type, onlyElement(got)) + ", want " +
         describe(got.type, onlyElement(want.right));
}
