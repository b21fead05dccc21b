//===- HipDeviceTest.cpp - Memory, launches, streams, graphs --------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "HipStub.h"

#include "Plan/Hardware.h"

#include <atomic>
#include <functional>
#include <numeric>
#include <thread>

using namespace wf;
using namespace wf::test;
using hip::HipDevice;
using llvm::Error;

namespace {

TEST_F(HipTest, Properties) {
  const DeviceProperties &about = device->properties();
  EXPECT_EQ(about.name, "Stub GPU");
  EXPECT_EQ(about.target, "gfx942") << "without :sramecc+:xnack-";
  EXPECT_EQ(about.code, GpuCodeForm::CodeObject);
  EXPECT_EQ(about.multiprocessors, 304);
  EXPECT_EQ(about.warpSize, 64);
  EXPECT_EQ(about.maxThreadsPerMultiprocessor, 2048);
  EXPECT_EQ(about.memoryBytes, 256 << 20);
  EXPECT_EQ(about.l2Bytes, 4 << 20);
  EXPECT_EQ(about.sharedBytesPerBlock, 64 << 10);
  EXPECT_EQ(about.sharedBytesOptIn, 64 << 10);
  EXPECT_EQ(about.sharedBytesPerMultiprocessor, 64 << 10);
  EXPECT_EQ(about.registersPerMultiprocessor, 131072);
  EXPECT_EQ(about.clockKilohertz, 2100000);
  EXPECT_EQ(about.memoryClockKilohertz, 1300000);
  EXPECT_EQ(about.memoryBusBits, 8192);
  EXPECT_EQ(about.driverVersion, 70125424);
}

TEST_F(HipTest, EveryArchitectureOfTheTableOpens) {
  int opened = 0;
  for (const Hardware &row : hardwareTable()) {
    llvm::StringRef target = row.target;
    if (!target.starts_with("gfx"))
      continue;
    SCOPED_TRACE(row.target);
    ::setenv("WARPFOLD_STUB_HIP_TARGET", row.target, 1);
    auto fresh = must(HipDevice::open(*driver, 0));
    EXPECT_EQ(fresh->properties().target, row.target);
    // CDNA and GCN (gfx9…) have waves of 64 lanes, RDNA (gfx1…) of 32.
    EXPECT_EQ(fresh->properties().warpSize, target[3] == '9' ? 64 : 32);
    ++opened;
  }
  EXPECT_EQ(opened, 5);
}

TEST_F(HipTest, ComputeUnitsAreCountedNotTheirPairs) {
  ::setenv("WARPFOLD_STUB_HIP_TARGET", "gfx1201", 1);
  auto units = [&] {
    return must(HipDevice::open(*driver, 0))->properties().multiprocessors;
  };
  EXPECT_EQ(units(), 64);
  // A runtime that does not know that question answers the older one.
  stub.fail("hipDeviceGetAttribute", hip::InvalidValue, 0);
  EXPECT_EQ(units(), 32);
}

TEST_F(HipTest, CopiesAndFills) {
  std::vector<int> numbers(1000), back(1000);
  std::iota(numbers.begin(), numbers.end(), 1);
  DeviceBuffer buffer = must(device->allocate(4000));
  EXPECT_EQ(buffer.bytes(), 4000);
  EXPECT_EQ(buffer.address() % 256, 0u);
  must(device->copyIn(buffer.address(), numbers.data(), 4000));
  must(device->copyOut(back.data(), buffer.address(), 4000));
  EXPECT_EQ(back, numbers);
  must(device->fill(buffer.address() + 4, 0xff, 8, nullptr));
  must(device->copyOut(back.data(), buffer.address(), 4000));
  EXPECT_EQ(std::vector<int>(back.begin(), back.begin() + 4),
            (std::vector<int>{1, -1, -1, 4}));
  DeviceBuffer none = must(device->allocate(0));
  EXPECT_NE(none.address(), 0u);
  must(device->copyIn(none.address(), nullptr, 0));
}

TEST_F(HipTest, NoMemoryNamesTheNumbers) {
  DeviceBuffer some = must(device->allocate(1 << 20));
  EXPECT_EQ(failure(device->allocate(1ll << 40)),
            "device error: hip:0 has no memory for 1099511627776 bytes: "
            "267386880 bytes of 268435456 are free (hipMalloc: "
            "hipErrorOutOfMemory (as the stub says))\n"
            "hint: free memory on the device, or reduce a part at a time");
  ::setenv("WARPFOLD_STUB_HIP", "oom", 1);
  EXPECT_NE(failure(device->allocate(16)).find("hip:0 has no memory for 16"),
            std::string::npos);
}

TEST_F(HipTest, ALaunchArrivesAsItWasAsked) {
  auto module = loadKernels();
  void *scale = must(module->function("scale"));
  DeviceStream stream = must(device->makeStream());
  ScaleArguments arguments;
  arguments.pointer = 0x123456789abcdef0;
  arguments.count = 7;
  must(device->launch(scale, {1000, 256, 32 << 10}, packed(arguments), stream));
  WfStubLaunch launch;
  ASSERT_TRUE(stub.launchAt(0, &launch));
  EXPECT_STREQ(launch.kernel, "scale");
  EXPECT_EQ(launch.blocks, 1000u);
  EXPECT_EQ(launch.threads, 256u);
  EXPECT_EQ(launch.dynamicSharedBytes, 32u << 10);
  EXPECT_EQ(launch.stream, stream);
  ASSERT_EQ(launch.argumentBytes, 44u);
  EXPECT_EQ(std::memcmp(launch.arguments, &arguments, 44), 0);
  // Hidden arguments are the runtime's: none are passed.
  must(device->launch(must(module->function("nothing")), {}, {}, stream));
  uint64_t to = 0;
  must(device->launch(
      must(module->function("sizes")), {},
      llvm::ArrayRef<char>(reinterpret_cast<const char *>(&to), 8), stream));
  EXPECT_EQ(stub.launchCount(), 3);
  must(device->synchronise(stream));
  device->destroyStream(stream);
}

TEST_F(HipTest, ALaunchThatCannotBe) {
  auto module = loadKernels();
  void *scale = must(module->function("scale"));
  ScaleArguments arguments;
  auto launch = [&](LaunchShape shape) {
    return failure(device->launch(scale, shape, packed(arguments), nullptr));
  };
  auto refused = [](const std::string &code) {
    return "device error: hip: hipModuleLaunchKernel: hipError" + code +
           " (as the stub says)";
  };
  EXPECT_EQ(launch({0, 32, 0}), refused("InvalidValue"));
  EXPECT_EQ(launch({1u << 31, 1, 0}), refused("InvalidValue"));
  EXPECT_EQ(launch({1, 0, 0}), refused("InvalidConfiguration"));
  // 256 bytes of LDS are the kernel's own.
  EXPECT_EQ(launch({1, 32, (64 << 10) - 255}), refused("InvalidValue"));
  EXPECT_EQ(launch({1, 2048, 0}), refused("InvalidValue"));
  EXPECT_EQ(launch({1, 257, 0}),
            refused("LaunchFailure") +
                "\nhint: the GPU's state is lost to this process; start it "
                "again");
  EXPECT_EQ(launch({1u << 24, 256, 0}),
            "device error: hip:0: 16777216 blocks of 256 threads are more than "
            "the 4294967295 threads of a launch\n"
            "hint: leave --plan out, or reduce a part at a time");
  EXPECT_EQ(stub.launchCount(), 0);
  // One block less is good.
  must(device->launch(scale, {(1u << 24) - 1, 256, (64 << 10) - 256},
                      packed(arguments), nullptr));
  EXPECT_EQ(stub.launchCount(), 1);
}

TEST_F(HipTest, WithoutASimulatorNoKernelRuns) {
  auto module = loadKernels();
  void *nothing = must(module->function("nothing"));
  ::unsetenv("WARPFOLD_STUB_SKIP_RUN");
  EXPECT_EQ(failure(device->launch(nothing, {}, {}, nullptr)),
            "device error: hip: hipModuleLaunchKernel: hipErrorNotSupported "
            "(as the stub says)");
  auto graph = must(device->capture([&](DeviceStream stream) {
    return device->launch(nothing, {}, {}, stream);
  }));
  EXPECT_NE(failure(graph->replay(nullptr))
                .find("hipGraphLaunch: hipErrorNotSupported"),
            std::string::npos);
  EXPECT_EQ(stub.launchCount(), 0);
}

TEST_F(HipTest, TheStubSeesWrongUse) {
  auto module = loadKernels();
  void *scale = must(module->function("scale"));
  char bytes[64] = {};
  failure(device->launch(scale, {}, llvm::ArrayRef<char>(bytes, 40), nullptr));
  failure(device->launch(scale, {}, {}, nullptr));
  failure(device->launch(bytes, {}, {}, nullptr));
  module.reset();
  failure(device->launch(scale, {}, llvm::ArrayRef<char>(bytes, 44), nullptr));
  DeviceAddress address = must(device->allocate(64)).address(); // freed
  failure(device->copyIn(address, bytes, 64));
  device->release(address);
  DeviceBuffer buffer = must(device->allocate(64));
  failure(device->copyOut(bytes, buffer.address() + 1, 64));
  failure(device->synchronise(bytes));
  EXPECT_STREQ(stub.report(),
               "hipModuleLaunchKernel: scale takes 44 bytes of arguments, not "
               "40\n"
               "hipModuleLaunchKernel: scale takes 44 bytes of arguments, not "
               "0\n"
               "hipModuleLaunchKernel: no kernel of a loaded module\n"
               "hipModuleLaunchKernel: no kernel of a loaded module\n"
               "hipMemcpyHtoD: 64 bytes outside memory\n"
               "hipFree: freed twice\n"
               "hipMemcpyDtoH: 64 bytes outside memory\n"
               "hipStreamSynchronize: no such stream\n"
               "alive: 64 bytes\n");
  buffer.reset();
  stub.reset();
}

TEST_F(HipTest, EventsTellTheTimeBetween) {
  auto module = loadKernels();
  void *nothing = must(module->function("nothing"));
  auto begin = must(device->makeEvent()), end = must(device->makeEvent());
  EXPECT_NE(failure(device->elapsed(*begin, *end)).find("hipEventElapsedTime"),
            std::string::npos);
  must(begin->record(nullptr));
  for (int i = 0; i < 3; ++i)
    must(device->launch(nothing, {}, {}, nullptr));
  must(end->record(nullptr));
  must(end->wait());
  // The stub's launches take a millisecond and its events one µs.
  EXPECT_NEAR(must(device->elapsed(*begin, *end)), 3001, 0.1);
}

TEST_F(HipTest, AGraphDoesWhatWasCaptured) {
  auto module = loadKernels();
  void *nothing = must(module->function("nothing"));
  DeviceBuffer buffer = must(device->allocate(4));
  must(device->fill(buffer.address(), 1, 4, nullptr));
  auto graph = must(device->capture([&](DeviceStream stream) -> Error {
    if (Error error = device->fill(buffer.address(), 2, 4, stream))
      return error;
    if (Error error = device->launch(nothing, {5, 32, 0}, {}, stream))
      return error;
    return device->launch(nothing, {6, 32, 0}, {}, stream);
  }));
  uint32_t value = 0;
  must(device->copyOut(&value, buffer.address(), 4));
  EXPECT_EQ(value, 0x01010101u) << "capturing is not running";
  EXPECT_EQ(stub.launchCount(), 0);
  DeviceStream stream = must(device->makeStream());
  for (int i = 0; i < 3; ++i)
    must(graph->replay(stream));
  must(device->copyOut(&value, buffer.address(), 4));
  EXPECT_EQ(value, 0x02020202u);
  EXPECT_EQ(stub.launchCount(), 6);
  WfStubLaunch launch;
  ASSERT_TRUE(stub.launchAt(1, &launch));
  EXPECT_EQ(launch.blocks, 5u);
  EXPECT_TRUE(launch.replayed);
  EXPECT_EQ(launch.stream, stream);
  device->destroyStream(stream);
}

TEST_F(HipTest, WhatMayNotBeCapturedSaysSoAndEndsTheCapture) {
  DeviceBuffer buffer = must(device->allocate(16));
  char bytes[16] = {};
  const std::function<Error(DeviceStream)> bodies[] = {
      [&](DeviceStream) { return device->allocate(16).takeError(); },
      [&](DeviceStream) { return device->copyIn(buffer.address(), bytes, 16); },
      [&](DeviceStream stream) { return device->synchronise(stream); }};
  for (const auto &body : bodies) {
    EXPECT_NE(
        failure(device->capture(body)).find("hipErrorStreamCaptureUnsupported"),
        std::string::npos);
    must(device->allocate(16)); // allowed again
  }
  EXPECT_EQ(failure(device->capture(
                [](DeviceStream) { return userError("the body's own"); })),
            "error: the body's own");
}

/// Everything that a device can be asked, on kernels of its own.
void useAll(HipDevice &device, DriverStub &stub) {
  auto module = must(device.load(asCode(kernelsFor("gfx942")), ""));
  void *kernel = must(module->function("nothing"));
  EXPECT_GT(must(device.facts(kernel, 64)).blocksPerMultiprocessor, 0);
  DeviceBuffer buffer = must(device.allocate(16));
  char bytes[16] = {};
  must(device.copyIn(buffer.address(), bytes, 16));
  must(device.fill(buffer.address(), 0, 16, nullptr));
  must(device.launch(kernel, {}, {}, nullptr));
  auto event = must(device.makeEvent());
  must(event->record(nullptr));
  must(event->wait());
  auto graph = must(device.capture([&](DeviceStream stream) {
    return device.launch(kernel, {}, {}, stream);
  }));
  must(graph->replay(nullptr));
  failure(device.launch(kernel, {0, 0, 0}, {}, nullptr));
}

TEST_F(HipTest, TheCallersDeviceIsPutBack) {
  ::setenv("WARPFOLD_STUB_HIP_DEVICES", "2", 1);
  auto second = must(HipDevice::open(*driver, 1));
  ASSERT_EQ(current(), 0);
  useAll(*second, stub);
  EXPECT_EQ(current(), 0);
  must(driver->setDevice(1));
  useAll(*device, stub);
  EXPECT_EQ(current(), 1);
  // Where the caller already works on ours nothing is set.
  int before = stub.calls("hipSetDevice");
  useAll(*second, stub);
  EXPECT_EQ(stub.calls("hipSetDevice"), before);
  must(driver->setDevice(0));
}

TEST_F(HipTest, TwoDevicesKeepTheirOwn) {
  ::setenv("WARPFOLD_STUB_HIP_DEVICES", "2", 1);
  ::setenv("WARPFOLD_STUB_HIP_TARGET", "gfx942,gfx1201", 1);
  auto second = must(HipDevice::open(*driver, 1));
  EXPECT_EQ(second->properties().target, "gfx1201");
  EXPECT_EQ(second->properties().warpSize, 32);
  auto module = must(second->load(asCode(kernelsFor("gfx1201")), ""));
  DeviceBuffer here = must(device->allocate(16)),
               there = must(second->allocate(16));
  must(second->fill(there.address(), 7, 16, nullptr));
  EXPECT_STREQ(stub.report(),
               "alive: 16 bytes\nalive: 16 bytes\nalive: 1 module\n");
  char bytes[16] = {};
  failure(device->copyOut(bytes, there.address(), 16));
  failure(device->launch(must(module->function("nothing")), {}, {}, nullptr));
  here.reset();
  there.reset();
  module.reset();
  EXPECT_STREQ(stub.report(),
               "hipMemcpyDtoH: memory of another device\n"
               "hipModuleLaunchKernel: a module of another context\n"
               "hipModuleLaunchKernel: no kernel of a loaded module\n");
  stub.reset();
}

TEST_F(HipTest, AnyThreadMayCall) {
  ::setenv("WARPFOLD_STUB_HIP_DEVICES", "2", 1);
  auto second = must(HipDevice::open(*driver, 1));
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      HipDevice &mine = t % 2 ? *second : *device;
      for (int i = 0; i < 200; ++i) {
        DeviceBuffer buffer = must(mine.allocate(64 + i));
        int in = t * 1000 + i, out = 0;
        must(mine.copyIn(buffer.address(), &in, sizeof in));
        must(mine.copyOut(&out, buffer.address(), sizeof out));
        wrong += in != out;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

} // namespace
