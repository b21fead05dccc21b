//===- DifferentialTest.cpp - Compiled kernels against the oracle ---------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Thousands of random reductions of random arrays, each compared bit for bit
// with the reference fold. Nothing here knows what a kernel looks like.
//===----------------------------------------------------------------------===//
#include "Cases.h"

#include "Pipeline/Prepare.h"

#include "gtest/gtest.h"

using namespace wf;
using namespace wf::test;

namespace {

/// Cases that share a subject, so that they share kernels.
constexpr int64_t casesPerSubject = 24;

/// Cases enough to give every reduction so many subjects.
int64_t casesOf(const std::vector<TestReduction> &all, int64_t subjects) {
  return int64_t(all.size()) * subjects * casesPerSubject;
}

/// Most cases are small: sizes around a vector and a chunk are what matters.
int64_t randomMost(Random &random) {
  return int64_t(1) << random.of({4, 8, 8, 11, 11, 13, 13, 14, 15, 17});
}

/// A case of one of `reductions`, each in its turn.
std::string randomCase(uint64_t stream, int64_t number,
                       const std::vector<TestReduction> &reductions,
                       Coverage &coverage, bool ignoreNans = false,
                       bool generated = false) {
  int64_t group = number / casesPerSubject;
  Random forSubject = randomFor(stream, group);
  const TestReduction &reduction =
      reductions[size_t(group) % reductions.size()];
  Subject subject = randomSubject(forSubject, reduction, ignoreNans);
  std::vector<int64_t> lengths = randomLengths(forSubject);
  Random random = randomFor(stream + 100, number);
  ReduceRequest request =
      randomRequest(random, subject, lengths, randomMost(random), generated);
  return failureOf(subject, std::move(request), coverage);
}

/// Fails where something that the test is about was hardly seen.
void expectSeen(const Coverage &coverage, const std::vector<std::string> &what,
                int64_t least) {
  for (const char *variable :
       {"WARPFOLD_SEED", "WARPFOLD_CASE", "WARPFOLD_CASES"})
    if (std::getenv(variable))
      return;
  for (const std::string &w : what)
    EXPECT_GE(coverage[w], least) << w << "\n" << coverage.text();
}

std::vector<std::string> opNames(const std::vector<TestReduction> &all) {
  std::vector<std::string> names;
  for (const TestReduction &r : all)
    names.push_back("op " + r.ast.name);
  return names;
}

TEST(Differential, BuiltIns) {
  Coverage coverage;
  runCases("Differential.BuiltIns", casesOf(builtIns(), 3),
           [&](int64_t number) {
             return randomCase(11, number, builtIns(), coverage);
           });
  expectSeen(coverage, opNames(builtIns()), 20);
  expectSeen(coverage,
             {"order canonical/1", "order ordered", "order sequential",
              "kind=full", "kind=row", "kind=column", "kind=general",
              "load=pack", "elements compiled in"},
             20);
  for (ScalarType type : allTypes)
    expectSeen(coverage, {"type " + std::string(name(type))}, 20);
}

TEST(Differential, Customs) {
  Coverage coverage;
  runCases("Differential.Customs", casesOf(customs(), 2), [&](int64_t number) {
    return randomCase(12, number, customs(), coverage);
  });
  expectSeen(coverage, opNames(customs()), 20);
  expectSeen(coverage,
             {"order canonical/1", "order ordered", "order sequential",
              "kind=full", "kind=row", "kind=column", "kind=general"},
             20);
}

TEST(Differential, AbsentElements) {
  std::vector<TestReduction> all = builtIns();
  all.insert(all.end(), customs().begin(), customs().end());
  Coverage coverage;
  runCases("Differential.AbsentElements", 24 * casesPerSubject,
           [&](int64_t number) {
             return randomCase(13, number, all, coverage, /*ignoreNans=*/true);
           });
  expectSeen(coverage, {"kind=row", "kind=column", "kind=general"}, 20);
}

TEST(Differential, GeneratedInputs) {
  std::vector<TestReduction> all = builtIns();
  all.insert(all.end(), customs().begin(), customs().end());
  Coverage coverage;
  runCases("Differential.GeneratedInputs", 18 * casesPerSubject,
           [&](int64_t number) {
             return randomCase(14, number, all, coverage, false,
                               /*generated=*/true);
           });
  expectSeen(coverage, {"load=pack"}, 250);
}

TEST(Differential, Together) {
  Coverage coverage;
  runCases("Differential.Together", 12 * casesPerSubject, [&](int64_t number) {
    Random forSubject = randomFor(15, number / casesPerSubject);
    std::vector<TestReduction> one;
    const std::vector<TestReduction> &from =
        forSubject.onceIn(2) ? builtIns() : customs();
    const TestReduction *reduction;
    do
      reduction = &forSubject.of(from);
    while (reduction->inputs != 1);
    Subject subject = randomSubject(forSubject, *reduction);
    std::vector<int64_t> lengths = randomLengths(forSubject);
    Random random = randomFor(115, number);
    ReduceRequest request = subject.request;
    request.together = true;
    request.keepDims = random.onceIn(4);
    for (int64_t n = random.in(1, 6); n > 0; --n) {
      std::vector<int64_t> shape = randomShape(random, lengths, random.in(0, 3),
                                               int64_t(1) << random.in(0, 14));
      request.inputs.push_back(
          random.onceIn(5)
              ? generatedView(random, subject.program.inputs[0], shape)
              : randomView(random, subject.program.inputs[0], shape,
                           randomValues(random)));
    }
    return failureOf(subject, std::move(request), coverage);
  });
}

//===----------------------------------------------------------------------===//
// Sizes at which a fold is split into runs
//===----------------------------------------------------------------------===//

/// Shapes of 2^20 elements and more; the chunk counts are odd, just below and
/// just above powers of two.
std::vector<int64_t> largeShape(Random &random) {
  int64_t k = (int64_t(1) << random.in(18, 20)) + random.in(-4097, 4097);
  switch (random.in(0, 3)) {
  case 0:
    return {4 * k};
  case 1:
    return {random.in(1, 5), k};
  case 2:
    return {k, random.in(1, 5)};
  default:
    return {2, random.in(1, 2), k};
  }
}

TEST(Differential, RunsOnSeveralThreads) {
  static const std::vector<const TestReduction *> chosen = [] {
    std::vector<const TestReduction *> list = {
        &custom("witness"),     &custom("counted"), &custom("squares"),
        &custom("compensated"), &custom("last"),    &custom("moments")};
    for (const TestReduction &r : builtIns())
      if (r.ast.name == "sum" || r.ast.name == "argmax" || r.ast.name == "var")
        list.push_back(&r);
    return list;
  }();
  Coverage coverage;
  runCases("Differential.RunsOnSeveralThreads", 18, [&](int64_t number) {
    Random random = randomFor(16, number);
    const TestReduction &reduction = *chosen[size_t(number) % chosen.size()];
    Subject subject = randomSubject(random, reduction, number % 7 == 3);
    ReduceRequest request = subject.request;
    std::vector<int64_t> shape = largeShape(random);
    for (ScalarType type : subject.program.inputs)
      request.inputs.push_back(
          number % 3 ? rowMajorArray(random, type, shape, randomValues(random))
                     : randomView(random, type, shape, randomValues(random)));
    request.allAxes = random.onceIn(3);
    request.axes = {int64_t(shape.size()) == 2 ? random.in(0, 1) : -1};
    return failureOf(subject, std::move(request), coverage);
  });
  expectSeen(
      coverage,
      {"cpu (1 thread", "cpu (2 threads", "cpu (3 threads", "cpu (7 threads"},
      10);
}

//===----------------------------------------------------------------------===//
// Plans that few random shapes reach
//===----------------------------------------------------------------------===//

/// Folds over several axes of which the innermost holds whole rows, or nearly:
/// they are read in place, several outputs as a panel.
TEST(Differential, SeveralAxes) {
  std::vector<TestReduction> all = builtIns();
  all.insert(all.end(), customs().begin(), customs().end());
  Coverage coverage;
  runCases("Differential.SeveralAxes", 42 * 8, [&](int64_t number) {
    int64_t group = number / 8;
    Random forSubject = randomFor(18, group);
    Subject subject = randomSubject(forSubject, all[size_t(group) % all.size()],
                                    group % 9 == 5);
    Random random = randomFor(118, number);
    int64_t inner = random.of({64, 128, 256, 512, 512, 1024, 1536, 4608});
    if (random.onceIn(6))
      inner += random.in(-1, 1);
    int64_t outer = random.of({2, 3, 5, 9, 33});
    int64_t panel = random.of({2, 3, 7, 8, 15, 16, 17, 40});
    while (outer * panel * inner > (1 << 17))
      (outer > panel ? outer : panel) /= 2;
    std::vector<int64_t> shape = {outer, panel, inner};
    std::vector<int64_t> axes = {0, 2};
    if (random.onceIn(3)) {
      shape = {panel, random.in(2, 3), outer, random.in(2, 3), inner};
      axes = {2, 4};
    }
    ReduceRequest request = subject.request;
    for (ScalarType type : subject.program.inputs)
      request.inputs.push_back(
          rowMajorArray(random, type, shape, randomValues(random)));
    request.allAxes = false;
    request.axes = axes;
    return failureOf(subject, std::move(request), coverage);
  });
  expectSeen(coverage, {"runs in place", "panel"}, 20);
}

/// Sums of narrow integers may use partials that are narrower than the state,
/// if not even the extreme values overflow them.
TEST(Differential, SumsOfExtremeIntegers) {
  static const std::vector<TestReduction> sums = [] {
    std::vector<TestReduction> list;
    for (const TestReduction &r : builtIns())
      if (r.ast.name == "sum" || r.ast.name == "mean" || r.ast.name == "prod")
        list.push_back(r);
    return list;
  }();
  static const std::vector<ScalarType> types = {
      ScalarType::I8,  ScalarType::U8,  ScalarType::I16, ScalarType::U16,
      ScalarType::I32, ScalarType::U32, ScalarType::Bool};
  using Acc = std::optional<ScalarType>;
  Coverage coverage;
  runCases("Differential.SumsOfExtremeIntegers", 42 * 4, [&](int64_t number) {
    Random forSubject = randomFor(20, number / 4);
    ScalarType type = types[size_t(number / 4) % types.size()];
    // The usual result, or a sum that wraps sooner.
    Acc acc = forSubject.of<Acc>({std::nullopt, std::nullopt, ScalarType::I8,
                                  ScalarType::U16, ScalarType::I16,
                                  ScalarType::U32, ScalarType::I64});
    Subject subject = subjectOf(forSubject.of(sums), {type}, {}, acc);
    Random random = randomFor(120, number);
    int64_t length = random.of({129, 512, 4096, 8192, 16384, 65536, 200000});
    if (random.onceIn(3))
      length += random.in(-40, 40);
    ReduceRequest request = subject.request;
    request.inputs = {rowMajorArray(
        random, type,
        random.onceIn(2) ? std::vector<int64_t>{length}
                         : std::vector<int64_t>{random.in(2, 4), length},
        random.of({Values::Lowest, Values::Highest, Values::Highest,
                   Values::Special, Values::Plain}))};
    request.allAxes = false;
    request.axes = {-1};
    return failureOf(subject, std::move(request), coverage);
  });
  expectSeen(coverage, {"narrow=i16", "narrow=i32"}, 8);
}

//===----------------------------------------------------------------------===//
// Every length
//===----------------------------------------------------------------------===//

/// The tree shows in every bit of `witness`, so each K up to beyond two chunks'
/// first rows, and each around chunk ends, tells a lost or moved element.
TEST(Differential, EveryShortLength) {
  Coverage coverage;
  runCases("Differential.EveryShortLength", 3 * 150, [&](int64_t number) {
    static const char *orders[] = {"canonical", "ordered", "sequential"};
    Random random = randomFor(17, number);
    int64_t length = number / 3 + 1;
    if (length > 140) // longer than is compiled in
      length = random.of({255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 4095,
                          4096, 4097, 8191, 8192, 8193, 12289});
    const TestReduction &reduction = custom(number % 2 ? "witness" : "counted");
    // One type a reduction: columns of every length share a kernel.
    ScalarType type = number % 2 ? ScalarType::F32 : ScalarType::U8;
    Subject subject = subjectOf(reduction, {type}, orders[number % 3]);
    ReduceRequest request = subject.request;
    int64_t outputs = random.of({1, 2, 3, 5, 8, 15, 16, 17, 33, 67});
    bool rows = random.onceIn(2);
    request.inputs = {rowMajorArray(random, subject.program.inputs[0],
                                    rows
                                        ? std::vector<int64_t>{outputs, length}
                                        : std::vector<int64_t>{length, outputs},
                                    Values::Plain)};
    request.allAxes = false;
    request.axes = {rows ? 1 : 0};
    return failureOf(subject, std::move(request), coverage);
  });
}

} // namespace
