//===- Subjects.cpp - Random reductions on random arrays ------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Cases.h"

#include "Language/Checker.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdlib>

using namespace wf;
using namespace wf::test;

/// The order a program runs under where none is asked for.
static Order orderFor(const Program &program,
                      const std::optional<std::string> &asked) {
  if (!asked)
    return program.commutative ? Order::Canonical : Order::Ordered;
  return *asked == "canonical" ? Order::Canonical
         : *asked == "ordered" ? Order::Ordered
                               : Order::Sequential;
}

static llvm::Expected<Program> programOf(const Subject &subject,
                                         std::vector<ScalarType> types) {
  CheckOptions options;
  options.inputs = std::move(types);
  options.acc = subject.request.acc;
  options.nanIgnore = subject.request.nan == NanPolicy::Ignore;
  options.params = subject.request.params;
  return check(subject.request.reduction, options);
}

Subject wf::test::randomSubject(Random &random, const TestReduction &reduction,
                                bool forceIgnore) {
  for (int tries = 0; tries < 1000; ++tries) {
    Subject subject;
    subject.reduction = &reduction;
    subject.request.reduction = reduction.ast;
    if (random.onceIn(8))
      subject.request.acc = random.of(allTypes);
    if (forceIgnore || random.onceIn(10))
      subject.request.nan = NanPolicy::Ignore;
    for (const ParamAst &p : reduction.ast.params)
      if (random.onceIn(2)) {
        bool real = p.type && isFloat(*p.type);
        const char *value = real ? random.of({"0.5", "-1.25", "0.001", "3"})
                                 : random.of({"0", "1", "2", "7"});
        subject.request.params.emplace_back(p.name, value);
      }
    auto program = programOf(subject, randomTypes(random, reduction));
    if (!program) { // bits of floats, an --acc that would change nothing, …
      llvm::consumeError(program.takeError());
      continue;
    }
    subject.program = std::move(*program);
    std::vector<std::optional<std::string>> orders = {std::nullopt, "ordered",
                                                      "sequential"};
    if (subject.program.commutative)
      orders.insert(orders.end(), {std::nullopt, "canonical"});
    subject.request.order = random.of(orders);
    subject.order = orderFor(subject.program, subject.request.order);
    return subject;
  }
  llvm::errs() << reduction.text << "\nno types are accepted\n";
  std::abort();
}

Subject wf::test::subjectOf(const TestReduction &reduction,
                            std::vector<ScalarType> types,
                            std::optional<std::string> order,
                            std::optional<ScalarType> acc) {
  Subject subject;
  subject.reduction = &reduction;
  subject.request.reduction = reduction.ast;
  subject.request.order = std::move(order);
  subject.request.acc = acc;
  auto program = programOf(subject, std::move(types));
  if (!program) {
    llvm::errs() << llvm::toString(program.takeError()) << '\n';
    std::abort();
  }
  subject.program = std::move(*program);
  subject.order = orderFor(subject.program, subject.request.order);
  return subject;
}

/// A shape that broadcasts to `shape`: some axes of length 1, leading ones
/// perhaps left out.
static std::vector<int64_t>
broadcastable(Random &random, std::vector<int64_t> shape, bool mayDrop) {
  for (int64_t &size : shape)
    if (random.onceIn(3))
      size = 1;
  if (mayDrop)
    shape.erase(shape.begin(), shape.begin() + random.in(0, shape.size()));
  return shape;
}

static Values valuesFor(Random &random, NanPolicy nan) {
  if (nan == NanPolicy::Ignore)
    return random.of({Values::WithNans, Values::WithNans, Values::Nans,
                      Values::Plain, Values::Special});
  return randomValues(random);
}

/// None, all by leaving them out, or some, perhaps counted from the end.
static void chooseAxes(Random &random, ReduceRequest &request, int64_t rank) {
  request.keepDims = random.onceIn(4);
  request.allAxes = random.onceIn(5);
  if (request.allAxes || random.onceIn(12))
    return;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (random.onceIn(2))
      request.axes.push_back(random.onceIn(3) ? axis - rank : axis);
  random.shuffle(request.axes);
}

ReduceRequest wf::test::randomRequest(Random &random, const Subject &subject,
                                      const std::vector<int64_t> &lengths,
                                      int64_t most, bool generated) {
  ReduceRequest request = subject.request;
  int64_t rank = random.onceIn(3) ? 2 : random.in(0, 5);
  std::vector<int64_t> shape = randomShape(random, lengths, rank, most);
  size_t inputs = subject.program.inputs.size();
  for (size_t i = 0; i < inputs; ++i) {
    std::vector<int64_t> own = shape;
    if (inputs > 1 && random.onceIn(3))
      own = broadcastable(random, shape, /*mayDrop=*/i > 0);
    ScalarType type = subject.program.inputs[i];
    // A mix of generated and stored inputs is one of the cases.
    bool made = generated ? i == 0 || random.onceIn(2) : random.onceIn(30);
    Values values = valuesFor(random, request.nan);
    request.inputs.push_back(
        made               ? generatedView(random, type, std::move(own))
        : random.onceIn(3) ? rowMajorArray(random, type, std::move(own), values)
                           : randomView(random, type, std::move(own), values));
  }
  chooseAxes(random, request, rank);
  return request;
}
