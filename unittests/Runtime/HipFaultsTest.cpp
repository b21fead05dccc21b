//===- HipFaultsTest.cpp - Runtimes that are not there or fail ------------===//
// SPDX-FileCopyrightText: The Warpfold developers
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "HipStub.h"

#include <set>

using namespace wf;
using namespace wf::test;
using hip::Driver;
using hip::HipDevice;
using llvm::Error;

namespace {

TEST_F(HipTest, NoRuntime) {
  EXPECT_EQ(failure(Driver::load("/nowhere/libamdhip64.so")),
            "device error: hip: no runtime (/nowhere/libamdhip64.so not "
            "found)\nhint: WARPFOLD_HIP_LIBRARY names this file");
  EXPECT_EQ(failure(Driver::load("libm.so.6")),
            "device error: hip: libm.so.6 is no HIP runtime (it has no "
            "hipInit)\nhint: WARPFOLD_HIP_LIBRARY names the library; unset it "
            "for the system's libamdhip64.so");
  Folder folder;
  std::string text = folder.write("libamdhip64.so", "no library");
  EXPECT_NE(failure(Driver::load(text)).find("hip: no runtime (" + text + ":"),
            std::string::npos);
}

// The stub is loaded, as a host program's runtime may be, and is the one that
// is used whatever else the machine has.
TEST_F(HipTest, ARuntimeThatIsLoadedIsTakenFirst) {
  auto found = must(Driver::load(""));
  int before = stub.calls("hipStreamSynchronize");
  auto again = must(HipDevice::open(*found, 0));
  must(again->synchronise(nullptr));
  EXPECT_EQ(stub.calls("hipStreamSynchronize"), before + 1);
}

TEST_F(HipTest, AnOldRuntime) {
  ::setenv("WARPFOLD_STUB_HIP", "old", 1);
  EXPECT_EQ(failure(Driver::load(WF_STUB_HIP)),
            "device error: hip: the runtime is of ROCm 5.2, and Warpfold needs "
            "6.0 or later\nhint: update ROCm");
}

TEST_F(HipTest, ARuntimeThatLacksFunctions) {
  EXPECT_EQ(failure(Driver::load(WF_STUB_HIP_PARTIAL)),
            "device error: hip: the runtime (7.1) has no function "
            "hipGetDeviceCount\nhint: update ROCm");
}

TEST_F(HipTest, NoDevice) {
  ::setenv("WARPFOLD_STUB_HIP", "nodevice", 1);
  EXPECT_EQ(failure(Driver::load(WF_STUB_HIP)),
            "device error: hip: hipInit: hipErrorNoDevice (as the stub says)\n"
            "hint: no GPU is visible to this process; see `rocminfo`, the "
            "rights to /dev/kfd (groups render and video), and "
            "HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES if they are set");
}

// CASES CO7: one clear message, that names the chip and those there are.
TEST_F(HipTest, AnArchitectureWithoutCode) {
  for (const char *target : {"gfx906", "gfx1101", "gfx94"}) {
    ::setenv("WARPFOLD_STUB_HIP_TARGET", target, 1);
    EXPECT_EQ(failure(HipDevice::open(*driver, 0)),
              std::string("device error: hip:0, Stub GPU, is a ") + target +
                  ", and Warpfold has code for gfx90a, gfx942, gfx1030, "
                  "gfx1100, gfx1201\nhint: use another device; `warpfold "
                  "devices` lists them");
  }
  ::setenv("WARPFOLD_STUB_HIP_TARGET", "", 1);
  EXPECT_NE(failure(HipDevice::open(*driver, 0))
                .find("is a chip without a name, and Warpfold has code for"),
            std::string::npos);
  // A row of the table that no AMD GPU is.
  ::setenv("WARPFOLD_STUB_HIP_TARGET", "sm_90", 1);
  EXPECT_NE(failure(HipDevice::open(*driver, 0)).find("is a sm_90, and"),
            std::string::npos);
}

TEST_F(HipTest, WavesOfAnotherWidth) {
  ::setenv("WARPFOLD_STUB_HIP_WAVE", "32", 1);
  EXPECT_EQ(failure(HipDevice::open(*driver, 0)),
            "device error: hip:0, Stub GPU, has waves of 32 lanes, and code "
            "for gfx942 is made for 64\nhint: use another device; `warpfold "
            "devices` lists them");
  ::setenv("WARPFOLD_STUB_HIP_TARGET", "gfx1201", 1);
  ::setenv("WARPFOLD_STUB_HIP_WAVE", "64", 1);
  EXPECT_NE(failure(HipDevice::open(*driver, 0))
                .find("has waves of 64 lanes, and code for gfx1201 is made "
                      "for 32"),
            std::string::npos);
}

TEST_F(HipTest, ACodeWithoutAName) {
  stub.fail("hipStreamSynchronize", 12345, 0);
  EXPECT_EQ(failure(device->synchronise(nullptr)),
            "device error: hip: hipStreamSynchronize: code 12345");
}

TEST_F(HipTest, NamesOfDevices) {
  Device *first = must(openDevice("hip"));
  EXPECT_EQ(must(openDevice("hip:0")), first);
  EXPECT_EQ(must(deviceCount("hip")), 1);
  EXPECT_EQ(failure(openDevice("hip:1")),
            "device error: there is no hip:1\nhint: there is hip:0 only");
  ::setenv("WARPFOLD_STUB_HIP_DEVICES", "3", 1);
  EXPECT_NE(must(openDevice("hip:1")), first);
  EXPECT_EQ(must(openDevice("hip:0")), first);
  EXPECT_EQ(failure(openDevice("hip:3")),
            "device error: there is no hip:3\n"
            "hint: there are hip:0, hip:1, hip:2");
  ::setenv("WARPFOLD_STUB_HIP_DEVICES", "0", 1);
  EXPECT_NE(failure(openDevice("hip")).find("hipGetDeviceCount: hipErrorNoDev"),
            std::string::npos);
  for (const char *bad : {"hip:", "hip:x", "hip:-1", "hip:1:2", "hipp"})
    EXPECT_EQ(failure(openDevice(bad)),
              std::string("error: '") + bad +
                  "' names no device\nhint: say cpu, cuda, cuda:0, hip or "
                  "sim:gfx1201; "
                  "`warpfold devices` lists what is there");
}

TEST_F(HipTest, ALostDevice) {
  auto module = loadKernels();
  void *nothing = must(module->function("nothing"));
  DeviceBuffer buffer = must(device->allocate(16));
  ::setenv("WARPFOLD_STUB_HIP", "lost", 1);
  must(device->launch(nothing, {}, {}, nullptr)); // it fails later
  const std::string lost =
      ": hipErrorIllegalAddress (as the stub says)\n"
      "hint: the GPU's state is lost to this process; start it again";
  EXPECT_EQ(failure(device->synchronise(nullptr)),
            "device error: hip: hipStreamSynchronize" + lost);
  EXPECT_EQ(failure(device->launch(nothing, {}, {}, nullptr)),
            "device error: hip: hipModuleLaunchKernel" + lost);
  EXPECT_EQ(failure(device->allocate(16)),
            "device error: hip: hipMalloc" + lost);
  buffer.reset(); // says nothing
  module.reset();
  EXPECT_STREQ(stub.report(), "alive: 16 bytes\nalive: 1 module\n");
  stub.reset();
}

/// Uses everything once, from a thread whose device is another; the first
/// error.
Error useEverything() {
  auto driver = Driver::load(WF_STUB_HIP);
  if (!driver)
    return driver.takeError();
  auto opened = HipDevice::open(**driver, 1);
  if (!opened)
    return opened.takeError();
  HipDevice &device = **opened;
  auto buffer = device.allocate(64);
  if (!buffer)
    return buffer.takeError();
  char bytes[64] = {};
  if (Error error = device.copyIn(buffer->address(), bytes, 64))
    return error;
  auto module = device.load(asCode(kernelsFor("gfx942")), "key");
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
TEST_F(HipTest, EveryFailureIsNamedAndLeaksNothing) {
  ::setenv("WARPFOLD_STUB_HIP_DEVICES", "2", 1);
  const std::set<std::string> givesBack = {
      "hipFree",         "hipModuleUnload", "hipStreamDestroy",
      "hipEventDestroy", "hipGraphDestroy", "hipGraphExecDestroy"};
  // Not called where nothing fails; or tested elsewhere. What fails to make a
  // device current fails to give back, too.
  const std::set<std::string> apart = {
      "hipDrvGetErrorName", "hipDrvGetErrorString", "hipRuntimeGetVersion",
      "hipMemGetInfo",      "hipGetDeviceCount",    "hipGetDevice",
      "hipSetDevice"};
  const char *names[] = {
#define X(member, name, symbol, args) #name,
      WARPFOLD_HIP_FUNCTIONS(X)
#undef X
  };
  for (const std::string name : names) {
    if (apart.count(name))
      continue;
    for (int skip = 0;; ++skip) {
      SCOPED_TRACE(name + " failing at call " + std::to_string(skip));
      ASSERT_LT(skip, 100);
      stub.reset();
      stub.fail(name.c_str(), hip::LaunchOutOfResources, skip);
      Error error = useEverything();
      bool failed = bool(error);
      std::string text = llvm::toString(std::move(error));
      EXPECT_EQ(current(), 0);
      if (stub.calls(name.c_str()) <= skip) {
        EXPECT_FALSE(failed) << text;
        EXPECT_GT(skip, 0) << "never called";
        break;
      }
      if (givesBack.count(name)) {
        EXPECT_FALSE(failed) << text;
        continue; // it is alive still, and nobody can tell
      }
      // A capture that does not end cannot be ended by us.
      EXPECT_STREQ(stub.report(),
                   name == "hipStreamEndCapture"
                       ? "hipStreamDestroy: a stream that is being captured\n"
                       : "");
      if (failed)
        EXPECT_NE(text.find(name + ": hipErrorLaunchOutOfResources"),
                  std::string::npos)
            << text;
      else // clocks, which may be missing
        EXPECT_EQ(name, "hipDeviceGetAttribute");
    }
  }
  stub.reset();
}

TEST_F(HipTest, ADeviceThatCannotBeMadeCurrent) {
  ::setenv("WARPFOLD_STUB_HIP_DEVICES", "2", 1);
  auto second = must(HipDevice::open(*driver, 1));
  stub.fail("hipGetDevice", hip::InvalidContext, 0);
  EXPECT_EQ(failure(second->synchronise(nullptr)),
            "device error: hip: hipGetDevice: hipErrorInvalidContext (as the "
            "stub says)");
  stub.fail("hipSetDevice", hip::InvalidDevice, 0);
  EXPECT_EQ(failure(second->synchronise(nullptr)),
            "device error: hip: hipSetDevice: hipErrorInvalidDevice (as the "
            "stub says)");
  EXPECT_EQ(current(), 0);
  stub.fail("hipSetDevice", hip::InvalidDevice, 1);
  EXPECT_EQ(failure(second->synchronise(nullptr)),
            "device error: hip: hipSetDevice: the calling thread's device "
            "could not be put back");
  must(driver->setDevice(0));
}

/// What outlives main is freed when the runtime has shut down already.
struct Leftovers {
  DeviceBuffer buffer;
  std::shared_ptr<DeviceModule> module;
  std::unique_ptr<DeviceEvent> event;
  std::unique_ptr<DeviceGraph> graph;
};

[[noreturn]] void endWithLeftovers() {
  static Leftovers leftovers;
  Device *device = must(openDevice("hip"));
  leftovers.buffer = must(device->allocate(64));
  leftovers.module = must(device->load(asCode(kernelsFor("gfx942")), ""));
  leftovers.event = must(device->makeEvent());
  leftovers.graph = must(device->capture([&](DeviceStream stream) {
    return device->fill(leftovers.buffer.address(), 0, 64, stream);
  }));
  ::exit(0);
}

TEST_F(HipTest, WhatOutlivesMainDoesNoHarm) {
  EXPECT_EXIT(endWithLeftovers(), ::testing::ExitedWithCode(0), "^$");
}

} // namespace
