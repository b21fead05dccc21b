//===- Cases.cpp - One reduction against the reference fold ---------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Cases.h"

#include "IO/Broadcast.h"
#include "IO/Elements.h"
#include "Numerics/Check.h"
#include "Numerics/Fold.h"
#include "Pipeline/Prepare.h"

#include "gtest/gtest.h"

#include <atomic>
#include <csignal>
#include <thread>
#include <unistd.h>

using namespace wf;
using namespace wf::test;

//===----------------------------------------------------------------------===//
// What has been seen
//===----------------------------------------------------------------------===//

void Coverage::note(const std::string &what) {
  std::lock_guard<std::mutex> lock(mutex);
  ++counts[what];
}

int64_t Coverage::operator[](const std::string &what) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = counts.find(what);
  return it == counts.end() ? 0 : it->second;
}

std::string Coverage::text() const {
  std::lock_guard<std::mutex> lock(mutex);
  std::string text;
  for (const auto &[what, count] : counts)
    text += what + ": " + std::to_string(count) + "\n";
  return text;
}

//===----------------------------------------------------------------------===//
// One case
//===----------------------------------------------------------------------===//

/// What the case at hand is, for the message of a crash.
static thread_local std::string currentCase;

static std::string caseText(const Subject &subject,
                            const ReduceRequest &request) {
  std::string text = subject.reduction->text;
  text += "\norder " + request.order.value_or("not given, so") + " " +
          std::string(name(subject.order));
  if (request.nan == NanPolicy::Ignore)
    text += ", --nan ignore";
  if (request.acc)
    text += ", --acc " + std::string(name(*request.acc));
  for (const auto &[param, value] : request.params)
    text += ", --param " + param + "=" + value;
  text += request.allAxes ? ", all axes" : ", axes " + listText(request.axes);
  text += request.keepDims ? ", --keepdims" : "";
  text += request.together ? ", --together" : "";
  for (const Array &input : request.inputs)
    text += "\n  " + describe(input);
  return text;
}

/// The inputs as the reference fold wants them: of one shape; arrays that are
/// taken together copied into one.
static llvm::Expected<std::vector<Array>>
oracleInputs(const ReduceRequest &request) {
  if (!request.together)
    return broadcast(request.inputs);
  int64_t count = 0;
  for (const Array &a : request.inputs)
    count += a.elements();
  void *memory = nullptr;
  auto joined = allocateArray(request.inputs[0].type, {count}, memory);
  if (!joined)
    return joined.takeError();
  char *to = static_cast<char *>(memory);
  for (const Array &a : request.inputs) {
    copyElements(a, 0, a.elements(), to);
    to += a.elements() * byteSize(a.type);
  }
  return std::vector<Array>{*joined};
}

/// The reference results, or the text of the error that has to come.
static llvm::Expected<std::vector<Array>> oracle(const Subject &subject,
                                                 const ReduceRequest &request) {
  auto inputs = oracleInputs(request);
  if (!inputs)
    return inputs.takeError();
  auto axes = normaliseAxes(request.axes, request.allAxes, (*inputs)[0].rank());
  if (!axes)
    return axes.takeError();
  auto results = foldArrays(subject.program, subject.order, *inputs, *axes,
                            request.keepDims);
  if (!results || !subject.program.reportsAbsence)
    return results;
  Array counts = std::move(results->back());
  results->pop_back();
  const auto *n = static_cast<const int64_t *>(counts.data);
  for (int64_t i = 0; i < counts.elements(); ++i)
    if (n[i] == 0)
      return llvm::createStringError("empty reduction: nothing is present");
  return results;
}

static std::string differences(const ReduceResult &got,
                               const std::vector<Array> &want,
                               const Program &program) {
  if (got.results.size() != want.size())
    return std::to_string(got.results.size()) + " results instead of " +
           std::to_string(want.size());
  std::string text;
  for (size_t r = 0; r < want.size(); ++r) {
    CheckReport report = compareBits(got.results[r].array, want[r]);
    if (!report.ok())
      text += "\nresult " + std::to_string(r) + " '" + got.results[r].name +
              "': " + report.text();
    if (got.results[r].name != program.results[r].name)
      text += "\nresult " + std::to_string(r) + " is called '" +
              got.results[r].name + "'";
  }
  return text;
}

static void noteCoverage(Coverage &coverage, const Subject &subject,
                         const ReduceRequest &request,
                         const ReduceResult &result) {
  coverage.note("op " + subject.reduction->ast.name);
  coverage.note("order " + std::string(name(subject.order)));
  for (const Array &input : request.inputs)
    coverage.note("type " + std::string(name(input.type)));
  const std::string &plan = result.plan;
  for (size_t at = plan.find(' '); at != std::string::npos;) {
    size_t next = plan.find(' ', at + 1);
    std::string word = plan.substr(at + 1, next - at - 1);
    if (word.starts_with("kind=") || word.starts_with("load=") ||
        word.starts_with("narrow="))
      coverage.note(word);
    if (word.starts_with("tile=") && word != "tile=0" &&
        plan.find("kind=general") != std::string::npos)
      coverage.note("panel");
    if (word.starts_with("elements=") && word != "elements=0")
      coverage.note("elements compiled in");
    at = next;
  }
  if (plan.find("kind=general") != std::string::npos &&
      plan.find("load=vector") != std::string::npos)
    coverage.note("runs in place");
  coverage.note(result.device.substr(0, result.device.find(',')));
}

static int64_t bytesOf(const ReduceRequest &request) {
  int64_t most = 0, bytes = 0;
  for (const Array &input : request.inputs) {
    most = std::max(most, input.elements());
    bytes += byteSize(input.type);
  }
  return most * bytes;
}

std::string wf::test::failureOf(const Subject &subject, ReduceRequest request,
                                Coverage &coverage) {
  currentCase = caseText(subject, request);
  auto want = oracle(subject, request);
  std::string error;
  if (!want)
    error = llvm::toString(want.takeError());
  // Below half a MiB there is work for one thread, whatever is asked for.
  std::vector<int> threadCounts = {1, 2, 3, 7};
  int64_t bytes = bytesOf(request);
  if (bytes < (512 << 10))
    threadCounts = {threadCounts[size_t(bytes % 4)]};
  for (int threads : threadCounts) {
    request.threads = threads;
    std::string head = currentCase + "\nthreads " + std::to_string(threads);
    auto got = reduce(request);
    if (!got) {
      std::string text = llvm::toString(got.takeError());
      bool both = error.find("empty reduction") != std::string::npos &&
                  text.find("empty reduction") != std::string::npos;
      if (both)
        continue;
      return head + "\nerror: " + text +
             (error.empty() ? "" : "\nwhere the reference says: " + error);
    }
    head += "\nplan " + got->plan;
    if (!error.empty())
      return head + "\nno error, where the reference says: " + error;
    noteCoverage(coverage, subject, request, *got);
    if (got->order != name(subject.order))
      return head + "\nran under " + got->order;
    std::string text = differences(*got, *want, subject.program);
    if (!text.empty())
      return head + text;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Many cases
//===----------------------------------------------------------------------===//

/// Says which case was running, then dies as before. Only writes.
static void onCrash(int signal) {
  const char head[] = "\ncrash in this case:\n";
  (void)!write(2, head, sizeof head - 1);
  (void)!write(2, currentCase.data(), currentCase.size());
  (void)!write(2, "\n", 1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// A failure on one line: what, in which order and kind, and the first finding.
static std::string inShort(const std::string &text) {
  auto after = [&](const char *key, const char *end) {
    size_t at = text.find(key);
    return at == std::string::npos
               ? std::string()
               : text.substr(at, text.find_first_of(end, at) - at) + "; ";
  };
  return after("reduction ", "(") + after("\norder ", ",").substr(1) +
         after("kind=", " ") + after("load=", " ") + after("threads ", "\n") +
         after("error: ", "\n") + after("at (", "\n");
}

static int64_t numberFrom(const char *variable, int64_t otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::strtoll(text, nullptr, 0) : otherwise;
}

void wf::test::runCases(const char *test, int64_t cases,
                        const std::function<std::string(int64_t)> &one) {
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    std::signal(signal, onCrash);
  int64_t only = numberFrom("WARPFOLD_CASE", -1);
  cases = only >= 0 ? only + 1 : numberFrom("WARPFOLD_CASES", cases);
  std::atomic<int64_t> next{std::max<int64_t>(0, only)};
  std::mutex mutex;
  std::map<int64_t, std::string> failures;
  auto work = [&] {
    for (int64_t number; (number = next++) < cases;) {
      std::string text = one(number);
      if (text.empty())
        continue;
      std::lock_guard<std::mutex> lock(mutex);
      failures[number] = std::move(text);
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i)
    workers.emplace_back(work);
  work();
  for (std::thread &worker : workers)
    worker.join();
  constexpr int shown = 5;
  int count = 0;
  std::string others;
  for (const auto &[number, text] : failures)
    if (++count > shown)
      others += "\n  " + std::to_string(number) + ": " + inShort(text);
    else
      ADD_FAILURE() << "case " << number << " of " << cases
                    << "; again: WARPFOLD_SEED=" << testSeed()
                    << " WARPFOLD_CASE=" << number
                    << " PipelineTests --gtest_filter=" << test << "\n"
                    << text;
  EXPECT_TRUE(failures.empty()) << failures.size() << " of " << cases
                                << " cases fail; the others are" << others;
}
