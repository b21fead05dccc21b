//===- Check.cpp - Comparing results with the truth -----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Numerics/Check.h"
#include "Numerics/Exact.h"
#include "Numerics/ReducedView.h"
#include "Numerics/Value.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace wf;

/// More lines than this tell nobody more.
static constexpr size_t maxMessages = 5;

void CheckReport::fail(std::string message) {
  ++wrong;
  if (messages.size() < maxMessages)
    messages.push_back(std::move(message));
}

void CheckReport::merge(const CheckReport &other) {
  compared = std::max(compared, other.compared);
  wrong = std::max(wrong, other.wrong);
  worst = std::max(worst, other.worst);
  messages.insert(messages.end(), other.messages.begin(), other.messages.end());
}

std::string CheckReport::text() const {
  if (ok())
    return std::to_string(compared) + " elements agree";
  std::string text = std::to_string(wrong) + " of " + std::to_string(compared) +
                     " elements are wrong";
  for (const std::string &message : messages)
    text += "\n  " + message;
  return text;
}

static std::string shapeText(const Array &array) {
  std::string text(name(array.type));
  for (auto [i, length] : llvm::enumerate(array.shape))
    text += (i == 0 ? " " : "x") + std::to_string(length);
  return text;
}

/// What a value's bits say about how it went wrong, or nothing.
static const char *suspicion(ScalarType type, uint64_t payload) {
  const uint64_t stale = 0xababababababababu >> (64 - 8 * byteSize(type));
  if (payload == stale)
    return "; all bytes are 0xab: nothing was written here";
  if (isNan(type, payload) && payload != quietNan(type))
    return "; not the one quiet NaN";
  return "";
}

CheckReport wf::compareBits(const Array &got, const Array &want) {
  CheckReport report;
  if (got.type != want.type || got.shape != want.shape) {
    report.fail("got " + shapeText(got) + ", want " + shapeText(want));
    return report;
  }
  const ReducedView actual(got, {}), expected(want, {});
  for (int64_t i = 0; i < expected.outputs(); ++i) {
    ++report.compared;
    const uint64_t a = actual.stored(i, 0), b = expected.stored(i, 0);
    if (a == b)
      continue;
    report.fail("at " + expected.outputIndex(i) + ": got " +
                describe(got.type, a) + ", want " + describe(want.type, b) +
                suspicion(got.type, a));
  }
  return report;
}

CheckReport wf::compareExact(const Array &got, const SumProblem &problem) {
  CheckReport report;
  const ReducedView actual(got, {}), input(problem.input, problem.axes);
  if (!isFloat(got.type) || !isFloat(problem.input.type) ||
      actual.outputs() != input.outputs()) {
    report.fail("got " + shapeText(got) + ", want float sums for " +
                std::to_string(input.outputs()) + " outputs");
    return report;
  }
  for (int64_t i = 0; i < input.outputs(); ++i) {
    ++report.compared;
    SumReference reference;
    for (int64_t k = 0; k < input.perOutput(); ++k)
      reference.add(input.type(), input.value(i, k));
    const double bound =
        reference.bound(got.type, problem.order, problem.shape);
    const uint64_t payload = actual.stored(i, 0);
    const double result = got.type == ScalarType::F32
                              ? double(valueOf<float>(payload))
                              : valueOf<double>(payload);
    const double error = reference.sum.error(result);
    if (error > 0 && error <= bound)
      report.worst = std::max(report.worst, error / bound);
    if (error <= bound) // false for a NaN
      continue;
    std::string line;
    llvm::raw_string_ostream(line)
        << "at " << input.outputIndex(i) << ": got "
        << describe(got.type, payload) << ", off by "
        << llvm::format("%.3g", error) << " from the exact "
        << llvm::format("%.17g", reference.sum.rounded(ScalarType::F64))
        << ", bound " << llvm::format("%.3g", bound)
        << suspicion(got.type, payload);
    report.fail(std::move(line));
  }
  return report;
}

CheckReport wf::compare(const Array &got, const Array &want,
                        const std::optional<SumProblem> &problem) {
  CheckReport report = compareBits(got, want);
  if (problem && got.shape == want.shape)
    report.merge(compareExact(got, *problem));
  return report;
}
