//===- CudaDeviceTest.cpp - Memory, launches, streams, graphs -------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "CudaStub.h"

#include "Runtime/Cuda/ReadRate.h"

#include <atomic>
#include <functional>
#include <numeric>
#include <thread>

using namespace wf;
using namespace wf::test;
using llvm::cantFail;
using llvm::Error;

namespace {

TEST_F(CudaTest, Properties) {
  const DeviceProperties &about = device->properties();
  EXPECT_EQ(about.name, "Stub GPU");
  EXPECT_EQ(about.target, "sm_90");
  EXPECT_EQ(about.multiprocessors, 132);
  EXPECT_EQ(about.warpSize, 32);
  EXPECT_EQ(about.maxThreadsPerMultiprocessor, 2048);
  EXPECT_EQ(about.memoryBytes, 256 << 20);
  EXPECT_EQ(about.l2Bytes, 4 << 20);
  EXPECT_EQ(about.sharedBytesPerBlock, 48 << 10);
  EXPECT_EQ(about.sharedBytesOptIn, 227 << 10);
  EXPECT_EQ(about.sharedBytesPerMultiprocessor, 228 << 10);
  EXPECT_EQ(about.registersPerMultiprocessor, 65536);
  EXPECT_EQ(about.clockKilohertz, 1980000);
  EXPECT_EQ(about.memoryClockKilohertz, 3201000);
  EXPECT_EQ(about.memoryBusBits, 6144);
  EXPECT_EQ(about.driverVersion, 13000);
}

TEST_F(CudaTest, CopiesAndFills) {
  std::vector<int> numbers(1000), back(1000);
  std::iota(numbers.begin(), numbers.end(), 1);
  DeviceBuffer buffer = cantFail(device->allocate(4000));
  EXPECT_EQ(buffer.bytes(), 4000);
  EXPECT_EQ(buffer.address() % 256, 0u);
  cantFail(device->copyIn(buffer.address(), numbers.data(), 4000));
  cantFail(device->copyOut(back.data(), buffer.address(), 4000));
  EXPECT_EQ(back, numbers);
  cantFail(device->fill(buffer.address() + 4, 0xff, 8, nullptr));
  cantFail(device->copyOut(back.data(), buffer.address(), 4000));
  EXPECT_EQ(std::vector<int>(back.begin(), back.begin() + 4),
            (std::vector<int>{1, -1, -1, 4}));
}

TEST_F(CudaTest, ZeroBytesAreAValidRequest) {
  DeviceBuffer none = cantFail(device->allocate(0));
  EXPECT_EQ(none.bytes(), 0);
  EXPECT_NE(none.address(), 0u);
  cantFail(device->copyIn(none.address(), nullptr, 0));
  cantFail(device->copyOut(nullptr, none.address(), 0));
  cantFail(device->fill(none.address(), 1, 0, nullptr));
}

TEST_F(CudaTest, BuffersMove) {
  DeviceBuffer a = cantFail(device->allocate(16)), b;
  DeviceAddress address = a.address();
  b = std::move(a);
  EXPECT_EQ(b.address(), address);
  EXPECT_EQ(a.address(), 0u);
  b = cantFail(device->allocate(32));
  EXPECT_STREQ(stub.report(), "alive: 32 bytes\n");
  b.reset();
  b.reset();
}

TEST_F(CudaTest, NoMemoryNamesTheNumbers) {
  DeviceBuffer some = cantFail(device->allocate(1 << 20));
  EXPECT_EQ(failure(device->allocate(1ll << 40)),
            "device error: cuda:0 has no memory for 1099511627776 bytes: "
            "267386880 bytes of 268435456 are free (cuMemAlloc: "
            "CUDA_ERROR_OUT_OF_MEMORY (as the stub says))\n"
            "hint: free memory on the device, or reduce a part at a time");
  EXPECT_NE(failure(device->allocate(-1)).find("internal error"),
            std::string::npos);
}

TEST_F(CudaTest, ALaunchArrivesAsItWasAsked) {
  auto module = loadStubPtx();
  void *scale = cantFail(module->function("scale"));
  DeviceStream stream = cantFail(device->makeStream());
  ScaleArguments arguments;
  arguments.pointer = 0x123456789abcdef0;
  arguments.count = 7;
  cantFail(
      device->launch(scale, {1000, 256, 200 << 10}, packed(arguments), stream));
  WfStubLaunch launch;
  ASSERT_TRUE(stub.launchAt(0, &launch));
  EXPECT_STREQ(launch.kernel, "scale");
  EXPECT_EQ(launch.blocks, 1000u);
  EXPECT_EQ(launch.threads, 256u);
  EXPECT_EQ(launch.dynamicSharedBytes, 200u << 10);
  EXPECT_EQ(launch.stream, stream);
  ASSERT_EQ(launch.argumentBytes, 44u);
  EXPECT_EQ(std::memcmp(launch.arguments, &arguments, 44), 0);
  cantFail(
      device->launch(cantFail(module->function("nothing")), {}, {}, stream));
  ASSERT_TRUE(stub.launchAt(0, &launch));
  EXPECT_STREQ(launch.kernel, "nothing");
  EXPECT_EQ(launch.argumentBytes, 0u);
  cantFail(device->synchronise(stream));
  device->destroyStream(stream);
}

TEST_F(CudaTest, ALaunchThatCannotBe) {
  auto module = loadStubPtx();
  void *scale = cantFail(module->function("scale"));
  ScaleArguments arguments;
  const std::string invalid = "device error: cuda: cuLaunchKernel: "
                              "CUDA_ERROR_INVALID_VALUE (as the stub says)";
  for (LaunchShape shape : {LaunchShape{0, 32, 0}, LaunchShape{1u << 31, 32, 0},
                            LaunchShape{1, 0, 0}, LaunchShape{1, 257, 0},
                            LaunchShape{1, 32, (227 << 10) + 1}})
    EXPECT_EQ(failure(device->launch(scale, shape, packed(arguments), nullptr)),
              invalid);
  EXPECT_EQ(stub.launchCount(), 0);
  // The next one is good.
  cantFail(device->launch(scale, {1, 32, 0}, packed(arguments), nullptr));
  EXPECT_EQ(stub.launchCount(), 1);
}

TEST_F(CudaTest, TheStubSeesWrongUse) {
  auto module = loadStubPtx();
  void *scale = cantFail(module->function("scale"));
  char bytes[64] = {};
  failure(device->launch(scale, {}, llvm::ArrayRef<char>(bytes, 40), nullptr));
  failure(device->launch(bytes, {}, {}, nullptr));
  module.reset();
  failure(device->launch(scale, {}, llvm::ArrayRef<char>(bytes, 44), nullptr));
  DeviceAddress address = cantFail(device->allocate(64)).address(); // freed
  failure(device->copyIn(address, bytes, 64));
  device->release(address);
  DeviceBuffer buffer = cantFail(device->allocate(64));
  failure(device->copyOut(bytes, buffer.address() + 1, 64));
  failure(device->synchronise(bytes));
  EXPECT_STREQ(stub.report(),
               "cuLaunchKernel: scale takes 44 bytes of arguments, not 40\n"
               "cuLaunchKernel: no kernel of a loaded module\n"
               "cuLaunchKernel: no kernel of a loaded module\n"
               "cuMemcpyHtoD: 64 bytes outside memory\n"
               "cuMemFree: freed twice\n"
               "cuMemcpyDtoH: 64 bytes outside memory\n"
               "cuStreamSynchronize: no such stream\n"
               "alive: 64 bytes\n");
  buffer.reset();
  stub.reset();
}

TEST_F(CudaTest, EventsTellTheTimeBetween) {
  auto module = loadStubPtx();
  void *nothing = cantFail(module->function("nothing"));
  auto begin = cantFail(device->makeEvent()),
       end = cantFail(device->makeEvent());
  EXPECT_NE(failure(device->elapsed(*begin, *end)).find("cuEventElapsedTime"),
            std::string::npos);
  cantFail(begin->record(nullptr));
  for (int i = 0; i < 3; ++i)
    cantFail(device->launch(nothing, {}, {}, nullptr));
  cantFail(end->record(nullptr));
  cantFail(end->wait());
  // The stub's launches take a millisecond and its events one µs.
  EXPECT_NEAR(cantFail(device->elapsed(*begin, *end)), 3001, 0.1);
}

TEST_F(CudaTest, AGraphDoesWhatWasCaptured) {
  auto module = loadStubPtx();
  void *nothing = cantFail(module->function("nothing"));
  DeviceBuffer buffer = cantFail(device->allocate(4));
  cantFail(device->fill(buffer.address(), 1, 4, nullptr));
  auto graph = cantFail(device->capture([&](DeviceStream stream) -> Error {
    if (Error error = device->fill(buffer.address(), 2, 4, stream))
      return error;
    if (Error error = device->launch(nothing, {5, 32, 0}, {}, stream))
      return error;
    return device->launch(nothing, {6, 32, 0}, {}, stream);
  }));
  uint32_t value = 0;
  cantFail(device->copyOut(&value, buffer.address(), 4));
  EXPECT_EQ(value, 0x01010101u) << "capturing is not running";
  EXPECT_EQ(stub.launchCount(), 0);
  DeviceStream stream = cantFail(device->makeStream());
  for (int i = 0; i < 3; ++i)
    cantFail(graph->replay(stream));
  cantFail(device->copyOut(&value, buffer.address(), 4));
  EXPECT_EQ(value, 0x02020202u);
  EXPECT_EQ(stub.launchCount(), 6);
  WfStubLaunch launch;
  ASSERT_TRUE(stub.launchAt(1, &launch));
  EXPECT_EQ(launch.blocks, 5u);
  EXPECT_TRUE(launch.replayed);
  EXPECT_EQ(launch.stream, stream);
  device->destroyStream(stream);
}

TEST_F(CudaTest, WhatMayNotBeCapturedSaysSoAndEndsTheCapture) {
  DeviceBuffer buffer = cantFail(device->allocate(16));
  char bytes[16] = {};
  const std::function<Error(DeviceStream)> bodies[] = {
      [&](DeviceStream) { return device->allocate(16).takeError(); },
      [&](DeviceStream) { return device->copyIn(buffer.address(), bytes, 16); },
      [&](DeviceStream) {
        return device->copyOut(bytes, buffer.address(), 16);
      },
      [&](DeviceStream stream) { return device->synchronise(stream); }};
  for (const auto &body : bodies) {
    EXPECT_NE(failure(device->capture(body))
                  .find("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"),
              std::string::npos);
    cantFail(device->allocate(16)); // allowed again
  }
  // A body that hides its error still gives no graph.
  EXPECT_NE(failure(device->capture([&](DeviceStream) -> Error {
              llvm::consumeError(device->allocate(16).takeError());
              return Error::success();
            })).find("cuStreamEndCapture: CUDA_ERROR_STREAM_CAPTURE_INVALID"),
            std::string::npos);
  EXPECT_EQ(failure(device->capture(
                [](DeviceStream) { return userError("the body's own"); })),
            "error: the body's own");
}

TEST_F(CudaTest, TheCallersContextIsPutBack) {
  auto foreign = static_cast<cuda::Context>(stub.foreignContext());
  auto current = [&] {
    cuda::Context context = nullptr;
    cantFail(driver->ctxGetCurrent(&context));
    return context;
  };
  auto module = loadStubPtx();
  void *kernel = cantFail(module->function("nothing"));
  auto useAll = [&] {
    auto another = loadStubPtx();
    cantFail(another->function("scale"));
    EXPECT_GT(cantFail(device->facts(kernel, 64)).blocksPerMultiprocessor, 0);
    DeviceBuffer buffer = cantFail(device->allocate(16));
    cantFail(device->fill(buffer.address(), 0, 16, nullptr));
    cantFail(device->launch(kernel, {}, {}, nullptr));
    auto event = cantFail(device->makeEvent());
    cantFail(event->record(nullptr));
    cantFail(event->wait());
    auto graph = cantFail(device->capture([&](DeviceStream stream) {
      return device->launch(kernel, {}, {}, stream);
    }));
    cantFail(graph->replay(nullptr));
    failure(device->launch(kernel, {0, 0, 0}, {}, nullptr));
  };
  useAll();
  EXPECT_EQ(current(), nullptr);
  cantFail(driver->ctxPushCurrent(foreign));
  useAll();
  EXPECT_EQ(current(), foreign);
  cuda::Context popped = nullptr;
  cantFail(driver->ctxPopCurrent(&popped));
  EXPECT_EQ(popped, foreign);
  EXPECT_EQ(current(), nullptr);
  // Where the caller already works in ours nothing is pushed.
  cantFail(device->inContext([&] {
    int before = stub.calls("cuCtxPushCurrent");
    useAll();
    EXPECT_EQ(stub.calls("cuCtxPushCurrent"), before);
    return Error::success();
  }));
}

TEST_F(CudaTest, AnyThreadMayCall) {
  auto module = loadStubPtx();
  void *scale = cantFail(module->function("scale"));
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        DeviceBuffer buffer = cantFail(device->allocate(64 + i));
        int in = t * 1000 + i, out = 0;
        cantFail(device->copyIn(buffer.address(), &in, sizeof in));
        cantFail(device->launch(scale, {}, packed(ScaleArguments()), nullptr));
        cantFail(device->copyOut(&out, buffer.address(), sizeof out));
        wrong += in != out;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(stub.launchCount(), 800);
}

TEST_F(CudaTest, ReadRate) {
  // 1 GiB is not there, nor half of it: 256 MiB is. A launch of the stub takes
  // 1001 µs from event to event.
  EXPECT_NEAR(cantFail(cuda::measureReadRate(*device)),
              double(256 << 20) / 1001e3, 0.1);
  EXPECT_EQ(stub.launchCount(), 6);
  WfStubLaunch launch;
  ASSERT_TRUE(stub.launchAt(0, &launch));
  EXPECT_EQ(uint64_t(launch.blocks) * launch.threads * 8 * 16, 256u << 20);
  ::setenv("WARPFOLD_STUB_CUDA", "oom", 1);
  EXPECT_NE(failure(cuda::measureReadRate(*device))
                .find("cuda:0 has no memory for 16777216 bytes"),
            std::string::npos);
}

} // namespace
