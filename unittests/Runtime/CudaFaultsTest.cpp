//===- CudaFaultsTest.cpp - Drivers that are not there or fail ------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "CudaStub.h"

#include <set>

using namespace wf;
using namespace wf::test;
using cuda::CudaDevice;
using cuda::Driver;
using llvm::Error;

namespace {

TEST_F(CudaTest, NoDriver) {
  EXPECT_EQ(failure(Driver::load("/nowhere/libcuda.so.1")),
            "device error: cuda: no driver (/nowhere/libcuda.so.1 not found)\n"
            "hint: WARPFOLD_CUDA_DRIVER names this file");
  EXPECT_EQ(
      failure(Driver::load("libm.so.6")),
      "device error: cuda: libm.so.6 is no CUDA driver (it has no "
      "cuInit)\nhint: WARPFOLD_CUDA_DRIVER names the library; unset it for "
      "the system's libcuda.so.1");
  Folder folder;
  std::string text = folder.write("libcuda.so.1", "no library");
  EXPECT_NE(failure(Driver::load(text)).find("cuda: no driver (" + text + ":"),
            std::string::npos);
}

TEST_F(CudaTest, AnOldDriver) {
  ::setenv("WARPFOLD_STUB_CUDA", "old", 1);
  EXPECT_EQ(failure(Driver::load(WF_STUB_CUDA)),
            "device error: cuda: the driver is for CUDA 11.0, and Warpfold "
            "needs 11.4 or later\nhint: update the NVIDIA driver");
}

TEST_F(CudaTest, NoDevice) {
  ::setenv("WARPFOLD_STUB_CUDA", "nodevice", 1);
  EXPECT_EQ(failure(Driver::load(WF_STUB_CUDA)),
            "device error: cuda: cuInit: CUDA_ERROR_NO_DEVICE (as the stub "
            "says)\nhint: no GPU is visible to this process; see `nvidia-smi`, "
            "and CUDA_VISIBLE_DEVICES if it is set");
}

TEST_F(CudaTest, AnOldDevice) {
  ::setenv("WARPFOLD_STUB_TARGET", "sm_61", 1);
  EXPECT_EQ(
      failure(CudaDevice::open(*driver, 0)),
      "device error: cuda:0, Stub GPU, is an sm_61, and Warpfold needs "
      "sm_75 or later\nhint: use another device; `warpfold devices` lists "
      "them");
  ::setenv("WARPFOLD_STUB_TARGET", "sm_75", 1);
  EXPECT_EQ(must(CudaDevice::open(*driver, 0))->properties().target, "sm_75");
}

TEST_F(CudaTest, ACodeWithoutAName) {
  stub.fail("cuStreamSynchronize", 12345, 0);
  EXPECT_EQ(failure(device->synchronise(nullptr)),
            "device error: cuda: cuStreamSynchronize: code 12345");
}

TEST_F(CudaTest, NamesOfDevices) {
  Device *first = must(openDevice("cuda"));
  EXPECT_EQ(must(openDevice("cuda:0")), first);
  EXPECT_EQ(must(deviceCount("cuda")), 1);
  EXPECT_EQ(failure(openDevice("cuda:1")),
            "device error: there is no cuda:1\nhint: there is cuda:0 only");
  ::setenv("WARPFOLD_STUB_DEVICES", "3", 1);
  EXPECT_NE(must(openDevice("cuda:1")), first);
  EXPECT_EQ(must(openDevice("cuda:0")), first);
  EXPECT_EQ(failure(openDevice("cuda:3")),
            "device error: there is no cuda:3\n"
            "hint: there are cuda:0, cuda:1, cuda:2");
  ::setenv("WARPFOLD_STUB_DEVICES", "0", 1);
  EXPECT_EQ(failure(openDevice("cuda")),
            "device error: cuda: the driver finds no device");
  for (const char *bad : {"cuda:", "cuda:x", "cuda:-1", "cuda:1:2", "cpu",
                          "gpu", "", "cuda:99999999999"})
    EXPECT_EQ(failure(openDevice(bad)),
              std::string("error: '") + bad +
                  "' names no device\nhint: say cpu, cuda, cuda:0, hip or "
                  "sim:gfx1201; "
                  "`warpfold devices` lists what is there");
  failure(deviceCount("cudda"));
}

TEST_F(CudaTest, ALostDevice) {
  auto module = loadStubPtx();
  void *nothing = must(module->function("nothing"));
  DeviceBuffer buffer = must(device->allocate(16));
  ::setenv("WARPFOLD_STUB_CUDA", "lost", 1);
  must(device->launch(nothing, {}, {}, nullptr)); // it fails later
  const std::string lost =
      ": CUDA_ERROR_ILLEGAL_ADDRESS (as the stub says)\n"
      "hint: the GPU's state is lost to this process; start it again";
  EXPECT_EQ(failure(device->synchronise(nullptr)),
            "device error: cuda: cuStreamSynchronize" + lost);
  EXPECT_EQ(failure(device->launch(nothing, {}, {}, nullptr)),
            "device error: cuda: cuLaunchKernel" + lost);
  EXPECT_EQ(failure(device->allocate(16)),
            "device error: cuda: cuMemAlloc" + lost);
  buffer.reset(); // says nothing
  module.reset();
  EXPECT_STREQ(stub.report(), "alive: 16 bytes\nalive: 1 module\n");
  stub.reset();
}

TEST_F(CudaTest, ADriverThatLoadsNothing) {
  Folder folder;
  ::setenv("WARPFOLD_CACHE_DIR", folder.path.c_str(), 1);
  ::setenv("WARPFOLD_STUB_CUDA", "badimage", 1);
  EXPECT_NE(failure(device->load(asCode(stubPtx), "key"))
                .find("cuModuleLoadDataEx: CUDA_ERROR_INVALID_IMAGE"),
            std::string::npos);
  EXPECT_EQ(folder.list(), "");
}

/// Uses everything once; the first error.
Error useEverything(const std::string &cache) {
  auto driver = Driver::load(WF_STUB_CUDA);
  if (!driver)
    return driver.takeError();
  auto opened = CudaDevice::open(**driver, 0);
  if (!opened)
    return opened.takeError();
  CudaDevice &device = **opened;
  auto buffer = device.allocate(64);
  if (!buffer)
    return buffer.takeError();
  char bytes[64] = {};
  if (Error error = device.copyIn(buffer->address(), bytes, 64))
    return error;
  for (const char *key : {"key", ""}) { // through the linker, and directly
    auto loaded = device.load(asCode(stubPtx), key);
    if (!loaded)
      return loaded.takeError();
  }
  auto module = device.load(asCode(stubPtx), "key");
  if (!module)
    return module.takeError();
  auto kernel = (*module)->function("nothing");
  if (!kernel)
    return kernel.takeError();
  if (auto facts = device.facts(*kernel, 32); !facts)
    return facts.takeError();
  auto stream = device.makeStream();
  if (!stream)
    return stream.takeError();
  auto onStream = [&]() -> Error {
    auto begin = device.makeEvent(), end = device.makeEvent();
    if (!begin || !end)
      return llvm::joinErrors(begin.takeError(), end.takeError());
    if (Error error = (*begin)->record(*stream))
      return error;
    if (Error error = (*end)->record(*stream))
      return error;
    if (Error error = (*end)->wait())
      return error;
    if (auto time = device.elapsed(**begin, **end); !time)
      return time.takeError();
    auto graph = device.capture([&](DeviceStream captured) -> Error {
      if (Error error = device.fill(buffer->address(), 1, 64, captured))
        return error;
      return device.launch(*kernel, {}, {}, captured);
    });
    if (!graph)
      return graph.takeError();
    if (Error error = (*graph)->replay(*stream))
      return error;
    if (Error error = device.synchronise(*stream))
      return error;
    return device.copyOut(bytes, buffer->address(), 64);
  };
  Error error = onStream();
  device.destroyStream(*stream);
  return error;
}

// Every function fails at each of its calls in turn: the error names it, and
// whatever was made before is given back.
TEST_F(CudaTest, EveryFailureIsNamedAndLeaksNothing) {
  const std::set<std::string> givesBack = {
      "cuMemFree",      "cuModuleUnload", "cuStreamDestroy",
      "cuEventDestroy", "cuGraphDestroy", "cuGraphExecDestroy",
      "cuLinkDestroy"};
  // Not called where nothing fails; or tested elsewhere.
  const std::set<std::string> apart = {"cuGetErrorName",     "cuGetErrorString",
                                       "cuDriverGetVersion", "cuMemGetInfo",
                                       "cuDeviceGetCount",   "cuCtxPopCurrent"};
  const char *names[] = {
#define X(member, name, symbol, args) #name,
      WARPFOLD_CUDA_FUNCTIONS(X)
#undef X
  };
  for (const std::string name : names) {
    if (apart.count(name))
      continue;
    for (int skip = 0;; ++skip) {
      SCOPED_TRACE(name + " failing at call " + std::to_string(skip));
      ASSERT_LT(skip, 100);
      Folder cache;
      ::setenv("WARPFOLD_CACHE_DIR", cache.path.c_str(), 1);
      stub.reset();
      stub.fail(name.c_str(), cuda::LaunchOutOfResources, skip);
      Error error = useEverything(cache.path);
      bool failed = bool(error);
      std::string text = llvm::toString(std::move(error));
      bool reached = stub.calls(name.c_str()) > skip;
      if (!reached) {
        EXPECT_FALSE(failed) << text;
        EXPECT_GT(skip, 0) << "never called";
        break;
      }
      if (givesBack.count(name)) {
        EXPECT_FALSE(failed) << text;
        continue; // it is alive still, and nobody can tell
      }
      // Giving back needs the context too.
      if (!failed && (name == "cuCtxGetCurrent" || name == "cuCtxPushCurrent"))
        continue;
      // A capture that does not end cannot be ended by us.
      EXPECT_STREQ(stub.report(),
                   name == "cuStreamEndCapture"
                       ? "cuStreamDestroy: a stream that is being captured\n"
                       : "");
      if (failed)
        EXPECT_NE(text.find(name + ": CUDA_ERROR_LAUNCH_OUT_OF_RES"),
                  std::string::npos)
            << text;
      else // clocks, which may be missing; a cubin that is assembled anew
        EXPECT_TRUE(name == "cuDeviceGetAttribute" ||
                    name == "cuModuleLoadDataEx");
    }
  }
  stub.reset();
}

TEST_F(CudaTest, AContextThatCannotBePutBack) {
  stub.fail("cuCtxPopCurrent", cuda::InvalidContext, 0);
  EXPECT_EQ(failure(device->synchronise(nullptr)),
            "device error: cuda: cuCtxPopCurrent: the calling thread's context "
            "could not be put back");
  cuda::Context context = nullptr;
  must(driver->ctxPopCurrent(&context));
}

/// What outlives main is freed when the driver has shut down already.
struct Leftovers {
  DeviceBuffer buffer;
  std::shared_ptr<DeviceModule> module;
  std::unique_ptr<DeviceEvent> event;
  std::unique_ptr<DeviceGraph> graph;
};

[[noreturn]] void endWithLeftovers() {
  static Leftovers leftovers;
  Device *device = must(openDevice("cuda"));
  leftovers.buffer = must(device->allocate(64));
  leftovers.module = must(device->load(asCode(stubPtx), ""));
  leftovers.event = must(device->makeEvent());
  leftovers.graph = must(device->capture([&](DeviceStream stream) {
    return device->fill(leftovers.buffer.address(), 0, 64, stream);
  }));
  ::exit(0);
}

TEST_F(CudaTest, WhatOutlivesMainDoesNoHarm) {
  EXPECT_EXIT(endWithLeftovers(), ::testing::ExitedWithCode(0), "^$");
}

} // namespace
