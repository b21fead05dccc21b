//===- SelftestCommand.cpp - Is this device right? -----------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Standard output gets one line for every case that fails, with what it takes
// to run it again, and the counts last. Standard error says how far it is.
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Error/Error.h"
#include "Plan/Named.h"
#include "Selftest/Cover.h"
#include "Selftest/Matrix.h"
#include "Selftest/Oracle.h"
#include "Selftest/Run.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <csignal>
#include <unistd.h>

using namespace wf;
using namespace wf::selftest;

/// The case that is running, for the message of a crash.
static std::string currentCase;

/// Says which case was running, then dies as before. Only writes.
static void onCrash(int signal) {
  const char head[] = "\nselftest: crashed in case ";
  (void)!write(2, head, sizeof head - 1);
  (void)!write(2, currentCase.data(), currentCase.size());
  (void)!write(2, "\n", 1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

static llvm::Expected<RunOptions>
readOptions(const cli::SelftestArguments &args) {
  RunOptions options;
  options.device = args.device.value_or("cpu");
  if (args.seed && llvm::StringRef(*args.seed).getAsInteger(0, options.seed))
    return userError("--seed wants a number, not '" + *args.seed + "'",
                     "any number from 0 to 2^64-1");
  if (args.budget &&
      (llvm::StringRef(*args.budget).getAsDouble(options.budgetSeconds) ||
       !(options.budgetSeconds > 0)))
    return userError("--budget wants a number of seconds, not '" +
                         *args.budget + "'",
                     "such as --budget 60");
  if (args.repeat &&
      (llvm::StringRef(*args.repeat).getAsInteger(10, options.repeats) ||
       options.repeats < 1))
    return userError("--repeat wants a number of runs, not '" + *args.repeat +
                         "'",
                     "such as --repeat 100");
  return options;
}

static llvm::Expected<std::vector<Case>>
chooseCases(const cli::SelftestArguments &args) {
  for (const std::string &plan : args.plans) {
    auto known = parsePlanRequest(plan);
    if (!known)
      return known.takeError();
  }
  MatrixOptions options;
  options.quick = args.quick;
  options.big = args.big;
  options.plans =
      args.plans.empty() ? plansFor(args.device.value_or("cpu")) : args.plans;
  std::vector<Case> cases = matrix(options);
  // Large cases take a simulator long and meet no pair of their own.
  if (args.pairwise)
    cases = pairwiseCover(cases, 300000);
  if (args.only) {
    llvm::Regex only(*args.only);
    std::string fault;
    if (!only.isValid(fault))
      return userError("--only '" + *args.only +
                           "' is no regular expression: " + fault,
                       "names look like views/sum-f32/rows-37x4095");
    llvm::erase_if(cases, [&](const Case &c) { return !only.match(c.name); });
  }
  if (args.shard) {
    auto [part, parts] = llvm::StringRef(*args.shard).split('/');
    size_t i = 0, n = 0, at = 0;
    if (part.getAsInteger(10, i) || parts.getAsInteger(10, n) || n < 1 ||
        i >= n)
      return userError("--shard wants I/N with I below N, not '" + *args.shard +
                           "'",
                       "0/4, 1/4, 2/4 and 3/4 together are all cases");
    llvm::erase_if(cases, [&](const Case &) { return at++ % n != i; });
  }
  if (cases.empty())
    return userError("no case is called like that",
                     "warpfold selftest --list names them all");
  return cases;
}

/// The line that runs the case again.
static std::string again(const Case &c, const RunOptions &options) {
  return "warpfold selftest --device " + options.device + " --seed " +
         std::to_string(options.seed) + (c.closedForm ? " --big" : "") +
         (options.repeats > 1 ? " --repeat " + std::to_string(options.repeats)
                              : "") +
         (c.plan ? " --plan '" + *c.plan + "'" : "") + " --only '^" +
         llvm::Regex::escape(c.name) + "$'";
}

/// A line now and then, so that a log says how far a run got.
static std::function<void(const Case &, const Counts &)> progress(size_t all) {
  using Clock = std::chrono::steady_clock;
  return [all, last = Clock::now()](const Case &c, const Counts &n) mutable {
    currentCase = c.name;
    if (Clock::now() - last < std::chrono::seconds(5))
      return;
    last = Clock::now();
    llvm::errs() << "selftest: " << n.done() << " of " << all << ", "
                 << n.failed << " failed, at " << c.name << '\n';
  };
}

static void printCounts(const Counts &counts) {
  llvm::outs() << counts.passed << " passed, " << counts.failed << " failed";
  if (counts.skipped)
    llvm::outs() << ", " << counts.skipped << " skipped";
  llvm::outs() << '\n';
}

llvm::Expected<int> cli::runSelftest(const SelftestArguments &args) {
  auto options = readOptions(args);
  if (!options)
    return options.takeError();
  auto cases = chooseCases(args);
  if (!cases)
    return cases.takeError();
  if (args.list) {
    for (const Case &c : *cases)
      llvm::outs() << c.name << "  " << describe(c) << '\n';
    return 0;
  }
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    std::signal(signal, onCrash);
  Observer observer;
  observer.begins = progress(cases->size());
  observer.failed = [&](const Case &c, const std::string &why) {
    llvm::outs() << "FAILED " << c.name << ": " << why << "; " << describe(c)
                 << "; again: " << again(c, *options) << '\n';
    llvm::outs().flush();
  };
  observer.skipped = [](const Case &c, const std::string &why) {
    llvm::errs() << "skipped " << c.name << ": " << why << '\n';
  };
  const auto start = std::chrono::steady_clock::now();
  Counts counts;
  int code = 0;
  llvm::handleAllErrors(runCases(*cases, *options, observer, counts),
                        [&](const WarpfoldError &e) {
                          e.log(llvm::errs());
                          llvm::errs() << '\n';
                          code = exitCode(e.kind);
                        });
  const std::chrono::duration<double> took =
      std::chrono::steady_clock::now() - start;
  llvm::errs() << "selftest: device " << options->device << ", seed "
               << options->seed << ", " << llvm::format("%.1f", took.count())
               << " s\n";
  printCounts(counts);
  if (code == 0 && (counts.failed || !counts.passed))
    code = 1;
  return code;
}
