//===- GpuLaunchTest.cpp - Kernels handed to a driver, as far as arguments ===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//
// Compiled kernels on the stub driver, which runs none of them, but holds every
// argument buffer against the parameters that the PTX declares, and keeps it
// for us to look at.
//===----------------------------------------------------------------------===//
#include "../Runtime/CudaStub.h"
#include "Pipeline/Prepare.h"
#include "Reductions.h"

#include <cstring>
#include <numeric>

using namespace wf;
using namespace wf::test;
using llvm::cantFail;

namespace {

/// Kernels stay in memory with the device they were loaded on, so there is one
/// device, and the stub is never reset.
class GpuLaunchTest : public ::testing::Test {
protected:
  void SetUp() override {
    ::setenv("WARPFOLD_CUDA_DRIVER", WF_STUB_CUDA, 1);
    ::setenv("WARPFOLD_CACHE_DIR", "off", 1);
    device = cantFail(openDevice("cuda"));
  }
  void TearDown() override {
    std::string report = stub.report();
    EXPECT_EQ(report.find("cu"), std::string::npos) << report;
  }

  /// A row-major request for a built-in reduction; nobody reads its data.
  ReduceRequest request(const TestReduction &r, std::vector<ScalarType> types,
                        std::vector<int64_t> shape,
                        std::optional<std::vector<int64_t>> axes) {
    ReduceRequest q;
    q.reduction = r.ast;
    for (ScalarType type : types) {
      Array a;
      a.type = type;
      a.shape = shape;
      a.strides = rowMajorStrides(shape);
      a.data = reinterpret_cast<const void *>(uintptr_t(4096));
      q.inputs.push_back(a);
    }
    q.allAxes = !axes;
    if (axes)
      q.axes = *axes;
    q.device = "cuda";
    if (r.hasDdof)
      q.params.push_back({"ddof", "1"});
    return q;
  }
  Preparation prepared(const ReduceRequest &request) {
    PhaseTimes times;
    return cantFail(prepare(request, times));
  }
  WfStubLaunch last(int back = 0) {
    WfStubLaunch launch{};
    EXPECT_TRUE(stub.launchAt(back, &launch));
    return launch;
  }
  /// Runs on device memory of made-up addresses.
  llvm::Error run(Preparation &p, uint64_t shift = 0) {
    std::vector<const void *> from;
    std::vector<void *> to;
    for (size_t i = 0; i < p.program.inputs.size(); ++i)
      from.push_back(
          reinterpret_cast<const void *>(uintptr_t(0x10000 * (i + 1) + shift)));
    for (size_t r = 0; r < userResults(p.program); ++r)
      to.push_back(reinterpret_cast<void *>(uintptr_t(0x1000000 * (r + 1))));
    return runPrepared(p, from.data(), to.data());
  }

  Stub &stub = Stub::get();
  Device *device = nullptr;
};

const TestReduction &builtIn(llvm::StringRef name) {
  for (const TestReduction &r : builtIns())
    if (r.ast.name == name)
      return r;
  llvm::report_fatal_error("no such reduction");
}

/// Reads an argument buffer from the front.
struct Arguments {
  const char *bytes;
  size_t size, at = 0;

  explicit Arguments(const WfStubLaunch &launch)
      : bytes(static_cast<const char *>(launch.arguments)),
        size(launch.argumentBytes) {}
  template <typename T> T next() {
    at = (at + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value{};
    if (at + sizeof(T) <= size)
      std::memcpy(&value, bytes + at, sizeof(T));
    at += sizeof(T);
    return value;
  }
};

TEST_F(GpuLaunchTest, ArgumentsOfAFullSum) {
  constexpr int64_t n = (1 << 26) + 5;
  Preparation p = prepared(request(builtIn("sum"), {ScalarType::F32}, {n}, {}));
  cantFail(run(p));
  WfStubLaunch launch = last();
  EXPECT_STREQ(launch.kernel, "fold");
  EXPECT_EQ(launch.threads, p.plan.threads());
  Problem whole;
  whole.elements = n;
  whole.reduced.push_back({n, {1}, {}});
  GpuDivision d = cantFail(divideGpu(p.gpu->plan(), whole));
  EXPECT_EQ(launch.blocks, d.blocks);
  EXPECT_GT(d.groups, 1);
  Arguments a(launch);
  EXPECT_EQ(a.next<uint64_t>(), 0x10000u);
  EXPECT_EQ(a.next<uint64_t>(), 0x1000000u);
  uint64_t partials = a.next<uint64_t>(), tickets = a.next<uint64_t>();
  EXPECT_EQ(a.next<int32_t>(), n);
  EXPECT_EQ(a.next<int32_t>(), d.runs);
  EXPECT_EQ(a.next<int32_t>(), 1) << "outputs";
  EXPECT_EQ(a.next<int32_t>(), n) << "size of the reduced axis";
  EXPECT_EQ(a.next<int32_t>(), 1) << "its stride";
  EXPECT_EQ(a.at, a.size);
  // Tickets come first, at zero; states after them, all within the workspace.
  EXPECT_EQ(tickets % 256, 0u);
  EXPECT_EQ(partials % 256, 0u);
  EXPECT_GE(partials, tickets + 4 * uint64_t(d.tickets));
  EXPECT_LE(partials + 4 * uint64_t(d.partials),
            tickets + uint64_t(p.gpu->workspaceBytes()));
  std::vector<int32_t> drawn(size_t(d.tickets), -1);
  cantFail(device->copyOut(drawn.data(), tickets, 4 * d.tickets));
  EXPECT_EQ(drawn, std::vector<int32_t>(size_t(d.tickets), 0));
}

TEST_F(GpuLaunchTest, ArgumentsOfRowsWithAParam) {
  Preparation p =
      prepared(request(builtIn("var"), {ScalarType::F64}, {7, 300}, {{1}}));
  cantFail(run(p));
  Arguments a(last());
  EXPECT_EQ(a.next<uint64_t>(), 0x10000u);
  EXPECT_EQ(a.next<uint64_t>(), 0x1000000u);
  for (size_t m = 0; m < p.program.state.size() + 1; ++m)
    a.next<uint64_t>(); // states, their counts
  a.next<uint64_t>();   // tickets
  ASSERT_EQ(p.program.params.size(), 1u);
  size_t bytes = size_t(byteSize(p.program.params[0].type));
  EXPECT_EQ(bytes == 8 ? a.next<uint64_t>() : a.next<uint32_t>(), p.params[0]);
  EXPECT_EQ(a.next<int32_t>(), 300);
  EXPECT_EQ(a.next<int32_t>(), 1) << "runs";
  EXPECT_EQ(a.next<int32_t>(), 7) << "outputs";
  EXPECT_EQ(a.next<int32_t>(), 7) << "size of the kept axis";
  EXPECT_EQ(a.next<int32_t>(), 300) << "size of the reduced axis";
  EXPECT_EQ(a.next<int32_t>(), 300) << "the input's stride along the kept axis";
  EXPECT_EQ(a.next<int32_t>(), 1) << "along the reduced one";
  EXPECT_EQ(a.next<int32_t>(), 1) << "the result's";
  EXPECT_EQ(a.at, a.size);
}

TEST_F(GpuLaunchTest, OffsetsPastThirtyTwoBits) {
  constexpr int64_t n = (int64_t(1) << 32) + 3;
  Preparation p = prepared(request(builtIn("max"), {ScalarType::I8}, {n}, {}));
  cantFail(run(p));
  EXPECT_EQ(p.plan.address, 64);
  Arguments a(last());
  for (int pointer = 0; pointer < 4; ++pointer)
    a.next<uint64_t>();
  EXPECT_EQ(a.next<int64_t>(), n);
  a.next<int64_t>();
  EXPECT_EQ(a.next<int64_t>(), 1);
  EXPECT_EQ(a.next<int64_t>(), n);
  EXPECT_EQ(a.next<int64_t>(), 1);
  EXPECT_EQ(a.at, a.size);
}

// Every operation that takes the type, every form of plan: the stub refuses a
// buffer that is not as long as the kernel's parameters.
TEST_F(GpuLaunchTest, EveryKernelTakesItsArguments) {
  struct Shape {
    std::vector<int64_t> shape;
    std::optional<std::vector<int64_t>> axes;
  };
  const std::vector<Shape> shapes = {{{1000003}, {}},
                                     {{5, 4096}, {{1}}},
                                     {{900, 20}, {{1}}},
                                     {{4096, 300}, {{0}}},
                                     {{3, 70, 5}, {{0, 2}}},
                                     {{4, 999, 33}, {{1}}},
                                     {{1}, {}}};
  int launches = 0, number = 0;
  for (const TestReduction &r : builtIns())
    for (ScalarType type : {ScalarType::F32, ScalarType::I8, ScalarType::Bool})
      for (const char *order : {"canonical", "ordered", "sequential"}) {
        // Each with some of the shapes, all in turn.
        const Shape &shape = shapes[size_t(number++) % shapes.size()];
        ReduceRequest q =
            request(r, std::vector<ScalarType>(size_t(r.inputs), type),
                    shape.shape, shape.axes);
        q.order = order;
        SCOPED_TRACE(r.ast.name + " " + std::string(name(type)) + " " + order);
        PhaseTimes times;
        auto p = prepare(q, times);
        if (!p) { // this type is not for it
          std::string text = llvm::toString(p.takeError());
          EXPECT_NE(text.find(" takes "), std::string::npos) << text;
          continue;
        }
        cantFail(run(*p));
        WfStubLaunch launch = last();
        EXPECT_EQ(launch.threads, p->plan.threads());
        EXPECT_EQ(launch.dynamicSharedBytes, 0u);
        ++launches;
      }
  EXPECT_GT(launches, 90);
}

TEST_F(GpuLaunchTest, OffAlignmentAnotherKernelRuns) {
  Preparation p =
      prepared(request(builtIn("sum"), {ScalarType::F32}, {64, 4096}, {{1}}));
  EXPECT_EQ(p.plan.load, Load::Vector);
  cantFail(run(p));
  int loads = stub.calls("cuModuleLoadDataEx");
  cantFail(run(p, 4));
  EXPECT_EQ(Arguments(last()).next<uint64_t>(), 0x10004u);
  EXPECT_EQ(stub.calls("cuModuleLoadDataEx"), loads + 1);
  cantFail(run(p, 8)); // it is there now
  cantFail(run(p, 16));
  EXPECT_EQ(stub.calls("cuModuleLoadDataEx"), loads + 1);
  EXPECT_NE(failure(run(p, 2)).find("which is no multiple of the 4 bytes of a "
                                    "f32"),
            std::string::npos);
}

TEST_F(GpuLaunchTest, TheSameKernelServesOtherSizes) {
  Preparation first =
      prepared(request(builtIn("min"), {ScalarType::F32}, {1000, 4096}, {{1}}));
  int loads = stub.calls("cuModuleLoadDataEx");
  Preparation second =
      prepared(request(builtIn("min"), {ScalarType::F32}, {1100, 4096}, {{1}}));
  if (first.plan == second.plan)
    EXPECT_EQ(stub.calls("cuModuleLoadDataEx"), loads);
  cantFail(run(second));
  EXPECT_EQ(last().blocks,
            uint32_t((1100 + second.plan.warps - 1) / second.plan.warps));
}

TEST_F(GpuLaunchTest, ALaunchAfterAFailedOne) {
  Preparation p =
      prepared(request(builtIn("sum"), {ScalarType::F64}, {1 << 20}, {}));
  stub.fail("cuLaunchKernel", cuda::InvalidValue, 0);
  EXPECT_NE(failure(run(p)).find("cuLaunchKernel"), std::string::npos);
  int before = stub.launchCount();
  cantFail(run(p));
  EXPECT_EQ(stub.launchCount(), before + 1);
}

TEST_F(GpuLaunchTest, ACallAllocatesNothingAndMayBeCaptured) {
  Preparation p =
      prepared(request(builtIn("sum"), {ScalarType::F32}, {1 << 22}, {}));
  cantFail(run(p));
  const std::vector<std::string> waits = {
      "cuMemAlloc_v2", "cuMemAlloc", "cuStreamSynchronize", "cuCtxSynchronize",
      "cuMemsetD8Async"};
  auto calls = [&] {
    int all = 0;
    for (const std::string &name : waits)
      all += stub.calls(name.c_str());
    return all;
  };
  int before = calls(), launches = stub.launchCount();
  const void *from = reinterpret_cast<const void *>(uintptr_t(0x10000));
  void *to = reinterpret_cast<void *>(uintptr_t(0x20000));
  auto graph = cantFail(device->capture(
      [&](DeviceStream stream) { return runPrepared(p, &from, &to, stream); }));
  EXPECT_EQ(calls(), before);
  EXPECT_EQ(stub.launchCount(), launches);
  for (int i = 0; i < 3; ++i)
    cantFail(graph->replay(nullptr));
  EXPECT_EQ(stub.launchCount(), launches + 3);
  EXPECT_TRUE(last().replayed);
  EXPECT_EQ(Arguments(last()).next<uint64_t>(), 0x10000u);
}

TEST_F(GpuLaunchTest, NoMemoryForTheWorkspace) {
  ReduceRequest q = request(builtIn("prod"), {ScalarType::F32}, {1 << 24}, {});
  ::setenv("WARPFOLD_STUB_CUDA", "oom", 1);
  PhaseTimes times;
  auto refused = prepare(q, times);
  ::unsetenv("WARPFOLD_STUB_CUDA");
  EXPECT_NE(failure(std::move(refused)).find("cuda:0 has no memory for"),
            std::string::npos);
  cantFail(prepare(q, times).takeError());
}

} // namespace
