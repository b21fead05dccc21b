//===- Prepare.cpp - A request made ready to run --------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Pipeline/Prepare.h"

#include "Error/Error.h"
#include "IO/Broadcast.h"
#include "Language/Checker.h"
#include "Language/ElementOrder.h"
#include "Pipeline/AskedPlan.h"
#include "Pipeline/ExplainFacts.h"
#include "Numerics/Fold.h"
#include "Pipeline/PhaseTimer.h"
#include "Runtime/ThreadPool.h"

#include <cstring>

using namespace wf;

llvm::Expected<std::vector<int64_t>>
wf::normaliseAxes(const std::vector<int64_t> &axes, bool all, int64_t rank) {
  std::vector<int64_t> result;
  if (all) {
    for (int64_t a = 0; a < rank; ++a)
      result.push_back(a);
    return result;
  }
  for (int64_t axis : axes) {
    int64_t a = axis < 0 ? axis + rank : axis;
    if (a < 0 || a >= rank)
      return userError("axis " + llvm::Twine(axis) +
                           " is out of range for an array of rank " +
                           llvm::Twine(rank),
                       rank == 0 ? "a scalar has no axes: leave --axis out"
                                 : "axes go from " + llvm::Twine(-rank) +
                                       " to " + llvm::Twine(rank - 1));
    if (llvm::is_contained(result, a))
      return userError("axis " + llvm::Twine(axis) + " is named twice",
                       "name every axis once");
    result.push_back(a);
  }
  llvm::sort(result);
  return result;
}

llvm::Expected<PlanOrder>
wf::decideOrder(const Program &program, const std::optional<std::string> &asked,
                std::vector<std::string> &notes) {
  if (!asked) {
    if (program.commutative)
      return PlanOrder::Canonical;
    notes.push_back("the combine is not known to be commutative, so it runs "
                    "under order ordered");
    return PlanOrder::Ordered;
  }
  if (*asked == "fixed" || *asked == "any") {
    // Canonical (or ordered) bits satisfy both; the order that runs is said.
    return program.commutative ? PlanOrder::Canonical : PlanOrder::Ordered;
  }
  auto order = orderNamed(*asked);
  if (!order)
    return userError("unknown order '" + *asked + "'",
                     "orders: canonical, ordered, sequential, fixed, any");
  if (*order == PlanOrder::Canonical && !program.commutative)
    return userError("order canonical needs a commutative combine, and this "
                     "one is neither declared nor recognised as commutative",
                     "use --order ordered, or declare it with --commutative");
  return *order;
}

llvm::Expected<std::vector<uint64_t>> wf::paramValues(const Program &program) {
  std::vector<uint64_t> values;
  for (const Param &p : program.params) {
    if (!p.value)
      return userError("param " + p.name + " has no value",
                       "give it one with --param " + p.name + "=…");
    values.push_back(*p.value);
  }
  return values;
}

llvm::Expected<Device *> wf::chooseDevice(llvm::StringRef device) {
  if (device == "cpu")
    return nullptr;
  for (llvm::StringRef known : {"cuda", "hip", "sim"})
    if (device == known || device.starts_with(known.str() + ":"))
      return openDevice(device);
  return userError("no device is called '" + device + "'",
                   "devices: cpu, cuda, cuda:1, hip, sim:gfx1201, …; `warpfold "
                   "devices` lists those of this machine");
}

namespace {
/// Fills a Preparation step by step.
struct Preparer {
  const ReduceRequest &request;
  PhaseTimes &times;
  const std::vector<std::vector<int64_t>> *outStrides;
  Preparation p;
  bool gathered = false;

  llvm::Error shapes();
  llvm::Error types();
  Problem problem() const;
  std::vector<GatherInput> gatherInputs(const Problem &problem) const;
  void makeOnDevice();
  llvm::Error choose(const Problem &problem, const PlanFacts &facts);
  llvm::Error gpuKernel(Problem problem, PlanOrder order);
  llvm::Error kernel();
};
} // namespace

llvm::Error Preparer::shapes() {
  if (request.inputs.empty())
    return userError("nothing to reduce", "name an input");
  if (request.together) {
    int64_t n = 0;
    for (const Array &a : request.inputs) {
      if (a.type != request.inputs[0].type)
        return userError(
            "--together needs one type, but there are " +
                llvm::Twine(name(request.inputs[0].type)) + " and " +
                name(a.type),
            "choose tensors of one type");
      n += a.elements();
    }
    if (!request.allAxes)
      return userError("--together reduces over all elements",
                       "leave --axis out");
    p.inputs = request.inputs;
    p.shapeIn = {n};
    p.axes = {0};
    p.elementsIn = n;
    if (request.keepDims)
      p.shapeOut = {1};
    return llvm::Error::success();
  }
  auto arrays = broadcast(request.inputs);
  if (!arrays)
    return arrays.takeError();
  p.inputs = std::move(*arrays);
  p.shapeIn = p.inputs[0].shape;
  auto axes = normaliseAxes(request.axes, request.allAxes,
                            int64_t(p.shapeIn.size()));
  if (!axes)
    return axes.takeError();
  p.axes = std::move(*axes);
  for (size_t d = 0; d < p.shapeIn.size(); ++d) {
    bool reduced = llvm::is_contained(p.axes, int64_t(d));
    if (!reduced)
      p.shapeOut.push_back(p.shapeIn[d]);
    else if (request.keepDims)
      p.shapeOut.push_back(1);
  }
  p.elementsIn = p.inputs[0].elements();
  return llvm::Error::success();
}

llvm::Error Preparer::types() {
  PhaseTimer timer(times, "check");
  CheckOptions options;
  for (const Array &a : p.inputs)
    options.inputs.push_back(a.type);
  if (request.together)
    options.inputs.resize(1);
  options.acc = request.acc;
  options.nanIgnore = request.nan == NanPolicy::Ignore;
  options.params = request.params;
  auto program = check(request.reduction, options);
  if (!program)
    return program.takeError();
  p.program = std::move(*program);
  p.program.update = updateInOrder(p.program);
  auto params = paramValues(p.program);
  if (!params)
    return params.takeError();
  p.params = std::move(*params);
  return llvm::Error::success();
}

Problem Preparer::problem() const {
  if (request.together && !p.device) {
    Problem joined;
    joined.kind = ProblemKind::General;
    joined.gathered = true;
    joined.elements = p.elementsIn;
    joined.reduced.push_back({p.elementsIn, {1}, {}});
    return joined;
  }
  ProblemShape shape;
  shape.shape = p.shapeIn;
  shape.axes = p.axes;
  for (size_t i = 0; i < p.inputs.size(); ++i) {
    const Array &a = p.inputs[i];
    bool made = i < p.made.size() && !p.made[i].segments.empty();
    shape.inStrides.push_back(made ? rowMajorStrides(p.shapeIn) : a.strides);
    shape.generated |= a.source != nullptr && !made;
    if (request.together)
      break;
  }
  // Strides of the kept dimensions, spread over the input's dimensions.
  for (size_t o = 0; o < p.program.results.size(); ++o) {
    // The count of reportsAbsence is ours, and row-major.
    std::vector<int64_t> own = o < p.resultStrides.size()
                                   ? p.resultStrides[o]
                                   : rowMajorStrides(p.shapeOut);
    std::vector<int64_t> spread(p.shapeIn.size(), 0);
    size_t next = 0;
    for (size_t d = 0; d < p.shapeIn.size(); ++d) {
      bool reduced = llvm::is_contained(p.axes, int64_t(d));
      if (!reduced || request.keepDims)
        spread[d] = own[next++];
    }
    shape.outStrides.push_back(std::move(spread));
  }
  return canonicalise(shape);
}

std::vector<GatherInput>
Preparer::gatherInputs(const Problem &problem) const {
  std::vector<GatherInput> inputs;
  auto segmentOf = [](const Array &a) {
    GatherSegment s;
    s.data = static_cast<const char *>(a.data);
    s.source = a.source.get();
    s.offset = a.offset;
    return s;
  };
  if (request.together) {
    GatherInput all;
    all.elementBytes = byteSize(p.inputs[0].type);
    for (const Array &a : p.inputs) {
      GatherSegment s = segmentOf(a);
      s.sizes = a.shape;
      s.strides = a.strides;
      s.elements = a.elements();
      all.segments.push_back(std::move(s));
    }
    return {all};
  }
  for (size_t i = 0; i < p.inputs.size(); ++i) {
    GatherInput input;
    input.elementBytes = byteSize(p.inputs[i].type);
    for (const LoopAxis &a : problem.kept) {
      input.keptSizes.push_back(a.size);
      input.keptStrides.push_back(a.inStrides[i]);
    }
    GatherSegment s = segmentOf(p.inputs[i]);
    s.elements = problem.elements;
    for (const LoopAxis &a : problem.reduced) {
      s.sizes.push_back(a.size);
      s.strides.push_back(a.inStrides[i]);
    }
    input.segments.push_back(std::move(s));
    inputs.push_back(std::move(input));
  }
  return inputs;
}

/// A kernel on a GPU reads memory only: what has none is made there, row-major.
void Preparer::makeOnDevice() {
  auto whole = [](const Array &a) {
    GatherSegment s;
    s.data = static_cast<const char *>(a.data);
    s.source = a.source.get();
    s.offset = a.offset;
    s.sizes = a.shape;
    s.strides = a.strides;
    s.elements = a.elements();
    return s;
  };
  if (request.together) {
    GatherInput all;
    all.elementBytes = byteSize(p.inputs[0].type);
    for (const Array &a : p.inputs)
      all.segments.push_back(whole(a));
    p.made = {all};
    return;
  }
  p.made.resize(p.inputs.size());
  for (size_t i = 0; i < p.inputs.size(); ++i) {
    p.made[i].elementBytes = byteSize(p.inputs[i].type);
    if (p.inputs[i].source)
      p.made[i].segments.push_back(whole(p.inputs[i]));
  }
}

/// The plan, and what there is to say about it.
llvm::Error Preparer::choose(const Problem &problem, const PlanFacts &facts) {
  auto choice = askedPlan(p.program, problem, facts,
                          {request.plan, request.order}, p.notes);
  if (!choice)
    return choice.takeError();
  p.plan = choice->plan;
  if (request.explainPlan && problem.elements > 0)
    p.explanation = explainPlan(
        p.plan, problem, explainFacts(p.program, problem, choice->reason));
  return llvm::Error::success();
}

llvm::Error Preparer::gpuKernel(Problem problem, PlanOrder order) {
  const DeviceProperties &properties = p.device->properties();
  PlanFacts facts =
      planFacts(p.program, problem, order,
                {properties.target, properties.multiprocessors});
  if (llvm::Error e = choose(problem, facts))
    return e;
  if (problem.elements == 0 || problem.outputs == 0)
    return llvm::Error::success();
  auto made = GpuPreparation::make(*p.device, p.program, std::move(problem),
                                   p.plan, std::move(facts),
                                   PlanWish{request.plan, {}}.named(), times);
  if (!made)
    return made.takeError();
  p.gpu = std::move(*made);
  if (!p.program.reportsAbsence)
    return llvm::Error::success();
  auto counts = p.device->allocate(int64_t(p.presentCounts.size()) * 8);
  if (!counts)
    return counts.takeError();
  p.presentMemory = std::move(*counts);
  return llvm::Error::success();
}

llvm::Error Preparer::kernel() {
  if (p.device)
    makeOnDevice();
  auto order = decideOrder(p.program, request.order, p.notes);
  if (!order)
    return order.takeError();
  p.resultStrides.assign(userResults(p.program), rowMajorStrides(p.shapeOut));
  if (outStrides)
    p.resultStrides = *outStrides;
  Problem problem = this->problem();
  if (p.program.reportsAbsence)
    p.presentCounts.resize(size_t(problem.outputs));
  if (p.device)
    return gpuKernel(std::move(problem), *order);
  PlanFacts facts = planFacts(p.program, problem, *order);
  if (llvm::Error e = choose(problem, facts))
    return e;
  if (problem.elements == 0 || problem.outputs == 0)
    return llvm::Error::success();
  KernelSpec spec{&p.program, problem, p.plan};
  auto kernel = getKernel(spec, times);
  if (!kernel)
    return kernel.takeError();
  int threads = request.threads > 0 ? request.threads : availableThreads();
  std::vector<GatherInput> gather;
  if (p.plan.load == Load::Pack)
    gather = gatherInputs(problem);
  p.launch = std::make_unique<Launch>(*kernel, std::move(problem),
                                      std::move(gather), threads);
  return llvm::Error::success();
}

llvm::Expected<Preparation>
wf::prepare(const ReduceRequest &request, PhaseTimes &times,
            const std::vector<std::vector<int64_t>> *outStrides) {
  auto device = chooseDevice(request.device);
  if (!device)
    return device.takeError();
  // A mistake in it is told before any work is done.
  if (request.plan)
    if (auto said = parsePlanRequest(*request.plan); !said)
      return said.takeError();
  Preparer preparer{request, times, outStrides, {}};
  preparer.p.device = *device;
  if (llvm::Error e = preparer.shapes())
    return std::move(e);
  if (llvm::Error e = preparer.types())
    return std::move(e);
  if (llvm::Error e = preparer.kernel())
    return std::move(e);
  return std::move(preparer.p);
}
