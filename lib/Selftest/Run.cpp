//===- Run.cpp - Runs cases on a device and holds them to the oracle ------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Selftest/Run.h"

#include "Error/Error.h"
#include "Selftest/Oracle.h"
#include "Selftest/Random.h"
#include "Selftest/Reductions.h"

#include "llvm/ADT/STLExtras.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>

using namespace wf;
using namespace wf::selftest;

/// An error as its kind and one line; consumes it.
static std::pair<ErrorKind, std::string> kindAndText(llvm::Error error) {
  ErrorKind kind = ErrorKind::Internal;
  std::string text;
  llvm::handleAllErrors(
      std::move(error),
      [&](const WarpfoldError &e) {
        kind = e.kind;
        text = e.message;
      },
      [&](const llvm::ErrorInfoBase &e) { text = e.message(); });
  std::replace(text.begin(), text.end(), '\n', ' ');
  return {kind, text};
}

namespace {

/// A case made ready, or why it could not be.
struct Ready {
  std::optional<Expectation> want;
  std::string fault;
};

/// Makes cases ready in their order, on threads of its own, at most `window`
/// and about `byteLimit` bytes of arrays ahead of who takes them.
class Ahead {
public:
  Ahead(llvm::ArrayRef<const Case *> cases, const RunOptions &options)
      : cases(cases), options(options), ready(cases.size()) {
    int threads = options.threads > 0
                      ? options.threads
                      : int(std::max(1u, std::thread::hardware_concurrency()));
    window = size_t(threads) * 8;
    for (int i = 0; i < threads; ++i)
      team.emplace_back([this] { work(); });
  }

  ~Ahead() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      stop = true;
    }
    changed.notify_all();
    for (std::thread &thread : team)
      thread.join();
  }

  /// Case `taken`, `taken + 1`, … in turn; waits until it is ready.
  std::unique_ptr<Ready> take() {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [this] { return ready[taken] != nullptr; });
    std::unique_ptr<Ready> mine = std::move(ready[taken]);
    bytesAhead -= bytesOf(*cases[taken++]);
    lock.unlock();
    changed.notify_all();
    return mine;
  }

private:
  static constexpr int64_t byteLimit = int64_t(1) << 30;

  static int64_t bytesOf(const Case &c) {
    int64_t bytes = 0;
    for (const CaseInput &input : c.inputs)
      bytes += byteSize(input.type);
    return c.closedForm ? 0 : bytes * elementsOf(c);
  }

  /// The next case to make may be made now.
  bool mayBegin() const {
    return next == taken || (next < taken + window &&
                             bytesAhead + bytesOf(*cases[next]) <= byteLimit);
  }

  void work() {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      changed.wait(
          lock, [this] { return stop || next == cases.size() || mayBegin(); });
      if (stop || next == cases.size())
        return;
      const size_t number = next++;
      bytesAhead += bytesOf(*cases[number]);
      lock.unlock();
      auto made = std::make_unique<Ready>();
      auto want = expectationOf(*cases[number], options.seed, options.device);
      if (want)
        made->want = std::move(*want);
      else
        made->fault = kindAndText(want.takeError()).second;
      lock.lock();
      ready[number] = std::move(made);
      changed.notify_all();
    }
  }

  llvm::ArrayRef<const Case *> cases;
  const RunOptions &options;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::unique_ptr<Ready>> ready;
  size_t next = 0, taken = 0, window = 0;
  int64_t bytesAhead = 0;
  bool stop = false;
  std::vector<std::thread> team;
};

} // namespace

/// One element on the device: a device that is not there is one error, and not
/// a failure of every case.
static llvm::Error probe(const RunOptions &options) {
  Case c = makeCase("probe", "sum", {ScalarType::F32}, {1});
  auto request = requestOf(c, options.seed, options.device);
  if (!request)
    return request.takeError();
  return reduce(*request).takeError();
}

/// The cases in the order they run in.
static std::vector<const Case *> inOrder(llvm::ArrayRef<Case> cases,
                                         const RunOptions &options) {
  std::vector<const Case *> order;
  for (const Case &c : cases)
    order.push_back(&c);
  if (options.budgetSeconds > 0)
    llvm::sort(order, [&](const Case *a, const Case *b) {
      return std::pair(Random(options.seed, a->name).bits(), a->name) <
             std::pair(Random(options.seed, b->name).bits(), b->name);
    });
  return order;
}

/// Runs one case and counts it. An error is the device's: it ends the run.
static llvm::Error runCase(const Case &c, const Ready &ready,
                           const RunOptions &options, const Observer &observer,
                           Counts &counts) {
  auto fails = [&](const std::string &why) {
    ++counts.failed;
    observer.failed(c, why);
    return llvm::Error::success();
  };
  if (!ready.want)
    return fails("no reference: " + ready.fault);
  auto skips = [&](const std::string &why) {
    ++counts.skipped;
    observer.skipped(c, why);
    return llvm::Error::success();
  };
  auto got = reduce(ready.want->request);
  if (got && hasOtherTree(*ready.want, *got))
    return skips("its tree is the plan's own; plan " + got->plan);
  for (int turn = 1; got; ++turn) {
    std::string text = differences(*ready.want, *got);
    if (!text.empty())
      return fails(text + (turn > 1 ? "; in run " + std::to_string(turn) : "") +
                   "; plan " + got->plan);
    if (turn >= options.repeats) {
      ++counts.passed;
      return llvm::Error::success();
    }
    got = reduce(ready.want->request);
  }
  auto [kind, text] = kindAndText(got.takeError());
  if (kind == ErrorKind::Device) {
    ++counts.failed;
    observer.failed(c, "device error: " + text);
    return deviceError("the run stopped in case " + c.name + ": " + text);
  }
  if (kind == ErrorKind::User && ready.want->emptyRefused &&
      llvm::StringRef(text).contains("empty reduction")) {
    ++counts.passed;
    return llvm::Error::success();
  }
  if (kind == ErrorKind::User && c.plan)
    return skips(text);
  return fails((kind == ErrorKind::User ? "error: " : "internal error: ") +
               text);
}

/// runCases() up to whatever ends it.
static llvm::Error runUntilEnd(llvm::ArrayRef<Case> cases,
                               const RunOptions &options,
                               const Observer &observer, Counts &counts) {
  if (llvm::Error error = probe(options))
    return error;
  const auto start = std::chrono::steady_clock::now();
  const std::vector<const Case *> order = inOrder(cases, options);
  Ahead ahead(order, options);
  for (const Case *c : order) {
    const std::chrono::duration<double> took =
        std::chrono::steady_clock::now() - start;
    if (options.budgetSeconds > 0 && took.count() > options.budgetSeconds)
      break;
    observer.begins(*c, counts);
    if (llvm::Error error =
            runCase(*c, *ahead.take(), options, observer, counts))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error selftest::runCases(llvm::ArrayRef<Case> cases,
                               const RunOptions &options,
                               const Observer &observer, Counts &counts) {
  llvm::Error error = runUntilEnd(cases, options, observer, counts);
  counts.skipped += int64_t(cases.size()) - counts.done();
  return error;
}
