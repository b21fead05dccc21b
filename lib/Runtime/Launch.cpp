//===- Launch.cpp - A compiled kernel on a problem ------------------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Runtime/Launch.h"

#include "Runtime/ThreadPool.h"

#include <algorithm>
#include <deque>

using namespace wf;

namespace {

/// An MLIR memref descriptor of any rank: two pointers, an offset, sizes,
/// strides.
struct Descriptor {
  std::vector<int64_t> words;

  Descriptor(const std::vector<int64_t> &sizes,
             const std::vector<int64_t> &strides)
      : words(3, 0) {
    words.insert(words.end(), sizes.begin(), sizes.end());
    words.insert(words.end(), strides.begin(), strides.end());
  }
  void setPointer(const void *p) {
    words[0] = words[1] = reinterpret_cast<int64_t>(p);
  }
};

/// A work item is a run of one output (row-like), a tile of outputs (column) or
/// a handful of short rows. How a problem is cut into them.
struct Division {
  int64_t items = 1;     ///< of fold
  int64_t runs = 1;      ///< a fold
  int64_t runChunks = 1; ///< chunks a run, a power of two
  int64_t grain = 1;     ///< items a thread takes at a time
  int threads = 1;
};

} // namespace

/// Bytes below which another thread costs more than it brings: waking one takes
/// some ten microseconds, in which a core reads about this much.
static constexpr int64_t kBytesPerThread = 256 << 10;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

static int64_t tilesOf(const Kernel &kernel, const Problem &p) {
  int64_t widest = 1;
  for (ScalarType t : kernel.partials)
    widest = std::max(widest, byteSize(t));
  int64_t columns = p.kept.back().size;
  return ceilDiv(columns, kernel.plan.tile / widest);
}

static Division divide(const Kernel &kernel, const Problem &p, int most) {
  const Plan &plan = kernel.plan;
  int64_t bytes = 0;
  for (ScalarType t : kernel.inputs)
    bytes += p.outputs * p.elements * byteSize(t);
  Division d;
  d.threads =
      int(std::clamp<int64_t>(bytes / kBytesPerThread, 1, std::max(1, most)));
  int64_t folds = p.outputs; // independent folds (or tiles of them)
  if (plan.tile > 0)
    folds = p.outputs / p.kept.back().size * tilesOf(kernel, p);
  else
    folds = ceilDiv(p.outputs, plan.abreast);
  int64_t chunks = ceilDiv(p.elements, plan.chunkElements());
  d.runChunks = chunks;
  bool maySplit = plan.order != PlanOrder::Sequential && plan.elements == 0;
  // Enough items that a thread held up elsewhere does not hold up the rest.
  int64_t wanted = 8 * int64_t(d.threads);
  if (maySplit && d.threads > 1 && folds < wanted && chunks > 1) {
    d.runChunks = 1;
    while (folds * ceilDiv(chunks, 2 * d.runChunks) >= wanted)
      d.runChunks *= 2;
    d.runs = ceilDiv(chunks, d.runChunks);
  }
  d.items = folds * d.runs;
  d.grain = std::max<int64_t>(1, d.items / (16 * int64_t(d.threads)));
  return d;
}

struct Launch::Impl {
  std::shared_ptr<const Kernel> kernel;
  Problem problem;
  std::vector<GatherInput> gather;
  Division division;
  std::vector<Descriptor> inputs, outputs, partials;
  std::vector<std::vector<char>> partialMemory;
  std::vector<uint64_t> params;
  int64_t runs, runChunks, runElements, elements, levels = 0;

  /// What a thread has of its own.
  struct PerThread {
    PackSource source;
    PackSource *sourcePointer = nullptr;
    std::vector<std::vector<char>> buffers;
    std::vector<Descriptor> bufferDescriptors;
    std::vector<char> scratch;
    Descriptor scratchDescriptor{{0}, {1}};
    int64_t begin = 0, end = 0;
    /// To descriptors; a deque, since argument lists point at its elements.
    std::deque<void *> pointers;
    std::vector<void *> fold, join; ///< argument lists
  };
  std::vector<std::unique_ptr<PerThread>> threads;

  void describeArrays();
  void describePartials();
  void prepareThread(PerThread &t);
  void prepareBuffers(PerThread &t);
  void prepareScratch(PerThread &t);
  void *descriptor(PerThread &t, Descriptor &d) {
    t.pointers.push_back(d.words.data());
    return &t.pointers.back();
  }
};

/// Dimensions in the order of Dialect/Import.h: kept, reduced; for a column the
/// last kept axis moves to the end.
void Launch::Impl::describeArrays() {
  std::vector<const LoopAxis *> axes;
  bool column = kernel->plan.kind == ProblemKind::Column;
  for (const LoopAxis &a : problem.kept)
    if (!column || &a != &problem.kept.back())
      axes.push_back(&a);
  for (const LoopAxis &a : problem.reduced)
    axes.push_back(&a);
  LoopAxis single{1, std::vector<int64_t>(kernel->inputs.size(), 1), {}};
  if (problem.reduced.empty())
    axes.push_back(&single);
  if (column)
    axes.push_back(&problem.kept.back());
  for (size_t i = 0; i < kernel->inputs.size(); ++i) {
    std::vector<int64_t> sizes, strides;
    for (const LoopAxis *a : axes) {
      sizes.push_back(a->size);
      strides.push_back(a->inStrides[i]);
    }
    inputs.emplace_back(sizes, strides);
  }
  for (size_t o = 0; o < kernel->outputs.size(); ++o) {
    std::vector<int64_t> sizes, strides;
    for (const LoopAxis &a : problem.kept) {
      sizes.push_back(a.size);
      strides.push_back(a.outStrides[o]);
    }
    outputs.emplace_back(sizes, strides);
  }
}

void Launch::Impl::describePartials() {
  int64_t n = runs > 1 ? problem.outputs * runs : 0;
  for (ScalarType t : kernel->partials) {
    partialMemory.emplace_back(size_t(n * byteSize(t)));
    partials.emplace_back(std::vector<int64_t>{n}, std::vector<int64_t>{1});
    partials.back().setPointer(partialMemory.back().data());
  }
}

void Launch::Impl::prepareBuffers(PerThread &t) {
  std::vector<void *> raw;
  int64_t n = std::max<int64_t>(kernel->plan.chunkElements(), 4096);
  for (ScalarType type : kernel->inputs) {
    t.buffers.emplace_back(size_t(n * byteSize(type) + 64));
    void *p = t.buffers.back().data();
    raw.push_back(p);
    t.bufferDescriptors.emplace_back(std::vector<int64_t>{n},
                                     std::vector<int64_t>{1});
    t.bufferDescriptors.back().setPointer(p);
  }
  t.source = makePackSource(gather, raw);
  t.sourcePointer = &t.source;
}

/// A column's scratch: one tile of slots being filled and one tile of states a
/// level of the counter, for every member.
void Launch::Impl::prepareScratch(PerThread &t) {
  int64_t members = int64_t(kernel->partials.size());
  int64_t bytes = members * (levels + 1) * kernel->plan.tile + 64;
  t.scratch.resize(size_t(bytes));
  t.scratchDescriptor = Descriptor({bytes}, {1});
  auto at = (reinterpret_cast<uintptr_t>(t.scratch.data()) + 63) & ~63ull;
  t.scratchDescriptor.setPointer(reinterpret_cast<void *>(at));
}

void Launch::Impl::prepareThread(PerThread &t) {
  const Plan &plan = kernel->plan;
  if (plan.load == Load::Pack) {
    prepareBuffers(t);
    t.fold.push_back(&t.sourcePointer);
    for (Descriptor &d : t.bufferDescriptors)
      t.fold.push_back(descriptor(t, d));
  } else {
    for (Descriptor &d : inputs)
      t.fold.push_back(descriptor(t, d));
  }
  for (Descriptor &d : outputs) {
    t.fold.push_back(descriptor(t, d));
    t.join.push_back(t.fold.back());
  }
  for (Descriptor &d : partials) {
    t.fold.push_back(descriptor(t, d));
    t.join.push_back(t.fold.back());
  }
  for (uint64_t &p : params) {
    t.fold.push_back(&p);
    t.join.push_back(&p);
  }
  t.fold.insert(t.fold.end(),
                {&t.begin, &t.end, &runs, &runChunks, &elements});
  t.join.insert(t.join.end(),
                {&t.begin, &t.end, &runs, &runElements, &elements});
  if (plan.tile > 0) {
    prepareScratch(t);
    t.fold.push_back(descriptor(t, t.scratchDescriptor));
    t.fold.push_back(&levels);
  }
}

Launch::Launch(std::shared_ptr<const Kernel> kernel, Problem problem,
               std::vector<GatherInput> gather, int threads)
    : impl(std::make_unique<Impl>()) {
  impl->kernel = std::move(kernel);
  impl->problem = std::move(problem);
  impl->gather = std::move(gather);
  impl->division = divide(*impl->kernel, impl->problem, threads);
  impl->params.resize(impl->kernel->params.size());
  impl->runs = impl->division.runs;
  impl->runChunks = impl->division.runChunks;
  impl->runElements =
      impl->runChunks * impl->kernel->plan.chunkElements();
  impl->elements = impl->problem.elements;
  for (int64_t leaves = impl->elements; leaves > 0; leaves /= 2)
    ++impl->levels;
  impl->describeArrays();
  impl->describePartials();
  for (int i = 0; i < impl->division.threads; ++i) {
    impl->threads.push_back(std::make_unique<Impl::PerThread>());
    impl->prepareThread(*impl->threads.back());
  }
}

Launch::~Launch() = default;

int Launch::threads() const { return impl->division.threads; }
int64_t Launch::runs() const { return impl->runs; }

void Launch::run(const void *const *inputs, void *const *outputs,
                 const uint64_t *params) {
  for (size_t i = 0; i < impl->inputs.size(); ++i)
    impl->inputs[i].setPointer(inputs[i]);
  // Gathered arrays that lie in memory are where this call says.
  if (impl->kernel->plan.load == Load::Pack)
    for (size_t i = 0; i < impl->gather.size(); ++i)
      if (auto &segments = impl->gather[i].segments;
          segments.size() == 1 && !segments[0].source)
        segments[0].data = static_cast<const char *>(inputs[i]);
  for (size_t o = 0; o < impl->outputs.size(); ++o)
    impl->outputs[o].setPointer(outputs[o]);
  for (size_t p = 0; p < impl->params.size(); ++p)
    impl->params[p] = params[p];
  const Division &d = impl->division;
  auto &pool = ThreadPool::instance();
  pool.run(d.threads, d.items, d.grain, [&](int t, int64_t begin, int64_t end) {
    Impl::PerThread &mine = *impl->threads[t];
    mine.begin = begin;
    mine.end = end;
    impl->kernel->fold(mine.fold.data());
  });
  if (d.runs <= 1)
    return;
  int64_t all = impl->problem.outputs;
  pool.run(d.threads, all, std::max<int64_t>(256, all / (8 * d.threads)),
           [&](int t, int64_t begin, int64_t end) {
             Impl::PerThread &mine = *impl->threads[t];
             mine.begin = begin;
             mine.end = end;
             impl->kernel->join(mine.join.data());
           });
}
